# 流影. `make run` serves, `make test` checks everything; `make help` lists the rest.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMPS := .make
export HOST ?= 127.0.0.1
export PORT ?= 8000
# Recorded addresses of one machine's registry would not work on another.
export NPM_CONFIG_FUND := false
export NPM_CONFIG_AUDIT := false

WEB_SOURCES := $(shell find web/src web/public -type f 2>/dev/null) $(wildcard web/*.json web/*.ts web/*.html web/.npmrc)

CONSOLE_SOURCES := $(shell find console/src -type f 2>/dev/null) $(wildcard console/*.json console/*.ts console/*.html console/.npmrc) $(wildcard web/src/shared/ui/*.css)

.PHONY: help run dev build test installed check format unit contract e2e soak bench openapi migration notices wheel packages packages-test compose-test clean cluster cluster-test cluster-soak test-cluster

help: ## list the targets
	@grep -hE '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

run: $(STAMPS)/runtime $(STAMPS)/web $(STAMPS)/console ## install, build, migrate, serve with a demo catalogue
	@exec $(BIN)/liuying serve --demo

dev: $(STAMPS)/runtime $(STAMPS)/node ## serve with live reload of both halves (web on port 5173)
	@tools/dev

build: $(STAMPS)/web $(STAMPS)/console ## build the web application and the console

test: installed check unit contract e2e ## everything, in a real browser too

# They wait for networks and disks more than for each other.
installed:
	@$(MAKE) --no-print-directory -j3 $(STAMPS)/dev $(STAMPS)/web $(STAMPS)/console $(STAMPS)/e2e

check: $(STAMPS)/dev $(STAMPS)/web $(STAMPS)/console $(STAMPS)/e2e ## format, types, layers, dead code, stale files
	tools/check

format: $(STAMPS)/dev $(STAMPS)/node $(STAMPS)/console-node $(STAMPS)/e2e ## format both halves
	cd backend && ../$(BIN)/ruff check --fix --quiet src demo seeding tests ../cluster && \
	  ../$(BIN)/ruff check --fix --quiet --select I ../bench ../e2e/fixtures ../tools && \
	  ../$(BIN)/ruff format --quiet src demo seeding tests ../bench ../cluster ../e2e/fixtures ../tools
	cd web && npm run --silent format
	cd console && npm run --silent format
	cd e2e && npm run --silent format

unit: $(STAMPS)/dev $(STAMPS)/node $(STAMPS)/web $(STAMPS)/console ## tests of both halves without a browser
	tools/proxies
	cd backend && ../$(BIN)/python -m pytest -n auto --dist worksteal -m "not contract"
	cd web && npm run --silent test
	cd console && npm run --silent test

contract: $(STAMPS)/dev ## the calls against the OpenAPI document
	cd backend && ../$(BIN)/python -m pytest -n auto -m contract

e2e: $(STAMPS)/dev $(STAMPS)/web $(STAMPS)/console $(STAMPS)/e2e ## screens in Chromium
	tools/chromium
	cd e2e && npm run --silent test

test-cluster: $(STAMPS)/dev $(STAMPS)/web $(STAMPS)/console $(STAMPS)/e2e ## unit, contract and e2e on PostgreSQL and S3, by settings alone
	cd backend && TEST_DATABASE=postgresql TEST_STORE=s3 ../$(BIN)/python -m pytest -n auto --dist worksteal -m "not contract"
	cd backend && TEST_DATABASE=postgresql TEST_STORE=s3 ../$(BIN)/python -m pytest -n auto -m contract
	tools/chromium
	$(BIN)/python tools/shared_e2e.py

cluster: $(STAMPS)/dev $(STAMPS)/web ## run the site as many machines do: three PostgreSQL, etcd, HAProxy, S3, nginx
	tools/cluster-prerequisites
	cd cluster && exec ../$(BIN)/python -m liuying_cluster

# After a space, pytest would take a table that exists for a test.
cluster-test: $(STAMPS)/dev $(STAMPS)/web ## the same, each process killed once; prints its table last (10 minutes)
	tools/cluster-prerequisites
	cd cluster && ../$(BIN)/python -m pytest $(if $(TABLE),--table=$(abspath $(TABLE)))

cluster-soak: $(STAMPS)/dev $(STAMPS)/web ## every fault of a cluster ROUNDS times (20), or as often as MINUTES allow
	tools/cluster-prerequisites
	cd cluster && ../$(BIN)/python -m liuying_cluster.soak $(if $(ROUNDS),--rounds $(ROUNDS)) $(if $(MINUTES),--minutes $(MINUTES))

soak: $(STAMPS)/dev ## the long runs: 100 kills under writers, 2000 runs of favourites, 50,000 odd calls (two hours)
	cd backend && SOAK_ROUNDS=100 SOAK_MODEL=1 ../$(BIN)/python -m pytest -n auto tests/soak
	cd backend && SCHEMATHESIS_EXAMPLES=1300 ../$(BIN)/python -m pytest -n auto -m contract

bench: $(STAMPS)/dev $(STAMPS)/web $(STAMPS)/e2e ## measure, and write the tables into bench/
	tools/bench

openapi: $(STAMPS)/dev $(STAMPS)/node $(STAMPS)/console-node ## write the contracts and the types of web and console
	$(BIN)/liuying openapi contracts/openapi.json
	$(BIN)/liuying openapi --console contracts/console.json
	$(BIN)/python tools/web_constants web/src/shared/api
	cd web && npm run --silent types
	cd console && npm run --silent types

migration: $(STAMPS)/dev ## write the next migration: make migration NAME=add_a_column
	@$(BIN)/python tools/migration "$(NAME)"

notices: $(STAMPS)/dev $(STAMPS)/node $(STAMPS)/console-node ## write THIRD_PARTY_NOTICES from what is installed
	@$(BIN)/python tools/notices THIRD_PARTY_NOTICES

wheel: $(STAMPS)/dev $(STAMPS)/web $(STAMPS)/console ## build dist/*.whl, which need no checkout, and their locks
	@$(BIN)/python tools/wheel

packages: $(STAMPS)/dev $(STAMPS)/web $(STAMPS)/console ## build dist/*.deb (amd64, arm64) and dist/*.oci.tar, with everything inside
	@$(BIN)/python tools/packages --architecture amd64
	@$(BIN)/python tools/packages --architecture arm64
	@$(BIN)/python tools/image

packages-test: $(STAMPS)/dev $(STAMPS)/e2e ## try what `packages` built: in an empty Debian 12, and under podman (as root, 5 minutes)
	tools/chromium
	@$(BIN)/python tools/packages-test
	@$(BIN)/python tools/image-test

compose-test: $(STAMPS)/dev $(STAMPS)/console ## try the Compose file with that image, to HTTPS and an upgrade, under podman (as root, 10 minutes)
	@$(BIN)/python tools/compose-test

clean: ## remove what was installed and built; the data in var/ stays
	rm -rf $(VENV) $(STAMPS) web/dist console/dist console/node_modules web/node_modules web/tools/api-types/node_modules e2e/node_modules

$(VENV)/bin/python:
	@tools/prerequisites
	$(PYTHON) -m venv $(VENV)

PACKAGES := backend backend/demo backend/seeding

$(STAMPS)/runtime: backend/requirements/runtime.txt $(PACKAGES:%=%/pyproject.toml) | $(VENV)/bin/python
	@mkdir -p $(STAMPS)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r backend/requirements/runtime.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation $(PACKAGES:%=-e %)
	@touch $@

$(STAMPS)/dev: backend/requirements/dev.txt $(STAMPS)/runtime
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r backend/requirements/dev.txt
	@touch $@

$(STAMPS)/node: web/package-lock.json web/tools/api-types/package-lock.json
	@tools/prerequisites
	@mkdir -p $(STAMPS)
	cd web && npm ci --silent
	cd web/tools/api-types && npm ci --silent
	@touch $@

$(STAMPS)/e2e: e2e/package-lock.json
	@mkdir -p $(STAMPS)
	cd e2e && npm ci --silent
	@touch $@

$(STAMPS)/web: $(STAMPS)/node $(WEB_SOURCES)
	cd web && npm run --silent build
	@touch $@

$(STAMPS)/console-node: console/package-lock.json $(STAMPS)/node
	cd console && npm ci --silent
	@touch $@

$(STAMPS)/console: $(STAMPS)/console-node $(CONSOLE_SOURCES)
	cd console && npm run --silent build
	@touch $@
