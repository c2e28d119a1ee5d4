"""A workspace with the toy modules, its runner, and a way to write small pipelines."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from pipelines.document.document import PipelineDocument, parse_document
from pipelines.events import RunState
from pipelines.runs.run_request import RunRequest
from pipelines.runs.run_service import RunService
from pipelines.session import WorkspaceSession
from pipelines.workspace import Workspace
from tests import toy
from tests.workspaces import empty, made_place, opened

Build = Callable[..., PipelineDocument]


NOBODY = "http://127.0.0.1:9"
"""A proxy that answers no one: what asks for the network gets none, wherever the tests run."""


@pytest.fixture(scope="module", autouse=True)
def no_network() -> Iterator[None]:
    """What is started here finds no network, wherever the tests run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HTTPS_PROXY", NOBODY)
        yield


@pytest.fixture(scope="module")
def place(request: pytest.FixtureRequest) -> Iterator[Workspace]:
    """Where the tests of a file have their workspaces, one after the other, with one runner.

    Files share the place and its runner, which takes seconds of a processor to start. A file marked
    ``own_runner`` has its own: its runner is started with other variables, or in another way.
    """
    if request.node.get_closest_marker("own_runner") is None:
        yield request.getfixturevalue("shared_place")
    else:
        with made_place() as own:
            yield own


@pytest.fixture
def workspace(place: Workspace) -> Iterator[Workspace]:
    """An empty workspace whose ``modules/`` holds the toy modules."""
    place.make()
    toy.install(place.modules_dir)
    yield place
    with opened(place) as runs:
        empty(runs)


@pytest.fixture(scope="module")
def shared_runs(place: Workspace) -> Iterator[RunService]:
    """One empty workspace for all tests of a file."""
    with opened(place.make()) as runs:
        yield runs
        empty(runs)


@pytest.fixture
def runs(workspace: Workspace) -> Iterator[RunService]:
    made = WorkspaceSession(workspace).runs
    yield made
    made.database.close()


def contents(folder: Path, *, databases: bool = False) -> dict[Path, bytes]:
    """What the files below a folder hold, but for those that a living runner is just replacing.

    Those of the ``databases`` can be read only while this process has none open.
    """
    values = {}
    for place, _, names in os.walk(folder):
        for path in (Path(place, name) for name in names):
            with suppress(FileNotFoundError):
                if path.is_file() and (databases or not path.name.startswith("designer.db")):
                    values[path] = path.read_bytes()
    return values


def build(links: dict[str, dict[str, str]], nodes: dict[str, dict[str, Any]]) -> PipelineDocument:
    """A document from ``{node: {"module": ..., parameters}}`` and ``{node: {port: source node}}``.

    Run settings are given under ``run_settings``, ``disabled`` and ``pin`` as they are; every other
    name is a parameter.
    """
    written = []
    for node_id, facts in nodes.items():
        rest = dict(facts)
        node = {"id": node_id, "module": rest.pop("module")}
        for name in ("run_settings", "disabled", "pin"):
            if name in rest:
                node[name] = rest.pop(name)
        written.append({**node, "parameters": rest})
    wires = [
        {"from": {"node": source, "port": "output"}, "to": {"node": target, "port": port}}
        for target, ports in links.items()
        for port, source in ports.items()
    ]
    return parse_document(
        {"format": "pipeline-designer/2", "id": "toy", "nodes": written, "links": wires}
    )


def finish(runs: RunService, run_id: str) -> RunState:
    """Wait for a run's end and give its state."""
    for _ in runs.follow(run_id):
        continue
    return runs.store.state(run_id)


def has_finished(runs: RunService, run_id: str) -> bool:
    """Return whether a run has finished, once the runner's state is up to date.

    A dead runner's lock may last for a moment.
    """
    runs.runner.refresh()
    return runs.store.state(run_id).is_finished


def run(runs: RunService, document: PipelineDocument, **options: Any) -> tuple[str, RunState]:
    """Submit a document and wait for its end."""
    run_id = runs.submit(RunRequest(document, **options))
    return run_id, finish(runs, run_id)


def value(runs: RunService, state: RunState, node: str) -> float:
    """The number that a toy node gave."""
    folder = runs.artifacts.outputs(state.steps[node])["output"]
    return toy.Number(Path(folder)).value


def statuses(state: RunState) -> dict[str, str]:
    """Node to status."""
    return {node: step.status for node, step in state.steps.items()}
