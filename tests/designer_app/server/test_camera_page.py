"""The page Camera: its script, what it may load, and who may use the camera."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path

from designer_app.server.camera_page import camera_page
from designer_app.server.page_shell import SCREENS
from designer_app.server.theme_switch import THEME_FOLLOWED, THEME_SWITCH
from designer_app.ui.page_list import PAGES
from tests.designer_app.http import Client


def allowed(client: Client, path: str) -> str:
    """Return what the Permissions-Policy says of cameras."""
    policy = client.get(path).headers["permissions-policy"]
    found = re.search(r"camera=\(([^)]*)\)", policy)
    assert found is not None
    assert "microphone=()" in policy
    return found.group(1)


def test_only_pages_that_show_a_camera_may_use_it(client: Client) -> None:
    assert allowed(client, "/camera") == "self"
    # Try a picture is on pages of runs and models, and Streamlit draws them in any document
    assert {allowed(client, f"/{screen}") for screen in SCREENS} == {"self"}
    for path in ("/api/recordings", "/api/nothing", "/ui/nothing.js"):
        assert allowed(client, path) == ""
    assert allowed(Client(client.port, ""), "/") == "", "the page that asks for the code"


def test_it_loads_nothing_but_our_files(client: Client) -> None:
    answer = client.get("/camera")
    parts = (part.split() for part in answer.headers["content-security-policy"].split(";"))
    policy = {name: values for name, *values in parts}
    assert policy["default-src"] == policy["base-uri"] == policy["frame-ancestors"] == ["'none'"]
    assert policy["connect-src"] == ["'self'"]
    for source in ("script-src", "style-src"):  # of what is inline, only the theme and its switch
        assert policy[source][0] == "'self'"
        assert all(each.startswith("'sha256-") for each in policy[source][1:])
    assert "unsafe" not in str(policy)
    page = answer.body.decode()
    inline = re.findall(r"<(?:script|style)[^>]*>([^<].*?)</(?:script|style)>", page, re.DOTALL)
    assert all(each in THEME_FOLLOWED + THEME_SWITCH for each in inline)
    assert not re.search(r'(src|href)="(https?:)?//', page)
    assert Client(client.port, "").get("/camera").status == 401


def test_it_has_the_navigation_of_the_other_pages(client: Client) -> None:
    found = re.search(r'data-pages="([^"]*)"', client.get("/camera").body.decode())
    assert found is not None
    entries = json.loads(unescape(found.group(1)))
    assert [entry["address"] for entry in entries[:3]] == ["/", "/design", "/runs"]
    assert {entry["title"] for entry in entries} >= {"Home", "Data", "Help"}
    for entry in entries:
        assert client.get(entry["address"]).status == 200
    hidden = {f"/{page.address}" for page in PAGES.values() if not page.is_listed}
    assert hidden.isdisjoint(entry["address"] for entry in entries)


def test_a_build_is_linked_and_a_missing_one_is_said(tmp_path: Path) -> None:
    assert "make editor" in camera_page("token", tmp_path)
    manifest = {
        "src/camera.tsx": {"file": "camera-1.js", "imports": ["core"]},
        "core": {"file": "core-2.js"},
    }
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    page = camera_page('to"ken', tmp_path)
    assert '<script type="module" src="/ui/camera-1.js"></script>' in page
    assert '<link rel="modulepreload" href="/ui/core-2.js">' in page
    assert 'data-token="to&quot;ken"' in page
    assert "make editor" not in page
