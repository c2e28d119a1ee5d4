"""Checks of every request to an endpoint before it is routed: host, site, key, size of the body."""

from __future__ import annotations

import re

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from designer_app.errors import ApiError
from designer_app.responses import answer
from designer_app.security import sentences as security
from designer_app.security.rejected_body import discard_body
from designer_app.serving import sentences
from designer_app.serving.batch_queue import busy
from designer_app.serving.settings import EndpointSettings
from designer_app.serving.trial_page import PATHS as PAGE_PATHS
from designer_app.settings import LOOPBACK_NAMES
from pipelines.registry.caller_keys import bearer_key, is_one_of

OPEN_PATHS = frozenset(
    {
        *("/health/live", "/health/ready", "/v2/health/live", "/v2/health/ready"),
        *("/openapi.json", *PAGE_PATHS),
    }
)
"""Addresses that need no key: supervisors and load balancers have none,
and the page asks for one."""
SAFE_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
}


class EndpointGate:
    """ASGI middleware of an endpoint."""

    def __init__(self, app: ASGIApp, settings: EndpointSettings) -> None:
        self.app = app
        self.settings = settings
        self.stored_digests: tuple[str, ...] = ()
        """Hashes of the stored keys; replaced while the server runs."""
        self._buffered = 0
        self._hosts = frozenset(f"{name}:{settings.port}" for name in LOOPBACK_NAMES)

    @property
    def needs_key(self) -> bool:
        """Return True if callers must send a key."""
        return bool(self.settings.key_digests or self.stored_digests)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return
        send = _with_headers(send)
        headers = Headers(scope=scope)
        try:
            self._check(scope, headers)
        except ApiError as refusal:
            await discard_body(headers, receive)
            fields = {"Connection": "close"}
            if refusal.status == 401:
                fields["WWW-Authenticate"] = "Bearer"
            await answer(refusal.body, refusal.status, fields)(scope, receive, send)
            return
        budget = _Body(self, receive)
        try:
            await self.app(scope, budget.receive, send)
        except ClientDisconnect:
            pass  # no client is left to answer
        finally:
            self._buffered -= budget.seen

    def _check(self, scope: Scope, headers: Headers) -> None:
        if self.settings.is_local and headers.get("host", "").lower() not in self._hosts:
            raise ApiError(403, "wrong_host", sentences.ENDPOINT_HOST)
        if scope["path"] == "/" and scope["method"] == "GET":
            return  # the page itself, which a link on any page may open
        origin = headers.get("origin")
        if origin is not None and origin.partition("://")[2] != headers.get("host"):
            raise ApiError(403, "wrong_origin", sentences.ENDPOINT_ORIGIN)
        if headers.get("sec-fetch-site") not in (None, "same-origin", "none"):
            raise ApiError(403, "wrong_origin", sentences.ENDPOINT_ORIGIN)
        if self.needs_key and scope["path"] not in OPEN_PATHS:
            digests = (*self.settings.key_digests, *self.stored_digests)
            if not is_one_of(bearer_key(headers.get("authorization")), digests):
                raise ApiError(401, "wrong_key", sentences.ENDPOINT_KEY)
        length = headers.get("content-length", "0")
        if re.fullmatch(r"[0-9]{1,18}", length) is None or self._is_too_large(int(length)):
            raise self._too_large()

    def _is_too_large(self, num_bytes: int) -> bool:
        return num_bytes > self.settings.limits.body_bytes

    def _too_large(self) -> ApiError:
        most = self.settings.limits.body_bytes
        return ApiError(413, "too_large", security.REQUEST_TOO_LARGE, most=most)

    def add(self, num_bytes: int, seen: int) -> None:
        """Count bytes of a body; raises ``ApiError`` beyond one of the limits."""
        self._buffered += num_bytes
        if self._is_too_large(seen):
            raise self._too_large()
        if self._buffered > self.settings.limits.buffered_bytes:
            raise busy()


class _Body:
    """A body that is received, within the limits for one and for all."""

    def __init__(self, gate: EndpointGate, receive: Receive) -> None:
        self.seen = 0
        self._gate = gate
        self._receive = receive

    async def receive(self) -> Message:
        message = await self._receive()
        num_bytes = len(message.get("body", b""))
        self.seen += num_bytes
        self._gate.add(num_bytes, self.seen)
        return message


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in SAFE_HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sending
