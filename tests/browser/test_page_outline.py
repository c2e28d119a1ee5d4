"""The outline of the Design page, shown after a click on Home until the editor is drawn."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.designer import Designer
from tests.designer_app.documents import document

pytestmark = pytest.mark.browser


def test_it_gives_way_to_the_message_about_a_deleted_pipeline(designer: Designer) -> None:
    page, served = designer.page, designer.served
    pipeline_id = served.create(document("gone", name="Gone"))
    page.goto(served.address)
    card = page.locator("[data-leads-to=design]", has_text="Gone").first
    expect(card).to_be_visible()
    served.session.pipelines.delete(pipeline_id)
    card.click()
    expect(page.locator("#page-outline")).to_have_count(0)
    expect(page.locator("[data-testid=stHeading]").first).to_be_visible()


def test_it_disappears_if_the_page_stays(designer: Designer) -> None:
    page = designer.page
    page.goto(designer.served.address)
    expect(designer.at("open-01-digits")).to_be_visible()
    assert page.evaluate("""() => {
      const lost = document.createElement("button");
      lost.dataset.leadsTo = "design";
      document.body.append(lost);
      lost.click();
      lost.remove();
      return document.querySelector("#page-outline") !== null;
    }""")
    expect(page.locator("#page-outline")).to_have_count(0)
