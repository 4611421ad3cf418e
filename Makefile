# SPDX-License-Identifier: Apache-2.0
# Everything that is done with this repository; `make help` lists it.

PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.montforge-installed

export PATH := $(abspath $(BIN)):$(PATH)

.DEFAULT_GOAL := help
.PHONY: help setup tools demo test test-fast lint bench docs clean

help: ## List the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

setup: $(STAMP) tools ## Make the virtual environment and install all tools

$(STAMP): pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("montforge needs Python 3.11 or newer" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check hatchling==1.27.0 editables
	$(BIN)/pip install --quiet --disable-pip-version-check --no-build-isolation --editable '.[dev]'
	touch $@

tools: ## Install the tools that come from apt-get, or say which are missing
	@sh scripts/install_tools.sh

demo: setup ## Generate, verify and measure a 1024-bit multiplier; table, picture, folder
	$(BIN)/python -m montforge.demo

test: setup lint ## Set up and pass all checks and tests
	$(BIN)/pytest -n 2 --dist worksteal

test-fast: setup ## Contract, models, command and lint rules, without simulation of families
	$(BIN)/pytest -n 2 --dist worksteal -m 'not slow' --ignore tests/arch --ignore tests/verify \
	  --ignore tests/measure --ignore tests/explore --ignore tests/test_generate.py --ignore tests/test_rtl.py

lint: setup ## ruff and mypy; the RTL is linted by tests/test_rtl.py
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: setup ## Speed of verification, mutation score
	$(BIN)/python benchmarks/bench_verify_vs_cocotb.py
	$(BIN)/python benchmarks/mutation_score.py

docs: setup ## Build the documentation into site/
	$(BIN)/mkdocs build --strict

clean: ## Remove what was built here (not the cache in the home folder)
	rm -rf $(VENV) site dist build demo-out
