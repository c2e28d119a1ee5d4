"""JSON on the wire: compact, and valid whatever a module measured."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, is_dataclass
from typing import Any

from pydantic import BaseModel
from starlette.responses import Response, StreamingResponse

from modules.files.json_files import finite

JSON = "application/json"


def to_bytes(content: object) -> bytes:
    """JSON of plain values, models and dataclasses; NaN and infinity become null."""
    plain = _plain(content)
    try:
        text = json.dumps(plain, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except ValueError:
        text = json.dumps(finite(plain), ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "replace")


def answer(
    content: object, status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    """A JSON response."""
    return Response(to_bytes(content), status, headers, JSON)


def answer_in_two(
    first: Mapping[str, object],
    rest: Callable[[], Mapping[str, object]],
    headers: Mapping[str, str] | None = None,
) -> Response:
    """A JSON object: its first members and the headers are sent while the rest is worked out.

    Where ``rest`` fails the body breaks off, which no client takes for a whole one.
    """

    def parts() -> Iterator[bytes]:
        yield to_bytes(first)[:-1] + b","
        yield to_bytes(rest())[1:]

    return StreamingResponse(parts(), 200, headers, JSON)


def _plain(content: object) -> Any:
    if isinstance(content, BaseModel):
        return content.model_dump(mode="json", by_alias=True)
    if is_dataclass(content) and not isinstance(content, type):
        return asdict(content)
    return content
