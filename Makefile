# The commands of this repository. Every recipe is one line; what takes more is a script in scripts/.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
environment := . scripts/environment.sh

.PHONY: help setup build install uninstall deb formula demo test crash stress cancel escape law1 fuzz hostile truth agent wire recall histories learn lab lab-robust lab-learn lint check-macos bench membench times profile soak fmt clean

help: ## what the targets do (the default)
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## install what is missing and build RocksDB once (about 4 minutes on two cores, the first time only)
	@scripts/setup

build: setup ## compile everything
	@$(environment) && cargo build --workspace --locked

install: ## build the release and install it into ~/.local (PREFIX=...); asks about the service, but not with CI=true
	@scripts/install

uninstall: ## take the installed programs, pages, completions and the service away; tasks, memory and settings stay
	@scripts/install uninstall

deb: ## build the release and a Debian package of it, in target/debian
	@scripts/package-deb

formula: ## a Homebrew formula and the source archive that it names, in target/homebrew
	@scripts/package-formula

demo: build ## run real tasks without a model, a key or a network
	@$(environment) && scripts/demo

test: ## run every test; the last line is the total
	@scripts/test

crash: build ## kill the daemon 300 times at random and at every boundary of its journals, kill the memory, cut the power
	@$(environment) && ARTOO_CRASH_KILLS=300 ARTOO_CRASH_STEP=1 ARTOO_POWER_CUTS=20000 ARTOO_POWER_STARTS=50 cargo test -p artoo-tests --locked --test crash -- --nocapture
	@$(environment) && ARTOO_MEMORY_KILLS=60 cargo test -p artoo-store --locked killing -- --nocapture && ARTOO_MEMORY_KILLS=40 cargo test -p artoo-store --locked migrating -- --nocapture

stress: build ## clients by the thousand: the same requests, streams taken up again, floods; prints figures
	@$(environment) && ARTOO_TEST_RECONNECTS=1000 ARTOO_TEST_FLOOD=20 cargo test -p artoo-tests --locked --test wire -- --nocapture

cancel: build ## cancel 200 tasks at every point of their lives, with children that do not want to end; prints the slowest
	@$(environment) && ARTOO_CANCEL_RUNS=200 cargo test -p artoo-tests --locked --test e2e cancelled_ends_in_time -- --nocapture

escape: build ## run some seventy programs that try to get out of the sandbox, without it and in it; prints what became of each
	@$(environment) && cargo test -p artoo-tests --locked --test escape -- --nocapture

hostile: build ## let a model that means harm loose on a home full of traps; prints what became of each row
	@$(environment) && cargo test -p artoo-tests --locked --test hostile -- --nocapture

truth: build ## lies of all roles together, honest work, failures that are cured and such that are not; prints what became of each
	@$(environment) && ARTOO_TRUTH_FULL=1 cargo test -p artoo-tests --locked --test truth -- --nocapture --test-threads=1

agent: build ## real tasks on prepared folders, done by artoo and by a plain agent loop on the same replies; prints both
	@$(environment) && ARTOO_AGENT_FULL=1 cargo test -p artoo-tests --locked --test agent -- --nocapture

wire: build ## real tasks against llama.cpp, aimock and the reference MCP servers (from PyPI and npm, once); prints how each ended
	@$(environment) && cargo run --quiet -p artoo-tests --locked --example servers

recall: setup ## how well requests in other words are recognised, and near misses told apart; prints precision and recall
	@$(environment) && cargo test -p artoo-memory --locked relate -- --nocapture

histories: setup ## 100,000 random lives of a memory against a plain list: writes, deletions, clocks set forward and back, restarts
	@$(environment) && ARTOO_MEMORY_HISTORIES=$${ARTOO_MEMORY_HISTORIES:-100000} cargo test -p artoo-memory --locked histories -- --nocapture
	@$(environment) && ARTOO_MEMORY_STORE_HISTORIES=$${ARTOO_MEMORY_STORE_HISTORIES:-300} cargo test -p artoo-store --locked interleaving -- --nocapture

learn: build ## run 40 tasks with traps, twice with the memory and twice without it; prints replans, repeated failures and calls
	@$(environment) && ARTOO_LEARNING_FULL=1 cargo test -p artoo-tests --locked --test learning -- --nocapture --test-threads=1

law1: setup ## judge the corpus of commands and 12,000 variants of it; ARTOO_LAW1_CORPUS=FILE adds lines; prints figures
	@$(environment) && ARTOO_LAW1_VARIANTS=$${ARTOO_LAW1_VARIANTS:-12000} ARTOO_LAW1_FUZZ_SECONDS=$${ARTOO_LAW1_FUZZ_SECONDS:-30} cargo test -p artoo-tests --locked --test law1 -- --nocapture

fuzz: setup ## feed broken inputs to every reader for ARTOO_FUZZ_SECONDS (an hour); what breaks one is kept and fed again in every test run
	@$(environment) && ARTOO_FUZZ_SECONDS=$${ARTOO_FUZZ_SECONDS:-3600} ARTOO_FUZZ_SEED=$${ARTOO_FUZZ_SEED:-$$(date +%s)} cargo test -p artoo-tests --locked --test fuzz -- --nocapture

lab: ## the controller's policies on 80 invented plants, whole tasks through the real machine; prints tables, draws docs/figures (ARTOO_LAB_EACH tasks a family)
	@$(environment) && cargo run --release --locked -p artoo-lab -- compare held,fresh all --each $${ARTOO_LAB_EACH:-20} --figures docs/figures

lab-robust: ## the belief on 40 invented plants with evidence that is weak or wrong, a planner that does not listen, and a better one
	@$(environment) && cargo run --release --locked -p artoo-lab -- compare held robust --each $${ARTOO_LAB_EACH:-20}

lab-learn: ## make the tables of the belief anew from the 40 training plants of the laboratory
	@$(environment) && cargo run --release --locked -p artoo-lab -- learn > target/belief.tsv && mv target/belief.tsv crates/control/src/belief.tsv

lint: ## formatting, clippy, the protocol files, dependencies
	@scripts/lint

check-macos: ## whether everything compiles for macOS, clean for clippy too; works on Linux (builds std for it once)
	@scripts/check-macos

bench: setup ## measure what the design promises
	@scripts/bench

membench: setup ## the memory against a scan, SQLite and a bare RocksDB, with a million memories (about five minutes)
	@$(environment) && cargo bench --quiet --locked -p artoo-benches-memory

times: setup ## how long a person waits: status, a task, the first start against a minimal tonic pair, a search against find (ARTOO_TIMES=short)
	@$(environment) && cargo build --quiet --release --workspace --bins --locked && cargo bench --quiet --workspace --locked --bench times -- $${ARTOO_TIMES:-}

profile: setup ## instructions and allocations of a task of the bench (valgrind), and a flame graph of it (perf); in target/profile
	@scripts/profile

soak: setup ## 50,000 tasks in one daemon (ARTOO_SOAK_TASKS); fails when memory or open files grow, prints the first tenth against the last
	@$(environment) && cargo bench --quiet --workspace --locked --bench pipeline -- soak $${ARTOO_SOAK_TASKS:-50000}

fmt: ## format the code
	@$(environment) && cargo fmt --all

clean: ## remove what was compiled here; RocksDB's library stays in its cache
	@$(environment) && cargo clean
