"""This project's side of the graph benchmark: a warm runner, and a command in a fresh workspace."""

from __future__ import annotations

import json
import shutil
import time
from pathlib import Path
from types import TracebackType
from typing import Self

from benchmarks import counting_modules
from benchmarks.graph_documents import Document
from benchmarks.harness import BenchmarkError
from benchmarks.processes import time_designer
from pipelines.document.document import parse_document
from pipelines.events import RunState
from pipelines.runs.run_request import RunRequest
from pipelines.session import WorkspaceSession
from pipelines.workspace import Workspace

TIME_LIMIT_SECONDS = 60


class WarmRunner:
    """A workspace with a runner; entered, then asked to run documents (none needs torch)."""

    def __init__(self, folder: Path) -> None:
        self.runs = WorkspaceSession(new_workspace(folder)).runs

    def __enter__(self) -> Self:
        self.runs.runner.ensure()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.runs.runner.stop()

    def run(self, document: Document) -> tuple[str, float, float]:
        """The run's id, its seconds for who submits and waits, and those in the runner alone."""
        parsed = parse_document(document)
        started = time.perf_counter()
        run_id = self.runs.submit(RunRequest(parsed))
        for _ in self.runs.follow(run_id, poll_seconds=0.002):
            if time.perf_counter() - started > TIME_LIMIT_SECONDS:
                raise BenchmarkError(
                    f"{parsed.id} did not end within {TIME_LIMIT_SECONDS} s, for want of "
                    f"{self._unfinished(run_id)}. Run it with designer run and look at its log."
                )
        seconds = time.perf_counter() - started
        state = self._state(run_id)
        return run_id, seconds, (state.finished or 0.0) - (state.started or 0.0)

    def num_reused(self, run_id: str) -> int:
        """How many of the run's nodes were reused."""
        return sum(step.status == "reused" for step in self._state(run_id).steps.values())

    def total(self, run_id: str) -> int:
        """What the counting nodes of a run add up to, read from their artifacts."""
        state = self._state(run_id)
        outputs = [self.runs.artifacts.outputs(step) for step in state.steps.values()]
        return sum(counting_modules.Count(Path(each["number"])).value for each in outputs)

    def _unfinished(self, run_id: str) -> str:
        steps = self.runs.store.state(run_id).steps
        return ", ".join(node for node, step in steps.items() if step.finished is None)

    def _state(self, run_id: str) -> RunState:
        state = self.runs.store.state(run_id)
        if state.status != "completed":
            raise BenchmarkError(
                f"The run ended as {state.status}: {state.problem}. See the runner's log in "
                f"{self.runs.workspace.runner_log_path}."
            )
        return state


def run_cold(document: Document, folder: Path) -> float:
    """Seconds of ``designer run`` in a fresh workspace: imports, runner and all."""
    new_workspace(folder)
    path = folder / "document.json"
    path.write_text(json.dumps(document))
    try:
        return time_designer("run", path, "--workspace", folder)
    finally:
        time_designer("runner", "stop", "--workspace", folder)
        shutil.rmtree(folder)


def new_workspace(folder: Path) -> Workspace:
    """A workspace with the counting modules in it."""
    workspace = Workspace.at(folder).make()
    workspace.modules_dir.mkdir(parents=True, exist_ok=True)
    shutil.copy(counting_modules.__file__, workspace.modules_dir / "counting.py")
    return workspace
