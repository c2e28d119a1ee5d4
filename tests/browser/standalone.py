"""The editor's standalone page: the built editor and the app's API, without Streamlit.

A Streamlit page costs a browser three processor seconds before the editor starts. The server of the
browser tests is the app with one page more, ``/standalone``. It has the guard, the policy, the
loader and the mount data of the Design page; ``test_standalone`` compares both pages.
``python -m tests.browser.standalone --workspace DIR --port N`` starts it.
"""

from __future__ import annotations

import argparse
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from designer_app.application import Application
from designer_app.editor.component import LOADER, mount_text, pipeline_data, replay_data
from designer_app.security.content_security_policy import page_policy
from designer_app.security.permissions_policy import WITH_CAMERA
from designer_app.server.page_shell import STREAMLIT_DIR
from designer_app.server.server import MAIN_SCRIPT, serve
from designer_app.translation import translated_script
from pipelines.workspace import Workspace

PATH = "/standalone"
PAGE = Path(__file__).with_name("standalone.html")
STYLESHEET = re.compile(r'<link rel="stylesheet"[^>]*>')
FONTS = {
    "--st-font": '"Source Sans", sans-serif, "Source Sans", sans-serif',
    "--st-code-font": '"Source Code Pro", monospace',
}
"""Streamlit's own, which the app does not change."""
COLOURS = {
    "--st-background-color": "backgroundColor",
    "--st-secondary-background-color": "secondaryBackgroundColor",
    "--st-text-color": "textColor",
    "--st-primary-color": "primaryColor",
}
"""The colours of Streamlit's theme that the editor reads, as the app's configuration names them."""


def routes(application: Application) -> list[Route]:
    """Return the routes of the standalone page."""

    def page(request: Request) -> Response:
        content = _page(application, request.query_params)
        headers = {
            "Cache-Control": "no-store",
            "Content-Security-Policy": page_policy(content),
            "Permissions-Policy": WITH_CAMERA,
        }
        return HTMLResponse(content, headers=headers)

    def loader(_request: Request) -> Response:
        script = translated_script(LOADER.read_text(encoding="utf-8"))
        return Response(script, media_type="text/javascript")

    return [Route(PATH, page), Route(f"{PATH}/loader.js", loader)]


def _page(application: Application, address: Mapping[str, str]) -> str:
    replay = address.get("replay")
    data = replay_data(replay) if replay else pipeline_data(application, "")
    text = mount_text(application, data)
    if text is None:
        raise FileNotFoundError("The editor is not built: run `make editor`.")
    parts = {"{stylesheet}": _stylesheet(), "{theme}": _theme(), "{data}": _in_script(text)}
    content = PAGE.read_text(encoding="utf-8")
    for name, part in parts.items():
        content = content.replace(name, part, 1)
    return content


def _stylesheet() -> str:
    """Return the link to Streamlit's style sheet, which has the fonts of the app."""
    found = STYLESHEET.search((STREAMLIT_DIR / "index.html").read_text(encoding="utf-8"))
    return found.group(0) if found else ""


def _theme() -> str:
    """Return the theme of the app as custom properties, light or dark as the browser prefers."""
    given = tomllib.loads((MAIN_SCRIPT.parent / ".streamlit" / "config.toml").read_text("utf-8"))
    rules = {
        theme: _rule({"color-scheme": theme, **_colours(given["theme"][theme])})
        for theme in ("light", "dark")
    }
    dark = f"@media (prefers-color-scheme: dark) {{ {rules['dark']} }}"
    return "\n".join([_rule(FONTS), rules["light"], dark])


def _colours(theme: Mapping[str, str]) -> dict[str, str]:
    return {name: theme[setting] for name, setting in COLOURS.items()}


def _rule(settings: Mapping[str, str]) -> str:
    return f":root {{ {'; '.join(f'{name}: {value}' for name, value in settings.items())} }}"


def _in_script(text: str) -> str:
    """Return JSON that cannot end the script element it is written into."""
    return text.replace("<", "\\u003c")


def main() -> None:
    """Serve the app with the standalone page."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--workspace", type=Path, required=True)
    parser.add_argument("--port", type=int, required=True)
    given = parser.parse_args()
    workspace = Workspace.at(given.workspace).make()
    serve(workspace, given.port, open_browser=False, more_routes=routes)


if __name__ == "__main__":
    main()
