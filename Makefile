# Everything one does with Bifolia. A fresh Debian or macOS machine needs Go,
# Node and make; what else is missing these commands install or name.

VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
COMMIT  := $(shell git rev-parse --short HEAD 2>/dev/null)
LDFLAGS := -s -w -X main.version=$(VERSION) -X main.commit=$(COMMIT)

# One way of compiling for everything but the race detector, so that linter, build
# and tests compile each package once between them.
export CGO_ENABLED := 0
export GOFLAGS := $(shell go env GOFLAGS) -trimpath

.PHONY: help run build web test test-go test-race test-beside test-web test-browser baseline baseline-check crash fuzz bench lint contract verify tools screenshots format clean sbom audit

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F':.*## ' '{printf "  make %-13s %s\n", $$1, $$2}'

run: build ## build and serve a demo on http://127.0.0.1:8080 with an embedded database
	./bin/bifolia serve --demo

build: web ## make bin/bifolia, web included
	go build -ldflags '$(LDFLAGS)' -o bin/bifolia ./cmd/bifolia

web:
	@scripts/ensure-web.sh
	cd web && npm run --silent build

test: build test-go test-beside test-browser ## everything: both databases, web, real browser

# Tests have memory and no time: collecting garbage a quarter as often takes a
# twentieth off what they cost.
test-go test-race: export GOGC := 400

# Go's own tests, on SQLite and on a real PostgreSQL. vet is the linter's work.
test-go:
	@bin=$$(scripts/ensure-postgres.sh) && POSTGRES_BIN="$$bin" go test -vet=off -count=1 -timeout 12m ./...

# The parts where goroutines meet, again under the race detector, which needs cgo
# and makes SQLite, being Go too, ten times slower: the parts that are the same on
# both databases meet on PostgreSQL only; not what measures memory, which the detector
# takes; of ledger and tree not where one asks after
# the other; of the store and the whole site the tests in which callers meet.
RACE := CGO_ENABLED=1 go test -vet=off -race -short -count=1 -timeout 12m
test-race:
	@bin=$$(scripts/ensure-postgres.sh) && export POSTGRES_BIN="$$bin" && \
		$(RACE) -skip 'VerifyNames|FullDisk|HeadThatWasChanged|AgreesWithAWalk|ReadByPages|CheckNames|TakeNoMemory|/sqlite' ./internal/platform/clock ./internal/httpapi ./internal/core/job ./internal/core/ledger ./internal/core/tree && \
		$(RACE) -run 'Kept|AtOnce|Checkpoint|Gathered|Conforms/postgres|ByTwo/postgres' ./internal/store && \
		$(RACE) -run 'Once|TwoProcesses|DoubleClick|Accepted|TooLong|FiveWrong' -skip '/sqlite' ./internal/app

# Neither of them keeps two processors busy.
test-beside:
	@$(MAKE) --no-print-directory -j2 test-race test-web

test-web:
	@scripts/ensure-web.sh
	cd web && npm test --silent

# One test pays from a hot wallet: on a chain that is a Go test of its own, as test-go builds it.
test-browser: build
	@go test -vet=off -c -o bin/chain.test ./internal/cash/chain/chaintest
	@chromium=$$(scripts/ensure-chromium.sh) && cd web && CHROMIUM="$$chromium" npm run --silent e2e

BASELINE := go test -vet=off -count=1 -timeout 60m -tags baseline -run Baseline ./internal/app ./internal/tools/simulate
baseline: ## record outcomes, digests, the contract and exports, to compare after a change that must not change them
	@bin=$$(scripts/ensure-postgres.sh) && POSTGRES_BIN="$$bin" BASELINE_DIR="$(CURDIR)/.tools/baseline" $(BASELINE)

baseline-check: ## compare with what 'make baseline' recorded
	@bin=$$(scripts/ensure-postgres.sh) && POSTGRES_BIN="$$bin" BASELINE_DIR="$(CURDIR)/.tools/baseline" BASELINE_CHECK=1 $(BASELINE)

crash: ## the long crash run: 200 kills of the server and of PostgreSQL
	@bin=$$(scripts/ensure-postgres.sh) && POSTGRES_BIN="$$bin" CRASH_KILLS=200 go test -count=1 -timeout 60m -v -run TestCrash ./internal/tools/crash

fuzz: ## every parser against random input, 20 s each
	@scripts/fuzz.sh 20s

bench: build ## measure; prints one JSON line per case
	@bin=$$(scripts/ensure-postgres.sh) && export POSTGRES_BIN="$$bin" && ./bin/bifolia bench ledger && ./bin/bifolia bench tree && ./bin/bifolia bench close

lint: ## Go, web and scripts
	@linter=$$(scripts/ensure-golangci.sh) && "$$linter" run ./...
	@scripts/ensure-web.sh
	cd web && npm run --silent lint

contract: ## write the web's types of the API's contract
	@scripts/ensure-web.sh
	@scripts/contract/types.sh web/src/lib/api/schema.d.ts

verify: ## generated files are fresh
	@scripts/verify.sh

sbom: ## write bin/bifolia.cdx.json: what the program is built from, Go and npm, as CycloneDX
	@scripts/ensure-web.sh
	@mkdir -p bin
	go run ./scripts/thirdparty -sbom bin/bifolia.cdx.json -version '$(VERSION)'

audit: ## look for known vulnerabilities in Go modules and npm packages
	@scripts/audit.sh

tools: ## install what tests need beyond Go and Node
	@scripts/ensure-postgres.sh >/dev/null && scripts/ensure-chromium.sh >/dev/null && scripts/ensure-golangci.sh >/dev/null && scripts/ensure-web.sh

screenshots: build ## pictures of the screens into web/screenshots; SCREENS=admin-fund takes some, RESUME=1 goes on, SPEAK=hi in Hindi
	@chromium=$$(scripts/ensure-chromium.sh) && cd web && CHROMIUM="$$chromium" npm run --silent screenshots

format: ## format Go and web code
	@linter=$$(scripts/ensure-golangci.sh) && "$$linter" fmt ./...
	cd web && npm run --silent format

clean: ## remove what was built
	rm -rf bin web/node_modules internal/platform/webui/dist/assets internal/platform/webui/dist/*.html internal/platform/webui/dist/*.json
