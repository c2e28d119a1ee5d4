"""What a browser sees before it is let in, and the step in between."""

from __future__ import annotations

import base64
from functools import cache
from html import escape
from pathlib import Path
from string import Template

from starlette.responses import HTMLResponse, Response

from designer_app.content_security_policy import small_page_policy

HERE = Path(__file__).resolve().parent
ICON = HERE.parent / "elements" / "icon.svg"
WRONG = "Wrong code. The code changes each time the designer is started."
WAIT = "Too many wrong codes. Enter the code from the terminal."
ON = Template("""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Pipeline Designer</title>
<noscript><meta http-equiv="refresh" content="0; url=$path"></noscript>
</head>
<body>
<a id="on" href="$path" hidden>Go on</a>
<script>location.replace(document.getElementById("on").href);</script>
</body>
</html>
""")


def code_page(status: int = 401, wrong: str = "") -> Response:
    """The page that asks for the code."""
    notice = f'<p class="wrong" role="alert">{escape(wrong)}</p>' if wrong else ""
    page = _template().substitute(wrong=notice, icon=_icon(), icon64=_icon64())
    answer = _small_page(page, status, "same-origin")
    answer.headers["Connection"] = "close"  # who is not let in keeps no connection
    return answer


def on_page(path: str) -> Response:
    """Goes on to a page of this server, without a trace of the address that it was asked by.

    A redirect would not do: of a browser that another program has sent here, the next request
    would come without the strict cookie that this answer sets.
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
    return Template((HERE / "page.html").read_text(encoding="utf-8"))


@cache
def _icon() -> str:
    return ICON.read_text(encoding="utf-8").replace("<svg ", '<svg aria-hidden="true" ', 1)


@cache
def _icon64() -> str:
    return base64.b64encode(ICON.read_bytes()).decode()
