# make demo    check real kernels from the command line and print the verdicts
# make test    linters, types, tests, doctests and the documentation
#
# Needs Python >= 3.11 with pip, and make. Everything is installed into a virtual environment in this directory, one for
# each Python version. Another Python: make test PYTHON=python3.12 (a name or a path).
#
# Tests are spread by file (--dist loadfile): the blocks of a document follow one another in one process. The files that
# take longest come first (tests/conftest.py), and in that order, so that no process waits for another at the end.

PYTHON ?= python3
JOBS ?= 2

VERSION := $(shell $(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null)
VENV := .venv-$(VERSION)
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --quiet --disable-pip-version-check

.PHONY: demo test test-all lint docs clean

demo: $(VENV)/installed-demo
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh demo/run.sh

test: lint
	@echo "== tests, doctests, documentation examples ($(BIN)/python, $(JOBS) processes)"
	@$(BIN)/python -m pytest -q -n $(JOBS) --dist loadfile --no-loadscope-reorder
	@$(MAKE) --no-print-directory docs

test-all: lint
	@echo "== every test, long ones included ($(BIN)/python, $(JOBS) processes)"
	@$(BIN)/python -m pytest -q -n $(JOBS) --dist loadfile --no-loadscope-reorder -m '' --hypothesis-profile=night
	@$(MAKE) --no-print-directory docs

lint: $(VENV)/installed-dev
	@echo "== ruff"
	@$(BIN)/ruff check --quiet .
	@echo "== pyright"
	@PYRIGHT_PYTHON_IGNORE_WARNINGS=1 $(BIN)/pyright --pythonpath $(BIN)/python
	@echo "== import-linter"
	@$(BIN)/lint-imports --no-cache --no-logo

docs: $(VENV)/installed-dev
	@echo "== documentation"
	@$(BIN)/python -m sphinx -q -W --keep-going -b html docs docs/_build/html
	@echo "docs/_build/html/index.html"

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
	  { echo "make: PYTHON=$(PYTHON) does not run or is older than 3.11; name one that does, by path if need be"; exit 2; }
	@echo "== creating $(VENV)"
	@$(PYTHON) -m venv $(VENV)

$(VENV)/installed-demo: pyproject.toml | $(BIN)/python
	@echo "== installing into $(VENV)"
	@$(PIP) install --editable . optax
	@touch $@

$(VENV)/installed-dev: pyproject.toml | $(BIN)/python
	@echo "== installing into $(VENV)"
	@$(PIP) install --editable '.[dev]'
	@touch $@

clean:
	rm -rf .venv-* docs/_build build dist .pytest_cache .ruff_cache .import_linter_cache .hypothesis
