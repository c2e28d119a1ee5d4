"""What people do, on processes that behave as on Windows or as on macOS.

Linux' own way is tested everywhere else. Here one app a system, its runner and all that comes of
it lack what that system lacks: nothing forks, there is no ``/proc``, names have no case.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import psutil
import pytest
from playwright.sync_api import Browser, expect

from modules.operating_system.processes import ProcessIdentity, descendants
from modules.operating_system.signals import KILL
from pipelines.execution.runner_lock import current_runner
from tests.browser.conftest import chromium
from tests.browser.designer import Designer
from tests.browser.served import LIBRARY, Served
from tests.designer_app.documents import document, link, node, slow
from tests.designer_app.http import Client
from tests.polling import wait_for

SECONDS = 120.0
FEW_IMAGES = ("--set", "import.source=sample:shapes?classes=3&images=60&size=32")
ONE_EPOCH = ("--set", "train.batch_size=8", "--set", "train.epochs=1")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as made:
        yield made


@pytest.fixture(
    scope="module",
    params=[
        "windows",
        pytest.param("macos", marks=pytest.mark.full),  # which lacks less
    ],
)
def served(request: pytest.FixtureRequest) -> Iterator[Served]:
    """An app that behaves as on another system, and with it its runner."""
    with tempfile.TemporaryDirectory(prefix="designer-") as folder:
        made = Served(Path(folder), system=request.param)
        try:
            made.start()
            yield made
        finally:
            made.stop()


@pytest.fixture
def client(served: Served) -> Client:
    token = served.workspace.root / "token"
    wait_for(lambda: token.exists() and token.read_text())  # its port may be open before
    return Client(served.port, token.read_text())


def submitted(client: Client, made: dict[str, Any]) -> str:
    """A run of a document, asked for over HTTP."""
    answer = client.post("/api/runs", {"document": made})
    assert answer.status == 201, answer.body
    return str(answer.json["run_id"])


def has_status(served: Served, run_id: str, step: str, *statuses: str) -> bool:
    return served.runs.store.state(run_id).steps[step].status in statuses


def wait(served: Served, run_id: str, step: str, *statuses: str) -> None:
    wait_for(partial(has_status, served, run_id, step, *statuses), SECONDS)


def resume(served: Served, client: Client, run_id: str, step: str) -> None:
    """Once the run has ended, go on with it until the step is done."""
    wait_for(lambda: served.runs.store.state(run_id).is_finished, SECONDS)
    assert client.post(f"/api/runs/{run_id}/resume").status == 200
    wait(served, run_id, step, "completed")


def designer(served: Served, *arguments: str) -> dict[str, Any]:
    """What a command says, as on the app's system."""
    place = ("--workspace", str(served.workspace.root))
    command = [sys.executable, "-m", "pipelines.cli", *arguments, "--json", *place]
    done = subprocess.run(command, env=served.environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    said: dict[str, Any] = json.loads(done.stdout)
    return said


def host_of(served: Served, run_id: str) -> ProcessIdentity:
    """The process that runs a step of the run: its log is open there."""
    info = current_runner(served.workspace)
    assert info is not None
    for each in descendants(info.pid):
        with suppress(psutil.Error):  # it has just ended
            if any(run_id in opened.path for opened in psutil.Process(each.pid).open_files()):
                return each
    raise LookupError(run_id)


def log_is_open(served: Served, run_id: str) -> bool:
    try:
        return host_of(served, run_id).is_alive
    except LookupError:
        return False


@pytest.mark.full  # a minute of a core; steps of such systems are below
def test_lesson_01_runs(served: Served) -> None:
    lesson = str(LIBRARY / "01-digits.json")
    said = designer(served, "run", lesson, *FEW_IMAGES, *ONE_EPOCH)
    assert said["status"] == "completed"
    again = designer(served, "run", lesson, *FEW_IMAGES, *ONE_EPOCH)
    assert {each["status"] for each in again["nodes"].values()} == {"reused"}


@pytest.mark.full  # as after a kill, below
def test_a_run_is_cancelled_and_goes_on_when_resumed(served: Served, client: Client) -> None:
    run_id = submitted(client, slow(6.0, "cancelled"))
    wait(served, run_id, "nap", "running")
    assert client.post(f"/api/runs/{run_id}/cancel").status == 200
    wait(served, run_id, "nap", "cancelled")
    assert has_status(served, run_id, "two", "completed")
    resume(served, client, run_id, "nap")


@pytest.mark.full  # as a killed runner
def test_a_killed_step_fails_and_goes_on_when_resumed(served: Served, client: Client) -> None:
    run_id = submitted(client, slow(6.2, "killed"))
    wait(served, run_id, "nap", "running")
    wait_for(lambda: log_is_open(served, run_id), SECONDS)
    host_of(served, run_id).signal(KILL)
    wait(served, run_id, "nap", "failed")
    problem = served.runs.store.state(run_id).steps["nap"].problem
    assert problem is not None
    assert problem["name"] == "ProcessLost"
    resume(served, client, run_id, "nap")


def test_a_run_goes_on_after_its_runner_was_killed(served: Served, client: Client) -> None:
    run_id = submitted(client, slow(6.5, "orphaned"))
    wait(served, run_id, "nap", "running")
    info = current_runner(served.workspace)
    assert info is not None
    others = descendants(info.pid)
    assert others
    info.identity.signal(KILL)
    wait_for(lambda: not any(each.is_alive for each in others), SECONDS)
    wait(served, run_id, "nap", "completed")
    assert served.runs.store.state(run_id).steps["nap"].attempt == 2


@pytest.mark.browser
def test_a_pipeline_is_edited_and_run_in_the_browser(browser: Browser, served: Served) -> None:
    """One of its nodes is called as a device of Windows is."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = Designer(context.new_page(), served)
    page.open_in_app(
        document(
            "edited",
            nodes=[
                {**node("con", "constant", value=2), "position": {"x": 0, "y": 0}},
                {**node("nap", "sleep", seconds=0.1), "position": {"x": 320, "y": 0}},
            ],
            links=[link("con", "nap", "a")],
        )
    )
    page.select("con")
    page.fill("value", "41")
    saved = page.is_saved().node("con")
    assert saved is not None
    assert saved.parameters["value"] == 41
    page.submit()
    page.has_status("nap", "completed")
    expect(page.at("run-status")).to_have_attribute("data-status", "completed")
    context.close()


@pytest.mark.full
def test_the_whole_of_lesson_01(served: Served) -> None:
    said = designer(served, "run", str(LIBRARY / "01-digits.json"))
    assert said["status"] == "completed"
    assert said["nodes"]["evaluate"]["status"] == "completed"
