# SPDX-License-Identifier: Apache-2.0
"""The base of all work: cache, tools, limits, extras, progress."""
