# Undertone's commands. `make help` lists them.

# The Swift 6.3 toolchain: a program on PATH, or its whole path.
SWIFT ?= swift
# Debian's own Python, which has Debian's modules, whatever else comes first on PATH.
PYTHON ?= /usr/bin/python3
# For machines without Swift, and with only those libraries linked that a program uses.
RELEASE = -c release --static-swift-stdlib -Xlinker --as-needed
PROGRAMS = undertoned undertone-decoder undertone

export SWIFT PYTHON PREFIX DESTDIR

.DEFAULT_GOAL := build
.PHONY: help toolchain deps build debug test check check-desktop lint demo bench bench-check fuzz sanitize soak \
	screenshot fresh-machine install uninstall deb package-machine clean

help: ## Lists the commands.
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/    make \1@\2/p' $(MAKEFILE_LIST) | \
		while IFS=@ read -r name text; do printf '%-24s %s\n' "$$name" "$$text"; done

toolchain:
	@command -v "$(SWIFT)" >/dev/null || { echo "make: no Swift toolchain: install 6.3 from" \
		"https://www.swift.org/install/ and put it on PATH, or say SWIFT=..." >&2; exit 1; }

deps: ## Installs the Debian packages that are missing to build, ask, install, test and lint.
	@scripts/deps

build: toolchain ## Builds the three programs for use, into .build/release.
	@scripts/deps build
	@for program in $(PROGRAMS); do $(SWIFT) build $(RELEASE) --product $$program || exit; done

debug: toolchain ## Builds programs and tests for development, into .build/debug.
	$(SWIFT) build --build-tests

test: debug ## Runs all tests that need no desktop; packages must be there.
	@scripts/test

check: toolchain deps test ## Installs what is missing and runs those tests.

check-desktop: toolchain deps debug ## Tries the examples on the real viewers and desktops, unseen.
	@scripts/deps desktop
	@scripts/test --desktop

lint: ## Checks formatting, style and types of Swift, shell and Python.
	@scripts/deps lint
	@scripts/lint

demo: build ## Asks about real photographs, or IMAGE=..., and shows the colours.
	@scripts/deps loaders demo
	@scripts/demo

bench: build ## Measures beside other tools and draws docs/bench.svg; QUICK=1 for a first look.
	@scripts/deps loaders bench
	@$(PYTHON) Benchmarks/bench $(if $(QUICK),--quick)
	@$(if $(QUICK),,$(PYTHON) Benchmarks/plot.py)

bench-check: build ## Measures the same, and fails where a row is over its limit.
	@scripts/deps loaders bench
	@$(PYTHON) Benchmarks/bench --check $(if $(QUICK),--quick)

screenshot: build ## Draws the README's pictures anew.
	@scripts/deps docs
	@$(PYTHON) scripts/screenshot.py
	@$(PYTHON) scripts/cards.py
	@scripts/deps desktop test
	@UNDERTONE_BIN="$(CURDIR)/.build/release" UNDERTONE_SCREENSHOTS="$(CURDIR)/docs" \
		$(PYTHON) -m pytest -q -rs Tests/DesktopTests -k screenshot

fuzz: ## Throws bytes at all that reads a stranger's, for FUZZ_SECONDS (600).
	@scripts/deps build test
	@scripts/fuzz --total $(or $(FUZZ_SECONDS),600)

sanitize: toolchain ## Runs the Swift tests with the address and then with the thread sanitizer.
	@scripts/deps build loaders test
	@scripts/sanitize address
	@scripts/sanitize thread

soak: debug ## Asks everything at once, faults and kills included, for SOAK_SECONDS (600).
	@cd Tests && UNDERTONE_BIN="$${UNDERTONE_BIN:-$$($(SWIFT) build --show-bin-path)}" \
		$(PYTHON) -m SoakTests --seconds $(or $(SOAK_SECONDS),600) \
		$(if $(SOAK_SEED),--seed $(SOAK_SEED))

install: build ## Installs into PREFIX (/usr/local), below DESTDIR.
	@scripts/deps install
	@scripts/install

uninstall: ## Removes what `make install` has installed.
	@scripts/install --uninstall

deb: build ## Makes a Debian package, in .build/deb, for machines without Swift.
	@scripts/deps install deb
	@scripts/deb
	@lintian --allow-root --pedantic --fail-on error,warning,pedantic .build/deb/undertone_*.deb

package-machine: deb ## Proves that package in a bare Debian root (needs root).
	@scripts/package-machine

fresh-machine: ## Proves `make demo` and `make check` in a bare Debian root (needs root).
	@scripts/fresh-machine

clean: ## Deletes everything that was built.
	$(RM) -r .build .swiftpm
