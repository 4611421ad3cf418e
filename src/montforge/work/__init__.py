# SPDX-License-Identifier: Apache-2.0
"""What all work needs: cache, tools, limits, extras, progress."""
