# SPDX-License-Identifier: Apache-2.0
"""Demonstrations: the whole way of one design."""
