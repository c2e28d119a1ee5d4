"""Workspace of an app on this or another machine, by its address and key."""

from __future__ import annotations

import atexit
import json
import shutil
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any

from modules.catalog import Catalog, builtin_catalog
from modules.sentences.sentence import RecordedStatement
from pipelines.document.document import PipelineDocument, parse_document
from pipelines.errors import DesignerError
from pipelines.events import UNFINISHED_RUN
from pipelines.problems import PipelineError, Problem
from pipelines.runs.report import RunReport
from pipelines.sentences import python_scripts

KEY_HEADER = "X-Designer-Token"
TIMEOUT_SECONDS = 120
POLL_SECONDS = 0.5
LOG = "70_driver_log_0.txt"
MAX_LOG = 100_000
MAX_BYTES = 2**31
"""Limit of a downloaded file."""


class RemoteError(DesignerError, OSError):
    """The app at an address does not respond, or rejects a request."""

    code = "remote"


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """The key is sent to no other address."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


class RemoteBackend:
    """Services of an app's HTTP API."""

    def __init__(self, address: str, key: str) -> None:
        self.address = address.rstrip("/")
        self._key = key
        self._opener = urllib.request.build_opener(_NoRedirects)

    @cached_property
    def catalog(self) -> Catalog:
        return builtin_catalog()

    @cached_property
    def _downloads(self) -> Path:
        """Folder of downloaded files, which this process removes at its end."""
        folder = tempfile.mkdtemp(prefix="pipeline-designer-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        return Path(folder)

    def problems(self, document: PipelineDocument) -> list[Problem]:
        verdict = self._json("POST", "/api/validate", document.to_json())
        return [Problem(**problem) for problem in verdict["problems"]]

    def allow_code(self, document: PipelineDocument) -> None:
        pieces = self._json("POST", "/api/code/look", document.to_json())["pieces"]
        hashes = [piece["hash"] for piece in pieces]
        self._json("POST", "/api/code/allow", {"hashes": hashes})

    def submit(
        self,
        document: PipelineDocument,
        name: str | None,
        experiment: str | None,
        *,
        attached: bool = False,  # noqa: ARG002 - a run elsewhere does not end with this process
    ) -> str:
        body = {"document": document.to_json(), "name": name, "experiment": experiment}
        return str(self._json("POST", "/api/runs", body)["run_id"])

    def find(self, text: str) -> str:
        if text == "last":
            newest = self.recent(1)
            text = newest[0] if newest else text
        return str(self._json("GET", f"/api/runs/{_part(text)}")["run_id"])

    def recent(self, limit: int) -> list[str]:
        return [str(run["run_id"]) for run in self._json("GET", f"/api/runs?limit={limit}")["runs"]]

    def report(self, run_id: str) -> RunReport:
        answer = self._json("GET", f"/api/runs/{_part(run_id)}")
        return RunReport(**{name: answer[name] for name in RunReport.model_fields})

    def document(self, run_id: str) -> PipelineDocument:
        return parse_document(self._json("GET", f"/api/runs/{_part(run_id)}/document"))

    def changes(self, run_id: str) -> Iterator[None]:
        while self.report(run_id).status in UNFINISHED_RUN:
            yield
            time.sleep(POLL_SECONDS)
        yield

    def cancel(self, run_id: str) -> None:
        self._json("POST", f"/api/runs/{_part(run_id)}/cancel", None)

    def log(self, run_id: str, node: str) -> str:
        path = f"/api/runs/{_part(run_id)}/logs/{_part(node.replace('/', '.'))}/{LOG}"
        return self._bytes("GET", path, None)[-MAX_LOG:].decode(errors="replace")

    def files(self, output: str) -> list[str]:
        files: list[str] = []
        while True:
            place = f"/api/artifacts/{_output(output)}/files?offset={len(files)}"
            page = self._json("GET", place)
            files += [str(file["path"]) for file in page["files"]]
            if not page["files"] or len(files) >= page["num_files"]:
                return files

    def file(self, output: str, name: str) -> Path:
        target = self._downloads.joinpath(*PurePosixPath(output).parts, *_safe(name))
        if not target.is_file():
            quoted = urllib.parse.quote(name)
            content = self._bytes("GET", f"/api/artifacts/{_output(output)}/files/{quoted}", None)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        return target

    def type_of(self, output: str) -> str:
        return str(self._json("GET", f"/api/artifacts/{_output(output)}")["type"])

    def register(self, output: str, name: str, description: str | None, alias: str | None) -> str:
        artifact, _, port = output.partition("/")
        body = {"artifact_id": artifact, "port": port, "name": name}
        answer = self._json(
            "POST", "/api/models", {**body, "description": description, "alias": alias}
        )
        return f"{answer['name']}@{answer['version']}"

    def _json(self, method: str, path: str, body: object = None) -> Any:
        try:
            return json.loads(self._bytes(method, path, body))
        except ValueError:
            raise RemoteError(python_scripts.REMOTE_OTHER, address=self.address) from None

    def _bytes(self, method: str, path: str, body: object) -> bytes:
        data = None if body is None else json.dumps(body).encode()
        if method == "POST" and data is None:
            data = b"{}"
        headers = {KEY_HEADER: self._key, "Content-Type": "application/json"}
        url = f"{self.address}{path}"
        request = urllib.request.Request(url, data, headers, method=method)
        try:
            with self._opener.open(request, timeout=TIMEOUT_SECONDS) as response:
                content: bytes = response.read(MAX_BYTES)
                return content
        except urllib.error.HTTPError as error:
            raise self._refusal(error) from None
        except (OSError, ValueError) as error:
            reason = getattr(error, "reason", None) or error
            facts = {"address": self.address, "error": reason}
            raise RemoteError(python_scripts.REMOTE_AWAY, **facts) from None

    def _refusal(self, error: urllib.error.HTTPError) -> Exception:
        """Return the error of a response: the problems of a pipeline, or a message and its fix."""
        try:
            answer = json.loads(error.read(MAX_BYTES))
            problems = [Problem(**problem) for problem in answer.get("problems", ())]
            if problems:
                return PipelineError(problems)
            return RemoteError(RecordedStatement.of(_message(answer)))
        except (ValueError, TypeError, LookupError, AttributeError):
            facts = {"address": self.address, "status": error.code}
            return RemoteError(python_scripts.REMOTE_STATUS, **facts)


def _message(answer: Mapping[str, Any]) -> Mapping[str, Any]:
    error: Mapping[str, Any] = answer["error"]
    return error


def _part(text: str) -> str:
    return urllib.parse.quote(text, safe="")


def _output(output: str) -> str:
    artifact, _, port = output.partition("/")
    return f"{_part(artifact)}/{_part(port)}"


def _safe(name: str) -> list[str]:
    """Return the parts of a path in an output, none of which leads out of its folder."""
    return [part for part in PurePosixPath(name).parts if part not in ("..", "/", "")]
