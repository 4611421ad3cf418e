# SPDX-License-Identifier: Apache-2.0
# Everything that is done with this repository; `make help` lists it.

PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.montforge-installed
MODULES := web/node_modules/.package-lock.json
# for what is installed and for what source archives are built with; pip 25.3 has a name of its own
LOCKED := PIP_CONSTRAINT=$(abspath constraints.txt) PIP_BUILD_CONSTRAINT=$(abspath constraints.txt)

export PATH := $(abspath $(BIN)):$(PATH)

.DEFAULT_GOAL := help
.PHONY: help setup lock tools libraries demo demo-rsa test test-fast lint bench docs clean

help: ## List the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

setup: $(STAMP) tools $(MODULES) ## Make the virtual environment and install all tools

$(STAMP): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit("montforge needs Python 3.11 or newer" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)
	$(LOCKED) $(BIN)/pip install --quiet --disable-pip-version-check --no-compile --editable '.[dev]'
	touch $@

lock: ## Write the newest versions that pyproject.toml allows into constraints.txt
	rm -rf build/lock
	$(PYTHON) -m venv build/lock
	build/lock/bin/pip install --quiet --upgrade editables hatchling setuptools wheel --editable '.[dev]'
	{ echo '# Exact versions that make installs; made by `make lock`.'; \
	  build/lock/bin/pip freeze --all --exclude-editable --exclude pip; } > constraints.txt
	rm -rf build/lock

tools: ## Install the tools that come from apt-get, or say which are missing
	@sh scripts/install_tools.sh

libraries: $(MODULES) ## Install the JavaScript libraries of the documentation's page (npm)

$(MODULES): web/package-lock.json | tools
	@if ! command -v npm >/dev/null; then \
	  echo "npm is missing: the documentation is built without its page that chooses and generates"; \
	elif ! npm ci --prefix web --ignore-scripts --no-audit --no-fund --loglevel=error; then \
	  echo "npm could not install web/package-lock.json: the documentation is built without its page"; \
	fi

demo: setup ## From a task to a chosen, generated, verified, measured multiplier; picture, page
	$(BIN)/python -m montforge.demos.multiplier

demo-rsa: setup ## Sign a file in a simulated 2048-bit RSA engine; openssl verifies it
	$(BIN)/python -m montforge.demos.rsa

test: setup lint ## Set up and pass all checks and tests
	$(BIN)/pytest -n 2 --dist worksteal

prove: setup ## Check all theorems and proofs; installs Coq
	sh scripts/install_tools.sh coq
	$(BIN)/pytest -n 2 --dist worksteal -m '' tests/prove

test-fast: setup ## Contract, models, command and lint rules, without simulation of families and engines
	$(BIN)/pytest -n 2 --dist worksteal -m 'not slow' --ignore tests/arch --ignore tests/verify --ignore tests/engine --ignore tests/bus --ignore tests/leak \
	  --ignore tests/measure --ignore tests/explore --ignore tests/prove --ignore tests/test_generate.py --ignore tests/test_rtl.py

lint: setup ## ruff and mypy; the RTL is linted by tests/test_rtl.py
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: setup ## Speed of verification, ratios of designs, mutation score
	$(BIN)/python benchmarks/bench_verify_vs_cocotb.py
	$(BIN)/python benchmarks/ratios.py
	$(BIN)/python benchmarks/mutation_score.py

docs: setup ## Build the documentation into site/
	$(BIN)/mkdocs build --strict

clean: ## Remove what was built here (not the cache in the home folder)
	rm -rf $(VENV) web/node_modules site dist build demo-out demo-rsa-out
