"""A node's own folder in the place of a workspace that it does not see, and how it is filled.

The paths of the step's specification lead there, what it reads is fetched into it and stays for the
next step, and the step's own files are mirrored to the runner.
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
from pipelines.artifacts.artifact_cache import ArtifactCache, CachedCopy
from pipelines.artifacts.manifest import folder_bytes
from pipelines.artifacts.mirrored_folder import MirroredFolder, is_appended
from pipelines.artifacts.object_address import ObjectAddress
from pipelines.artifacts.object_files import ObjectFiles
from pipelines.artifacts.object_store import OWNER, ObjectStore
from pipelines.errors import ObjectStoreAwayError, ObjectStoreError
from pipelines.workers.agent_files import end_agents
from pipelines.workers.machine_lock import own_folder
from pipelines.workers.step_spec import StepSpec
from pipelines.workspace import Workspace

RUNNER = "runner"
POLL_SECONDS = 0.2
HURRY_SECONDS = 0.1
"""Between two looks at what others have told while a step begins: its nodes wait for it."""
BEGINNING_SECONDS = 3.0
"""After its first word a step is still beginning for so long: somebody waits for more of them."""
LOOK_SECONDS = 5.0
"""Between two looks whether the step is wanted yet."""
BEGIN_SECONDS = 30.0
"""For how long a store is asked that does not answer, before the step has begun here."""
LAST_SECONDS = 20.0
"""For as long a node that has ended tries to say so."""
DEAD_SECONDS = 300.0
"""After which a node that has not said that it lives has ended without clearing up."""
BEGUN_SECONDS = 86_400.0
"""The same of one that takes in yet what the runner has put there."""
OF_RUNNER = frozenset({"order.json", "over", "lease", "step.json"})


@dataclass(frozen=True)
class StepPlace:
    """Where the files of a step are for those that share no folder."""

    address: str
    """Of the workspace's object store."""
    base: str
    """What lies below it there."""
    workspace: str
    """The folder that the runner has the workspace in."""
    folder: str
    """The attempt's, or that of a trial, below that."""
    count: int
    """Of nodes."""
    is_trial: bool = False

    def to_json(self) -> str:
        return json.dumps(asdict(self))


class Beginning:
    """Of a step, as who looks at what it tells sees it."""

    def __init__(self) -> None:
        self._ends_at: float | None = None

    def lasts(self, *, has_told: bool) -> bool:
        """Whether it does; ``has_told``: there has been a first word of the step."""
        if has_told and self._ends_at is None:
            self._ends_at = time.monotonic() + BEGINNING_SECONDS
        return self._ends_at is None or time.monotonic() < self._ends_at


class NodeFolder:
    """This node's own folder in the workspace's place, and the mirrors of what is in it."""

    def __init__(
        self, place: StepPlace, rank: int, secrets: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        self.place, self.rank, self.secrets = place, rank, secrets
        name = place.workspace.strip("/").replace("/", "-")[-100:]
        self.root = own_folder() / f"{name}-mirrored"
        self.folder = self.root / place.folder
        self.files = ObjectFiles(ObjectAddress.parse(place.address))
        others = range(place.count) if rank == 0 or place.is_trial else (0,)
        self.mirror = self._mirrored(
            str(rank),
            others=[RUNNER, *(str(other) for other in others if other != rank)],
            own_files=self._own_files,
            read_piece=Redaction(secrets.values()).read,
            grows=self._grows,
        )
        self._putting = threading.Lock()
        self._checkpoints = self._mirrored(
            f"{rank}.checkpoint", own_files=self._checkpoint_files, tells_removals=True
        )
        self._next_look = time.monotonic() + LOOK_SECONDS
        self._beginning = Beginning()
        self.is_forgotten = False

    def _mirrored(self, channel: str, **more: Any) -> MirroredFolder:
        return MirroredFolder(self.files, self.place.base, channel, self.root, **more)

    @property
    def node_dir(self) -> Path:
        return self.folder.parent

    @property
    def spec_path(self) -> Path:
        return self.folder / "step.json"

    @property
    def is_beginning(self) -> bool:
        """Whether the step itself has told nothing here until a moment ago."""
        has_told = any(each.name.startswith("events-") for each in _files_in(self.folder))
        return self._beginning.lasts(has_told=has_told)

    def put_checkpoints(self) -> None:
        """Put what has changed of them; threads may do so at once."""
        with self._putting:
            self._checkpoints.put_all()

    def begin(self) -> None:
        """Take in what the runner has put there. Raises ``ObjectStoreError``, ``OSError``."""
        Workspace(self.root).make()
        with _clearing(self.root):
            self.folder.mkdir(parents=True, exist_ok=True)  # from now on the step is in use here
            with suppress(OSError):
                _clear_remains(self.root)
        try:
            self._take_in()
        except BaseException:
            self.clear()
            raise

    def _take_in(self) -> None:
        deadline = time.monotonic() + BEGIN_SECONDS
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
            raise ObjectStoreAwayError(self.place.address, "the files of the runner are missing")
        self._checkpoints.know(self.mirror)
        if not self.place.is_trial:
            facts = json.loads(self.spec_path.read_text(encoding="utf-8"))
            here = moved(facts, self.place.workspace, str(self.root))
            own = {**here, "own_root": str(self.root)}
            self.spec_path.write_text(json.dumps(own), encoding="utf-8")

    def sync(self) -> None:
        """Keep to what others do, and whether the step is wanted at all."""
        self.mirror.sync()
        if time.monotonic() > self._next_look:
            self._next_look = time.monotonic() + LOOK_SECONDS
            if self.files.num_bytes(f"{self.place.base}/{RUNNER}/{0:08d}") is None:
                self.is_forgotten = True
                end_agents(self.folder)

    def end(self) -> None:
        """Put what was told last, as long as that is wanted."""
        deadline = time.monotonic() + LAST_SECONDS
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
        """Remove what was the attempt's own, or the trial's."""
        with _clearing(self.root):
            if self.place.is_trial:
                shutil.rmtree(self.folder, ignore_errors=True)
            else:
                _clear(self.folder)

    def _own_files(self) -> Iterator[Path]:
        """What tells of ends first: who sees that sees all that was written before it."""
        agents = _files_in(self.folder / "agents")
        attempt = _files_in(self.folder)
        yield from (agent for agent in agents + attempt if agent.name not in OF_RUNNER)
        if self.place.is_trial:
            return
        yield from (each for each in _files_in(self.node_dir) if each.name != "stop")
        if self.rank and any(each.name.startswith("ended-") for each in attempt):
            yield from _files_below(self._staging_dir())
        yield from self._files_of_script()

    def _files_of_script(self) -> Iterator[Path]:
        """By which its machines work together, and what this one hands on."""
        shared = _files_in(self.folder / "machines")
        yield from (each for each in shared if each.name[0] != ".")
        made = read_if_valid(self.folder / "machines" / f"made-{self.rank}.json") or {}
        yield from (self.folder / each for each in made.get("paths", ()))
        if self.rank == 0 and (self.folder / "result.json").exists():
            yield from _files_below(self.folder / "working")

    def _grows(self, name: str) -> bool:
        """Whether a file is only appended to: a log or the events of the step itself."""
        own = {each.relative_to(self.root).as_posix() for each in (self.node_dir, self.folder)}
        return is_appended(name) and PurePosixPath(name).parent.as_posix() in own

    def _staging_dir(self) -> Path:
        return Path(StepSpec.read(self.spec_path).staging_dir)

    def _checkpoint_files(self) -> list[Path]:
        return _files_below(self.node_dir / "checkpoint")

    # what it reads and makes

    def fetch_inputs(self, spec: StepSpec) -> None:
        """Have here what the step reads. Raises ``ObjectStoreError``, ``OSError``."""
        workspace = Workspace(self.root)
        cache = ArtifactCache(
            workspace.artifacts_dir,
            workspace.cache_dir / "artifact_uses",
            spec.artifacts_cache_bytes,
        )
        for artifact_id, content in spec.contents.items():
            if not cache.use(artifact_id):
                self._fetch(content, workspace.artifacts_dir / artifact_id)
        here = [path for path in workspace.artifacts_dir.iterdir() if path.name[0] != "."]
        copies = [CachedCopy(each.name, folder_bytes(each)) for each in here]
        cache.evict(copies, self._wanted())

    def _wanted(self) -> set[str]:
        """What the steps read that are at work here, for however long."""
        specs = map(StepSpec.find, self.root.glob("runs/*/*/attempt-*"))
        return {each for spec in specs if spec is not None for each in spec.contents}

    def _fetch(self, content: str, folder: Path) -> None:
        try:
            self._store.fetch(content, folder, folder.parent)
        except ObjectStoreError:
            raise
        except OSError:
            if not folder.is_dir():
                raise  # else another step's node was faster

    @property
    def _store(self) -> ObjectStore:
        owner = json.loads(self.files.read(OWNER))["workspace"]
        return ObjectStore(self.place.address, lambda: str(owner))

    def store_outputs(self, spec: StepSpec) -> None:
        """Put what the step has made where it stays, and say under which name."""
        result = read_if_valid(spec.result_path)
        if result is not None:
            staging = Path(spec.staging_dir)
            content = self._store.put(staging, staging.parent)
            write_durably(spec.result_path, {**result, "content": content})
            shutil.rmtree(staging, ignore_errors=True)


def moved(content: Any, old: str, new: str) -> Any:
    """JSON whose paths below one folder lead to another one."""
    if isinstance(content, dict):
        return {key: moved(each, old, new) for key, each in content.items()}
    if isinstance(content, list):
        return [moved(each, old, new) for each in content]
    if isinstance(content, str) and (content == old or content.startswith(f"{old}/")):
        return new + content[len(old) :]
    return content


@contextmanager
def _clearing(root: Path) -> Iterator[None]:
    """While it is found out what of a step is in use here: no attempt begins or ends meanwhile."""
    with (root / "clearing.lock").open("a") as file:
        lock(file)
        yield


def _clear(attempt: Path) -> None:
    """Remove what a node has of an attempt, and with the last one all of the step but for what it
    has fetched."""
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
    """Remove what nodes have left that were ended without a word."""
    for attempt in root.glob("runs/*/*/attempt-*"):
        told = [attempt, *_files_in(attempt / "agents")]
        seconds = DEAD_SECONDS if (attempt / "step.json").exists() else BEGUN_SECONDS
        if max(each.stat().st_mtime for each in told) < time.time() - seconds:
            _clear(attempt)


def _files_in(folder: Path) -> list[Path]:
    with suppress(OSError):
        return [Path(entry.path) for entry in os.scandir(folder) if entry.is_file()]
    return []


def _files_below(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())
