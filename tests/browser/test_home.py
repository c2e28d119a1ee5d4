"""The pages around the editor: a file opened, deletion undone, every page by its address."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, FilePayload, expect

from pipelines.document.document import parse_document
from pipelines.replay.library import LESSONS_DIR, ReplayShelf
from pipelines.runs.run_request import RunRequest
from tests.browser.conftest import running
from tests.browser.designer import Designer
from tests.browser.watch import Watch
from tests.designer_app.documents import document, link, node

pytestmark = pytest.mark.browser


def test_a_chosen_file_is_opened(designer: Designer) -> None:
    page = designer.page
    page.goto(designer.served.address)
    page.get_by_text("Open file").click()
    content = json.dumps(document("imported")).encode()
    file: FilePayload = {"name": "p.json", "mimeType": "application/json", "buffer": content}
    page.locator(".st-key-import-pipeline input[type=file]").set_input_files(file)
    page.locator(".st-key-import-open button").click()
    page.wait_for_url("**/design?pipeline=imported*")
    expect(designer.node("two")).to_be_visible()


def test_an_address_that_is_no_page_is_said_on_home(designer: Designer) -> None:
    page = designer.page
    page.goto(f"{designer.served.address}/no-such-page")
    expect(page.get_by_text("Page no-such-page not found")).to_be_visible()
    page.goto(f"{designer.served.address}/?unknown=**loud**")
    expect(designer.at("gallery-01-digits")).to_be_visible()
    expect(page.get_by_text("no-such-page not found")).to_have_count(0)


def test_deleting_can_be_undone(designer: Designer) -> None:
    page = designer.page
    twins = (document(each, name="Twin") for each in ("doomed", "lost"))
    first, second = (designer.served.create(each) for each in twins)
    page.goto(designer.served.address)
    expect(designer.at(f"recent-{second}")).to_contain_text("Twin (lost)")
    designer.at(f"delete-{first}").click()
    expect(page.get_by_text("Deleted Twin (doomed).")).to_be_visible()
    expect(designer.at(f"recent-{second}")).not_to_contain_text("lost")  # none is like it now
    designer.at(f"delete-{second}").click()
    for each in (first, second):
        expect(designer.at(f"recent-{each}")).to_have_count(0)
    expect(page.get_by_text("Deleted Twin.")).to_be_visible()
    page.get_by_text("Recently deleted").click()
    expect(page.get_by_text("Twin (doomed)")).to_be_visible()
    expect(page.get_by_text("Twin (lost)")).to_be_visible()
    page.locator(".st-key-undo-delete button").click()
    expect(designer.at(f"recent-{second}")).to_be_visible()
    page.reload()
    page.get_by_text("Recently deleted").click()
    page.locator(f".st-key-restore-{first} button").click()
    expect(designer.at(f"recent-{first}")).to_be_visible()


def test_a_pipeline_that_runs_says_so(designer: Designer) -> None:
    nodes = [node("two", "constant", value=47), node("nap", "sleep", seconds=600)]
    content = document("napping", nodes=nodes, links=[link("two", "nap", "a")])
    made, runs = designer.served.create(content), designer.served.runs
    run_id = runs.submit(RunRequest(parse_document(content), pipeline_id=made))
    designer.page.goto(designer.served.address)
    expect(designer.at(f"recent-{made}")).to_contain_text(re.compile("(running|queued) *2 nodes"))
    runs.cancel(run_id)
    for _ in runs.follow(run_id):
        continue
    designer.page.reload()
    expect(designer.at(f"recent-{made}")).not_to_contain_text(re.compile("running|queued"))


def test_a_replay_is_deleted_after_a_question(designer: Designer) -> None:
    page, shelf = designer.page, ReplayShelf(designer.served.workspace)
    made = shelf.add((LESSONS_DIR / "01-digits.replay").read_bytes())
    page.goto(designer.served.address)
    designer.at(f"delete-{made}").click()
    expect(page.get_by_role("dialog")).to_contain_text(made)
    assert shelf.has(made)
    page.locator(".st-key-replay-delete-go button").click()
    expect(designer.at(f"replay-{made}")).to_have_count(0)
    assert not shelf.has(made)


@pytest.mark.journey
def test_every_page_opens_by_its_address(designer: Designer) -> None:
    for address, word in (
        ("runs", "Runs"),
        ("data", "Data"),
        ("environments", "Environments"),
        ("targets", "Compute targets"),
        ("help", "Help"),
    ):
        designer.page.goto(f"{designer.served.address}/{address}")
        heading = designer.page.get_by_role("heading", name=word, exact=True)
        expect(heading).to_be_visible()


def test_an_address_that_names_no_pipeline_says_so_and_asks_for_none(designer: Designer) -> None:
    asked: list[str] = []
    designer.page.on("request", lambda request: asked.append(request.url))
    designer.page.goto(designer.served.design("two/revisions/1"))
    heading = designer.page.get_by_role("heading", name="Pipeline not found")
    expect(heading).to_be_visible()
    assert [url for url in asked if "/api/" in url] == []


def test_a_dialog_that_is_open_follows_the_theme(designer: Designer) -> None:
    page = designer.page
    page.emulate_media(color_scheme="light")
    page.goto(f"{designer.served.address}/targets")
    page.locator(".st-key-target-new button").click()
    add = page.locator(".st-key-target-add button")
    expect(add).to_have_css("color", "rgb(255, 255, 255)")
    page.emulate_media(color_scheme="dark")
    expect(add).to_have_css("color", "rgb(13, 20, 32)")
    page.emulate_media(color_scheme="light")
    expect(add).to_have_css("color", "rgb(255, 255, 255)")


def test_a_target_is_added_looked_into_and_removed(designer: Designer) -> None:
    page = designer.page
    machines = {"hosts": "gpu-a,gpu-b", "price_per_hour": "2.4"}
    designer.served.session.targets.add("rented", "ssh", machines)
    page.goto(f"{designer.served.address}/targets")
    expect(designer.at("entry-rented")).to_contain_text("2.40 per machine and hour")
    designer.served.session.targets.remove("rented")
    for words in ("", "Compute target 'classroom' already exists"):
        page.locator(".st-key-target-new button").click()
        page.locator(".st-key-target-name input").fill("classroom")
        page.get_by_role("button", name="Add", exact=True).click()
        if words:
            expect(page.get_by_text(words)).to_be_visible()
            designer.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
        expect(designer.at("entry-classroom")).to_have_attribute("aria-current", "true")
    remove = page.locator(".st-key-target-remove button")
    expect(remove).to_be_visible()
    designer.at("entry-local").focus()
    designer.press("Enter")
    expect(page.get_by_role("heading", name="local", exact=True)).to_be_visible()
    expect(remove).to_have_count(0)  # nothing that comes with the designer is removed
    designer.at("entry-classroom").click()
    remove.click()
    page.locator(".st-key-target-remove-go button").click()
    expect(designer.at("entry-classroom")).to_have_count(0)
    expect(designer.at("entry-local")).to_have_attribute("aria-current", "true")


def test_an_empty_workspace_offers_a_pipeline_and_a_link_to_a_lesson_opens_it(
    first_visit: BrowserContext, tmp_path: Path, watch: Watch
) -> None:
    watch.forgive("404.*api/pipelines/lesson-02")  # asked for ahead of the page that creates it
    with running(str(tmp_path), toys=False) as served:
        designer = Designer(first_visit.new_page(), served)
        page = designer.page
        page.goto(f"{served.address}/design")
        expect(page.get_by_role("heading", name="No pipeline yet")).to_be_visible()
        page.get_by_role("button", name="New pipeline").click()
        expect(designer.at("canvas")).to_contain_text("Build a pipeline")
        page.goto(f"{served.address}/design?pipeline=lesson-02-shapes-resnet")
        expect(designer.node("resnet")).to_be_visible()
        page.goto(f"{served.address}/help")
        guides = page.get_by_role("link", name="How-to guides")
        expect(guides).to_have_attribute("href", "/docs/how-to/index.html")
        page.close()  # or it complains of the server that ends
