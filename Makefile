# make demo and make test start from a fresh clone: both do all the set-up themselves. `make help` lists the rest.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
# Every recipe starts with the environment that set-up, build and tests agree on.
export BASH_ENV := $(CURDIR)/.ci/environment
export CMAKE_BUILD_PARALLEL_LEVEL ?= $(shell nproc)
MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := help
.PHONY: help demo test bench check soak package clean setup-build setup-test native wasm modules js page \
        test-generated test-native test-wasm test-node test-browser test-package test-readme

NODE_TEST := node --test --test-concurrency=1 --test-reporter=spec

help: ## this list
	@sed -nE 's/^([a-z-]+):.*## (.*)/make \1|\2/p' Makefile | column -t -s '|'

demo: setup-build page ## build, then serve the receivables workbench and the minimal page (PORT=8080)
	@exec node examples_web/receivables/server/main.mjs

test: ## everything that must be green: unit tests natively and as WebAssembly, Node, Chromium, package, README
	@$(MAKE) setup-test
	@$(MAKE) test-generated
	@$(MAKE) test-native
	@$(MAKE) test-wasm
	@$(MAKE) test-node
	@$(MAKE) test-browser
	@$(MAKE) test-package
	@$(MAKE) test-readme

bench: setup-test js ## medians and ratios against their floors; writes build/bench.json
	node tests/bench/run.mjs

soak: setup-test ## the random suites for longer
	VIEWCAP_DIFFERENTIAL_PAIRS=$${VIEWCAP_DIFFERENTIAL_PAIRS:-100000} VIEWCAP_SOAK_STEPS=$${VIEWCAP_SOAK_STEPS:-200000} \
	VIEWCAP_HISTORY_STEPS=$${VIEWCAP_HISTORY_STEPS:-1000000} VIEWCAP_GOVERNED_STEPS=$${VIEWCAP_GOVERNED_STEPS:-50000} \
	VIEWCAP_DOMAIN_STEPS=$${VIEWCAP_DOMAIN_STEPS:-200000} VIEWCAP_HOST_CONVERSATIONS=$${VIEWCAP_HOST_CONVERSATIONS:-200} \
	$(MAKE) test-native test-wasm test-node

package: setup-build js ## the npm tarball, in build/
	cp LICENSE CHANGELOG.md js_glue/
	npm pack --workspace js_glue --pack-destination build --silent

check: ## formatting, lint, types, arrows, generated files
	@.ci/setup check
	@$(MAKE) js test-generated
	npx tsc -p examples_web/receivables
	git ls-files '*.cpp' '*.h' ':!:*/generated/*' ':!:*/vocabulary.h' | xargs clang-format --dry-run -Werror
	npx prettier --check --log-level warn .
	cmake --preset native >build/native.configure.log
	.ci/tidy
	$(NODE_TEST) tests/architecture/*.test.mjs

clean: ## remove everything that was built
	rm -rf build js_glue/dist node_modules

setup-build:
	@.ci/setup build

setup-test:
	@.ci/setup test

# Generated C++ and TypeScript are committed; they must be what the vocabulary says.
test-generated:
	node host_protocol/tools/generate_vocabulary.mjs --check

native:
	mkdir -p build && cmake --preset native >build/native.configure.log || { cat build/native.configure.log; exit 1; }
	cmake --build --preset native

wasm:
	mkdir -p build && cmake --preset wasm-release >build/wasm.configure.log || { cat build/wasm.configure.log; exit 1; }
	cmake --build --preset wasm-release

modules:
	mkdir -p build && cmake --preset wasm-release >build/wasm.configure.log || { cat build/wasm.configure.log; exit 1; }
	cmake --build --preset wasm-modules

js: modules
	npm run build --workspace js_glue --silent
	mkdir -p js_glue/dist/module && cp build/wasm/module/viewcap* js_glue/dist/module/

# The workbench, into build/receivables.
page: js
	npx vite build --config examples_web/receivables/vite.config.mjs

test-native: native
	ctest --preset native

test-wasm: wasm
	ctest --preset wasm-release

test-node: js
	$(NODE_TEST) tests/architecture/*.test.mjs tests/node/*.test.mjs tests/bench/*.test.mjs tests/soak/*.test.mjs

test-browser: page
	$(NODE_TEST) tests/browser/*.test.mjs

test-package: package
	$(NODE_TEST) tests/package/*.test.mjs

test-readme: js
	$(NODE_TEST) tests/readme/*.test.mjs
