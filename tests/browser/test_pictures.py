"""Pictures of the main screens, in light and dark; those of the README lie in ``pictures/``.

They are written to the folder that ``DESIGNER_PICTURES`` names, else to one of the test's own.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from PIL import Image
from playwright.sync_api import Browser, expect

from tests.browser.conftest import Watch
from tests.browser.designer import Designer
from tests.browser.served import Served
from tests.browser.test_newcomer import lesson

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(600)]

MOST_BYTES = 250_000
COLOURS = 192
"""Of a palette: flat surfaces need no more."""


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """A new user's workspace: nothing was run before, and there are no toy modules."""
    made = Served(tmp_path, toys=False)
    try:
        made.start()
        yield made
    finally:
        made.stop()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_main_screens_are_pictured(
    browser: Browser,
    served: Served,
    watch: Watch,
    tmp_path: Path,
    theme: Literal["light", "dark"],
) -> None:
    folder = Path(os.environ.get("DESIGNER_PICTURES", tmp_path))
    context = browser.new_context(
        viewport={"width": 1440, "height": 900}, color_scheme=theme, reduced_motion="reduce"
    )
    context.set_default_timeout(20_000)
    watch.attach(context)
    designer = Designer(context.new_page(), served)
    designer.page.goto(served.address)
    expect(designer.at("gallery-06-distributed")).to_be_visible()
    take(designer, folder / f"home-{theme}.png")
    designer.open(lesson("01-digits"))
    designer.select("train")
    expect(designer.at("param-epochs")).to_be_visible()
    take(designer, folder / f"idle-{theme}.png")
    designer.submit()
    expect(designer.status("train")).to_contain_text("epoch 3", timeout=200_000)
    take(designer, folder / f"design-{theme}.png")
    designer.has_status("evaluate", "completed", timeout=200_000)
    take(designer, folder / f"completed-{theme}.png")
    context.close()
    assert [each for each in folder.glob("*.png") if each.stat().st_size > MOST_BYTES] == []


def take(designer: Designer, path: Path) -> None:
    """A picture of what is seen, with few colours so that it is small."""
    designer.page.mouse.move(700, 60)
    designer.page.wait_for_timeout(700)
    designer.page.screenshot(path=path)
    with Image.open(path) as taken:
        taken.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)
