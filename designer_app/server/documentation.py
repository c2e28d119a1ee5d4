"""Built documentation at ``/docs``; if it is missing, a page that explains how to build it."""

from __future__ import annotations

from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from designer_app.security.content_security_policy import page_policy
from designer_app.settings import DOCUMENTATION_PATH

DOCUMENTATION_DIR = Path(__file__).resolve().parents[1] / "documentation"
"""Output folder of ``make docs``, included in the wheel."""
NOT_BUILT = """<!doctype html><html lang="en"><title>Documentation</title>
<h1>The documentation is not built</h1>
<p>Run <code>make docs</code> in the checkout, then reload this page. Wheels contain it.</p>
</html>"""
NO_SUCH_PAGE = """<!doctype html><html lang="en"><title>Not found</title>
<h1>Page not found</h1><p><a href="/docs/index.html">Open the documentation</a></p></html>"""


class DocumentationFiles(StaticFiles):
    """Pages of the documentation, each with a policy that allows its own inline scripts."""

    def __init__(self, directory: Path = DOCUMENTATION_DIR) -> None:
        super().__init__(directory=directory, check_dir=False, html=True)
        self._index = directory / "index.html"

    async def check_config(self) -> None:
        """Accept a folder that does not exist yet, for which Starlette raises an error."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        if not self._index.is_file():
            return HTMLResponse(NOT_BUILT, 404)
        try:
            response = await super().get_response(path, scope)
        except HTTPException as error:
            if error.status_code != 404:
                raise
            return HTMLResponse(NO_SUCH_PAGE, 404)
        response.headers["Cache-Control"] = "no-cache"
        page = self._page(path)
        if page is not None:
            response.headers["Content-Security-Policy"] = page_policy(page)
        return response

    def _page(self, path: str) -> str | None:
        """Return the text of a page; None for other files."""
        full_path, state = self.lookup_path("index.html" if path in (".", "") else path)
        if state is None or not full_path.endswith(".html"):
            return None
        return Path(full_path).read_text(encoding="utf-8")


def documentation_routes(directory: Path = DOCUMENTATION_DIR) -> list[BaseRoute]:
    """Return the routes of the documentation; ``/docs`` leads to its first page."""
    return [
        Route(DOCUMENTATION_PATH, _to_first_page),
        Mount(DOCUMENTATION_PATH, DocumentationFiles(directory)),
    ]


def _to_first_page(_request: Request) -> Response:
    return RedirectResponse(f"{DOCUMENTATION_PATH}/index.html")
