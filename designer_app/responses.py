"""JSON responses: compact, and valid for all measured values."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Mapping

from pydantic_core import PydanticSerializationError, to_json, to_jsonable_python
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response, StreamingResponse

from modules.files.json_files import finite

JSON = "application/json"


def to_bytes(content: object) -> bytes:
    """Serialize plain values, models and dataclasses as JSON; NaN and infinity become null."""
    try:
        return to_json(content, by_alias=True, inf_nan_mode="null")
    except PydanticSerializationError:  # half of a surrogate pair, in the name of a file
        plain = finite(to_jsonable_python(content, by_alias=True))
        text = json.dumps(plain, ensure_ascii=False, separators=(",", ":"))
        return text.encode("utf-8", "replace")


def answer(
    content: object, status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    """Return a JSON response."""
    return Response(to_bytes(content), status, headers, JSON)


def answer_in_two(
    first: Mapping[str, object],
    rest: Callable[[], Mapping[str, object]],
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Stream a JSON object: headers and first members are sent while the rest is computed.

    If ``rest`` fails, the body breaks off, which no client accepts as complete.
    """

    async def parts() -> AsyncIterator[bytes]:
        yield to_bytes(first)[:-1] + b","
        yield await run_in_threadpool(lambda: to_bytes(rest())[1:])

    return StreamingResponse(parts(), 200, headers, JSON)
