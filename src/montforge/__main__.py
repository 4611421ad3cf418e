# SPDX-License-Identifier: Apache-2.0
"""``python -m montforge``: the command, where its folder is not in PATH."""

from montforge.cli import main

if __name__ == "__main__":
    main()
