"""The page around every screen: what it adds to Streamlit's own, and what that rests upon."""

from __future__ import annotations

import json
from typing import Any

import pytest

from designer_app.schemas.identifiers import PATH_PATTERNS
from designer_app.screens.pages import SHOWN
from designer_app.server import page_shell
from designer_app.server.page_shell import (
    ELEMENTS,
    PREPARED,
    SCREENS,
    STREAMLIT_DIR,
    THEIR_WORDS,
    files_of_entry,
    page_of_screen,
)
from designer_app.ui.page_list import PAGES

NAMED = ("pipeline", "run")
TOKEN = "a-page-token"


def test_streamlit_is_as_the_page_shell_takes_it_to_be() -> None:
    """Without these the pages still work, but each first visit waits longer: look again at what
    `page_shell` says about Streamlit when one of them fails after an upgrade."""
    page = (STREAMLIT_DIR / "index.html").read_text(encoding="utf-8")
    assert page.count("</head>") == 1
    manifest = json.loads((STREAMLIT_DIR / "manifest.json").read_text(encoding="utf-8"))
    elements = files_of_entry(manifest, ELEMENTS)
    assert elements
    assert all((STREAMLIT_DIR / file).is_file() for file in elements)
    scripts = [path.read_text(encoding="utf-8") for path in STREAMLIT_DIR.glob("static/js/*.js")]
    read = ("window.__streamlit", "BACKEND_BASE_URL", "HOST_CONFIG", "allowedOrigins")
    for words in (read, THEIR_WORDS):
        assert any(all(name in script for name in words) for script in scripts)


def test_all_that_streamlit_ships_is_kept_and_ours_comes_in_front_of_its_body() -> None:
    shipped = (STREAMLIT_DIR / "index.html").read_text(encoding="utf-8")
    begin, end = shipped.split("</head>")
    for screen in SCREENS:
        page = page_of_screen(screen, TOKEN)
        assert page.startswith(begin)
        assert page.endswith(f"</head>{end}")
        ours = page.removeprefix(begin).removesuffix(f"</head>{end}")
        assert "window.__streamlit = {" in ours
        assert (TOKEN in ours) == (screen in PREPARED)


def test_what_the_address_names_is_asked_for_before_streamlit_has_connected() -> None:
    ids = {name: f'{name}Id: idOf("{name}", /^{PATH_PATTERNS[f"{name}_id"]}$/)' for name in NAMED}
    design, run = page_of_screen("design", TOKEN), page_of_screen("run", TOKEN)
    assert f"{{ {ids['pipeline']}, {ids['run']} }}" in design
    assert "if (ids.pipelineId)" in design
    assert f"{{ {ids['run']} }}" in run
    assert "if (ids.runId)" in run


def test_a_page_in_another_language_has_its_catalog_before_all_scripts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    catalog = {"language": "cs", "texts": {"Close": "</script>Zavřít"}}
    monkeypatch.setattr(page_shell, "browser_catalog", lambda: catalog)
    page = page_of_screen("design", TOKEN)
    assert '<html lang="cs">' in page
    _, end = page.split("globalThis.designerCatalog = ")
    assert "</script>" not in end.split(";</script>")[0]
    assert json.loads(end.split(";</script>")[0]) == catalog
    assert end.index(";</script>") < end.index("prepare")


def test_every_screen_has_a_function_that_draws_it() -> None:
    assert {page.address for page in PAGES.values()} == set(SCREENS)
    assert set(SHOWN) == set(PAGES)


def test_a_script_needs_all_that_it_imports() -> None:
    manifest: dict[str, dict[str, Any]] = {
        "a": {"file": "a.js", "imports": ["b", "c"]},
        "b": {"file": "b.js", "imports": ["a", "c"]},
        "c": {"file": "c.js"},
    }
    assert files_of_entry(manifest, "a") == ["a.js", "b.js", "c.js"]
    assert files_of_entry(manifest, "gone") == []
