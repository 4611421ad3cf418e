# SPDX-License-Identifier: Apache-2.0
"""The RSA engine's host side: bus, driver, simulated device, server."""
