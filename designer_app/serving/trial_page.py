"""Page of an endpoint that classifies an image in the browser, with its own files only."""

from __future__ import annotations

from functools import cache
from html import escape
from pathlib import Path
from string import Template

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from designer_app.translation import translated_page, translated_script

HERE = Path(__file__).resolve().parent / "page"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' blob: data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
PATHS = frozenset({"/", "/page.js", "/page.css"})


@cache
def _text(name: str) -> str:
    return (HERE / name).read_text("utf-8")


def page_routes(name: str) -> list[Route]:
    """Return the addresses of the page of an endpoint of this name."""
    page = Template(translated_page(_text("index.html"))).safe_substitute(name=escape(name))
    script = translated_script(_text("page.js"))
    contents = {
        "/": (page, "text/html"),
        "/page.js": (script, "text/javascript"),
        "/page.css": (_text("page.css"), "text/css"),
    }

    async def serve(request: Request) -> Response:
        content, media_type = contents[request.url.path]
        headers = {"Content-Security-Policy": POLICY}
        return Response(content, headers=headers, media_type=media_type)

    return [Route(path, serve, methods=["GET"]) for path in contents]
