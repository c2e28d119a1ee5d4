"""Application of a server process, shared by its routes and pages."""

from __future__ import annotations

import os
import re
import secrets
from pathlib import Path

from designer_app.change_feed import ChangeCounter
from designer_app.runner_watch import RunnerWatch
from designer_app.security.credentials import Credentials
from designer_app.settings import ServerSettings
from modules.operating_system.files import name_first
from pipelines.document.document import PipelineDocument
from pipelines.document.local_paths import with_absolute_paths
from pipelines.inspection.alias_moves import AliasMoves
from pipelines.inspection.client import Inspector
from pipelines.inspection.live import LivePredictor
from pipelines.registry.caller_keys import is_one_of
from pipelines.session import WorkspaceSession
from pipelines.store.database.watchdog import Watchdog
from pipelines.workspace import Workspace

TOKEN_FILE = "token"
INSPECTOR_LOG = "inspector.log"
EXPORT_SECONDS = 1800.0
"""Timeout of an export, which traces the network and checks the file on images."""
TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")


class Application:
    """Workspace as seen by this server. Everything that must outlive a page is in its store.

    ``token`` is for the owner's scripts and never part of a response; ``credentials`` authenticates
    browsers.
    """

    def __init__(self, settings: ServerSettings) -> None:
        self.settings = settings
        self.token = workspace_token(settings.workspace)
        self.credentials = Credentials(self.token, settings.port)
        self.session = WorkspaceSession(settings.workspace)
        self.changes = ChangeCounter(self.session.database)
        self._watchdog = Watchdog(self.session.database)
        self.runner_watch = RunnerWatch(self.session.runs)
        log = settings.workspace.root / INSPECTOR_LOG
        self.inspector = Inspector(log)
        self.live = LivePredictor(log)
        self.exporter = Inspector(log, EXPORT_SECONDS)
        """A separate process, as exports take long and pages wait for the inspector."""
        self.alias_moves = AliasMoves.asking(self.session.models, settings.workspace, self.exporter)

    def prepared(self, document: PipelineDocument) -> PipelineDocument:
        """Return the document with absolute paths, so that it runs from any folder."""
        return with_absolute_paths(document, self.session.catalog, self.settings.workspace.root)

    def caller_has_key(self, name: str, key: str) -> bool:
        """Return True if a key allows to run a published pipeline."""
        return is_one_of(key, self.session.published.keys(name).digests())

    def close(self) -> None:
        """Close the database; active runs continue."""
        self.changes.stop()
        self._watchdog.stop()
        self.runner_watch.stop()
        self.inspector.close()
        self.live.close()
        self.exporter.close()
        self.session.close()


def workspace_token(workspace: Workspace) -> str:
    """Return the secret of a workspace, in a file that only its owner can read.

    The first start creates the file. It outlives the server on purpose: after a restart, open pages
    still have edits to save, and Streamlit does not reload them. Removing the file revokes the
    secret.
    """
    path = workspace.make().root / TOKEN_FILE
    fresh = path.with_name(f".{TOKEN_FILE}-{secrets.token_hex(4)}")
    with open(os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as file:
        file.write(secrets.token_urlsafe(32))
    try:
        if not TOKEN.fullmatch(_text(path)):
            path.unlink(missing_ok=True)
        name_first(fresh, path)  # two servers that start at once use the first one's
    finally:
        fresh.unlink(missing_ok=True)
    return _text(path)


def _text(path: Path) -> str:
    return path.read_text(encoding="ascii", errors="replace") if path.is_file() else ""


_current: Application | None = None


def set_current(application: Application) -> None:
    """Make this the application that pages use."""
    global _current
    _current = application


def current() -> Application:
    """Return the application of this process; raises ``RuntimeError`` if none was started."""
    if _current is None:
        raise RuntimeError("The pages need their server. Start it with `designer app`.")
    return _current
