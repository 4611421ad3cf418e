# SPDX-License-Identifier: Apache-2.0
"""Designs in other frameworks."""
