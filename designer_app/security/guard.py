"""Security checks of every request before routing. Streamlit does none of them for our routes.

A page of another site, or another program on this host, can make a browser send requests here,
including the cookie (CSRF); it cannot read the responses, add custom headers or forge the Host.
Rejected: another Host (DNS rebinding), another Origin, an unauthenticated sender
(``sign_in``), at ``/api`` also a browser without the page token, a body of another
content type, a body that is too long.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from designer_app.errors import ApiError, not_found
from designer_app.responses import JSON, answer
from designer_app.security import sentences
from designer_app.security.content_security_policy import DATA_POLICY, page_policy
from designer_app.security.credentials import Credentials
from designer_app.security.permissions_policy import NOTHING
from designer_app.security.rejected_body import discard_body
from designer_app.security.sign_in import sign_in_response
from designer_app.settings import ServerSettings
from pipelines.document.document import MAX_BYTES
from pipelines.inspection.questions import MAX_PICTURE_BYTES
from pipelines.registry.caller_keys import bearer_key
from pipelines.registry.recorded_pictures import MAX_PICTURE_BYTES as MAX_RECORDED_BYTES
from pipelines.replay.format import MAX_FILE_BYTES

logger = logging.getLogger(__name__)

API_PREFIX = "/api/"
CALLED_PATH = re.compile(
    r"/api/published/(?P<name>[A-Za-z0-9][A-Za-z0-9._-]{0,99})/runs(/[0-9a-f-]+)?"
)
"""Addresses that programs may call with a key of that published pipeline instead of the token."""
CallerCheck = Callable[[str, str], bool]
"""Function of a published pipeline's name and a key: True if the pipeline accepts the key."""
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
PICTURE_PATH = re.compile(r"/api/runs/[^/]+/nodes/[^/]+/try(/(keep|similar))?")
PICTURE_TYPES = frozenset(
    {
        "application/octet-stream",
        "image/bmp",
        "image/gif",
        "image/jpeg",
        "image/png",
        "image/tiff",
        "image/webp",
    }
)
RECORDED_PATH = re.compile(r"/api/recordings/[^/]+/classes/[^/]+/pictures/[^/]+")
RECORDED_TYPES = frozenset({"application/octet-stream", "image/jpeg", "image/png", "image/webp"})
FRAME_PATH = re.compile(r"/api/runs/[^/]+/live")
FRAME_TYPES = frozenset({"image/jpeg", "image/png"})
MAX_FRAME_BYTES = 2 * 2**20
CLOSED_PATHS = frozenset({"/_stcore/metrics"})
SAFE_HEADERS: Mapping[str, str] = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "SAMEORIGIN",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": NOTHING,
}


class Guard:
    """ASGI middleware around the whole app, with stricter checks for ``/api``."""

    def __init__(
        self,
        app: ASGIApp,
        credentials: Credentials,
        settings: ServerSettings,
        policy: str = page_policy(""),
        callers: CallerCheck | None = None,
    ) -> None:
        """``policy`` is the Content-Security-Policy of pages without one.

        ``callers`` authenticates programs that send a key to ``CALLED_PATH``; None: no program.
        """
        self.app = app
        self.credentials = credentials
        self.settings = settings
        self.policy = policy
        self.callers = callers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await self._websocket(scope, receive, send)
        elif scope["type"] == "http":
            await self._http(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        ours = "origin" in headers and self._is_origin_ours(headers)
        if self._is_host_allowed(headers) and ours and self.credentials.holds(headers):
            await self.app(scope, receive, send)
        else:  # Streamlit would look up this machine's addresses on the network to be sure
            await receive()
            await send({"type": "websocket.close", "code": 1008})

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_api = _is_api(scope["path"])
        send = _with_headers(send, is_api, DATA_POLICY if is_api else self.policy)
        try:
            self._check_address(scope, Headers(scope=scope), is_api)
            is_caller = await self._is_caller(scope, Headers(scope=scope))
            response = None
            if not is_caller:
                response = await sign_in_response(self.credentials, scope, receive)
                if is_api:
                    self._check_token(Headers(scope=scope))
            limit = self._check_body(scope, Headers(scope=scope)) if is_api else 0
        except ApiError as refusal:
            if refusal.status == 413:  # the sign-in form may have read the body of others
                await discard_body(Headers(scope=scope), receive)
            response = answer(refusal.body, refusal.status, {"Connection": "close"})
        if response is not None:
            await response(scope, receive, send)
            return
        try:
            await self.app(scope, _limited(receive, limit) if is_api else receive, send)
        except ClientDisconnect:
            # no client is left to answer; the received part of the request was discarded
            logger.info("The client left in the middle of %s %s.", scope["method"], scope["path"])

    def _check_address(self, scope: Scope, headers: Headers, is_api: bool) -> None:
        """Raise ``ApiError`` for a request with another Host or from another site."""
        if not self._is_host_allowed(headers):
            raise ApiError(403, "wrong_host", sentences.WRONG_HOST)
        if scope["path"].rstrip("/") in CLOSED_PATHS:
            raise not_found(sentences.NOTHING_HERE)
        if is_api or not _is_visit(scope, headers):
            self._check_origin(headers)

    async def _is_caller(self, scope: Scope, headers: Headers) -> bool:
        """Return True for a program whose key allows just this address; raises ``ApiError``."""
        match = CALLED_PATH.fullmatch(scope["path"])
        key = bearer_key(headers.get("authorization"))
        if self.callers is None or match is None or not key:
            return False
        if not await run_in_threadpool(self.callers, match["name"], key):
            raise ApiError(401, "wrong_key", sentences.WRONG_CALLER_KEY)
        return True

    def _check_body(self, scope: Scope, headers: Headers) -> int:
        """Return the size limit of the request body in bytes; raises ``ApiError``."""
        limit = _check_content_type(scope, headers) or MAX_BYTES
        limit = limit if limit > 0 else self.settings.max_upload_bytes
        _check_length(headers, limit)
        return limit

    def _is_host_allowed(self, headers: Headers) -> bool:
        hosts = headers.getlist("host")
        return len(hosts) == 1 and hosts[0].lower() in self.settings.allowed_hosts

    def _is_origin_ours(self, headers: Headers) -> bool:
        origin = headers.get("origin")
        if origin is None:
            return True
        scheme, _, host = origin.lower().partition("://")
        return scheme in ("http", "https") and host in self.settings.allowed_hosts

    def _check_origin(self, headers: Headers) -> None:
        site = headers.get("sec-fetch-site")
        if not self._is_origin_ours(headers) or site not in (None, "same-origin", "none"):
            raise ApiError(403, "wrong_origin", sentences.WRONG_ORIGIN)

    def _check_token(self, headers: Headers) -> None:
        """Require the page token, which only pages of this workspace have, besides the cookie."""
        if not self.credentials.has_token(headers) and not self.credentials.has_page_token(headers):
            raise ApiError(401, "wrong_token", sentences.WRONG_TOKEN)


def _is_visit(scope: Scope, headers: Headers) -> bool:
    """Return True for a navigation by a link, from any site; only the page itself is sent."""
    return scope["method"] == "GET" and headers.get("sec-fetch-mode") == "navigate"


def _is_api(path: str) -> bool:
    return path.startswith(API_PREFIX) or path == API_PREFIX.rstrip("/")


UPLOAD = -1


def _check_content_type(scope: Scope, headers: Headers) -> int:
    """Return the size limit of a body that is not JSON, ``UPLOAD`` for a dataset's; otherwise 0."""
    has_body = headers.get("content-length", "0") != "0" or "transfer-encoding" in headers
    if scope["method"] in ("GET", "HEAD") or not has_body:
        return 0
    content_type = headers.get("content-type", "").split(";")[0].strip().lower()
    if content_type == JSON:
        return 0
    if scope["path"] == UPLOAD_PATH and content_type in UPLOAD_TYPES:
        return UPLOAD
    if scope["path"] == REPLAY_PATH and content_type in REPLAY_TYPES:
        return MAX_FILE_BYTES
    if PICTURE_PATH.fullmatch(scope["path"]) and content_type in PICTURE_TYPES:
        return MAX_PICTURE_BYTES
    if RECORDED_PATH.fullmatch(scope["path"]) and content_type in RECORDED_TYPES:
        return MAX_RECORDED_BYTES
    if FRAME_PATH.fullmatch(scope["path"]) and content_type in FRAME_TYPES:
        return MAX_FRAME_BYTES
    raise ApiError(
        415,
        "wrong_content_type",
        sentences.WRONG_CONTENT_TYPE,
        given=content_type[:100] or sentences.NO_CONTENT_TYPE.about({}),
        wanted=JSON,
    )


def _check_length(headers: Headers, limit: int) -> None:
    length = headers.get("content-length", "0")
    if re.fullmatch(r"[0-9]{1,18}", length) is None or int(length) > limit:
        raise _too_large(limit)


def _too_large(limit: int) -> ApiError:
    """Return the error for a body that exceeds the route's limit in bytes."""
    return ApiError(413, "too_large", sentences.REQUEST_TOO_LARGE, most=limit)


def _limited(receive: Receive, limit: int) -> Receive:
    """Yield the body, rejected as soon as it exceeds the limit, whatever its header states."""
    seen = 0

    async def limited() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > limit:
            raise _too_large(limit)
        return message

    return limited


def _with_headers(send: Send, is_api: bool, policy: str) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in SAFE_HEADERS.items():
                headers.setdefault(name, value)
            if is_api:
                headers.setdefault("Cache-Control", "no-store")
            headers.setdefault("Content-Security-Policy", policy)
        await send(message)

    return sending
