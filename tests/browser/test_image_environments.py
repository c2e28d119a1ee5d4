"""The form of an environment that is an image: what is not there is said, and an image is taken."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import new_context
from tests.browser.designer import choose
from tests.browser.served import Served
from tests.browser.watch import Watch
from tests.pipelines.environments.images import tar_of

pytestmark = [pytest.mark.browser, pytest.mark.full]  # forms: test_environments; else: test_images
IMAGE = "localhost/mine:1"
ID = "5" * 64
STAND_IN = """#!{python}
import json, shutil, sys
match sys.argv[1:]:
    case ["import", "-"]:
        open("{folder}/probe.tar", "wb").write(sys.stdin.buffer.read())
        print("sha256:1")
    case ["image", "inspect", "{image}" | "{id}"]:
        print(json.dumps([{{"Id": "sha256:{id}", "Config": {{}}}}]))
    case ["create", "--name", name, image, "-"]:
        open("{folder}/created", "w").write(image)
    case ["export", "--output", file, name]:
        made = "probe" if open("{folder}/created").read() == "1" else "image"
        shutil.copyfile("{folder}/" + made + ".tar", file)
    case ["rm" | "rmi", "--force", _]:
        pass
    case words:
        sys.exit(f"Error: unknown: {{words}}")
"""
"""What podman does with one image, which has no Python."""


@pytest.fixture
def page(browser: Browser, watch: Watch, tmp_path: Path) -> Iterator[Page]:
    """The page Environments of a server that finds nothing but what is in a folder."""
    (tmp_path / "programs").mkdir()
    served = Served(tmp_path, toys=False)
    served.environment["PATH"] = str(tmp_path / "programs")
    try:
        served.start()
        context = new_context(browser)
        served.admit(context)
        watch.attach(context)
        page = context.new_page()
        page.goto(f"{served.address}/environments")
        yield page
        context.close()
    finally:
        served.stop()


def install_podman(folder: Path) -> None:
    (folder / "image.tar").write_bytes(tar_of({"etc/only-in-the-image": b"here\n"}))
    program = folder / "programs" / "podman"
    facts = {"python": sys.executable, "folder": str(folder), "image": IMAGE, "id": ID}
    program.write_text(STAND_IN.format(**facts), encoding="utf-8")
    program.chmod(0o755)


def look(page: Page) -> None:
    page.locator(".st-key-environment-try button").click()


def test_an_image_is_looked_for_until_it_can_be_had(page: Page, tmp_path: Path) -> None:
    page.locator(".st-key-environment-new button").click()
    expect(page.locator(".st-key-environment-image")).to_be_hidden()
    choose(page, "environment-base", "container image")
    expect(page.locator(".st-key-environment-image")).to_be_visible()
    expect(page.locator(".st-key-environment-text")).to_be_hidden()
    look(page)
    expect(page.get_by_text("The base Image requires an image.")).to_be_visible()
    page.locator(".st-key-environment-image input").fill("localhost/nowhere:1")
    look(page)
    expect(page.get_by_text("podman and docker are not installed")).to_be_visible()
    install_podman(tmp_path)
    look(page)
    expect(
        page.get_by_text("Image 'localhost/nowhere:1' not found on this machine")
    ).to_be_visible()
    page.locator(".st-key-environment-image input").fill(IMAGE)
    look(page)
    expect(page.get_by_text(f"The image {IMAGE} is here: image sha256:{ID}.")).to_be_visible()
    page.locator(".st-key-environment-name input").fill("boxed")
    page.locator(".st-key-environment-keep button").click()
    expect(page.get_by_role("heading", name="boxed@1", exact=True)).to_be_visible()
    expect(page.get_by_text("bubblewrap does not run on this machine").first).to_be_visible()
