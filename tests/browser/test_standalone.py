"""The standalone page gives the editor what the Design page of the app gives it."""

from __future__ import annotations

import re
from typing import Any, Literal

import pytest
from playwright.sync_api import BrowserContext

from tests.browser.designer import Designer, at_rest
from tests.browser.lessons import lesson_with
from tests.browser.served import ROOT, Served

pytestmark = pytest.mark.browser

SOURCES = ROOT / "designer_app" / "frontend" / "src"
SIZES = ((1440, 900), (390, 844))
HASH = re.compile(r"'sha256-[^']*'")
# The theme as the editor reads it, the text styles that it inherits, and the places of its parts.
SEEN = """properties => {
  const roots = [document];
  for (const root of roots)
    for (const each of root.querySelectorAll("*")) if (each.shadowRoot) roots.push(each.shadowRoot);
  const find = (selector) => roots.flatMap((root) => [...root.querySelectorAll(selector)]);
  const place = (each) => Object.values(each.getBoundingClientRect().toJSON());
  const [frame] = find(".pd-root");
  const style = getComputedStyle(frame.getRootNode().host);
  const value = (name) => style.getPropertyValue(name).replace(/,\\s+/g, ",").trim();
  return {
    theme: frame.dataset.theme,
    style: Object.fromEntries(properties.map((name) => [name, value(name)])),
    frame: place(frame),
    parts: find(".pd-bar, .pd-bar button, .react-flow__node, .pd-port, .pd-palette-item")
      .map((each) => [each.className, ...place(each)]),
  };
}"""
INHERITED = (
    "color",
    "color-scheme",
    "cursor",
    "direction",
    "font-family",
    "font-size",
    "font-weight",
    "letter-spacing",
    "line-height",
    "text-align",
    "white-space",
    "-webkit-tap-highlight-color",
)


def properties() -> list[str]:
    """Return the custom properties of Streamlit that the editor reads, and inherited ones."""
    files = SOURCES.rglob("*.css")
    found = {
        name for path in files for name in re.findall(r"var\((--st-[a-z-]+)", path.read_text())
    }
    found |= set(re.findall(r"--st-[a-z-]+", (SOURCES / "main.tsx").read_text()))
    assert len(found) > 5
    return [*sorted(found), *INHERITED]


def seen(designer: Designer) -> dict[str, Any]:
    """Return what the editor is given at each size."""
    found = {}
    for width, height in SIZES:
        designer.page.set_viewport_size({"width": width, "height": height})
        designer.resting(designer.nodes().first)
        found[f"{width}x{height}"] = designer.page.evaluate(SEEN, properties())
    return found


@pytest.mark.parametrize(
    "scheme",
    ["light", pytest.param("dark", marks=pytest.mark.full)],  # other pages are dark too
)
def test_the_editor_gets_the_same_theme_styles_and_place(
    designer: Designer, scheme: Literal["light", "dark"]
) -> None:
    designer.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    designer.open_in_app(lesson_with(["import", "convert", "split"], linked=True))
    at_rest(designer.page)
    in_app = seen(designer)
    designer.page.set_viewport_size({"width": 1440, "height": 900})
    designer.visit(designer.pipeline_id)
    assert seen(designer) == in_app
    assert in_app["1440x900"]["theme"] == scheme


def test_the_page_is_served_with_the_same_policy_and_to_the_same_browsers(
    unadmitted_context: BrowserContext, served: Served
) -> None:
    pipeline = served.create(lesson_with(["import"]))
    addresses = [served.standalone(pipeline), served.design(pipeline)]
    request = unadmitted_context.request
    refused = [request.get(each).text() for each in addresses]
    assert refused[0] == refused[1]
    assert "editor" not in refused[0]
    served.admit(unadmitted_context)
    standalone, design = [request.get(each).headers for each in addresses]
    changing = ("date", "content-length", "content-security-policy")
    assert {name: value for name, value in standalone.items() if name not in changing} == {
        name: value for name, value in design.items() if name not in changing
    }
    policies = [without_hashes(each["content-security-policy"]) for each in (standalone, design)]
    assert policies[0] == policies[1]


def without_hashes(policy: str) -> str:
    """Return a policy without the hashes of the inline scripts of its page."""
    return re.sub(r" +", " ", HASH.sub("", policy))
