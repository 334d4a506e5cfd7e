# sixways: the simulator's page, its command and their tests.
#
#   make run          build the site and serve it; prints the address to open
#   make test         install what the tests need, then check and test it all
#   make lab          hold the model against real Linux (root, or user namespaces)
#   make engines      drive the page in Chromium, Firefox and WebKit
#   make recipes      build a documentation site of each generator, and open it
#   make test-all     make test, make lab, make engines and make recipes
#   make site         build the site into dist/
#   make single       build the page as one file, dist/sixways.html
#   make bench        measure the engine and the page, and print the tables
#   make screenshot   renew the README's picture
#   make icons        draw web/icons anew
#   make clean        remove what was built and downloaded
#
# Needs Go (go.mod says which) and git; `make test` installs a browser and
# Node.js with apt where they are missing and it is root.

MODULES = . cmd/bench cmd/differential
SIXWAYS = .cache/sixways

.PHONY: help run test lab engines recipes more test-all install check site single bench screenshot icons clean $(SIXWAYS)

help:
	@sed -n 's/^# \{3\}/  /p' Makefile

run: site
	$(SIXWAYS) serve

site: $(SIXWAYS)
	$(SIXWAYS) build --out dist

single: $(SIXWAYS)
	$(SIXWAYS) build --single --out dist

$(SIXWAYS):
	go build -o $@ ./cmd/sixways

install:
	@.ci/install

check:
	@unformatted=$$(gofmt -l .); test -z "$$unformatted" || { echo "gofmt -w $$unformatted"; exit 1; }
	@set -e; for m in $(MODULES); do (cd $$m && go vet ./...); done

test: install check
	@set -e; for m in $(MODULES); do (cd $$m && go test -timeout 30m ./...); done

lab:
	@.ci/lab

# Firefox, WebKit and the generators of documentation sites.
more:
	@.ci/install all

engines recipes: more
	@cd cmd/$@ && go vet ./... && go test -timeout 30m ./...

test-all: test lab engines recipes

bench: install
	go test -run '^$$' -bench . ./fixture
	go test -run '^$$' -bench . ./policy/format
	cd cmd/bench && npm ci --no-audit --no-fund && go test -run '^$$' -bench . ./... && go run .

screenshot: install
	go run ./cmd/screenshot --out .github/screenshot.png

icons:
	go test ./web/icon -update

clean:
	rm -rf dist .cache web/browser/node_modules cmd/bench/node_modules cmd/differential/srt/node_modules cmd/recipes/docusaurus/node_modules
