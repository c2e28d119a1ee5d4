"""Bodies of rejected requests: a client that still sends one must be able to read the reason."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from starlette.datastructures import Headers
from starlette.types import Receive

DISCARD_SECONDS = 2.0


async def discard_body(headers: Headers, receive: Receive) -> None:
    """Read and forget a body for a moment, before its request is answered.

    Otherwise the connection is closed while the client is sending, which resets it before the
    client reads the answer. A client that asks first whether to send (``Expect``) is answered at
    once.
    """
    has_body = "transfer-encoding" in headers or headers.get("content-length", "0") != "0"
    if not has_body or "expect" in headers:
        return
    with suppress(TimeoutError):
        async with asyncio.timeout(DISCARD_SECONDS):
            while (await receive()).get("more_body"):
                pass
