# SPDX-License-Identifier: Apache-2.0
# The test of cocotb in mf_sim.py; `make cocotb` runs it in build/cocotb, with NAME and MF_PROGRAM.
SIM ?= verilator
ROOT := ../..
VERILOG_SOURCES := $(addprefix $(ROOT)/,$(shell cat $(ROOT)/$(NAME).f))
COCOTB_TOPLEVEL := $(NAME)
COCOTB_TEST_MODULES := mf_sim
EXTRA_ARGS += -Wno-fatal
export MF_PROGRAM
export PYTHONPATH := $(abspath $(ROOT)/sim):$(PYTHONPATH)
include $(shell cocotb-config --makefiles)/Makefile.sim
