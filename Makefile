# Tools are pinned here and run with `go run tool@version`; nothing is installed.
STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2
FUZZTIME ?= 10s

.PHONY: test lint fmt check bench fuzz gen

test: ## all tests
	go test ./...

lint: ## what CI demands of the source
	@test -z "$$(gofmt -l .)" || { gofmt -l .; echo "run make fmt"; exit 1; }
	go vet ./...
	go run $(STATICCHECK) ./...

fmt: ## format and modernise
	gofmt -w .
	go fix ./...

check: lint test ## before each commit

bench: ## Go benchmarks of every package
	go test -run '^$$' -bench . -benchmem ./...

fuzz: ## each fuzz target for FUZZTIME
	bash .ci/fuzz $(FUZZTIME)

gen: ## rewrite generated files and golden files
	XLA_UPDATE=1 go test ./...
