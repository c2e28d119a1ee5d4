"""A package that a script lacks is added to its environment by the button on the failed node."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from pipelines.document.document import parse_document
from tests.browser.conftest import new_context, running
from tests.browser.designer import Designer
from tests.browser.watch import Watch
from tests.pipelines.environments.toy_index import offer_wheels

pytestmark = pytest.mark.browser
SCRIPT = "import tiny\nopen('outputs/model.pt', 'w').write(tiny.version)\n"


@pytest.fixture
def installing(
    browser: Browser, watch: Watch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Designer]:
    """A page of a server that installs from a folder of tiny wheels."""
    offer_wheels(tmp_path / "wheels", monkeypatch)
    with running(str(tmp_path), toys=False) as served:
        context = new_context(browser)
        context.add_init_script("try { localStorage.setItem('pd-tour-offered', 'yes') } catch {}")
        watch.attach(context)
        yield Designer(context.new_page(), served)
        context.close()  # or it complains of the server that ends


def open_with(designer: Designer, environment: str | None) -> None:
    parameters = {"typed_script": SCRIPT}
    settings = {"environment": environment}
    node = {"id": "train", "module": "run_training_script", "run_settings": settings}
    nodes = [{**node, "parameters": parameters}]
    content = {"format": "pipeline-designer/2", "id": "lacking", "nodes": nodes}
    designer.served.runs.checks.allow_code_of(parse_document(content))
    designer.open(content)


def environment_of_node(designer: Designer) -> str | None:
    return designer.is_saved().nodes[0].run_settings.environment


def is_clear_of_the_notice(designer: Designer) -> bool:
    """Nothing lies over the buttons of the failure: a click would not arrive."""
    card, notice = (designer.box(designer.at(name)) for name in ("fault-train", "notice"))
    return card["y"] + card["height"] <= notice["y"]


@pytest.mark.full  # without a browser: addingPackages.test.ts
def test_a_missing_package_is_added_to_a_copy_which_can_be_undone(installing: Designer) -> None:
    open_with(installing, "designer@1")
    installing.submit()
    installing.has_status("train", "failed")
    fault = installing.at("fault-train")
    expect(fault.locator("strong")).to_have_text(
        "Rank 0 imports tiny, which is not installed in the environment designer@1."
    )
    expect(fault.get_by_test_id("problem-lines")).to_contain_text("No module named 'tiny'")
    installing.until(lambda: is_clear_of_the_notice(installing))
    fault.get_by_role("button", name="Add tiny to a copy of designer@1").click()
    expect(installing.page.get_by_text("own-designer@1 contains tiny.")).to_be_visible()
    assert environment_of_node(installing) == "own-designer@1"
    installing.undo()
    assert environment_of_node(installing) == "designer@1"
    installing.at("redo").click()
    assert environment_of_node(installing) == "own-designer@1"
    fault.get_by_role("button", name="Run with changes").click()
    installing.has_status("train", "completed")


@pytest.mark.full  # as a copy; which version: addingPackages.test.ts
def test_an_environment_of_ones_own_gets_a_next_version(installing: Designer) -> None:
    kept = installing.served.session.environments
    kept.keep("mine", kept.resolve(kept.get("designer@1").definition))
    open_with(installing, "mine@1")
    installing.submit()
    installing.has_status("train", "failed")
    installing.select("train")
    fault = installing.at("fault-train")
    fault.get_by_role("button", name="Add tiny to environment mine@1").click()
    expect(installing.page.get_by_text("mine@2 contains tiny.")).to_be_visible()
    assert environment_of_node(installing) == "mine@2"
    assert kept.get("mine@2").requirements == ("tiny",)
