"""The built documentation, served by the app without a network."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest
from starlette.responses import Response
from starlette.routing import Match
from starlette.types import Message

from designer_app.server.documentation import DocumentationFiles, documentation_routes

PAGE = "<!doctype html><title>Docs</title><script>{}()</script>"


@pytest.fixture
def built(tmp_path: Path) -> DocumentationFiles:
    """A small documentation: pages with inline scripts, and a style sheet."""
    folder = tmp_path / "documentation"
    (folder / "how-to").mkdir(parents=True)
    (folder / "index.html").write_text(PAGE.format("start"))
    (folder / "how-to" / "index.html").write_text(PAGE.format("other"))
    (folder / "style.css").write_text("p {}")
    return DocumentationFiles(folder)


def scope_of(path: str) -> dict[str, Any]:
    return {"type": "http", "method": "GET", "path": f"/docs/{path}", "headers": []}


def get(files: DocumentationFiles, path: str) -> Response:
    return asyncio.run(files.get_response(path, scope_of(path)))


def test_pages_allow_their_own_inline_scripts_only(built: DocumentationFiles) -> None:
    policies = [
        get(built, path).headers["Content-Security-Policy"] for path in (".", "how-to/index.html")
    ]
    [first], [second] = (re.findall(r"'sha256-[^']+'", policy) for policy in policies)
    assert first != second


def test_other_files_are_served_and_must_be_checked_again(built: DocumentationFiles) -> None:
    sheet = get(built, "style.css")
    assert (sheet.status_code, sheet.headers["Cache-Control"]) == (200, "no-cache")
    assert "Content-Security-Policy" not in sheet.headers


@pytest.mark.parametrize("path", ["no-such.html", "../secret", "how-to/../../secret"])
def test_nothing_else_is_served(built: DocumentationFiles, tmp_path: Path, path: str) -> None:
    (tmp_path / "secret").write_text("value")
    answer = get(built, path)
    assert answer.status_code == 404
    assert b"value" not in answer.body


def test_a_page_says_how_to_build_them(tmp_path: Path) -> None:
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    files = DocumentationFiles(tmp_path / "absent")
    asyncio.run(files(scope_of("get-started.html"), receive, send))
    assert sent[0]["status"] == 404
    assert b"make docs" in sent[1]["body"]


def test_the_address_without_a_page_leads_to_the_first_one(tmp_path: Path) -> None:
    [first, _] = documentation_routes(tmp_path)
    scope = {**scope_of(""), "path": "/docs", "query_string": b""}
    assert first.matches(scope)[0] is Match.FULL
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "http.request"}

    asyncio.run(first.handle(scope, receive, send))
    assert (b"location", b"/docs/index.html") in sent[0]["headers"]
