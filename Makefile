# A thin front over the CMake presets. Every target installs what it lacks (tools/need lists it).
PYTHON ?= /usr/bin/python3
FUZZ_SECONDS ?= 30
SANITIZE ?= part
JOBS ?= $(shell nproc)
STAGES ?=

# The tests and the package use .venv alone, whatever Python the caller has set up.
unexport PYTHONPATH PYTHONHOME VIRTUAL_ENV

VENV := .venv/bin/python
PACKAGE_SOURCES = $(shell find include src python cmake CMakeLists.txt pyproject.toml \
  -type f -not -path '*/tests/*' -not -name '*.pyc' 2>/dev/null)

.PHONY: build demo test bench python lint format fuzz clean help
.DEFAULT_GOAL := build

build: build/build.ninja  ## Build the command, build/bin/logodds
	cmake --build --preset release --parallel $(JOBS) --target logodds_command

demo: build  ## Train, evaluate and compare the families on the penguins
	tools/need demo
	$(PYTHON) tools/demo build/bin/logodds

test:  ## Run every check and end in a summary (STAGES="cpp e2e" picks some, SANITIZE=all takes an hour)
	tools/need build python test sanitize lint
	$(PYTHON) tools/run_tests --python $(PYTHON) --fuzz-seconds $(FUZZ_SECONDS) \
	  --sanitize $(SANITIZE) $(STAGES)

bench: build python .venv/bench.stamp  ## Compare speed and answers with other libraries
	tools/need bench
	cmake --build --preset release --parallel $(JOBS) --target logodds_limits
	$(VENV) bench/run.py

python: .venv/package.stamp  ## Make .venv with the Python package installed in it

lint: build/asan/build.ninja .venv/requirements.stamp  ## clang-format, clang-tidy and ruff
	tools/need lint
	tools/lint

format: .venv/requirements.stamp  ## Lay out all files as lint wants them
	tools/need lint
	tools/lint fix

fuzz: build/asan/build.ninja  ## Fuzz the CSV reader, the tokenizer and the model loader (FUZZ_SECONDS=3600)
	cmake --build --preset asan --parallel $(JOBS)
	tools/fuzz $(FUZZ_SECONDS)

clean:  ## Remove everything that make made
	rm -rf build build-python .venv

help:  ## Show this list
	@sed -n 's/^\([a-z]*\):.*## /\1|/p' Makefile | while IFS='|' read -r name text; do \
	  printf '  make %-8s %s\n' "$$name" "$$text"; done

build/build.ninja: CMakePresets.json
	tools/need build
	cmake --preset release

build/asan/build.ninja: CMakePresets.json
	tools/need build sanitize
	cmake --preset asan

.venv/requirements.stamp: python/requirements-dev.txt
	tools/need python
	$(PYTHON) -m venv .venv
	$(VENV) -m pip install --quiet --requirement python/requirements-dev.txt
	touch $@

.venv/bench.stamp: .venv/requirements.stamp bench/requirements.txt
	$(VENV) -m pip install --quiet --requirement bench/requirements.txt
	touch $@

.venv/package.stamp: .venv/requirements.stamp $(PACKAGE_SOURCES)
	tools/need build python
	CXX=g++ $(VENV) -m pip install --quiet --no-build-isolation --no-deps --force-reinstall \
	  --config-settings=build-dir=build-python .
	touch $@
