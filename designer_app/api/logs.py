"""Endpoints for the logs of a run: one per rank and one of the launcher, by byte ranges."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

from pydantic import Field
from starlette.responses import Response

from designer_app.api import sentences
from designer_app.api.endpoint import ApiEndpoint, Call
from designer_app.api.runs import found_run
from designer_app.application import Application
from designer_app.errors import ApiError, not_found
from modules.json_model import JsonModel
from pipelines.document.document import parse_document
from pipelines.document.expansion import expanded
from pipelines.replay.format import LOG_FILE
from pipelines.workspace import node_of

MAX_BYTES = 1_000_000
"""Limit of one response."""
RANGE = re.compile(r"bytes=([0-9]{0,15})-([0-9]{0,15})")


class LogEntry(JsonModel):
    """Log file of a node."""

    node: str
    file: str
    rank: int | None = Field(description="Null for the launcher.")
    num_bytes: int


class LogList(JsonModel):
    logs: list[LogEntry]


@ApiEndpoint("GET", "/api/runs/{run_id}/logs", errors=(404,))
def _list(application: Application, call: Call) -> LogList:
    """The logs of a run."""
    return LogList(logs=[entry for entry, _ in logs_of_run(application, call)])


def logs_of_run(application: Application, call: Call) -> list[tuple[LogEntry, Path]]:
    """Return an entry and the path of each log of a run."""
    record = found_run(application, call)
    folder = application.session.workspace.runs_dir / record.id
    paths = folder.glob("*/70_*_log*.txt")
    logs = [(_entry(path), path) for path in paths if path.is_file() and not path.is_symlink()]
    nodes = expanded(parse_document(record.document)).nodes
    places = {node.id: place for place, node in enumerate(nodes)}
    return sorted(logs, key=lambda log: _place(log[0], places))


def _place(entry: LogEntry, places: Mapping[str, int]) -> tuple[int, str, int, str]:
    """Sort key: nodes in document order, then the launcher, then the ranks by number."""
    node, rank = entry.node, entry.rank
    return places.get(node, len(places)), node, -1 if rank is None else rank, entry.file


def _entry(path: Path) -> LogEntry:
    rank = re.fullmatch(r"70_driver_log_([0-9]+)\.txt", path.name)
    return LogEntry(
        node=node_of(path.parent),
        file=path.name,
        rank=int(rank.group(1)) if rank else None,
        num_bytes=path.stat().st_size,
    )


@ApiEndpoint(
    "GET",
    "/api/runs/{run_id}/logs/{node}/{log}",
    media_type="text/plain",
    query={"offset": "The first byte, to follow a log that grows."},
    headers={"Range": "bytes=FIRST-LAST, instead of offset."},
    errors=(404, 416),
)
def _read(application: Application, call: Call) -> Response:
    """Bytes of a log, at most a million at a time; X-Designer-Size is the total size."""
    path = log_path(application, call, call.path["log"])
    if path is None:
        return _answer(b"", 200, 0)
    size = path.stat().st_size
    start, length, status = _wanted(call, size)
    content = application.session.secrets.redaction().read(path, start, length)
    answer = _answer(content, status, size)
    if status == 206:
        answer.headers["Content-Range"] = f"bytes {start}-{start + len(content) - 1}/{size}"
    return answer


def _answer(content: bytes, status: int, size: int) -> Response:
    headers = {"Accept-Ranges": "bytes", "X-Designer-Size": str(size)}
    return Response(content, status, headers, "text/plain; charset=utf-8")


def log_path(application: Application, call: Call, log: str) -> Path | None:
    """Return the requested log of a node, None if it has not been written yet.

    Raises ``ApiError`` if it is not a log of a node of the run.
    """
    record, workspace = found_run(application, call), application.session.workspace
    folder = workspace.node_dir(record.id, call.path["node"])
    path = folder / log
    if path.is_file() and not path.is_symlink():
        return path
    nodes = expanded(parse_document(record.document)).nodes
    is_of_run = folder in {workspace.node_dir(record.id, node.id) for node in nodes}
    if not is_of_run or re.fullmatch(LOG_FILE, path.name) is None or os.path.lexists(path):
        raise not_found(sentences.NO_LOG, log=log)
    return None


def _wanted(call: Call, size: int) -> tuple[int, int, int]:
    """Return first byte, number of bytes and status."""
    text = call.headers.get("range")
    if text is None:
        start = min(call.number("offset", 0), size)
        return start, min(MAX_BYTES, size - start), 200
    if size == 0:
        return 0, 0, 200
    match = RANGE.fullmatch(text.strip())
    first, last = match.groups() if match else ("", "")
    if first:
        start, end = int(first), min(int(last or size), size - 1)
    else:
        start, end = max(0, size - int(last or 0)), size - 1
    if start > end:
        raise ApiError(416, "range_not_satisfiable", sentences.LOG_ENDS, num_bytes=size)
    return start, min(MAX_BYTES, end - start + 1), 206


ENDPOINTS = (_list, _read)
