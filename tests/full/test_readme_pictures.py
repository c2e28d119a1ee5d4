"""Pictures of the main screens, in light and dark, those of the README among them.

They are written to the folder that ``DESIGNER_PICTURES`` names, else to one of the test's own::

    make test-full ARGS=tests/full/test_readme_pictures.py DESIGNER_PICTURES=/tmp/pictures

What README.md shows is then copied to ``docs/pictures``.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from PIL import Image
from playwright.sync_api import Browser, expect

from tests.browser.conftest import running
from tests.browser.designer import SOON, Designer
from tests.browser.lessons import lesson
from tests.browser.served import Served
from tests.browser.watch import Watch

pytestmark = [pytest.mark.browser, pytest.mark.full, pytest.mark.timeout(900)]

FOLDER = os.environ.get("DESIGNER_PICTURES")
EPOCHS = 4 if FOLDER else 3
SEEN = "epoch 3" if FOLDER else "epoch"
FEW_IMAGES = "sample:shapes?classes=3&images=200&size=32"
"""Pictures that are looked at show a longer training, of the lesson's own images."""
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
LONG = 400_000
MOST_BYTES = 250_000
COLOURS = 192
"""Of a palette: flat surfaces need no more."""


@pytest.fixture
def served(tmp_path: Path, browser: Browser) -> Iterator[Served]:
    """A new user's workspace: nothing was run before, and there are no toy modules."""
    assert browser
    with running(str(tmp_path), toys=False) as made:
        yield made


def test_the_main_screens_are_pictured(
    browser: Browser, served: Served, watch: Watch, tmp_path: Path
) -> None:
    folder = Path(FOLDER or tmp_path)
    desks = {theme: desk(browser, served, watch, theme) for theme in THEMES}
    for theme, each in desks.items():
        each.page.goto(served.address)
        expect(each.at("gallery-06-distributed")).to_be_visible()
        take(each, folder / f"home-{theme}.png")
    document = lesson("01-digits")
    parameters = {each["id"]: each["parameters"] for each in document["nodes"]}
    parameters["train"]["epochs"] = EPOCHS
    if not FOLDER:
        parameters["import"]["source"] = FEW_IMAGES
    first, second = desks.values()
    first.open_in_app(document)
    first.select("train")
    expect(first.at("param-epochs")).to_be_visible()
    take(first, folder / "idle-light.png")
    first.submit()
    second.visit_in_app(first.pipeline_id)
    second.select("train")
    for theme, each in desks.items():
        expect(each.status("train")).to_contain_text(SEEN, timeout=LONG)
        take(each, folder / f"design-{theme}.png")
    for theme, each in desks.items():
        each.has_status("evaluate", "completed", timeout=LONG)
        take(each, folder / f"completed-{theme}.png")
        each.page.context.close()
    assert [each for each in folder.glob("*.png") if each.stat().st_size > MOST_BYTES] == []


def desk(
    browser: Browser, served: Served, watch: Watch, theme: Literal["light", "dark"]
) -> Designer:
    """A page of its own profile in a theme."""
    context = browser.new_context(
        viewport={"width": 1440, "height": 900}, color_scheme=theme, reduced_motion="reduce"
    )
    context.set_default_timeout(SOON)
    context.add_init_script("delete window.BroadcastChannel")  # each picture shows one user
    watch.attach(context)
    return Designer(context.new_page(), served)


def take(designer: Designer, path: Path) -> None:
    """A picture of what is seen, with few colours so that it is small."""
    designer.page.mouse.move(700, 60)
    designer.page.wait_for_timeout(400)
    designer.page.screenshot(path=path)
    with Image.open(path) as taken:
        taken.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)
