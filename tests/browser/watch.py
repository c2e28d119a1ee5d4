"""What pages say on their console and whom they call: a page that complains fails its test."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from playwright.sync_api import BrowserContext, ConsoleMessage, Request, WebError

GONE = (
    r"ERR_(CONNECTION_REFUSED|CONNECTION_RESET|SOCKET_NOT_CONNECTED|EMPTY_RESPONSE)",
    r"ERR_(INCOMPLETE_CHUNKED_ENCODING|CONTENT_LENGTH_MISMATCH)",
    r"WebSocket connection",
    r"Client Error in reaching server endpoint",
    r"Streamlit server is not responding",
    r"Failed to fetch dynamically imported module",
)
"""What the browser itself says of a server that is not there."""
HERE = re.compile(r"(https?|wss?)://127\.0\.0\.1[:/]|data:|blob:|about:|file:")


@dataclass
class Watch:
    """What pages said on their console, and whom they called."""

    complaints: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)
    forgiven: list[str] = field(default_factory=list)

    def forgive(self, *patterns: str) -> None:
        """Complaints that a test brings about, such as those of a server that is gone."""
        self.forgiven.extend(patterns)

    def attach(self, context: BrowserContext) -> None:
        context.on("request", self._on_request)
        context.on("console", self._on_console)
        context.on("weberror", self._on_error)

    def detach(self, context: BrowserContext) -> None:
        context.remove_listener("request", self._on_request)
        context.remove_listener("console", self._on_console)
        context.remove_listener("weberror", self._on_error)

    def verdict(self) -> list[str]:
        """Everything that should not have happened."""
        unforgiven = [
            each
            for each in self.complaints
            if not any(re.search(pattern, each) for pattern in self.forgiven)
        ]
        return unforgiven + [f"left the machine: {each}" for each in self.foreign]

    def _on_request(self, request: Request) -> None:
        if not HERE.match(request.url):
            self.foreign.append(request.url)

    def _on_console(self, message: ConsoleMessage) -> None:
        page = message.page
        if page is not None and page.url.endswith("/favicon.png"):
            return  # of no test: it keeps the site's process, and asks for an icon at any time
        if message.type == "error":
            self.complaints.append(f"{message.text} ({message.location.get('url', '')})")

    def _on_error(self, raised: WebError) -> None:
        error = raised.error
        self.complaints.append(f"{error.message}\n{error.stack or ''}")
