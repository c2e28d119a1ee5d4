"""What every request must pass before a route sees it. Streamlit checks none of it for our routes.

A page of another site, or of another program on this host, can make a browser send requests here,
even with the cookie; it cannot read what a page is told, cannot send a header of its own, and
cannot pretend to be this host. Refused: another Host (DNS rebinding), another Origin, a sender who
has not proved himself (``designer_app.entrance``), at ``/api`` also a browser without the page's
token, a body of another content type, a body that is too long.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from designer_app.api import sentences
from designer_app.api.errors import ApiError, not_found, too_large, translated
from designer_app.api.responses import JSON, answer
from designer_app.application import Application
from designer_app.content_security_policy import DATA_POLICY, page_policy
from designer_app.entrance.door import NotLetInError, answer_at_door
from pipelines.documents.document import MAX_BYTES
from pipelines.replay.format import MAX_FILE_BYTES

logger = logging.getLogger(__name__)

API_PREFIX = "/api/"
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
SAFE_HEADERS: Mapping[str, str] = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "SAMEORIGIN",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Guard:
    """ASGI middleware around the whole app; the stricter checks hold for ``/api``."""

    def __init__(
        self, app: ASGIApp, application: Application, policy: str = page_policy("")
    ) -> None:
        """``policy`` is the Content-Security-Policy of pages that bring none of their own."""
        self.app = app
        self.application = application
        self.policy = policy

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
        if self._is_host_allowed(headers) and ours and self.application.proof.holds(headers):
            await self.app(scope, receive, send)
        else:  # Streamlit would look up this machine's addresses on the network to be sure
            await receive()
            await send({"type": "websocket.close", "code": 1008})

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_api = _is_api(scope["path"])
        send = _with_headers(send, is_api, DATA_POLICY if is_api else self.policy)
        try:
            self._check_address(scope, Headers(scope=scope), is_api)
            response = await answer_at_door(self.application.proof, scope, receive)
            limit = self._check_call(scope, Headers(scope=scope)) if is_api else 0
        except (ApiError, NotLetInError) as error:
            refusal = translated(error)
            # what is left of a refused body is not waited for
            response = answer(refusal.to_json(), refusal.status, {"Connection": "close"})
        if response is not None:
            await response(scope, receive, send)
            return
        try:
            await self.app(scope, _limited(receive, limit) if is_api else receive, send)
        except ClientDisconnect:
            # nobody is left to answer; what was received of the request has been dropped
            logger.info("The client left in the middle of %s %s.", scope["method"], scope["path"])

    def _check_address(self, scope: Scope, headers: Headers, is_api: bool) -> None:
        """Raise ``ApiError`` for what is asked under another name, or by another site."""
        if not self._is_host_allowed(headers):
            raise ApiError(403, "wrong_host", sentences.WRONG_HOST)
        if scope["path"].rstrip("/") in CLOSED_PATHS:
            raise not_found(sentences.NOTHING_HERE)
        if is_api or not _is_visit(scope, headers):
            self._check_origin(headers)

    def _check_call(self, scope: Scope, headers: Headers) -> int:
        """The most bytes that the body of a call may have; raises ``ApiError``."""
        self._check_token(headers)
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
            raise ApiError(403, "wrong_origin", sentences.WRONG_ORIGIN)

    def _check_token(self, headers: Headers) -> None:
        """Of a browser, besides its cookie, what only pages of this workspace know."""
        proof = self.application.proof
        if not proof.has_token(headers) and not proof.has_page_token(headers):
            raise ApiError(401, "wrong_token", sentences.WRONG_TOKEN)


def _is_visit(scope: Scope, headers: Headers) -> bool:
    """Whether somebody goes to a page by a link, wherever that stands; the page is all he gets."""
    return scope["method"] == "GET" and headers.get("sec-fetch-mode") == "navigate"


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
        sentences.WRONG_CONTENT_TYPE,
        given=given[:100] or sentences.NO_CONTENT_TYPE.about({}),
        wanted=JSON,
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
