# SPDX-License-Identifier: Apache-2.0
"""Tables, plots and self-contained HTML pages."""

from montforge.report.table import Cell, Table

__all__ = ["Cell", "Table"]
