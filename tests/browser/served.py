"""The designer as a user starts it: a process of its own on a workspace of its own."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext

from designer_app.application import workspace_token
from designer_app.security.credentials import Credentials
from pipelines.document.document import PipelineDocument, parse_document
from pipelines.runs.run_request import RunRequest
from pipelines.session import WorkspaceSession
from pipelines.workspace import Workspace
from tests import toy
from tests.other_systems.as_if import environment_of
from tests.polling import wait_for

COMMAND = (sys.executable, "-m", "tests.browser.standalone")
ROOT = Path(__file__).resolve().parents[2]
LIBRARY = ROOT / "pipelines" / "lessons" / "library"


class Served:
    """A workspace, and its server at one address for as long as it lives."""

    def __init__(self, folder: Path, *, toys: bool = True, system: str = "") -> None:
        """``system`` is the one that the server behaves as if it were on (``other_systems``)."""
        self.folder = folder
        self.environment = environment_of(system)
        self.workspace = Workspace.at(folder / "workspace").make()
        if toys:
            toy.install(self.workspace.modules_dir)
        self.session = WorkspaceSession(self.workspace)
        self.runs, self.saved = self.session.runs, self.session.pipelines
        self.port = _free_port()
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def admit(self, context: BrowserContext) -> None:
        """Let a browser profile in, as one that has given the code: the cookie outlives servers."""
        credentials = Credentials(workspace_token(self.workspace), self.port)
        context.add_cookies(
            [
                {
                    "name": credentials.cookie_name,
                    "value": credentials.cookie_value,
                    "url": self.address,
                    "httpOnly": True,
                    "sameSite": "Strict",
                }
            ]
        )

    @property
    def entrance(self) -> str:
        """The address with the code, as the server printed it last."""
        said = (self.folder / "server.log").read_text()
        addresses: list[str] = re.findall(r"^Pipeline Designer: (\S+)$", said, re.MULTILINE)
        return addresses[-1]

    def start(self) -> None:
        """Start the server and wait until it listens."""
        options = ("--workspace", str(self.workspace.root), "--port", str(self.port))
        with (self.folder / "server.log").open("ab") as log:
            self.process = subprocess.Popen(
                [*COMMAND, *options],
                cwd=self.folder,
                env=self.environment,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        wait_for(self._listens)

    def kill(self) -> None:
        """End the server as a crash would; runs go on."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process = None

    def stop(self) -> None:
        """End the server as Ctrl+C does, then the runner."""
        if self.process is not None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(timeout=60)
            except subprocess.TimeoutExpired:
                self.kill()
        self.runs.runner.stop()
        self.runs.database.close()

    def create(self, document: dict[str, Any]) -> str:
        """Save a document as a new pipeline; its id."""
        return self.saved.create(parse_document(document)).pipeline_id

    def run(self, document: dict[str, Any]) -> tuple[str, str]:
        """Save a document as a new pipeline and run it to its end; the ids of both."""
        pipeline_id = self.create(document)
        run_id = self.runs.submit(RunRequest(parse_document(document), pipeline_id=pipeline_id))
        for _ in self.runs.follow(run_id):
            continue
        return pipeline_id, run_id

    def document(self, pipeline_id: str) -> PipelineDocument:
        """The pipeline as it is saved now."""
        return parse_document(self.saved.open(pipeline_id).document)

    def design(self, pipeline_id: str) -> str:
        """The address of the Design page of a pipeline."""
        return f"{self.address}/design?pipeline={pipeline_id}"

    def standalone(self, pipeline_id: str) -> str:
        """The address of the standalone page with a pipeline."""
        return f"{self.address}/standalone?pipeline={pipeline_id}"

    def _listens(self) -> bool:
        with socket.socket() as trying:
            return trying.connect_ex(("127.0.0.1", self.port)) == 0


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])
