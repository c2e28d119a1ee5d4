"""The runner's side of a step whose machines cannot access the workspace: files in the store."""

from __future__ import annotations

import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import Any

from pipelines.errors import ObjectStoreAwayError, ObjectStoreError, RefusedError
from pipelines.sentences import object_stores as say
from pipelines.store.objects.mirrored_folder import MirroredFolder
from pipelines.store.objects.object_address import ObjectAddress
from pipelines.store.objects.object_files import ObjectFiles
from pipelines.store.objects.object_store import STEPS
from pipelines.workers.agent_files import AgentFiles
from pipelines.workers.node_folder import RUNNER, STARTUP_POLL_SECONDS, StartupPhase, StepLocation
from pipelines.workers.step_spec import STOP, StepSpec
from pipelines.workspace import Workspace
from pipelines.workspace_settings import artifacts_address

SYNC_INTERVAL_SECONDS = 0.5
END_GRACE_SECONDS = 10.0
"""Time that agents get to end after they have seen the request."""
UNREACHABLE_WARNING_SECONDS = 15.0
REMOVAL_TIMEOUT_SECONDS = 30.0
"""Time that removal of an ended step's objects is retried; afterwards ``gc`` removes them."""


def location_of(workspace: Workspace, name: str, folder: Path, count: int) -> StepLocation:
    """Return where the files of a job are.

    Raises ``RefusedError`` for a workspace without a store.
    """
    address = artifacts_address(workspace.root)
    if address is None:
        raise RefusedError(say.NEEDED_FOR_STEPS)
    inner = folder.relative_to(workspace.root).as_posix()
    return StepLocation(address, f"{STEPS}/{name}", str(workspace.root), inner, count)


def runner_mirror(location: StepLocation, **more: Any) -> MirroredFolder:
    """Return the runner's mirror of a step's files. Raises ``ObjectStoreError``."""
    files = ObjectFiles(ObjectAddress.parse(location.address))
    others = [str(rank) for rank in range(location.count)]
    rare = [f"{rank}.checkpoint" for rank in others]
    root = Path(location.workspace)
    return MirroredFolder(files, location.base, RUNNER, root, others, rare, **more)


class StepMirror:
    """Thread that mirrors the files of one step.

    ``has_started``: the inputs of its machines were uploaded; ``refusal``: why they never will be.
    """

    def __init__(
        self,
        workspace: Workspace,
        spec: StepSpec,
        name: str,
        *,
        was_adopted: bool,
        on_start: Callable[[], None] = lambda: None,
    ) -> None:
        self.has_started, self.is_done = was_adopted, False
        self.refusal: RefusedError | ObjectStoreError | None = None
        self.address = ""
        self._spec, self._name, self._on_start = spec, name, on_start
        self._agents = AgentFiles(spec.attempt_dir)
        self._closed, self._is_over = threading.Event(), False
        self._startup = StartupPhase()
        self._ending_since: float | None = None
        try:
            location = location_of(workspace, name, spec.attempt_dir, spec.host_count)
            self.address = location.address
            node = Path(spec.node_dir).relative_to(workspace.root).as_posix()
            attempt = f"{node}/{spec.attempt_dir.name}"
            self._mirror = runner_mirror(
                location,
                own_files=self._own_files,
                takes=lambda file: (
                    file.startswith(f"{node}/") and not _is_of_machines(file, attempt)
                ),
                state_path=spec.attempt_dir / "mirror.json",
            )
        except (RefusedError, ObjectStoreError) as error:
            self.refusal, self.is_done = error, True
            return
        threading.Thread(target=self._serve, daemon=True).start()

    @property
    def is_unreachable(self) -> bool:
        """Return whether reports are missing because the store does not respond."""
        return self.refusal is None and self._mirror.is_unreachable

    @property
    def is_long_unreachable(self) -> bool:
        """Return whether that has lasted long enough for a warning."""
        return (
            self.is_unreachable and self._mirror.unreachable_seconds > UNREACHABLE_WARNING_SECONDS
        )

    def awaits_ends(self) -> bool:
        """Return whether agents that are asked to end have not ended yet."""
        now = time.monotonic()
        self._ending_since = self._ending_since or now
        names = self._agents.names()
        ranks = range(self._spec.host_count)
        running = [k for k in ranks if f"alive-{k}" in names and f"end-{k}.json" not in names]
        return bool(running) and now < self._ending_since + END_GRACE_SECONDS

    def end(self) -> None:
        """Remove the objects of an ended step."""
        self._is_over = True

    def leave(self) -> None:
        """Leave the step to the next runner."""
        self._closed.set()

    def _serve(self) -> None:
        while not self._closed.is_set() and not (self._is_over and not self.awaits_ends()):
            try:
                self._sync()
            except ObjectStoreAwayError:
                pass  # retry
            except ObjectStoreError as error:
                self.refusal = None if self.has_started else error
            except Exception as error:  # a full disk, for example: the thread is needed again later
                traceback.print_exception(error)
            self._closed.wait(
                STARTUP_POLL_SECONDS if self._is_starting() else SYNC_INTERVAL_SECONDS
            )
        if self._is_over:
            self._remove()
        self.is_done = True

    def _sync(self) -> None:
        if not self.has_started:
            self._mirror.put_all()
            self.has_started = True
            self._on_start()
        self._mirror.sync()

    def _is_starting(self) -> bool:
        """Return whether its machines are ready and the step has not reported until recently."""
        is_there = any(name.startswith("node-") for name in self._agents.names())
        return is_there and self._startup.is_active(has_reported=self._spec.events_path(0).exists())

    def _remove(self) -> None:
        deadline = time.monotonic() + REMOVAL_TIMEOUT_SECONDS
        while time.monotonic() < deadline:
            with suppress(ObjectStoreError):
                self._mirror.files.remove(self._mirror.base)
                return
            time.sleep(SYNC_INTERVAL_SECONDS)

    def _own_files(self) -> Iterator[Path]:
        """Return the runner's files; at first, those that the step starts with."""
        spec = self._spec
        node, agents = Path(spec.node_dir), spec.attempt_dir / "agents"
        yield from (agents / "over", agents / "lease", node / STOP)
        if self.has_started:
            return
        yield from (agents / "order.json", spec.spec_path, node.parent / "document.json")
        for folder in (spec.attempt_dir / "code", node / "checkpoint"):
            yield from (path for path in folder.rglob("*") if path.is_file())
        yield from node.glob("70_*.txt")


def _is_of_machines(file: str, attempt: str) -> bool:
    """Return whether a file is shared by a script's machines or is their output.

    Of outputs only the first machine's are reported, except what was written to ``logs``.
    """
    path = PurePosixPath(file)
    parts = path.relative_to(attempt).parts if path.is_relative_to(attempt) else ()
    return parts[:1] == ("machines",) or (parts[:1] == ("working",) and parts[2:3] != ("logs",))
