"""The designer as a user starts it, on a scratch workspace whose runs stay as they are written."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from benchmarks.graph_documents import Document
from benchmarks.harness import BenchmarkError
from benchmarks.processes import ROOT
from designer_app.application import workspace_token
from designer_app.security.credentials import Credentials
from pipelines.document.document import parse_document
from pipelines.execution.runner_lock import announce, try_lock
from pipelines.session import WorkspaceSession
from pipelines.workspace import Workspace

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext

START_SECONDS = 60.0


class DesignerServer:
    """A server process; this one takes the runner's place, so that runs are what it writes."""

    def __init__(self, folder: Path) -> None:
        self.workspace = Workspace.at(folder / "workspace").make()
        self._log = folder / "server.log"
        self._lock = try_lock(self.workspace.runner_lock_path)
        announce(self.workspace)
        self.session = WorkspaceSession(self.workspace)
        self.runs, self.saved = self.session.runs, self.session.pipelines
        self.port = _free_port()

    def __enter__(self) -> DesignerServer:
        command = [sys.executable, "-m", "designer_app.command", "app", "--no-browser"]
        options = ["--workspace", str(self.workspace.root), "--port", str(self.port)]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [*command, *options],
                cwd=self._log.parent,
                env={**os.environ, "PYTHONPATH": str(ROOT)},
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        self._wait()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.terminate()
        try:
            self._process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self.runs.database.close()
        if self._lock is not None:
            self._lock.close()

    def create(self, document: Document) -> str:
        """Save a document as a new pipeline and give its id."""
        return self.saved.create(parse_document(document)).pipeline_id

    def address(self, pipeline_id: str, run_id: str | None = None) -> str:
        """The Design page of a pipeline, with a run on its canvas."""
        run = "" if run_id is None else f"&run={run_id}"
        return self.page(f"design?pipeline={pipeline_id}{run}")

    def page(self, path: str) -> str:
        """The address of a page."""
        return f"http://127.0.0.1:{self.port}/{path}"

    def admit(self, context: BrowserContext) -> None:
        """Let a browser profile in."""
        credentials = Credentials(workspace_token(self.workspace), self.port)
        cookie = {
            "name": credentials.cookie_name,
            "value": credentials.cookie_value,
            "url": self.page(""),
        }
        context.add_cookies([cookie])  # type: ignore[list-item]

    def _wait(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and self._process.poll() is None:
            with socket.socket() as trying:
                if trying.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.05)
        raise BenchmarkError(f"The designer did not start. See {self._log}.")


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])
