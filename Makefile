# Each target has a line of help after "##", which make without a target lists.

GO ?= go

.DEFAULT_GOAL := help
.PHONY: help build test test-all portable race lint generate reference bench fuzz fuzz-long conformance live record compatibility languages parsers harnesses browser \
	newest propose binaries packages test-packages release scoreboard history since wine platforms

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## build bin/protogen
	$(GO) build -o bin/protogen ./cmd/protogen

# Without debug information (-w) the programs of the tests are made in three quarters of the time, and
# with a heap that may grow further before it is collected they need a sixth less. With CPU=120 it
# fails if it takes more than 120 s of CPU time.
CPU ?=

test: ## run the tests, the slow ones in a quick form or not at all; ends with the CPU time
	@export GOGC=$${GOGC:-400}; echo '$(GO) test -short -ldflags=-w ./...'; \
		$(GO) test -short -ldflags=-w ./...; code=$$?; took=$$(mktemp); times >$$took; \
		awk -v most='$(CPU)' 'function seconds(t) { split(t, part, /[ms]/); return part[1] * 60 + part[2] } \
			NR == 2 { cpu = seconds($$1) + seconds($$2); printf "CPU time: %.0f s\n", cpu; exit most != "" && cpu > most }' $$took || code=1; \
		rm -f $$took; exit $$code

test-all: ## run all tests in full, as CI does; those of the codec also without unsafe and with SIMD
	$(GO) test -timeout 30m ./...
	$(GO) test -short -tags ccwire_safe ./internal/jsontext ./gen/wire/...
	GOEXPERIMENT=simd $(GO) test -short ./internal/jsontext ./gen/wire/...
	.ci/platforms/run

# Packages whose tests need no Unix: no shell scripts, no signals, no process groups.
PORTABLE ?= ./codec ./gen/... ./schema ./internal/recording ./internal/recording/corpus ./internal/recording/pack ./internal/suite/scenario \
	./fuzz ./internal/jsontext/... ./internal/linestream

portable: ## vet everything and run the short tests of the packages that need no Unix (PORTABLE)
	$(GO) vet ./...
	$(GO) test -short $(PORTABLE)

# Needs wine and a C compiler for Windows; which tests are left out, and why, is in the script.
wine: ## run the tests of the transport that need no Unix as programs for Windows, under Wine
	.ci/wine/run

# Needs Node.js and qemu-user; without one of them its part is left out, unless CI is set.
platforms: ## run the tests of the codec and of Conn as WebAssembly, on 32 bits, and on a big-endian machine
	.ci/platforms/run

# Packages with concurrency of their own.
RACE ?= ./internal/adopt/... ./internal/apirun ./internal/clock ./internal/fakeapi ./internal/history ./codec ./gen/... ./schema ./transport/... ./conformance/... ./fuzz/... ./examples/... ./internal/exchange/... ./internal/framing/... ./internal/recording/... ./internal/scoreboard/... ./internal/sim/... ./internal/suite/... ./internal/npm ./internal/sandbox ./internal/reports ./internal/drift ./internal/linecheck ./internal/manual/shown ./internal/peertest ./internal/playback ./internal/terminal ./internal/tap ./internal/view

race: ## run the tests of packages with concurrency under the race detector (needs a C compiler)
	CGO_ENABLED=1 $(GO) test -race -short -timeout 30m $(RACE)

ACTIONLINT ?= github.com/rhysd/actionlint/cmd/actionlint@v1.7.12

lint: ## check the format, go vet, staticcheck, the workflows, that no file is large
	@out=$$(git ls-files -z | xargs -0 -r ls -ld -- | awk '$$5 > 1000000 {print $$NF}'); \
		if [ -n "$$out" ]; then echo "over 1 MB, and tracked by git:" $$out; exit 1; fi
	@git log -1 --format=%s | awk 'length > 72 { print "the subject of the last commit has over 72 characters"; exit 1 }'
	@out=$$(gofmt -l .); \
		if [ -n "$$out" ]; then echo "run gofmt -w on:" $$out; exit 1; fi
	$(GO) vet ./...
	cd internal/bench && $(GO) vet ./...
	$(GO) tool staticcheck ./...
	$(GO) run $(ACTIONLINT) -shellcheck= -pyflakes=

generate: ## bring the generated code up to date with the schemas, and the packed recordings with the plain ones
	$(GO) run ./cmd/protogen generate

# The manual is made from the schemas and from what the recordings show of them.
reference: ## bring docs/reference up to date with the schemas, the recordings and the pages of the guide
	$(GO) test -count 1 -run Kept ./internal/manual/shown -update
	$(GO) test -count 1 -run UpToDate ./internal/manual/markdown -update

bench: ## compare the codec with other ways to decode; ends with RATIO lines
	cd internal/bench && $(GO) run .

conformance: ## play all scenarios against the simulated CLI
	$(GO) run ./cmd/protogen conform

# Packages with fuzz targets, and how long each target runs: a number of inputs,
# since a run that ends by the clock may fail without a find.
FUZZ ?= ./gen/wire ./schema ./transport ./internal/exchange/clean ./internal/exchange ./internal/fakeapi ./internal/linestream ./internal/scrub ./internal/sim/script ./internal/tap ./internal/view ./fuzz
FUZZTIME ?= 5000x

fuzz: ## run every fuzz target on 5,000 inputs (FUZZTIME)
	@targets=; count=0; \
	for pkg in $(FUZZ); do \
		names=$$($(GO) test -list '^Fuzz' $$pkg) || exit 1; \
		for name in $$(echo "$$names" | grep '^Fuzz'); do \
			targets="$$targets $$pkg:$$name"; count=$$((count + 1)); \
		done; \
	done; \
	case $(FUZZTIME) in \
		*x) inputs=$(FUZZTIME:x=); echo "$$count targets, $$inputs inputs each: about $$((count * (5 + inputs / 1000))) s";; \
		*) echo "$$count targets, $(FUZZTIME) each";; \
	esac; \
	for target in $$targets; do \
		pkg=$${target%:*}; name=$${target#*:}; \
		echo "$$pkg $$name"; \
		$(GO) test -run '^$$' -fuzz "^$$name$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 100x $$pkg || exit 1; \
	done

fuzz-long: ## run every fuzz target for an hour
	@$(MAKE) fuzz FUZZTIME=1h

# Needs Node.js 20, Python 3.11 with venv and cargo 1.85, or later. Tools are installed once, in the
# user's cache or LANGUAGES_CACHE. UPDATE=-update writes the generated pieces of docs/languages.md.
languages: ## generate types of other languages and read the recordings with them; fuzz parsers in them
	$(GO) vet -tags languages ./internal/languages ./internal/framing/... ./internal/manual/guide
	$(GO) test -tags languages -count 1 -timeout 30m ./internal/languages -v $(UPDATE)
	$(GO) test -tags languages -count 1 -timeout 30m -run Rust ./internal/framing
	$(GO) test -tags languages -count 1 -timeout 30m ./internal/framing/parsers
	$(GO) test -tags languages -count 1 -timeout 30m -run OfTheGuide ./internal/manual/guide

# Needs what languages needs.
parsers: ## fuzz parsers of registries and standard libraries, and write docs/parsers.md
	$(GO) test -tags languages -count 1 -timeout 30m ./internal/framing/parsers -v -update

# Needs what languages needs, and clang with libFuzzer, AFL++ and a compiler for C++. Jazzer.js is left out
# where the C library is too old for it.
harnesses: ## run the harnesses of fuzz corpus with their fuzzers, a few seconds each
	$(GO) vet -tags languages ./internal/seeds
	$(GO) test -tags languages -count 1 -timeout 30m -run TestEachFuzzer ./internal/seeds -v

# Needs Chromium on the PATH, or named in CHROMIUM. BROWSER_SHOTS is a folder for screenshots.
browser: ## test the pages that protogen writes in headless Chromium
	$(GO) vet -tags browser ./internal/browser
	$(GO) test -tags browser -count 1 -timeout 30m ./internal/browser

# The version of the CLI that is judged by live; installed by npm once and kept.
CLI_VERSION ?= $(shell cat internal/npm/cli-version)

live: ## test with the real CLI, at the version in internal/npm/cli-version
	$(GO) run ./cmd/protogen conform cli --npm $(CLI_VERSION) --known-failing @conformance/known-failing.txt
	$(GO) run ./cmd/protogen drift --to npm:$(CLI_VERSION) --scenario turn --no-probe
	$(GO) vet -tags live,browser ./internal/browser
	$(GO) test -tags live,browser -timeout 30m -run Live ./internal/browser
	$(GO) test -tags live -timeout 30m -run Live ./transport/... ./examples/... ./conformance ./internal/scoreboard ./internal/fakeapi ./internal/repotest ./internal/suite/mixed ./internal/suite/probe/... ./internal/suite/sweep ./internal/recording/capture ./internal/sim ./internal/history
	$(GO) test -tags live -timeout 30m -run Live -v ./internal/suite/differ # says which sessions differ, and how

# Needs Node.js and Python, not the CLI.
scoreboard: ## judge our transport and the official SDKs, and write docs/sdks.md
	$(GO) test -tags live -count 1 -run LiveSDKsAreJudged ./internal/scoreboard -v -update

# Needs Node.js and Python, not the CLI. ONLY=claude-agent-sdk-typescript@0.2.37 judges one release.
ONLY ?=

history: ## judge releases of the official SDKs and SDKs by others, and write docs/sdks.md; takes an hour or two
	$(GO) test -tags live -count 1 -timeout 3h -run TestHistory ./internal/scoreboard -v -update -only '$(ONLY)'

# Asks releases from npm, each installed and removed again, about the names that are not known exactly; goes on
# where it stopped. FOR is when it begins with no further release.
FOR ?= 2h

since: ## find the first and the last release of the CLI with each name, and write conformance/history
	$(GO) test -tags live -count 1 -timeout 24h -run LiveUpdate ./internal/history -v -update -for $(FOR)

TABLES = $(GO) run ./cmd/protogen compatibility --out docs/compatibility.md --readme README.md

# The official SDKs drive the verified version only; they need Node.js and Python.
record: ## record all scenarios, entries of transcripts and sessions of SDKs with the real CLI (CLI_VERSION); update the tables
	@code=0; \
		$(GO) run ./cmd/protogen record --npm $(CLI_VERSION) --out conformance/recordings \
			--transcripts conformance/transcripts || code=$$?; \
		if [ $(CLI_VERSION) = $$(cat internal/npm/cli-version) ]; then \
			$(GO) test -tags live -count 1 -run Live ./internal/scoreboard -update || code=$$?; \
		fi; \
		$(TABLES) && exit $$code

compatibility: ## bring docs/compatibility.md and the table in the README up to date with the recordings
	$(TABLES)

newest: build ## record the newest CLI on npm, unless it is recorded; dist/newest.md says what it changed
	.github/newest record

propose: ## make a pull request of what newest has recorded, if anything
	.github/newest propose

PLATFORMS ?= darwin/amd64 darwin/arm64 linux/amd64 linux/arm64 windows/amd64 windows/arm64

DIST ?= dist

# Without symbol tables (-s) and debug information (-w), which are a quarter of a binary, and with the
# schemas, scenarios and sources compressed.
binaries: ## fill dist/ (DIST) with protogen for PLATFORMS
	rm -rf $(DIST)
	mkdir $(DIST)
	$(GO) run ./internal/schemapack schema/packed.txtar.gz internal/shipped/packed.json.gz
	@set -e; for platform in $(PLATFORMS); do \
		os=$${platform%/*} arch=$${platform#*/} end=; \
		if [ $$os = windows ]; then end=.exe; fi; \
		echo "protogen for $$platform"; \
		CGO_ENABLED=0 GOOS=$$os GOARCH=$$arch $(GO) build -buildvcs=auto -trimpath -tags packed -ldflags='-s -w' -o $(DIST)/protogen-$$os-$$arch$$end ./cmd/protogen; \
	done

# The registries that packages are made for. A release for Go is a tag; PACKAGES=go makes what a module
# proxy makes of it.
PACKAGES ?= npm pypi crate

# The version of the packages and of the notes. Without a tag, packages have that of the commit.
VERSION ?= $(patsubst v%,%,$(shell git describe --tags --exact-match --match 'v*' 2>/dev/null))

packages: binaries ## fill dist/ (DIST) with protogen for PLATFORMS and the packages for PACKAGES
	@set -e; for registry in $(PACKAGES); do \
		$(GO) run -buildvcs=auto ./cmd/protogen package $$registry --programs $(DIST) --out $(DIST) --version '$(VERSION)'; \
	done

# Needs what languages needs. Each test installs a packed file where no Go is on the PATH.
test-packages: ## pack the packages, install them as a user does, and run what their pages show
	$(GO) vet -tags packages ./internal/packages/...
	$(GO) test -tags packages -count 1 -timeout 30m -run Installed ./internal/packages/... -v

# The notes are what CHANGELOG.md says of VERSION, or of what comes next.
release: packages ## fill dist/ (DIST) with protogen for PLATFORMS, the packages, the notes, the manual, the schema bundles, the test vectors and SHA256SUMS
	@awk -v version='$(or $(VERSION),Unreleased)' '/^## / { within = $$2 == version; found = found || within; next } within; \
		END { if (!found) { print "CHANGELOG.md says nothing of " version > "/dev/stderr"; exit 1 } }' CHANGELOG.md >$(DIST)/release-notes.md
	$(GO) run ./cmd/protogen docs --out $(DIST)/docs
	mv $(DIST)/docs/manual.html $(DIST)
	rm -r $(DIST)/docs
	$(GO) run ./cmd/protogen bundle --out $(DIST)/ccwire.schema.json
	$(GO) run ./cmd/protogen bundle --for codegen --out $(DIST)/ccwire.codegen.json
	$(GO) run ./cmd/protogen vectors --out $(DIST)/vectors.ndjson
	cd $(DIST) && sha256sum * > SHA256SUMS
