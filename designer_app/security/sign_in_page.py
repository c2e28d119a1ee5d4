"""Sign-in page, and the intermediate page after it."""

from __future__ import annotations

import base64
from functools import cache
from html import escape
from pathlib import Path
from string import Template

from starlette.responses import HTMLResponse, Response

from designer_app.security.content_security_policy import small_page_policy
from designer_app.translation import _, translated_page

HERE = Path(__file__).resolve().parent
ICON = HERE.parent / "elements" / "icon.svg"
WRONG = _("Wrong code. The code changes each time the designer is started.")
WAIT = _("Too many wrong codes. Enter the code from the terminal.")
ON = Template("""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Pipeline Designer</title>
<noscript><meta http-equiv="refresh" content="0; url=$path"></noscript>
</head>
<body>
<a id="on" href="$path" hidden>Continue</a>
<script>location.replace(document.getElementById("on").href);</script>
</body>
</html>
""")


def code_page(status: int = 401, wrong: str = "") -> Response:
    """Return the page that asks for the code."""
    notice = f'<p class="wrong" role="alert">{escape(wrong)}</p>' if wrong else ""
    page = _template().substitute(wrong=notice, icon=_icon(), icon64=_icon64())
    answer = _small_page(page, status, "same-origin")
    answer.headers["Connection"] = "close"  # unauthenticated clients keep no connection
    return answer


def on_page(path: str) -> Response:
    """Return a page that forwards to a page of this server and drops the referrer.

    A redirect would not work: if another program has opened the browser here, the next request
    would lack the strict cookie that this response sets.
    """
    return _small_page(ON.substitute(path=escape(path)), 200, "no-referrer")


def _small_page(page: str, status: int, referrer: str) -> Response:
    headers = {
        "Content-Security-Policy": small_page_policy(page),
        "Cache-Control": "no-store",
        "Referrer-Policy": referrer,
    }
    return HTMLResponse(page, status, headers)


@cache
def _template() -> Template:
    return Template(translated_page((HERE / "sign_in_page.html").read_text(encoding="utf-8")))


@cache
def _icon() -> str:
    return ICON.read_text(encoding="utf-8").replace("<svg ", '<svg aria-hidden="true" ', 1)


@cache
def _icon64() -> str:
    return base64.b64encode(ICON.read_bytes()).decode()
