"""Page Camera: its own HTML with its own script, without Streamlit."""

from __future__ import annotations

import base64
import json
import re
from functools import cache
from html import escape
from pathlib import Path
from string import Template

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from designer_app.editor.static_files import CAMERA_ENTRY, STATIC_DIR, STATIC_PATH
from designer_app.security.content_security_policy import camera_policy
from designer_app.security.permissions_policy import WITH_CAMERA
from designer_app.server.page_shell import (
    STREAMLIT_DIR,
    catalog_script,
    files_of_entry,
    read_manifest,
)
from designer_app.server.theme_switch import THEME_FOLLOWED, THEME_SWITCH
from designer_app.translation import _, browser_catalog
from designer_app.ui.page_list import PAGES

PATH = "/camera"
ICON = Path(__file__).resolve().parents[1] / "elements" / "icon.svg"
STYLESHEET = re.compile(r'<link rel="stylesheet"[^>]*>')
"""Streamlit's style sheet has the fonts of the app."""
PAGE = Template("""<!doctype html>
<html lang="$language">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>$title · Pipeline Designer</title>
<link rel="icon" href="data:image/svg+xml;base64,$icon">
$head
</head>
<body>
<div id="camera" data-token="$token" data-pages="$pages">$notice</div>
$script
</body>
</html>
""")


def camera_route(page_token: str) -> Route:
    """Return the route of the page; ``page_token`` is useless without the cookie."""

    def serve(_request: Request) -> Response:
        page = camera_page(page_token)
        headers = {
            "Cache-Control": "no-store",
            "Content-Security-Policy": camera_policy(page),
            "Permissions-Policy": WITH_CAMERA,
        }
        return HTMLResponse(page, headers=headers)

    return Route(PATH, serve, methods=["GET"], name="camera")


def camera_page(page_token: str, static_dir: Path = STATIC_DIR) -> str:
    """Return the page; without the built script it says how to build it."""
    entry, *imported = files_of_entry(
        read_manifest(static_dir / "manifest.json"), CAMERA_ENTRY
    ) or [""]
    notice = _("The editor is not built: run `make editor`, then reload this page.")
    catalog = browser_catalog()
    head = [
        _stylesheet(),
        *(f'<link rel="modulepreload" href="{STATIC_PATH}/{file}">' for file in imported),
        catalog_script(catalog) if catalog else "",
        THEME_FOLLOWED,
        THEME_SWITCH,
    ]
    return PAGE.substitute(
        language=catalog["language"] if catalog else "en",
        title=escape(_("Camera")),
        icon=base64.b64encode(ICON.read_bytes()).decode("ascii"),
        head="\n".join(filter(None, head)),
        token=escape(page_token),
        pages=escape(json.dumps(listed_pages())),
        notice="" if entry else f"<p>{escape(notice)}</p>",
        script=f'<script type="module" src="{STATIC_PATH}/{entry}"></script>' if entry else "",
    )


def listed_pages() -> list[dict[str, str]]:
    """Return the entries of the navigation, the same as on the other pages."""
    return [
        {"title": page.title, "icon": page.icon, "address": f"/{page.address}"}
        for page in PAGES.values()
        if page.is_listed
    ]


@cache
def _stylesheet() -> str:
    link = STYLESHEET.search((STREAMLIT_DIR / "index.html").read_text(encoding="utf-8"))
    return link.group(0).replace('href="./', 'href="/') if link else ""
