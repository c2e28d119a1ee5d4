"""Content-Security-Policy: permissions of each kind of page.

Streamlit's front end puts its styles into ``<style>`` elements (``'unsafe-inline'`` for styles
only) and the scripts of elements into blobs (``blob:``); its charts are rendered by an interpreter,
so that nothing needs ``'unsafe-eval'``. Inline scripts are allowed by their hashes.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Iterator

SCRIPT = re.compile(r"<script(?:\s[^<>]*)?>")
STYLE = re.compile(r"<style(?:\s[^<>]*)?>")
"""Opening tags only; closing tags are searched for separately, which takes linear time."""
DATA_POLICY = "default-src 'none'; frame-ancestors 'none'"
"""Policy of responses other than pages: a browser that renders one can execute nothing."""


def page_policy(page: str) -> str:
    """Return the policy of a Streamlit page with the inline scripts of ``page``."""
    return _joined(
        "default-src 'self'",
        f"script-src 'self' blob: {_hashes(_contents(page, SCRIPT, '</script>'))}",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "media-src 'self' data: blob:",
        "connect-src 'self'",
        "worker-src 'self' blob:",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'self'",
    )


def camera_policy(page: str) -> str:
    """Return the policy of the page Camera: built files, the API, and what ``page`` has inline."""
    return _joined(
        "default-src 'none'",
        f"script-src 'self' {_hashes(_contents(page, SCRIPT, '</script>'))}",
        f"style-src 'self' {_hashes(_contents(page, STYLE, '</style>'))}",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )


def small_page_policy(page: str) -> str:
    """Return the policy of a self-contained page: its own script and style, nothing else."""
    styles = _hashes(_contents(page, STYLE, "</style>")) or "'none'"
    return _joined(
        "default-src 'none'",
        f"script-src {_hashes(_contents(page, SCRIPT, '</script>'))}",
        f"style-src {styles}",
        "img-src data:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )


def _contents(page: str, opening: re.Pattern[str], end: str) -> Iterator[str]:
    """Return the texts between opening tags and the next closing tag."""
    place = 0
    while (tag := opening.search(page, place)) and (place := page.find(end, tag.end())) >= 0:
        yield page[tag.end() : place]


def _hashes(texts: Iterable[str]) -> str:
    digests = [hashlib.sha256(text.encode()).digest() for text in texts if text.strip()]
    return " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)


def _joined(*directives: str) -> str:
    return "; ".join(directive.strip() for directive in directives)
