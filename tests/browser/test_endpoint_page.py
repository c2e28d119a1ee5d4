"""The page of an endpoint with a key: it asks for the key and keeps the image."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, FilePayload, expect

from designer_app.serving.settings import EndpointSettings
from pipelines.registry.caller_keys import digest_of
from tests.designer_app.serving.endpoints import picture, register, running
from tests.workspaces import made_place, opened

pytestmark = pytest.mark.browser
KEY = "a-key-of-this-test"


def test_an_image_is_classified_once_its_key_is_entered(browser: Browser) -> None:
    with made_place() as place, opened(place.make()) as service:
        register(service, 1)
        settings = EndpointSettings(place, "m@1", "m", key_digests=(digest_of(KEY),))
        with running(settings, ready=False) as endpoint, browser.new_context() as context:
            endpoint.caller.key = KEY
            page = context.new_page()
            page.goto(f"http://127.0.0.1:{endpoint.settings.port}/")
            image: FilePayload = {"name": "a.jpg", "mimeType": "image/jpeg", "buffer": picture()}
            page.locator("input[type=file]").set_input_files(image)
            expect(page.locator(".status")).to_contain_text("needs a key")
            key = page.get_by_label("Key")
            expect(key).to_be_focused()
            page.keyboard.type("another")
            page.keyboard.press("Enter")
            expect(page.locator(".status")).to_have_text("Wrong key.")
            page.keyboard.type(KEY)
            page.keyboard.press("Enter")
            expect(page.locator(".result h2")).to_be_visible()
            expect(page.locator(".result li")).to_have_count(3)
