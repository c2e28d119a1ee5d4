"""Workspace folder with a user's pipelines, runs, artifacts and datasets."""

from __future__ import annotations

import os
import socket
from dataclasses import dataclass
from pathlib import Path

from modules.operating_system.files import is_shared_on_purpose, sync_folder
from modules.operating_system.names import usable_name
from pipelines.errors import WorkspaceGoneError, WorkspaceNotMadeError, WorkspaceNotWritableError
from pipelines.workspace_settings import database_url

ENVIRONMENT_VARIABLE = "DESIGNER_WORKSPACE"
DEFAULT_FOLDER = "workspace"


@dataclass(frozen=True)
class Workspace:
    """Paths inside one workspace folder; creates none of them until asked."""

    root: Path

    @classmethod
    def at(cls, folder: str | Path | None = None) -> Workspace:
        """Return the workspace at ``folder``, ``$DESIGNER_WORKSPACE`` or ``./workspace``."""
        chosen = folder or os.environ.get(ENVIRONMENT_VARIABLE) or DEFAULT_FOLDER
        return cls(Path(chosen).expanduser().resolve())

    def make(self) -> Workspace:
        """Create the folders that are missing; a new workspace is for its user alone.

        In a folder that a team shares on purpose it is for the team. One that is there keeps its
        mode (``designer doctor`` shows who may read it).

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
        """Raise ``WorkspaceGoneError`` if the folder does not exist: it is not created again."""
        if not self.root.is_dir():
            raise WorkspaceGoneError(self.root)

    def _require_writable(self, *folders: Path) -> None:
        files = (*sorted(self.root.glob("designer.db*")), self.runner_lock_path)
        for path in (self.root, *folders, *files):
            if path.exists() and not os.access(path, os.W_OK):
                raise WorkspaceNotWritableError(self.root, path)

    @property
    def artifacts_dir(self) -> Path:
        """Folder with a folder per executed step and one per port inside; dots mark staging."""
        return self.root / "artifacts"

    @property
    def runs_dir(self) -> Path:
        """Folder with a folder per run and one per node inside: logs, checkpoints, attempts."""
        return self.root / "runs"

    def artifact_folders(self) -> list[Path]:
        """Return the folders of outputs, without staging and scratch folders."""
        return _folders_in(self.artifacts_dir)

    def run_folders(self) -> list[Path]:
        """Return the folders of runs."""
        return _folders_in(self.runs_dir)

    @property
    def backups_dir(self) -> Path:
        """Folder of verified copies of an SQLite database, the newest three."""
        return self.root / "backups"

    @property
    def replays_dir(self) -> Path:
        """Folder of imported replays: ``<id>.replay``."""
        return self.root / "replays"

    @property
    def datasets_dir(self) -> Path:
        """Folder of registered datasets: ``<name>/<version>/``."""
        return self.root / "datasets"

    @property
    def recordings_dir(self) -> Path:
        """Folder of pictures from the camera that are not datasets yet: ``<name>/<class>/``."""
        return self.root / "recordings"

    @property
    def weights_dir(self) -> Path:
        """Folder of pretrained weights by file name."""
        return self.root / "weights"

    @property
    def cache_dir(self) -> Path:
        """Folder of disposable files: decoded images, content hashes."""
        return self.root / "cache"

    @property
    def environments_dir(self) -> Path:
        """Folder of built environments by key, and of their shared package cache."""
        return self.root / "environments"

    @property
    def secrets_path(self) -> Path:
        """File of the values of secrets; readable only by its user."""
        return self.root / "secrets.json"

    @property
    def secrets_in_use_path(self) -> Path:
        """File of the secrets of running steps, for its user, until logs are redacted."""
        return self.root / "secrets_in_use.json"

    @property
    def modules_dir(self) -> Path:
        """Folder of Python files with the user's own modules."""
        return self.root / "modules"

    @property
    def allowed_code_path(self) -> Path:
        """File of the hashes of approved code from other people's pipelines."""
        return self.root / "allowed_code.json"

    @property
    def database_url(self) -> str:
        """Address of its database, possibly with a password, so only for the store."""
        return database_url(self.root)

    @property
    def runner_lock_path(self) -> Path:
        """File locked (``flock``) by the runner while it lives."""
        return self._of_runner("lock")

    @property
    def runs_lock_path(self) -> Path:
        """File locked shared during runs, exclusively by garbage collection."""
        return self.root / "runs.lock"

    @property
    def migrating_lock_path(self) -> Path:
        """File locked while the database is created, upgraded or restored."""
        return self.root / "migrating.lock"

    @property
    def references_lock_path(self) -> Path:
        """File locked shared while a model is registered, exclusively by garbage collection."""
        return self.root / "references.lock"

    @property
    def runner_state_path(self) -> Path:
        """File with the runner's pid, start time and code version."""
        return self._of_runner("json")

    @property
    def heartbeat_path(self) -> Path:
        """File with the runner's last heartbeat."""
        return self._of_runner("beat")

    def _of_runner(self, kind: str) -> Path:
        """Return a runner's file; with a shared database each machine has a runner."""
        is_shared = not self.database_url.startswith("sqlite")
        return self.root / (f"runner-{host_name()}.{kind}" if is_shared else f"runner.{kind}")

    @property
    def runner_log_path(self) -> Path:
        return self.root / "runner.log"

    @property
    def endpoints_dir(self) -> Path:
        """Folder of the logs of endpoints."""
        return self.root / "endpoints"

    @property
    def automation_log_path(self) -> Path:
        """Log of the process that fires schedules and keeps endpoints."""
        return self.root / "automation.log"

    @property
    def reserve_path(self) -> Path:
        return self.root / "reserve"

    def node_dir(self, run_id: str, node: str) -> Path:
        """Return the folder of one node of one run: logs, checkpoint and attempts."""
        return self.runs_dir / run_id / usable_name(folder_name(node))


def _folders_in(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    return sorted(path for path in folder.iterdir() if path.is_dir() and path.name[0] != ".")


def host_name() -> str:
    """Return this machine's name in a form for file names."""
    return usable_name(socket.gethostname())


def folder_name(node: str) -> str:
    """Return a node's path in a form for folders and addresses: ``front.split``."""
    return node.replace("/", ".")


def node_of(folder: Path) -> str:
    """Return the node of a run's folder."""
    return folder.name.replace(".", "/")
