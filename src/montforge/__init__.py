# SPDX-License-Identifier: Apache-2.0
"""montforge: a library and compiler of Montgomery arithmetic hardware."""
