"""Local folder of a node in place of a workspace that it cannot access, and its transfers.

The paths in the step's specification lead there. Inputs are downloaded and stay for the next step,
and the step's own files are mirrored to the runner.
"""

from __future__ import annotations

import json
import os
import shutil
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Any

from modules.files.json_files import read_if_valid, write_durably
from modules.files.redaction import Redaction
from modules.operating_system.locks import lock
from pipelines.errors import ObjectStoreAwayError, ObjectStoreError
from pipelines.store.artifacts.manifest import folder_bytes
from pipelines.store.objects.artifact_cache import ArtifactCache, CachedCopy
from pipelines.store.objects.mirrored_folder import MirroredFolder, is_appended
from pipelines.store.objects.object_address import ObjectAddress
from pipelines.store.objects.object_files import ObjectFiles
from pipelines.store.objects.object_store import OWNER, ObjectStore
from pipelines.workers.agent_files import end_agents
from pipelines.workers.machine_lock import own_folder
from pipelines.workers.step_spec import StepSpec
from pipelines.workspace import Workspace

RUNNER = "runner"
POLL_SECONDS = 0.2
STARTUP_POLL_SECONDS = 0.1
"""Polling interval during startup, when the nodes wait for each other."""
STARTUP_PHASE_SECONDS = 3.0
"""Startup phase after the first report of a step."""
CHECK_INTERVAL_SECONDS = 5.0
"""Interval of the checks that the step is still wanted."""
STARTUP_STORE_TIMEOUT_SECONDS = 30.0
"""Timeout for a store that does not respond before the step has started here."""
END_REPORT_TIMEOUT_SECONDS = 20.0
"""Time that an ended node keeps trying to report its end."""
ABANDONED_SECONDS = 300.0
"""Age of the last heartbeat after which a node counts as dead and is cleaned up."""
STARTUP_ABANDONED_SECONDS = 86_400.0
"""The same for a node that is still downloading its inputs."""
OF_RUNNER = frozenset({"order.json", "over", "lease", "step.json"})


@dataclass(frozen=True)
class StepLocation:
    """Location of the files of a step whose machines share no folder."""

    address: str
    """Address of the workspace's object store."""
    base: str
    """Prefix of the step below the address."""
    workspace: str
    """Path of the workspace on the runner's machine."""
    folder: str
    """Path of the attempt (or trial) below the workspace."""
    count: int
    """Number of nodes."""
    is_trial: bool = False

    @property
    def argument(self) -> str:
        """Return the JSON text that the program of a node receives."""
        return json.dumps(asdict(self))


class StartupPhase:
    """Startup phase of a step, as seen in its reports."""

    def __init__(self) -> None:
        self._ends_at: float | None = None

    def is_active(self, *, has_reported: bool) -> bool:
        """Return whether it is still starting; ``has_reported``: the step has reported before."""
        if has_reported and self._ends_at is None:
            self._ends_at = time.monotonic() + STARTUP_PHASE_SECONDS
        return self._ends_at is None or time.monotonic() < self._ends_at


class NodeFolder:
    """Local folder of this node and the mirrors of its content."""

    def __init__(
        self, location: StepLocation, rank: int, secrets: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        self.location, self.rank, self.secrets = location, rank, secrets
        name = location.workspace.strip("/").replace("/", "-")[-100:]
        self.root = own_folder() / f"{name}-mirrored"
        self.folder = self.root / location.folder
        self.files = ObjectFiles(ObjectAddress.parse(location.address))
        others = range(location.count) if rank == 0 or location.is_trial else (0,)
        self.mirror = self._mirrored(
            str(rank),
            others=[RUNNER, *(str(other) for other in others if other != rank)],
            own_files=self._own_files,
            read_piece=Redaction(secrets.values()).read,
            grows=self._grows,
        )
        self._putting = threading.Lock()
        self._checkpoints = self._mirrored(
            f"{rank}.checkpoint", own_files=self._checkpoint_files, reports_removals=True
        )
        self._next_look = time.monotonic() + CHECK_INTERVAL_SECONDS
        self._startup = StartupPhase()
        self.is_forgotten = False

    def _mirrored(self, channel: str, **more: Any) -> MirroredFolder:
        return MirroredFolder(self.files, self.location.base, channel, self.root, **more)

    @property
    def node_dir(self) -> Path:
        return self.folder.parent

    @property
    def spec_path(self) -> Path:
        return self.folder / "step.json"

    @property
    def is_starting(self) -> bool:
        """Return whether the step itself has not reported on this node until recently."""
        has_reported = any(path.name.startswith("events-") for path in _files_in(self.folder))
        return self._startup.is_active(has_reported=has_reported)

    def put_checkpoints(self) -> None:
        """Upload changed checkpoints; several threads may call it at once."""
        with self._putting:
            self._checkpoints.put_all()

    def start(self) -> None:
        """Download the runner's files. Raises ``ObjectStoreError``, ``OSError``."""
        Workspace(self.root).make()
        with _clearing(self.root):
            self.folder.mkdir(parents=True, exist_ok=True)  # the step is in use here from now on
            with suppress(OSError):
                _clear_remains(self.root)
        try:
            self._take_in()
        except BaseException:
            self.clear()
            raise

    def _take_in(self) -> None:
        deadline = time.monotonic() + STARTUP_STORE_TIMEOUT_SECONDS
        while True:
            try:
                self.mirror.take()
            except ObjectStoreAwayError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(POLL_SECONDS)
            else:
                break
        if not (self.folder / "agents" / "order.json").exists():
            raise ObjectStoreAwayError(self.location.address, "the files of the runner are missing")
        self._checkpoints.know(self.mirror)
        if not self.location.is_trial:
            facts = json.loads(self.spec_path.read_text(encoding="utf-8"))
            moved_facts = moved(facts, self.location.workspace, str(self.root))
            own = {**moved_facts, "own_root": str(self.root)}
            self.spec_path.write_text(json.dumps(own), encoding="utf-8")

    def sync(self) -> None:
        """Exchange files with the others; return whether the step is still wanted."""
        self.mirror.sync()
        if time.monotonic() > self._next_look:
            self._next_look = time.monotonic() + CHECK_INTERVAL_SECONDS
            if self.files.num_bytes(f"{self.location.base}/{RUNNER}/{0:08d}") is None:
                self.is_forgotten = True
                end_agents(self.folder)

    def end(self) -> None:
        """Upload the last reports while the step is wanted."""
        deadline = time.monotonic() + END_REPORT_TIMEOUT_SECONDS
        while not self.is_forgotten:
            try:
                self.mirror.put_all()
            except ObjectStoreError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(POLL_SECONDS)
            else:
                return

    def clear(self) -> None:
        """Remove the files of the attempt or trial."""
        with _clearing(self.root):
            if self.location.is_trial:
                shutil.rmtree(self.folder, ignore_errors=True)
            else:
                _clear(self.folder)

    def _own_files(self) -> Iterator[Path]:
        """Return the step's own files, those that report ends last: readers then see all others."""
        agents = _files_in(self.folder / "agents")
        attempt = _files_in(self.folder)
        yield from (agent for agent in agents + attempt if agent.name not in OF_RUNNER)
        if self.location.is_trial:
            return
        yield from (path for path in _files_in(self.node_dir) if path.name != "stop")
        if self.rank and any(path.name.startswith("ended-") for path in attempt):
            yield from _files_below(self._staging_dir())
        yield from self._files_of_script()

    def _files_of_script(self) -> Iterator[Path]:
        """Return the files that a script's machines share, and its output on this one."""
        shared = _files_in(self.folder / "machines")
        yield from (path for path in shared if path.name[0] != ".")
        record = read_if_valid(self.folder / "machines" / f"made-{self.rank}.json") or {}
        yield from (self.folder / path for path in record.get("paths", ()))
        if self.rank == 0 and (self.folder / "result.json").exists():
            yield from _files_below(self.folder / "working")

    def _grows(self, name: str) -> bool:
        """Return whether a file is append-only: a log or the events of the step itself."""
        own = {folder.relative_to(self.root).as_posix() for folder in (self.node_dir, self.folder)}
        return is_appended(name) and PurePosixPath(name).parent.as_posix() in own

    def _staging_dir(self) -> Path:
        return Path(StepSpec.read(self.spec_path).staging_dir)

    def _checkpoint_files(self) -> list[Path]:
        return _files_below(self.node_dir / "checkpoint")

    # what it reads and makes

    def fetch_inputs(self, spec: StepSpec) -> None:
        """Download the inputs of the step. Raises ``ObjectStoreError``, ``OSError``."""
        workspace = Workspace(self.root)
        cache = ArtifactCache(
            workspace.artifacts_dir,
            workspace.cache_dir / "artifact_uses",
            spec.artifacts_cache_bytes,
        )
        for artifact_id, content in spec.contents.items():
            if not cache.use(artifact_id):
                self._fetch(content, workspace.artifacts_dir / artifact_id)
        folders = [path for path in workspace.artifacts_dir.iterdir() if path.name[0] != "."]
        copies = [CachedCopy(folder.name, folder_bytes(folder)) for folder in folders]
        cache.evict(copies, self._wanted())

    def _wanted(self) -> set[str]:
        """Return the inputs of all steps that run on this machine."""
        specs = map(StepSpec.find, self.root.glob("runs/*/*/attempt-*"))
        return {artifact_id for spec in specs if spec is not None for artifact_id in spec.contents}

    def _fetch(self, content: str, folder: Path) -> None:
        try:
            self._store.fetch(content, folder, folder.parent)
        except ObjectStoreError:
            raise
        except OSError:
            if not folder.is_dir():
                raise  # otherwise another step's node was faster

    @property
    def _store(self) -> ObjectStore:
        owner = json.loads(self.files.read(OWNER))["workspace"]
        return ObjectStore(self.location.address, lambda: str(owner))

    def store_outputs(self, spec: StepSpec) -> None:
        """Upload the outputs of the step to their final place and record their names."""
        result = read_if_valid(spec.result_path)
        if result is not None:
            staging = Path(spec.staging_dir)
            content = self._store.put(staging, staging.parent)
            write_durably(spec.result_path, {**result, "content": content})
            shutil.rmtree(staging, ignore_errors=True)


def moved(content: Any, old: str, new: str) -> Any:
    """Return JSON whose paths below one folder are moved to another."""
    if isinstance(content, dict):
        return {key: moved(value, old, new) for key, value in content.items()}
    if isinstance(content, list):
        return [moved(item, old, new) for item in content]
    if isinstance(content, str) and (content == old or content.startswith(f"{old}/")):
        return new + content[len(old) :]
    return content


@contextmanager
def _clearing(root: Path) -> Iterator[None]:
    """Hold the lock for finding unused steps: no attempt starts or ends meanwhile."""
    with (root / "clearing.lock").open("a") as file:
        lock(file)
        yield


def _clear(attempt: Path) -> None:
    """Remove a node's files of an attempt; with the last one, those of the step but downloads."""
    spec = StepSpec.find(attempt)
    if spec is not None:
        shutil.rmtree(spec.staging_dir, ignore_errors=True)
    shutil.rmtree(attempt, ignore_errors=True)
    step, run = attempt.parents[:2]
    if any(step.glob("attempt-*")):
        return
    shutil.rmtree(step, ignore_errors=True)
    if {path.name for path in run.glob("*")} <= {"document.json"}:
        shutil.rmtree(run, ignore_errors=True)


def _clear_remains(root: Path) -> None:
    """Remove the files of nodes that ended without cleaning up."""
    for attempt in root.glob("runs/*/*/attempt-*"):
        paths = [attempt, *_files_in(attempt / "agents")]
        seconds = (
            ABANDONED_SECONDS if (attempt / "step.json").exists() else STARTUP_ABANDONED_SECONDS
        )
        if max(path.stat().st_mtime for path in paths) < time.time() - seconds:
            _clear(attempt)


def _files_in(folder: Path) -> list[Path]:
    with suppress(OSError):
        return [Path(entry.path) for entry in os.scandir(folder) if entry.is_file()]
    return []


def _files_below(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())
