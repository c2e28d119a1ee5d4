"""Responses to unauthenticated browsers, and to browsers that sign in with the code."""

from __future__ import annotations

import asyncio
from urllib.parse import parse_qs, parse_qsl, quote, urlencode

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, Request
from starlette.responses import RedirectResponse, Response
from starlette.types import Receive, Scope

from designer_app.errors import ApiError
from designer_app.security import sentences
from designer_app.security.credentials import Credentials
from designer_app.security.sign_in_page import WAIT, WRONG, code_page, on_page

FORM = "application/x-www-form-urlencoded"
MAX_FORM_BYTES = 2000
FORM_SECONDS = 10.0
"""Timeout for receiving the few bytes of a code."""
SERVICES = ("/api", "/_stcore", "/ui", "/static")
"""Paths requested by programs rather than people: responses are JSON."""


async def sign_in_response(
    credentials: Credentials, scope: Scope, receive: Receive
) -> Response | None:
    """Return the response of the sign-in; None if the request is authenticated.

    Raises ``ApiError`` if the client is a program rather than a person.
    """
    headers, path = Headers(scope=scope), scope["path"]
    # programs: a page would not help them
    if any(path == service or path.startswith(f"{service}/") for service in SERVICES):
        if not credentials.holds(headers):
            raise ApiError(401, "not_let_in", sentences.NOT_LET_IN)
        return None
    # people: with the code in the address, with the form of our page, or already signed in
    request = Request(scope, receive)
    code = request.query_params.get("code")
    if scope["method"] == "GET" and code is not None:
        return _with_code(credentials, request, code)
    if scope["method"] == "POST" and headers.get("content-type", "").startswith(FORM):
        return _typed(credentials, request, await _code_of(request))
    return None if credentials.holds(headers) else code_page()


def _with_code(credentials: Credentials, request: Request, code: str) -> Response:
    if not credentials.has_cookie(request.headers) and not credentials.is_code(code):
        return _refused(credentials)
    answer = on_page(_path(request))
    answer.headers["Set-Cookie"] = credentials.cookie(request.url.scheme)
    return answer


def _typed(credentials: Credentials, request: Request, code: str) -> Response:
    if not credentials.has_cookie(request.headers) and not credentials.is_code(code):
        return _refused(credentials)
    answer = RedirectResponse(_path(request), 303)
    answer.headers["Set-Cookie"] = credentials.cookie(request.url.scheme)
    return answer


def _refused(credentials: Credentials) -> Response:
    waiting = credentials.seconds_to_wait()
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
