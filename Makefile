# Each target has a line of help behind "##", which make without a target lists.

GO ?= go

.DEFAULT_GOAL := help
.PHONY: help build test race lint generate bench fuzz fuzz-long conformance live record compatibility

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## build bin/protogen
	$(GO) build -o bin/protogen ./cmd/protogen

test: ## run all tests
	$(GO) test ./...

# Packages with concurrency of their own.
RACE ?= ./codec ./gen/... ./schema ./transport/... ./conformance/... ./fuzz/... ./examples/... ./internal/peertest ./internal/terminal

race: ## run the tests of packages with concurrency under the race detector (needs a C compiler)
	CGO_ENABLED=1 $(GO) test -race -short $(RACE)

lint: ## check the format, go vet, staticcheck
	@out=$$(gofmt -l .); \
		if [ -n "$$out" ]; then echo "run gofmt -w on:" $$out; exit 1; fi
	$(GO) vet ./...
	$(GO) tool staticcheck ./...

generate: ## bring the generated code up to date with the schemas
	$(GO) run ./cmd/protogen generate

bench: ## compare the codec with other ways to decode; ends with RATIO lines
	cd internal/bench && $(GO) run .

conformance: ## play all scenarios against the simulated CLI
	$(GO) run ./cmd/protogen conform

# Packages with fuzz targets, and how long each target runs: a number of inputs,
# since a run that ends by the clock may fail without a find.
FUZZ ?= ./schema ./transport ./conformance/fakeapi ./fuzz
FUZZTIME ?= 5000x

fuzz: ## run every fuzz target on 5,000 inputs (FUZZTIME), about a minute
	@for pkg in $(FUZZ); do \
		for target in $$($(GO) test -list '^Fuzz' $$pkg | grep '^Fuzz'); do \
			echo "$$pkg $$target"; \
			$(GO) test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 100x $$pkg || exit 1; \
		done; \
	done

fuzz-long: ## run every fuzz target for an hour
	@$(MAKE) fuzz FUZZTIME=1h

# The version of the CLI that is judged by live; installed by npm once and kept.
CLI_VERSION ?= $(shell cat conformance/npm/cli-version)

live: ## test with the real CLI, at the version in conformance/npm/cli-version
	$(GO) run ./cmd/protogen conform cli --npm $(CLI_VERSION) --known-failing @conformance/known-failing.txt
	$(GO) test -tags live -run Live ./transport/... ./examples/... ./conformance/fakeapi ./conformance/recorder

TABLES = $(GO) run ./cmd/protogen compatibility --out docs/compatibility.md --readme README.md

record: ## record all scenarios with the real CLI (CLI_VERSION), and bring the tables of what it supports up to date
	@code=0; \
		$(GO) run ./cmd/protogen record --npm $(CLI_VERSION) --out conformance/recordings || code=$$?; \
		$(TABLES) && exit $$code

compatibility: ## bring docs/compatibility.md and the table in the README up to date with the recordings
	$(TABLES)
