"""Server-side search in logs, so that a page never needs a whole log."""

from __future__ import annotations

from collections.abc import Iterator
from io import BufferedReader, RawIOBase
from itertools import islice
from pathlib import Path
from typing import Any

from pydantic import Field

from designer_app.api import sentences
from designer_app.api.endpoint import ApiEndpoint, Call
from designer_app.api.logs import log_path, logs_of_run
from designer_app.application import Application
from designer_app.errors import ApiError
from modules.files.redaction import Redaction
from modules.json_model import JsonModel
from pipelines.document.binds import SEPARATOR
from pipelines.runs.report import leading_ranks

NOTHING_SECRET = Redaction()
MAX_MATCHES = 500
MAX_TEXT = 200
MAX_LINE_BYTES = 10_000
"""Limit of a line; a longer line counts as several."""
SHOWN_CHARACTERS = 400
BLOCK_BYTES = 2**20
"""Bytes of a log read at once."""


class LogMatch(JsonModel):
    offset: int = Field(description="Offset of the line's first byte.")
    line: int = Field(description="Line number, from 1.")
    text: str


class RunLogMatch(LogMatch):
    """Matching line and its log."""

    node: str
    file: str
    rank: int | None = Field(description="Null for the launcher.")


class RunLogMatches(JsonModel):
    matches: list[RunLogMatch]
    more: bool = Field(description="There are more matches.")


class LogMatches(JsonModel):
    matches: list[LogMatch]
    more: bool = Field(description="There are more matches.")


def _searched(call: Call) -> str:
    text = call.query.get("text", "")
    if not 0 < len(text) <= MAX_TEXT:
        raise ApiError(
            400, "invalid_request", sentences.SEARCHED_LENGTH, count=len(text), most=MAX_TEXT
        )
    return text


@ApiEndpoint(
    "GET",
    "/api/runs/{run_id}/log-matches",
    query={
        "text": "Text to search, 1 to 200 characters.",
        "within": "Only logs of this node and the nodes inside it.",
    },
    errors=(400, 404),
)
def _search_all(application: Application, call: Call) -> RunLogMatches:
    """Lines of all logs of a run that contain a text, at most 500.

    Search the logs in order, for each node its launcher and then its ranks.

    If several ranks failed, the logs of those that failed first precede all others.
    """
    text, node = _searched(call), call.query.get("within", "")
    logs = [
        (entry, path)
        for entry, path in logs_of_run(application, call)
        if not node or entry.node == node or entry.node.startswith(f"{node}{SEPARATOR}")
    ]
    leading = leading_ranks(application.session.runs.store.state(call.path["run_id"]))
    logs.sort(key=lambda log: (log[0].node, log[0].rank) not in leading)
    redaction = application.session.secrets.redaction()
    all_matches = (
        RunLogMatch(node=entry.node, file=entry.file, rank=entry.rank, **match.model_dump())
        for entry, path in logs
        for match in found_lines(path, text, redaction)
    )
    matches = list(islice(all_matches, MAX_MATCHES))
    return RunLogMatches(matches=matches, more=next(all_matches, None) is not None)


@ApiEndpoint(
    "GET",
    "/api/runs/{run_id}/logs/{node}/{log}/matches",
    query={"text": "Text to search, 1 to 200 characters."},
    errors=(400, 404),
)
def _search(application: Application, call: Call) -> LogMatches:
    """Lines of a log that contain a text, at most 500."""
    text = _searched(call)
    path = log_path(application, call, call.path["log"])
    redaction = application.session.secrets.redaction()
    all_matches = iter(found_lines(path, text, redaction) if path else ())
    matches = list(islice(all_matches, MAX_MATCHES))
    return LogMatches(matches=matches, more=next(all_matches, None) is not None)


def found_lines(path: Path, text: str, redaction: Redaction = NOTHING_SECRET) -> Iterator[LogMatch]:
    """Yield offset, number (from 1) and text of each matching line. Case is ignored."""
    wanted, offset, number = text.casefold(), 0, 1
    with BufferedReader(_Starred(path, redaction), BLOCK_BYTES) as file:
        while raw := file.readline(MAX_LINE_BYTES):
            line = raw.decode("utf-8", "replace").rstrip("\r\n")
            if wanted in line.casefold():
                yield LogMatch(offset=offset, line=number, text=line[:SHOWN_CHARACTERS])
            offset += len(raw)
            number += raw.endswith(b"\n")


class _Starred(RawIOBase):
    """File with redacted secrets, including secrets split between blocks or lines."""

    def __init__(self, path: Path, redaction: Redaction) -> None:
        self._path, self._redaction, self._offset = path, redaction, 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        content = self._redaction.read(self._path, self._offset, len(buffer))
        buffer[: len(content)] = content
        self._offset += len(content)
        return len(content)


ENDPOINTS = (_search_all, _search)
