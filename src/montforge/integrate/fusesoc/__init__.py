# SPDX-License-Identifier: Apache-2.0
"""The generator of FuseSoC, with its core file: this folder is a library of FuseSoC."""
