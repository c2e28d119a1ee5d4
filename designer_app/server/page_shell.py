"""HTML page of every screen: Streamlit's own, with preloads and settings in its head.

Unmodified, a browser first looks for the server below the address of the screen, waits for that
error, fetches the script of the elements only when one is drawn, and then the editor.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st
from starlette.convertors import StringConvertor, register_url_convertor
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from designer_app.editor.static_files import ENTRY, STATIC_DIR, STATIC_PATH
from designer_app.schemas.identifiers import PATH_PATTERNS
from designer_app.security.content_security_policy import page_policy
from designer_app.security.permissions_policy import WITH_CAMERA
from designer_app.server.page_outline import PAGE_OUTLINE
from designer_app.server.theme_switch import THEME_FOLLOWED, THEME_SWITCH
from designer_app.translation import _, browser_catalog
from designer_app.ui.page_list import PAGES
from designer_app.ui.query_params import UNKNOWN_PAGE
from designer_app.ui.styles import COMMON

STREAMLIT_DIR = Path(st.__file__).resolve().parent / "static"
ELEMENTS = "../lib/src/components/widgets/BidiComponent/BidiComponent.tsx"
"""Entry of custom elements in Streamlit's manifest."""
SCREENS = tuple(page.address for page in PAGES.values())
"""Addresses of the pages of `designer_app.screens`."""
WITH_EDITOR = dict.fromkeys(("design", "runs", "run"), "modulepreload")
HERE = """<script>
  window.__streamlit = {
    BACKEND_BASE_URL: location.origin,
    HOST_CONFIG: { allowedOrigins: [location.origin], useExternalAuthToken: false },
  };
</script>"""
PREPARE = """<script type="module">
  import {{ prepare }} from "{entry}";
  const address = new URLSearchParams(location.search);
  const idOf = (name, pattern) => pattern.test(address.get(name) ?? "") ? address.get(name) : null;
  const ids = {{ {ids} }};
  if (ids.{first}Id) prepare({{ apiBase: "/api", token: "{token}", ...ids }});
</script>"""
"""Script that runs while Streamlit connects. The token is the page token, useless without the
cookie of an authenticated browser. A text that is not an id could change the path of a request."""
PREPARED = {"design": ("pipeline", "run"), "run": ("run",)}
"""Screens whose data is requested, by the ids in the address, before Streamlit has connected."""

DRAWER = """<script>
  addEventListener("click", (event) => {
    const page = event.target.closest?.("[data-testid=stSidebarNavLink]");
    const close = "[data-testid=stSidebarCollapseButton] button";
    if (page) setTimeout(() => document.querySelector(close)?.click());
  });
</script>"""
"""Script that closes the drawer of pages, which narrow windows have, once a page is chosen."""

HISTORY = """<script>
  (() => {
    const push = history.pushState.bind(history);
    const SWITCH_MILLISECONDS = 5000;
    let queried = "";
    let since = 0;
    history.pushState = (state, unused, url) => {
      const [from, to] = [new URL(location.href), new URL(url ?? "", location.href)];
      const isSamePage = from.pathname === to.pathname;
      const isSwitch = from.href === queried && performance.now() - since < SWITCH_MILLISECONDS;
      if (isSwitch && !isSamePage && from.search === to.search)
        history.replaceState(state, unused, url);
      else push(state, unused, url);
      queried = isSamePage ? to.href : "";
      since = performance.now();
    };
  })();
</script>"""
"""Script that keeps *Back* right: ``st.switch_page`` adds the page that is left with the query of
the next page to the history, then the next page. That page takes the place of the first one."""

THEIR_WORDS = {
    "Connection error": _("The server is not responding"),
    "Streamlit server is not responding. Are you connected to the internet?": (
        _("Start it again, or wait. This page continues automatically.")
    ),
}
"""Texts of Streamlit for an unreachable server, and their replacements: no internet is needed."""
WORDS = f"""<script>
  addEventListener("DOMContentLoaded", () => {{
    const ours = new Map(Object.entries({json.dumps(THEIR_WORDS)}));
    const replaceTexts = (dialog) => {{
      const texts = document.createTreeWalker(dialog, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {{
        const words = ours.get(texts.currentNode.data.trim());
        if (words) texts.currentNode.data = words;
      }}
    }};
    new MutationObserver((changes) => {{
      for (const dialog of changes.flatMap((change) => [...change.addedNodes]))
        for (const wait of [0, 100, 500]) setTimeout(replaceTexts, wait, dialog);
    }}).observe(document.body, {{ childList: true }});
  }});
</script>"""
"""Script that replaces these texts; Streamlit adds and fills dialogs late, outside the app."""

Manifest = Mapping[str, Mapping[str, Any]]


class _PageName(StringConvertor):
    """Single word as an address; no file or route of Streamlit has such a name."""

    regex = r"[A-Za-z][A-Za-z0-9_-]*"


register_url_convertor("page", _PageName())


def page_routes(page_token: str) -> list[Route]:
    """Return the routes of the screens; none if Streamlit's page has an unexpected structure."""

    def serve(request: Request) -> Response:
        page = page_of_screen(request.url.path[1:], page_token)
        policy = page_policy(page)
        headers = {
            "Cache-Control": "no-store",
            "Content-Security-Policy": policy,
            "Permissions-Policy": WITH_CAMERA,
        }
        return HTMLResponse(page, headers=headers)

    def send_home(request: Request) -> Response:
        """Redirect unknown pages; Streamlit would show a dialog about files of the app."""
        return RedirectResponse(f"/?{UNKNOWN_PAGE}={request.path_params['name']}")

    if "</head>" not in _streamlit_page():
        return []
    screens = [Route(f"/{screen}", serve, methods=["GET"], name=screen) for screen in SCREENS]
    return [*screens, Route("/{name:page}", send_home, methods=["GET"], name="unknown")]


def streamlit_policy() -> str:
    """Return the Content-Security-Policy of Streamlit's unmodified page."""
    return page_policy(_streamlit_page())


def page_of_screen(screen: str, page_token: str) -> str:
    """Return Streamlit's page with the additions of a screen at the end of its head."""
    # used by every screen: fetched in parallel with Streamlit's scripts, not after them
    elements = files_of_entry(read_manifest(STREAMLIT_DIR / "manifest.json"), ELEMENTS)
    catalog = browser_catalog()
    head = [
        catalog_script(catalog) if catalog else "",
        HERE,
        THEME_FOLLOWED,
        DRAWER,
        HISTORY,
        WORDS,
        COMMON,
        PAGE_OUTLINE,
        THEME_SWITCH,
        *(_link("modulepreload", f"./{file}") for file in elements),
    ]
    # the editor: preloaded if the screen shows it, otherwise prefetched when the browser is idle
    editor = [
        f"{STATIC_PATH}/{file}"
        for file in files_of_entry(read_manifest(STATIC_DIR / "manifest.json"), ENTRY)
    ]
    head += [_link(WITH_EDITOR.get(screen, "prefetch"), file) for file in editor]
    if (names := PREPARED.get(screen)) and editor:
        known = {name: PATH_PATTERNS[f"{name}_id"] for name in names}
        ids = ", ".join(f'{name}Id: idOf("{name}", /^{known[name]}$/)' for name in names)
        head.append(PREPARE.format(entry=editor[0], token=page_token, ids=ids, first=names[0]))
    page = _streamlit_page().replace("</head>", "\n".join([*filter(None, head), "</head>"]), 1)
    return page.replace('lang="en"', f'lang="{catalog["language"]}"', 1) if catalog else page


def catalog_script(catalog: Mapping[str, object]) -> str:
    """Return the script with the translations for all scripts of the page."""
    content = json.dumps(catalog, ensure_ascii=False).replace("<", "\\u003c")
    return f"<script>globalThis.designerCatalog = {content};</script>"


def _link(relation: str, file: str) -> str:
    known = f'href="{file}"' in _streamlit_page()
    return "" if known else f'<link rel="{relation}" as="script" crossorigin href="{file}">'


def files_of_entry(manifest: Manifest, entry: str) -> list[str]:
    """Return the files of a built script and of all its imports; none if it is missing."""
    return list(dict.fromkeys(_files(manifest, entry, set())))


def _files(manifest: Manifest, name: str, known: set[str]) -> Iterator[str]:
    part = manifest.get(name)
    if name in known or part is None:
        return
    known.add(name)
    yield part["file"]
    for other in part.get("imports", ()):
        yield from _files(manifest, other, known)


@cache
def _streamlit_page() -> str:
    path = STREAMLIT_DIR / "index.html"
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def read_manifest(path: Path) -> Manifest:
    """Return the manifest of a build; an empty one if it is missing or damaged."""
    try:
        manifest: Manifest = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return manifest
