# `make` lists the verbs. Any verb sets up what it needs first: .venv from requirements.lock,
# .venv-bench (the benchmarks' peers) from benchmarks/requirements.txt, .venv-serving (peers of A8 that
# need other versions) from benchmarks/serving.txt. `.ci/run` adds .venv-ray from .ci/ray.txt: a
# cluster for the tests of one. GNU make 3.81 or newer.
#
#   make test ARGS="tests/modules -k split"     ARGS goes to the command of its verb
#   make test WORKERS=0                         one test after the other, for a debugger
#   make PYTHON=python3.12 check                the Python of a .venv that is yet to be made

SHELL := /bin/sh
BIN := .venv/bin
WORKERS = 3
COMPILE = pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header \
	--no-annotate --no-emit-index-url --no-emit-find-links
RUN_PYTEST = $(BIN)/python -m pytest
PYTEST = $(RUN_PYTEST) -n $(WORKERS) --dist loadfile --no-loadscope-reorder
EDITOR = designer_app/frontend
CHECKED = designer_app modules pipeline_designer pipelines tests benchmarks

# Where it is set, hundreds of processes of tests would each compile the same files.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help app demo editor test test-all test-full check catalogs docs bench dist lock clean

help:  ## list the verbs
	@sed -n 's/^\([a-z-]*\):.*## */  make \1	/p' $(MAKEFILE_LIST) | expand -t 18

app: .venv/.installed  ## open the designer in the browser; ARGS="--workspace DIR --port N"
	$(BIN)/designer app $(ARGS)

demo: .venv/.installed  ## run the first ready-made pipeline, from pictures to an evaluated model
	$(BIN)/designer run 01-digits

editor:  ## build the browser's half into designer_app/editor/static (needs node 20 or newer)
	@command -v npm >/dev/null || { echo "make editor needs node 20 or newer: install it." >&2; exit 1; }
	cd $(EDITOR) && npm ci && npm run build

test: .venv/.installed  ## run the tests of every day; ARGS go to pytest
	$(PYTEST) -m "not extended and not full" $(ARGS)

# Most of its tests wait.
test-all: WORKERS = 4
test-all: .venv/.installed  ## run what else protects: clusters, kills, outages, hostile code, all lessons
	$(PYTEST) -m "extended and not full" $(ARGS)

test-full: .venv/.installed  ## run all tests, with measurements, pictures and all architectures
	REQUIRE_BROWSER=1 $(PYTEST) --hypothesis-profile full --record-durations $(ARGS)

check:  ## style, types, import contracts, whether generated files and locks are fresh
	@$(MAKE) --no-print-directory --jobs=2 check-python check-editor

# The halves run side by side. Tools keep what they know of unchanged files in ignored folders:
# .mypy_cache, .ruff_cache, .import_linter_cache and, for the editor, node_modules/.cache/checks. The
# editor's checks are skipped if a hash of all that they read is the one that passed last: contents
# and names of its files, of static/ and tests/cases, the installed packages and the node version
# (designer_app/frontend/scripts/check.mjs). `make clean` removes these caches.
.PHONY: check-python check-editor
check-python: .venv/.installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/python -m tests.project.lock
	$(BIN)/python -m designer_app.api.typescript --check
	$(BIN)/python -m pipeline_designer.stub --check
	$(BIN)/python -m tests.project.catalogs --check

check-editor:
	@if command -v npm >/dev/null; then \
		cd $(EDITOR) && { npm ls >/dev/null 2>&1 || npm ci; } && npm run --silent check; \
	else echo "The editor's TypeScript was not checked: that needs node 20 or newer."; fi

catalogs: .venv/.installed  ## update the catalogs of translations; ARGS="--add cs" begins a language
	$(BIN)/python -m tests.project.catalogs $(ARGS)

docs: .venv/.installed  ## build the documentation into designer_app/documentation (the app serves it)
	$(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going -b html \
		-d build/doctrees docs designer_app/documentation

# Only A8 needs .venv-serving: other benchmarks do not wait for it.
SERVING = $(if $(strip $(ARGS)),$(filter A8,$(ARGS)),A8)
bench: .venv/.installed .venv-bench/.installed $(if $(SERVING),.venv-serving/.installed)  ## measure against the peers; ARGS="A4 A6 --rounds 5"
	$(BIN)/python -m benchmarks $(ARGS)

# uv and setuptools are in the lock: nothing is downloaded. uv builds the wheel from the sdist.
# Files get the time of the commit, so that the same commit always gives the same wheel.
dist: .venv/.installed docs  ## build the wheel and the sdist into dist
	rm -rf build dist *.egg-info
	SOURCE_DATE_EPOCH=`git log -1 --format=%ct 2>/dev/null || date +%s` $(BIN)/uv build --quiet \
		--offline --no-build-isolation --python $(BIN)/python --out-dir dist
	rm -rf build *.egg-info

lock:  ## write requirements.lock, benchmarks/*.txt, .ci/*.txt and the curated locks again; ARGS=--upgrade for newer ones
	@uv=`command -v uv || command -v .venv/uv` || \
		{ echo "make lock needs uv: install it (pip install -r .ci/uv.txt), then run make lock again." >&2; exit 1; }; \
	"$$uv" $(COMPILE) --all-extras $(ARGS) pyproject.toml -o requirements.lock && \
	"$$uv" $(COMPILE) $(ARGS) benchmarks/requirements.in -o benchmarks/requirements.txt && \
	"$$uv" $(COMPILE) $(ARGS) benchmarks/serving.in -o benchmarks/serving.txt && \
	"$$uv" $(COMPILE) $(ARGS) .ci/uv.in -o .ci/uv.txt && \
	"$$uv" $(COMPILE) $(ARGS) .ci/ray.in -o .ci/ray.txt && \
	"$$uv" run --quiet --no-project python -m tests.project.wheels
# A line of its own: make runs one that names it also when it is only to print what it would do.
	@$(MAKE) --no-print-directory .venv/.installed
	$(BIN)/python -m pipelines.environments.relock

clean:  ## remove what tools left behind; keeps .venv, .venv-* and workspace
	rm -rf build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache \
		$(EDITOR)/node_modules/.cache
	find . -name .venv -prune -o -name '.venv-*' -prune -o -name workspace -prune \
		-o -name node_modules -prune -o -name __pycache__ -type d -prune -exec rm -rf {} +

# The stamp is written last: after an interruption the next verb sets up again.
.venv/.installed: requirements.lock pyproject.toml .ci/setup-venv .ci/uv.txt
	PYTHON="$(PYTHON)" .ci/setup-venv .venv requirements.lock --with-project
	@touch $@

.venv-bench/.installed: benchmarks/requirements.txt .ci/setup-venv .ci/uv.txt
	PYTHON="$(PYTHON)" .ci/setup-venv .venv-bench benchmarks/requirements.txt
	@touch $@

# MLServer has no release for Python 3.13: without an older one A8 leaves both servers out.
.venv-serving/.installed: benchmarks/serving.txt .ci/setup-venv .ci/uv.txt
	@PYTHON="$(or $(PYTHON),python3.11 python3.12 python3)" .ci/setup-venv .venv-serving benchmarks/serving.txt \
		&& touch $@ || echo "MLServer and BentoML were not installed: A8 leaves them out." >&2

.venv-ray/.installed: .ci/ray.txt .ci/setup-venv .ci/uv.txt
	PYTHON="$(PYTHON)" .ci/setup-venv .venv-ray .ci/ray.txt
	@touch $@
