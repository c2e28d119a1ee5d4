"""What every test may ask for."""

from __future__ import annotations

import atexit
import gc
import os
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings
from xdist.remote import Producer

from tests import s3
from tests.durations import DurationRecorder
from tests.scheduling import ByWhatTheyDo
from tests.second_chance import FailureRecorder

if TYPE_CHECKING:
    from pipelines.workspace import Workspace

# Tests share the cores: OpenMP's threads give theirs up soon while they wait for each other. That
# holds for the processes of tests too; torch reads it as it is loaded.
os.environ.setdefault("GOMP_SPINCOUNT", "100")
# And a process computes with one thread. Threads wait for each other at barriers at which some of
# torch's libraries spin: beside other tests two took twenty times the processor time of one.
os.environ.setdefault("OMP_NUM_THREADS", "1")
# Endpoints compare runtimes only in the tests of that: each comparison takes ten seconds of a core.
os.environ.setdefault("DESIGNER_SWITCH_OFF", "endpoint-runtimes")

# Tests expect English texts, whatever language the system of a developer has.
os.environ["LANGUAGE"] = "en"

# No deadline: the first call of a property pays for imports, and a busy machine for everything.
settings.register_profile("ci", max_examples=60, deadline=None, database=None)
settings.register_profile("full", max_examples=1000, deadline=None, database=None)
settings.load_profile("ci")

EXTENDED = ("tests/cluster/", "tests/distribution/", "tests/other_systems/")
"""Folders that `make test` leaves to `make test-all`."""
BROWSER = "tests/browser/"
SHARED_DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Options of `make test-full` and `.ci/run`."""
    parser.addoption("--record-durations", action="store_true", help="write tests/durations.json")
    parser.addoption("--record-failures", metavar="FILE", help="write failed tests to a file")


def pytest_configure(config: pytest.Config) -> None:
    """Reports of all workers come together in one process, which records them."""
    if hasattr(config, "workerinput"):
        return
    if config.getoption("record_durations"):
        config.pluginmanager.register(DurationRecorder())
    if path := config.getoption("record_failures"):
        config.pluginmanager.register(FailureRecorder(Path(path)))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for garbage only among what tests make.

    While they are collected nothing becomes garbage, and a million objects of that time stay.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        atexit.register(gc.unfreeze)  # or libraries would miss them as leaks
        gc.enable()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Files of other tiers are not imported: each worker begins seconds earlier."""
    tier = str(config.getoption("markexpr"))
    path = collection_path.relative_to(config.rootpath).as_posix()
    if tier == "extended and not full":
        is_other = path == "tests/full" or not _may_have_extended_tests(collection_path, path)
    else:
        is_other = ("not full" in tier and path == "tests/full") or (
            "not extended" in tier and f"{path}/" in EXTENDED
        )
    return is_other or None  # None: whatever else decides


def _may_have_extended_tests(file: Path, path: str) -> bool:
    is_test = file.name.startswith("test_") and file.suffix == ".py"
    is_elsewhere = not path.startswith((*EXTENDED, BROWSER))
    return not (is_test and is_elsewhere) or "pytest.mark.extended" in file.read_text("utf-8")


@pytest.hookimpl(tryfirst=True)  # markers are asked for after it
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Move whole folders, and browser tests that are no journeys, to `make test-all`."""
    for item in items:
        is_browser = item.nodeid.startswith(BROWSER)
        if item.nodeid.startswith(EXTENDED) or (
            is_browser and not any(item.iter_markers("journey"))
        ):
            item.add_marker(pytest.mark.extended)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> ByWhatTheyDo:
    """How pytest-xdist shares out the tests."""
    return ByWhatTheyDo(config, log)


@pytest.fixture(scope="session")
def s3_port() -> Iterator[int]:
    """Where an S3 answers that the tests of a worker share."""
    missing = s3.lacks()
    if missing:
        pytest.skip(missing)
    port = s3.free_port()
    with s3.running(port):
        yield port


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real pictures beside the checkout."""
    if not SHARED_DATA.is_dir():
        pytest.skip("needs the real pictures of ../shared/data, which are not here")
    return SHARED_DATA


@pytest.fixture(scope="session")
def shared_place() -> Iterator[Workspace]:
    """The workspace that files of a worker's tests have in turn, with its runner."""
    from tests.workspaces import made_place  # half a second that most processes do not need

    with made_place() as made:
        yield made
