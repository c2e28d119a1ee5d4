"""Compute target on other machines: an engine provides them, and agents run steps there."""

from __future__ import annotations

import re
import shutil
import threading
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from modules.spec import Preload
from pipelines.document.target_offer import TargetOffer
from pipelines.errors import RefusedError
from pipelines.events import ProblemData
from pipelines.problems import TARGET_REFUSED, Problem
from pipelines.targets.agent_step import AgentStep
from pipelines.targets.engine import AccessRefusedError, Engine, EngineSilentError
from pipelines.targets.finding import Finding
from pipelines.targets.step_mirror import StepMirror
from pipelines.workers.agent_files import AgentFiles, Order
from pipelines.workers.node_facts import software
from pipelines.workers.step_spec import StepSpec
from pipelines.workspace import Workspace

FILES_INTERVAL_SECONDS = 0.2
ENGINE_INTERVAL_SECONDS = 2.0
"""Polling interval of an engine."""


class RemoteTarget:
    """Target that submits steps to an engine and follows them.

    One thread polls the engine, which may be slow, and another reads files; handles report what
    they saw last.
    """

    def __init__(
        self,
        offer: TargetOffer,
        engine: Engine,
        workspace: Workspace,
        *,
        shares_folder: bool = True,
    ) -> None:
        self.offer = offer
        self.shares_folder = shares_folder
        self._engine = engine
        self._workspace = workspace
        self._steps: dict[str, AgentStep] = {}
        self._mirrors: dict[str, StepMirror] = {}
        self._to_cancel: set[str] = set()
        self._wake = threading.Event()
        self._closed = threading.Event()
        self._threads: list[threading.Thread] = []

    def prepare(self, preload: Preload) -> None:
        """Do nothing: the engine provides machines."""

    def submit(
        self, spec: StepSpec, preload: Preload, secrets: Mapping[str, str] | None = None
    ) -> AgentStep:
        """Write the order to the agents, and have the engine asked for them."""
        spec = _with_its_own_code(spec)
        spec.write()
        order = Order(
            software=software(),
            preload=preload,
            gpus=self._engine.gpus,
            interface=self._engine.interface,
            secrets=list(secrets or {}),  # agents read the values from the workspace
            workspace=str(self._workspace.root),
            lease_seconds=self._engine.lease_seconds,
            report_seconds=self._engine.report_seconds,
        )
        AgentFiles(spec.attempt_dir).create(order)
        return self._follow(AgentStep(spec, *self._named(spec)))

    def adopt(self, spec: StepSpec) -> AgentStep:
        """Return the step of that name in whatever state the engine and its agents have."""
        adopted = AgentStep(spec, *self._named(spec), was_adopted=True, is_submitted=True)
        return self._follow(adopted)

    def poll(self) -> None:
        """Do nothing: the threads collect the reports."""

    def check(self) -> Iterator[Finding]:
        """Check the engine and its machines."""
        yield from self._engine.check(str(self._workspace.make().root))

    def close(self) -> None:
        """Stop the threads; steps at the engine continue."""
        self._closed.set()
        for mirror in self._mirrors.values():
            mirror.leave()
        self._wake.set()

    def _named(self, spec: StepSpec) -> tuple[str, str, Callable[[str], None]]:
        return job_name(spec), self._engine.title, self._cancel

    def _cancel(self, name: str) -> None:
        self._to_cancel.add(name)
        self._wake.set()

    def _follow(self, step: AgentStep) -> AgentStep:
        self._mirrors = {
            name: mirror for name, mirror in self._mirrors.items() if not mirror.is_done
        }
        if not self.shares_folder:
            mirror = StepMirror(
                self._workspace,
                step.spec,
                step.name,
                was_adopted=step.was_adopted,
                on_start=self._wake.set,
            )
            step.files.is_unreachable = lambda: mirror.is_unreachable
            self._mirrors[step.name] = mirror
        self._steps[step.name] = step
        if not self._threads:
            for serve in (self._ask_engine, self._look_at_files):
                self._threads.append(threading.Thread(target=serve, daemon=True))
                self._threads[-1].start()
        self._wake.set()
        return step

    # the threads

    def _look_at_files(self) -> None:
        while not self._closed.wait(FILES_INTERVAL_SECONDS):
            for step in list(self._steps.values()):
                with _printed_errors():
                    step.look()
                    mirror = self._mirrors.get(step.name)
                    if mirror is not None and mirror.is_long_unreachable:
                        step.note_unreachable(mirror.address)
                    if self._engine.lease_seconds and self.shares_folder:
                        step.renew_lease()
                if step.is_over:
                    self._steps.pop(step.name, None)
                    if mirror is not None:
                        mirror.end()

    def _ask_engine(self) -> None:
        while not self._closed.is_set():
            self._wake.clear()
            steps = list(self._steps.values())
            with _printed_errors():
                if steps or self._to_cancel:
                    self._ask_about(steps)
            self._wake.wait(ENGINE_INTERVAL_SECONDS if self._steps or self._to_cancel else None)

    def _ask_about(self, steps: list[AgentStep]) -> None:
        try:
            for name in list(self._to_cancel):
                if not self._ends_by_itself(name):
                    self._cancel_there(name)
            jobs = self._engine.jobs({step.name: step.spec for step in steps})
            for step in steps:
                if not step.is_submitted:
                    self._submit(step, is_there=step.name in jobs)
                elif not step.is_over:
                    step.note(jobs.get(step.name))
        except EngineSilentError:
            for step in steps:
                step.note_silence()
        except RefusedError as error:  # it cannot even be queried
            for step in steps:
                if not step.is_submitted:
                    step.refuse(_refused(error))
                    self._to_cancel.discard(step.name)
                elif isinstance(error, AccessRefusedError):
                    step.note_refusal(error, _refused(error))

    def _ends_by_itself(self, name: str) -> bool:
        """Return whether agents get time to clean up their own folders."""
        mirror = self._mirrors.get(name)
        return mirror is not None and mirror.awaits_ends()

    def _cancel_there(self, name: str) -> None:
        try:
            self._engine.cancel(name)
        except AccessRefusedError:
            return  # retry when the credentials work again
        except RefusedError:
            pass  # there is nothing to end
        self._to_cancel.discard(name)

    def _submit(self, step: AgentStep, *, is_there: bool) -> None:
        """Submit the job unless it exists: a call that seemed to fail may have succeeded."""
        if step.is_cancelled:
            step.is_submitted = True
            return
        mirror = self._mirrors.get(step.name)
        if mirror is not None and mirror.refusal is not None:
            step.refuse(Problem.relayed(TARGET_REFUSED, mirror.refusal).to_json())
            return
        if mirror is not None and not mirror.has_started:
            step.note_store(mirror.address)
            return
        try:
            if not is_there:
                self._engine.submit(step.name, step.spec)
            step.is_submitted = True
        except RefusedError as error:
            step.refuse(_refused(error))


@contextmanager
def _printed_errors() -> Iterator[None]:
    """Log exceptions: a problem with one step must not end the thread that follows the others."""
    try:
        yield
    except Exception as error:
        traceback.print_exception(error)


def _refused(error: RefusedError) -> ProblemData:
    return Problem.relayed(TARGET_REFUSED, error).to_json()


def job_name(spec: StepSpec) -> str:
    """Return the job name of an attempt, always the same: lowercase letters, digits and ``-``."""
    slug = re.sub(r"[^a-z0-9]+", "-", spec.node.lower()).strip("-")[:24]
    digest = sha256(spec.node_dir.encode()).hexdigest()[:8]
    run = re.sub(r"[^a-z0-9]+", "-", spec.run_id.lower())
    return f"designer-{run}-{slug}-{digest}-{spec.attempt}"


def _with_its_own_code(spec: StepSpec) -> StepSpec:
    """Return the specification with a copy of the user's file, which may be edited meanwhile."""
    if spec.origin["kind"] != "file":
        return spec
    source = Path(spec.origin["location"])
    folder = spec.attempt_dir / "code"
    folder.mkdir(parents=True, exist_ok=True)
    copy = shutil.copyfile(source, folder / source.name)
    return replace(spec, origin={**spec.origin, "location": str(copy)})
