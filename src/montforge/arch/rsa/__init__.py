# SPDX-License-Identifier: Apache-2.0
"""The RSA engine: its parameters, its RTL, what it computes."""
