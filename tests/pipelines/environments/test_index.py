"""Packages from an index on loopback that says when each file was uploaded."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from modules.errors import FailedToDownloadFilesError
from pipelines.environments.definition import EnvironmentDefinition
from pipelines.environments.index_settings import is_without_index, uv_variables
from pipelines.environments.workspace_environments import WorkspaceEnvironments

pytestmark = pytest.mark.extended

ONE, TWO, THREE = "https://one/simple", "https://two/simple", "https://three/simple"
UPLOADED = {"1.0": "2021-01-01T00:00:00Z", "2.0": "2023-01-01T00:00:00Z"}


@pytest.fixture
def index(wheels: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Its address, with a name and a password, as uv's user has set it up."""
    monkeypatch.delenv("UV_FIND_LINKS")
    monkeypatch.delenv("UV_NO_INDEX")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            name = self.path.rsplit("/", 1)[-1]
            if name.endswith(".whl"):
                self._answer((wheels / name).read_bytes(), "application/octet-stream")
            elif self.path == "/simple/tiny/":
                self._answer(listing(wheels), "application/vnd.pypi.simple.v1+json")
            else:
                self.send_error(404)

        def _answer(self, content: bytes, kind: str) -> None:
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(content)

        do_HEAD = do_GET  # noqa: N815

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        address = f"http://somebody:secret@127.0.0.1:{server.server_port}/simple"
        monkeypatch.setenv("UV_DEFAULT_INDEX", address)
        yield address
        server.shutdown()
        thread.join()


def listing(wheels: Path) -> bytes:
    """What the index says of the package, as PEP 700 has it."""
    files = [
        {
            "filename": path.name,
            "url": f"/files/{path.name}",
            "hashes": {"sha256": hashlib.sha256(path.read_bytes()).hexdigest()},
            "upload-time": UPLOADED[path.name.split("-")[1]],
            "size": path.stat().st_size,
        }
        for path in sorted(wheels.glob("tiny-*.whl"))
    ]
    meta = {"api-version": "1.1"}
    content = {"meta": meta, "name": "tiny", "versions": [*UPLOADED], "files": files}
    return json.dumps(content).encode()


def test_packages_as_of_a_day_are_those_there_were(
    environments: WorkspaceEnvironments, index: str
) -> None:
    asked = EnvironmentDefinition(requirements=("tiny",))
    newest = environments.resolve(asked)
    then = environments.resolve(asked.changed(as_of="2022-01-01"))
    assert newest.lock.startswith("tiny==2.0")
    assert then.lock.startswith("tiny==1.0")
    assert "secret" not in newest.lock + then.lock
    assert "127.0.0.1" not in newest.lock + then.lock
    record = environments.keep("mine", then)
    assert record.as_of == "2022-01-01"
    assert environments.build(record).num_packages == 1
    assert index not in "".join(path.read_text() for path in environments.root.glob("*/lock.txt"))


def test_an_index_that_does_not_answer_is_told_without_its_password(
    environments: WorkspaceEnvironments, index: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UV_DEFAULT_INDEX", index.rsplit(":", 1)[0] + ":9/simple")
    monkeypatch.setenv("UV_HTTP_RETRIES", "0")
    with pytest.raises(FailedToDownloadFilesError) as failed:
        environments.resolve(EnvironmentDefinition(requirements=("tiny",)))
    assert failed.value.code == "0162"
    assert "secret" not in failed.value.message


def test_what_was_locked_is_not_built_without_network_and_what_is_missing_is_named(
    environments: WorkspaceEnvironments, index: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = environments.keep(
        "mine", environments.resolve(EnvironmentDefinition(requirements=("tiny",)))
    )
    monkeypatch.setenv("UV_DEFAULT_INDEX", index.rsplit(":", 1)[0] + ":9/simple")
    monkeypatch.setenv("UV_HTTP_RETRIES", "0")
    with pytest.raises(FailedToDownloadFilesError, match="tiny") as failed:
        environments.build(record)
    assert failed.value.code == "0162"
    assert "secret" not in failed.value.message


def test_uv_is_told_what_pip_is(tmp_path: Path) -> None:
    configuration = tmp_path / "pip.conf"
    configuration.write_text(
        f"[global]\nindex-url = {ONE}\nextra_index_url = {TWO} {THREE}\n"
        "find-links =\n  /a\n  /b\nno-index = false\n",
        encoding="utf-8",
    )
    variables = uv_variables({"PIP_CONFIG_FILE": str(configuration), "PIP_FIND_LINKS": "/c"})
    assert variables["UV_DEFAULT_INDEX"] == ONE
    assert variables["UV_INDEX"] == f"{TWO} {THREE}"
    assert variables["UV_FIND_LINKS"] == "/c"
    assert not is_without_index({"PIP_CONFIG_FILE": str(configuration)})
    assert is_without_index({"PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": str(configuration)})


def test_uvs_own_settings_are_stronger_and_nothing_else_is_passed_on(tmp_path: Path) -> None:
    configuration = tmp_path / "pip.conf"
    configuration.write_text(f"[global]\nindex-url = {ONE}\n", encoding="utf-8")
    around = {
        "PIP_CONFIG_FILE": str(configuration),
        "UV_DEFAULT_INDEX": "https://uv/simple",
        "UV_INDEX_MINE_PASSWORD": "secret",
        "UV_CONSTRAINT": "c.txt",
        "UV_PRERELEASE": "allow",
        "SECRET_TOKEN": "x",
        "PYTHONPATH": "/somewhere",
    }
    assert uv_variables(around) == {
        "UV_DEFAULT_INDEX": "https://uv/simple",
        "UV_INDEX_MINE_PASSWORD": "secret",
    }


def test_settings_of_pip_that_cannot_be_read_are_passed_over(tmp_path: Path) -> None:
    configuration = tmp_path / "pip.conf"
    configuration.write_text("index-url = without a section", encoding="utf-8")
    assert uv_variables({"PIP_CONFIG_FILE": str(configuration)}) == {}
