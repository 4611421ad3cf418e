#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs what montforge takes from Debian or Ubuntu packages, where it is missing and the user
# may install it; else says what to install and which steps go on without it. Never fails.
# With the argument coq also that proof assistant, which is large.

missing=""
want() { # PACKAGE TEST... : PACKAGE is missing if TEST fails
  package=$1
  shift
  "$@" >/dev/null 2>&1 || missing="$missing $package"
}

want g++ command -v g++
want make command -v make
want perl command -v perl
want opensta command -v sta
want qflow-tech-osu018 test -e /usr/share/qflow/tech/osu018/osu018_stdcells.lib
want iverilog command -v iverilog
want graphviz command -v dot
want chromium sh -c 'command -v chromium || command -v chromium-browser || command -v google-chrome'
want gcc-riscv64-unknown-elf command -v riscv64-unknown-elf-gcc
want ghdl-mcode command -v ghdl
want npm command -v npm
want openssl command -v openssl
want openssh-client command -v ssh
[ "${1:-}" = coq ] && want coq command -v coqc
[ -z "$missing" ] && exit 0

if [ "$(id -u)" = 0 ]; then
  as_root=""
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
  as_root="sudo"
else
  as_root="none"
fi

if [ "$as_root" != none ] && command -v apt-get >/dev/null 2>&1; then
  echo "installing:$missing"
  log=$(mktemp)
  # shellcheck disable=SC2086  # one word a package
  if { $as_root apt-get update -qq; DEBIAN_FRONTEND=noninteractive $as_root apt-get install \
        -y -qq --no-install-recommends $missing; } >"$log" 2>&1; then
    rm -f "$log"
    exit 0
  fi
  tail -n 5 "$log" >&2
  rm -f "$log"
fi

cat >&2 <<MESSAGE
montforge: these packages are missing and could not be installed here:$missing
  Install them with:  sudo apt-get install$missing
  Without g++, make, perl    nothing can be simulated (generate and info still work)
  Without opensta            no clock periods on standard cells (osu018, nangate45, ...)
  Without qflow-tech-osu018  no measurement on osu018 (--liberty FILE still works)
  Without iverilog           the flattened Verilog is not simulated
  Without graphviz           the documentation is built without block diagrams
  Without chromium           the pages of `montforge explore` and of the documentation are not tested
  Without npm                the documentation is built without its page that chooses and generates
  Without gcc-riscv64-unknown-elf  the C driver of the RSA engine is not run on RISC-V
  Without ghdl-mcode         `measure --rtl` takes no VHDL
  Without coq                `montforge prove` checks lemmas, and not that the contract follows
  Without openssl, openssh-client  the RSA engine is not tried with these clients
  All other steps go on.
MESSAGE
exit 0
