# The hub's menu: `make` alone shows it.

PYTHON ?= python3
PROVE_SECONDS ?= 600
EXAMPLES ?= many
# Told to keep no bytecode (as images of containers often are), each process would compile anew what conftest.py comes
# too late for: pytest's own plugins.
unexport PYTHONDONTWRITEBYTECODE
# Each worker collects every test and starts a PostgreSQL of its own: one a core is the quickest.
WORKERS ?= 2
XDIST := -n $(WORKERS) --max-worker-restart=0
BIN := .venv/bin
# Never outside a virtual environment: a .venv that is not one would put all this into the machine's own Python.
PIP := $(BIN)/python -m pip --require-virtualenv --disable-pip-version-check -qq
PLUGINS := $(patsubst %/pyproject.toml,%,$(wildcard plugins/*/pyproject.toml))
CLIENT := clients/python
PEERS := .venv-bench
LOCKS := requirements/run.txt requirements/mcp.txt requirements/test.txt requirements/build.txt
# The lock files name no host, so that they install from any registry; a mirror of this machine alone may not feed them.
COMPILE = PIP_CONFIG_FILE=/dev/null PIP_EXTRA_INDEX_URL= PIP_FIND_LINKS= CUSTOM_COMPILE_COMMAND="make lock" \
	$(BIN)/pip-compile --quiet --generate-hashes --strip-extras --allow-unsafe --no-emit-index-url \
	--no-emit-find-links --no-emit-trusted-host --no-emit-options $(LOCK_FLAGS)

.DEFAULT_GOAL := help
.PHONY: help install run test lint types generate prove mutants shots bench budget cover release lock clean

help: ## show this menu
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

install: .venv/.installed ## make .venv with the hub, its plugins and everything the tests need

# What the hub runs on comes first, so that whoever tries it does not wait for tools of tests.
.venv/.runs: pyproject.toml $(PLUGINS:%=%/pyproject.toml) $(CLIENT)/pyproject.toml requirements/run.txt requirements/build.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "The hub needs Python 3.11 or newer; name one: make $(or $(MAKECMDGOALS),install) PYTHON=python3.12"; exit 1; }
	@echo "Installing the hub and its plugins into .venv, which takes about a minute ..."
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(PIP) install --require-hashes -r requirements/run.txt -r requirements/build.txt
	@$(PIP) install --no-deps --no-build-isolation -e . $(PLUGINS:%=-e %) -e $(CLIENT)
	@touch $@

.venv/.installed: .venv/.runs $(LOCKS)
	@echo "Installing the tools of the tests into .venv, which takes some minutes ..."
	@$(PIP) install --require-hashes $(LOCKS:%=-r %)
	@touch $@

run: .venv/.runs ## start a demo hub on 127.0.0.1:8080 and say what to do with it
	@$(BIN)/hub demo

# The tests of a file stay in one worker, so that what they share is made once. Types are checked beside them; what
# that says comes last, and either's failure is this target's.
test: install lint ## lint, check types, and run every test
	@types=$$(mktemp) && trap 'rm -f "$$types"' EXIT; \
	$(MAKE) --no-print-directory types >"$$types" 2>&1 & checking=$$!; \
	$(BIN)/python -m pytest $(XDIST) --dist loadfile --no-loadscope-reorder $(PYTEST_ARGS); tested=$$?; \
	wait $$checking; checked=$$?; cat "$$types"; \
	test $$tested -eq 0 || echo "make test: the tests FAILED."; \
	test $$checked -eq 0 || echo "make test: the check of types FAILED."; \
	exit $$((tested || checked))

lint: install ## check style and layout
	$(BIN)/ruff check
	$(BIN)/ruff format --check

# A plugin's and the client's folders are bases beside the repository's: there a package has the name it is installed under.
types: install ## check types
	MYPYPATH=$(subst $() $(),:,$(PLUGINS) $(CLIENT)) $(BIN)/mypy conftest.py hub tests bench release clients/generator $(PLUGINS) $(CLIENT)

generate: install ## write what is made from the code: docs/openapi.json, the clients, the guide's programs, promises, schema.sql
	$(BIN)/python -m hub.merchant_api.openapi.document > docs/openapi.json
	$(BIN)/python -m clients.generator
	$(BIN)/python -m hub.docs_site
	$(BIN)/python -m tests.merchant_api.kept_members
	$(BIN)/python -m tests.notifications.kept_messages
	$(BIN)/python -m hub.storage.migrations.outcome > migrations/schema.sql

prove: install ## run the slow proofs (kill -9, power, races), each for about PROVE_SECONDS, and the rest of properties and PostgreSQL
	PROVE_SECONDS=$(PROVE_SECONDS) $(BIN)/python -m pytest $(XDIST) -m "prove or hypothesis" --hypothesis-profile=$(EXAMPLES) \
		$(if $(PROVE_WITHIN),--within $(PROVE_WITHIN) --dist loadfile --no-loadscope-reorder) \
		-o faulthandler_timeout=$$((1800 + 3 * $(PROVE_SECONDS))) $(PYTEST_ARGS)

mutants: install ## change the money's rules in one place after another and write docs/mutants.md: which change no test notices
	$(BIN)/python -m tests.mutants --write $(MUTANTS)

shots: install ## take screenshots of every page in light, dark and phone width into var/shots
	$(BIN)/python -m tests.pages.shots var/shots

bench: install ## measure the hub's speed beside others', or with BESIDE=COMMIT beside another commit of its own
	@$(MAKE) --no-print-directory $(PEERS)/.installed || echo "Without its libraries the FastAPI peer is left out."
	$(BIN)/python -m $(if $(BESIDE),bench.beside $(BESIDE),bench) $(BENCH)

budget: install ## count what an order, a click and a read cost, and make that their ceilings
	$(BIN)/python -m bench.budget $(BUDGET_ARGS)

# The peers' libraries stay out of the hub's own environment.
$(PEERS)/.installed: requirements/bench.txt
	@echo "Installing the benchmark's peer into $(PEERS) ..."
	@test -x $(PEERS)/bin/python || $(PYTHON) -m venv $(PEERS)
	@$(PEERS)/bin/python -m pip --require-virtualenv --disable-pip-version-check -qq install --require-hashes -r $<
	@touch $@

cover: install ## show which lines no test reaches
	$(BIN)/coverage run -m pytest $(PYTEST_ARGS)
	@$(BIN)/coverage report --skip-covered

release: install ## make dist/: wheels of the last commit, pins, sums, bill of materials, changes; its tag is the version
	@$(BIN)/python -m release dist

lock: install ## write requirements/*.txt anew (LOCK_FLAGS=--upgrade takes newer releases)
	$(COMPILE) -o requirements/run.txt pyproject.toml
	$(COMPILE) -o requirements/test.txt requirements/test.in
	$(COMPILE) -o requirements/mcp.txt requirements/mcp.in
	$(COMPILE) -o requirements/build.txt requirements/build.in
	$(COMPILE) -o requirements/bench.txt requirements/bench.in

clean: ## remove .venv and what tools left behind (var/ stays: it holds data)
	rm -rf .venv $(PEERS) dist build .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -not -path './.git/*' -prune -exec rm -rf {} +
