"""What every request must pass before a route sees it. Streamlit checks none of it for our routes.

A page of another site can make a browser send requests to this machine; it cannot read the token,
cannot send it, and cannot pretend to be this host. Refused: another Host (DNS rebinding), another
Origin, a missing token, a body of another content type, a body that is too long.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from designer_app.api.errors import ApiError, not_found, too_large
from designer_app.api.wire import JSON, answer
from designer_app.application import Application
from pipelines.document import MAX_BYTES
from pipelines.replay.format import MAX_FILE_BYTES

API_PREFIX = "/api/"
OPEN_PATHS = frozenset({"/api/openapi.json"})
UPLOAD_PATH = "/api/datasets"
UPLOAD_TYPES = frozenset(
    {
        "application/octet-stream",
        "application/zip",
        "application/x-zip-compressed",
        "application/x-tar",
        "application/gzip",
        "application/x-gzip",
        "application/x-xz",
        "application/x-bzip2",
    }
)
REPLAY_PATH = "/api/replays"
REPLAY_TYPES = frozenset({"application/octet-stream", "application/zip"})
CLOSED_PATHS = frozenset({"/_stcore/metrics"})
TOKEN_HEADER = "x-designer-token"
SAFE_HEADERS: Mapping[str, str] = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "SAMEORIGIN",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


class Guard:
    """ASGI middleware around the whole app; the stricter checks hold for ``/api``."""

    def __init__(self, app: ASGIApp, application: Application) -> None:
        self.app = app
        self.application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await self._websocket(scope, receive, send)
        elif scope["type"] == "http":
            await self._http(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        if self._is_host_allowed(headers) and self._is_origin_ours(headers):
            await self.app(scope, receive, send)
        else:  # Streamlit would look up this machine's addresses on the network to be sure
            await receive()
            await send({"type": "websocket.close", "code": 1008})

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_api = _is_api(scope["path"])
        try:
            limit = self._check(scope, Headers(scope=scope), is_api)
        except ApiError as refusal:
            response = answer(refusal.to_json(), refusal.status, SAFE_HEADERS)
            await response(scope, receive, send)
            return
        body = _limited(receive, limit) if is_api else receive
        await self.app(scope, body, _with_headers(send, is_api))

    def _check(self, scope: Scope, headers: Headers, is_api: bool) -> int:
        """The most bytes that the body may have; raises ``ApiError``."""
        if not self._is_host_allowed(headers):
            raise ApiError(
                403,
                "wrong_host",
                "This server does not answer under that name.",
                "Open it at the address it printed, or set DESIGNER_ALLOWED_HOSTS.",
            )
        if scope["path"].rstrip("/") in CLOSED_PATHS:
            raise not_found("There is nothing here.", "Open the start page.")
        if not is_api:
            return 0
        self._check_origin(headers)
        self._check_token(scope, headers)
        limit = _check_content_type(scope, headers) or MAX_BYTES
        limit = limit if limit > 0 else self.application.settings.max_upload_bytes
        _check_length(headers, limit)
        return limit

    def _is_host_allowed(self, headers: Headers) -> bool:
        hosts = headers.getlist("host")
        return len(hosts) == 1 and hosts[0].lower() in self.application.settings.allowed_hosts

    def _is_origin_ours(self, headers: Headers) -> bool:
        origin = headers.get("origin")
        if origin is None:
            return True
        scheme, _, host = origin.lower().partition("://")
        return scheme in ("http", "https") and host in self.application.settings.allowed_hosts

    def _check_origin(self, headers: Headers) -> None:
        site = headers.get("sec-fetch-site")
        if not self._is_origin_ours(headers) or site not in (None, "same-origin", "none"):
            raise ApiError(
                403,
                "wrong_origin",
                "The request comes from another site.",
                "Use the page that this server opened.",
            )

    def _check_token(self, scope: Scope, headers: Headers) -> None:
        given = headers.get(TOKEN_HEADER, "")
        if scope["path"] in OPEN_PATHS:
            return
        if not secrets.compare_digest(given.encode(), self.application.token.encode()):
            raise ApiError(
                401,
                "wrong_token",
                "The request carries no token of this workspace.",
                "Reload the page: another workspace is served here now.",
            )


def _is_api(path: str) -> bool:
    return path.startswith(API_PREFIX) or path == API_PREFIX.rstrip("/")


UPLOAD = -1


def _check_content_type(scope: Scope, headers: Headers) -> int:
    """How many bytes a body that is no JSON may have, ``UPLOAD`` for a dataset's; else 0."""
    has_body = headers.get("content-length", "0") != "0" or "transfer-encoding" in headers
    if scope["method"] in ("GET", "HEAD") or not has_body:
        return 0
    given = headers.get("content-type", "").split(";")[0].strip().lower()
    if given == JSON:
        return 0
    if scope["path"] == UPLOAD_PATH and given in UPLOAD_TYPES:
        return UPLOAD
    if scope["path"] == REPLAY_PATH and given in REPLAY_TYPES:
        return MAX_FILE_BYTES
    raise ApiError(
        415,
        "wrong_content_type",
        f"The body is {given[:100] or 'of no content type'}.",
        f"Send JSON with Content-Type: {JSON}.",
    )


def _check_length(headers: Headers, limit: int) -> None:
    length = headers.get("content-length", "0")
    if re.fullmatch(r"[0-9]{1,18}", length) is None or int(length) > limit:
        raise too_large(limit)


def _limited(receive: Receive, limit: int) -> Receive:
    """The body, refused as soon as it is longer than allowed, whatever its header said."""
    seen = 0

    async def limited() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > limit:
            raise too_large(limit)
        return message

    return limited


def _with_headers(send: Send, is_api: bool) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in SAFE_HEADERS.items():
                headers.setdefault(name, value)
            if is_api:
                headers.setdefault("Cache-Control", "no-store")
                headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        await send(message)

    return sending
