"""An executor whose steps wait until what they read is in the object store."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from modules.operating_system.machine import num_cores
from modules.spec import Preload
from pipelines.execution.executor import Executor
from pipelines.execution.resources import Slots
from pipelines.session import WorkspaceSession
from pipelines.store.database.leadership import Leadership
from pipelines.targets.local.settings import local_offer
from pipelines.targets.local.target import LocalStep, LocalTarget
from pipelines.workers.step_spec import StepSpec
from pipelines.workspace import Workspace
from tests.pipelines.conftest import build, run

TWO = {"two": {"module": "constant", "value": 2.0}}


class OutsideTarget(LocalTarget):
    """Machines that get what steps read from the store, and begin nothing."""

    shares_folder = False

    def submit(
        self,
        spec: StepSpec,
        preload: Preload,  # noqa: ARG002
        secrets: Mapping[str, str] | None = None,  # noqa: ARG002
    ) -> LocalStep:
        raise OSError(f"{spec.node} has all that it reads")


@contextmanager
def waiting(workspace: Workspace, num_steps: int = 1) -> Iterator[tuple[Executor, str]]:
    """One with a run whose steps ``sum-0``, ... wait: nobody stores what they read."""
    settings = (workspace.root / "designer.toml").read_text(encoding="utf-8")
    without = "".join(line for line in settings.splitlines(True) if "artifacts" not in line)
    (workspace.root / "designer.toml").write_text(without, encoding="utf-8")
    with WorkspaceSession(workspace) as session:
        run(session.runs, build({}, TWO))
        session.runner.stop()
    (workspace.root / "designer.toml").write_text(settings, encoding="utf-8")
    sums = {f"sum-{number}": {"module": "add"} for number in range(num_steps)}
    document = build({item: {"a": "two", "b": "two"} for item in sums}, {**TWO, **sums})
    with WorkspaceSession(workspace) as session:
        database, store = session.database, session.runs.store
        nodes = [node.id for node in document.nodes]
        run_id = store.create(document.to_json(), nodes, name="n", experiment="e")
        targets = {"local": OutsideTarget(local_offer(), None)}
        slots = Slots(num_cores(), (), 2**33)
        leads = Leadership(database, {})
        executor = Executor(workspace, database, targets, slots, lambda: None, leads)
        executor.admit(run_id)
        while executor.active[run_id].state.steps["two"].status != "reused":
            executor.advance()
        executor.advance()
        yield executor, run_id
        executor.shut_down()
