"""Responses to unauthenticated browsers, and to browsers that sign in with the code."""

from __future__ import annotations

import asyncio
from urllib.parse import parse_qs, parse_qsl, quote, urlencode

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, Request
from starlette.responses import RedirectResponse, Response
from starlette.types import Receive, Scope

from designer_app.entrance.page import WAIT, WRONG, code_page, on_page
from designer_app.entrance.proof import Proof

FORM = "application/x-www-form-urlencoded"
MAX_FORM_BYTES = 2000
FORM_SECONDS = 10.0
"""Timeout for receiving the few bytes of a code."""
SERVICES = ("/api", "/_stcore", "/ui", "/static")
"""Paths requested by programs rather than people: responses are JSON."""


class NotLetInError(Exception):
    """Request with neither the cookie nor the token."""


async def answer_at_door(proof: Proof, scope: Scope, receive: Receive) -> Response | None:
    """Return the response of the sign-in; None if the request is authenticated.

    Raises ``NotLetInError`` if the client is a program rather than a person.
    """
    headers, path = Headers(scope=scope), scope["path"]
    # programs: a page would not help them
    if any(path == service or path.startswith(f"{service}/") for service in SERVICES):
        if not proof.holds(headers):
            raise NotLetInError
        return None
    # people: with the code in the address, with the form of our page, or already signed in
    request = Request(scope, receive)
    code = request.query_params.get("code")
    if scope["method"] == "GET" and code is not None:
        return _with_code(proof, request, code)
    if scope["method"] == "POST" and headers.get("content-type", "").startswith(FORM):
        return _typed(proof, request, await _code_of(request))
    return None if proof.holds(headers) else code_page()


def _with_code(proof: Proof, request: Request, code: str) -> Response:
    if not proof.has_cookie(request.headers) and not proof.is_code(code):
        return _refused(proof)
    answer = on_page(_path(request))
    answer.headers["Set-Cookie"] = proof.cookie(request.url.scheme)
    return answer


def _typed(proof: Proof, request: Request, code: str) -> Response:
    if not proof.has_cookie(request.headers) and not proof.is_code(code):
        return _refused(proof)
    answer = RedirectResponse(_path(request), 303)
    answer.headers["Set-Cookie"] = proof.cookie(request.url.scheme)
    return answer


def _refused(proof: Proof) -> Response:
    waiting = proof.seconds_to_wait()
    if not waiting:
        return code_page(401, WRONG)
    answer = code_page(429, WAIT)
    answer.headers["Retry-After"] = str(waiting)
    return answer


async def _code_of(request: Request) -> str:
    content = b""
    try:
        async with asyncio.timeout(FORM_SECONDS):
            async for part in request.stream():
                content += part
                if len(content) > MAX_FORM_BYTES:
                    break
    except (TimeoutError, ClientDisconnect):
        return ""
    fields = parse_qs(content[:MAX_FORM_BYTES].decode("latin-1"))
    return fields.get("code", [""])[0]


def _path(request: Request) -> str:
    """Return the same page without its code; never an address of another host (``//evil``)."""
    path = "/" + quote(request.url.path.lstrip("/"))
    pairs = parse_qsl(request.url.query, keep_blank_values=True)
    query = urlencode([(name, value) for name, value in pairs if name != "code"])
    return f"{path}?{query}" if query else path
