"""Secrets of a server, their owners and lifetimes.

===========  ==================================  ==========================================
secret       owner                               lifetime
===========  ==================================  ==========================================
token        the owner's file, mode 0600         as long as the file; scripts send it
code         the terminal of the server          as long as this server runs
cookie       browsers that gave the code         as long as the token: servers come and go
page token   pages, which only a cookie opens    as long as the token; no use on its own
===========  ==================================  ==========================================
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable

from starlette.datastructures import Headers
from starlette.requests import cookie_parser

TOKEN_HEADER = "x-designer-token"
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Letters without those that are easily confused when a code is typed from a terminal."""
CODE_LETTERS = 16
WRONG_CODES = 10
WRONG_CODES_SECONDS = 60.0
COOKIE_SECONDS = 30 * 24 * 3600


class Credentials:
    """Credentials accepted by a server."""

    def __init__(self, token: str, port: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.code = new_code()
        self.cookie_name = f"designer-{port}"
        """Cookies ignore ports: two servers on one host must not overwrite each other's."""
        self.page_token = _derived(token, "page")
        self.entered = threading.Event()
        """Set after a browser has sent the code."""
        self.cookie_value = _derived(token, "cookie")
        self._token = token
        self._clock = clock
        self._wrong: deque[float] = deque(maxlen=WRONG_CODES)

    def holds(self, headers: Headers) -> bool:
        """Return True if the sender is authenticated: a script by token, a browser by cookie."""
        return self.has_token(headers) or self.has_cookie(headers)

    def has_token(self, headers: Headers) -> bool:
        """Return True if the request has the token of the token file, as the owner's scripts do."""
        return _same(headers.get(TOKEN_HEADER, ""), self._token)

    def has_page_token(self, headers: Headers) -> bool:
        """Return True if the request has the page token; it counts only with the cookie."""
        return _same(headers.get(TOKEN_HEADER, ""), self.page_token)

    def has_cookie(self, headers: Headers) -> bool:
        """Return True if one of the cookies is ours; other programs on this host may add theirs."""
        pairs = (pair for line in headers.getlist("cookie") for pair in line.split(";"))
        cookies = (cookie_parser(pair).get(self.cookie_name, "") for pair in pairs)
        return any(_same(cookie, self.cookie_value) for cookie in cookies)

    def cookie(self, scheme: str) -> str:
        """Return the header that sets the cookie; ``scheme`` is the scheme of the request."""
        secure = "; Secure" if scheme == "https" else ""
        return (
            f"{self.cookie_name}={self.cookie_value}; Path=/; Max-Age={COOKIE_SECONDS}; "
            f"HttpOnly; SameSite=Strict{secure}"
        )

    def is_code(self, typed: str) -> bool:
        """Return True if this is the server's code, in any notation.

        The correct code is always accepted: if it were rejected after many wrong ones, any program
        on this machine could lock the owner out. Guessing is infeasible: there are 7e23 codes.
        """
        address = re.search(r"code=([^\s&]*)", typed)
        plain = re.sub(r"[\s-]", "", address.group(1) if address else typed).lower()
        right = _same(plain, self.code.replace("-", ""))
        if right:
            self.entered.set()
        else:
            self._wrong.append(self._clock())
        return right

    def seconds_to_wait(self) -> int:
        """Return the remaining seconds of the limit on wrong codes; 0 if it is not reached."""
        if len(self._wrong) < WRONG_CODES:
            return 0
        left = self._wrong[0] + WRONG_CODES_SECONDS - self._clock()
        return max(0, round(left + 0.5))


def new_code() -> str:
    """Return a new code in groups of four letters, easy to read and type."""
    letters = "".join(secrets.choice(LETTERS) for _ in range(CODE_LETTERS))
    return "-".join(letters[at : at + 4] for at in range(0, CODE_LETTERS, 4))


def _derived(token: str, purpose: str) -> str:
    return hmac.new(token.encode(), f"designer {purpose}".encode(), hashlib.sha256).hexdigest()


def _same(received: str, expected: str) -> bool:
    return secrets.compare_digest(received.encode(), expected.encode())
