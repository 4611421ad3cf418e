# SPDX-License-Identifier: Apache-2.0
"""The host's side of a core with a bus: bus, driver, simulated device, padding."""
