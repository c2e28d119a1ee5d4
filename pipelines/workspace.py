"""The folder a user's pipelines, runs, artifacts and datasets live in."""

from __future__ import annotations

import os
import socket
from dataclasses import dataclass
from pathlib import Path

from modules.operating_system.files import is_shared_on_purpose, sync_folder
from modules.operating_system.names import usable_name
from pipelines.errors import (
    WorkspaceGoneError,
    WorkspaceNotMadeError,
    WorkspaceNotWritableError,
)
from pipelines.workspace_settings import database_url

ENVIRONMENT_VARIABLE = "DESIGNER_WORKSPACE"
DEFAULT_FOLDER = "workspace"


@dataclass(frozen=True)
class Workspace:
    """Names every place inside one workspace folder; makes none of them until asked."""

    root: Path

    @classmethod
    def at(cls, folder: str | Path | None = None) -> Workspace:
        """The workspace at ``folder``, else ``$DESIGNER_WORKSPACE``, else ``./workspace``."""
        chosen = folder or os.environ.get(ENVIRONMENT_VARIABLE) or DEFAULT_FOLDER
        return cls(Path(chosen).expanduser().resolve())

    def make(self) -> Workspace:
        """Create the folders that are missing; a new workspace is for its user alone.

        In a folder that a team shares on purpose it is for the team. One that is there keeps its
        mode (``designer doctor`` tells who may read it).

        Raises:
            WorkspaceNotMadeError: a folder cannot be made there.
            WorkspaceNotWritableError: they are there, and nothing can be written in them.
        """
        is_new = not self.root.exists()
        places = (self.artifacts_dir, self.runs_dir, self.datasets_dir, self.weights_dir)
        try:
            if is_new:
                if not self.root.parent.exists():
                    self.root.parent.mkdir(parents=True, exist_ok=True)
                mode = 0o770 if is_shared_on_purpose(self.root.parent) else 0o700
                self.root.mkdir(mode=mode, exist_ok=True)
            for folder in (*places, self.cache_dir):
                folder.mkdir(parents=True, exist_ok=True)
            if is_new:
                sync_folder(self.root.parent)
                sync_folder(self.root)
        except OSError as error:
            raise WorkspaceNotMadeError(self.root, error) from error
        self._require_writable(*places)
        return self

    def require(self) -> None:
        """Raise ``WorkspaceGoneError`` where the folder is not there: it is not made again."""
        if not self.root.is_dir():
            raise WorkspaceGoneError(self.root)

    def _require_writable(self, *folders: Path) -> None:
        files = (*sorted(self.root.glob("designer.db*")), self.runner_lock_path)
        for place in (self.root, *folders, *files):
            if place.exists() and not os.access(place, os.W_OK):
                raise WorkspaceNotWritableError(self.root, place)

    @property
    def artifacts_dir(self) -> Path:
        """One folder an executed step, one inside it a port; staging folders start with a dot."""
        return self.root / "artifacts"

    @property
    def runs_dir(self) -> Path:
        """One folder a run, one inside it a node: logs, checkpoints, attempts."""
        return self.root / "runs"

    def artifact_folders(self) -> list[Path]:
        """Folders of outputs, without staging and scratch folders."""
        return _folders_in(self.artifacts_dir)

    def run_folders(self) -> list[Path]:
        """Folders of runs."""
        return _folders_in(self.runs_dir)

    @property
    def backups_dir(self) -> Path:
        """Verified copies of an SQLite database, the newest three."""
        return self.root / "backups"

    @property
    def replays_dir(self) -> Path:
        """Runs of elsewhere that play back: ``<id>.replay``."""
        return self.root / "replays"

    @property
    def datasets_dir(self) -> Path:
        """Registered datasets: ``<name>/<version>/``."""
        return self.root / "datasets"

    @property
    def weights_dir(self) -> Path:
        """Pretrained weights by their file names."""
        return self.root / "weights"

    @property
    def cache_dir(self) -> Path:
        """Disposable: decoded images, content hashes."""
        return self.root / "cache"

    @property
    def environments_dir(self) -> Path:
        """Built environments by their keys, and the cache of packages that they share."""
        return self.root / "environments"

    @property
    def secrets_path(self) -> Path:
        """Values that only the processes of steps get; for its user alone."""
        return self.root / "secrets.json"

    @property
    def secrets_in_use_path(self) -> Path:
        """Those of steps under way, until their logs are redacted; for its user alone."""
        return self.root / "secrets_in_use.json"

    @property
    def modules_dir(self) -> Path:
        """Python files with the user's own modules."""
        return self.root / "modules"

    @property
    def allowed_code_path(self) -> Path:
        """What code that came with pipelines may run here, by its hashes."""
        return self.root / "allowed_code.json"

    @property
    def database_url(self) -> str:
        """Where its database is: with a password, it may be, so only for the store."""
        return database_url(self.root)

    @property
    def runner_lock_path(self) -> Path:
        """Locked (``flock``) by the runner for as long as it lives."""
        return self._of_runner("lock")

    @property
    def runs_lock_path(self) -> Path:
        """Held (shared) while runs are under way, alone while the store is swept."""
        return self.root / "runs.lock"

    @property
    def migrating_lock_path(self) -> Path:
        """Held while the database is created, upgraded or restored."""
        return self.root / "migrating.lock"

    @property
    def references_lock_path(self) -> Path:
        """Held (shared) while a model is registered, alone while what is unused is removed."""
        return self.root / "references.lock"

    @property
    def runner_state_path(self) -> Path:
        """Who the runner is: pid, start time, version of the code."""
        return self._of_runner("json")

    @property
    def heartbeat_path(self) -> Path:
        """When the runner last went round."""
        return self._of_runner("beat")

    def _of_runner(self, kind: str) -> Path:
        """With a database for many machines each of them has a runner of its own."""
        is_shared = not self.database_url.startswith("sqlite")
        return self.root / (f"runner-{host_name()}.{kind}" if is_shared else f"runner.{kind}")

    @property
    def runner_log_path(self) -> Path:
        return self.root / "runner.log"

    @property
    def reserve_path(self) -> Path:
        return self.root / "reserve"

    def node_dir(self, run_id: str, node: str) -> Path:
        """Logs, checkpoint and attempts of one node of one run."""
        return self.runs_dir / run_id / usable_name(folder_name(node))


def _folders_in(place: Path) -> list[Path]:
    if not place.is_dir():
        return []
    return sorted(each for each in place.iterdir() if each.is_dir() and each.name[0] != ".")


def host_name() -> str:
    """What this machine calls itself, as part of a file's name."""
    return usable_name(socket.gethostname())


def folder_name(node: str) -> str:
    """A node's path as the name of a folder, also in addresses: ``front.split``."""
    return node.replace("/", ".")


def node_of(folder: Path) -> str:
    """The node that a folder of a run belongs to."""
    return folder.name.replace(".", "/")
