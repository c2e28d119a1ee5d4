"""A node that starts its own processes: how that is set in its settings pane."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.designer import Designer

pytestmark = pytest.mark.browser
MODULE = Path(__file__).with_name("launched.py")


def started() -> dict[str, Any]:
    """A pipeline of one node that starts its own processes."""
    node = {"id": "script", "module": "launched", "position": {"x": 120, "y": 120}}
    content = {"format": "pipeline-designer/2", "id": "launching", "name": "Launching"}
    return {**content, "nodes": [node], "links": []}


@pytest.fixture
def launching(designer: Designer) -> Designer:
    """The pipeline open, its node selected."""
    shutil.copy(MODULE, designer.served.workspace.modules_dir)
    designer.open(started())
    designer.node("script").click()
    return designer


def test_limits_are_folded_and_say_what_is_set(launching: Designer) -> None:
    fold = launching.at("fold-limits")
    expect(fold).to_have_attribute("aria-expanded", "false")
    fold.click()
    launching.at("setting-time-limit").fill("1,500")  # a thousand, or one and a half
    expect(launching.page.get_by_text("Write it without the comma.")).to_be_visible()
    launching.at("setting-time-limit").fill("90")
    launching.at("setting-stall-limit").fill("0,5")
    launching.at("setting-retries").fill("11")
    expect(launching.page.get_by_text("Give a whole number from 0 to 10.")).to_be_visible()
    launching.at("setting-retries").fill("1")
    fold.click()
    expect(launching.at("setting-retries")).to_have_count(0)
    expect(fold).to_have_text("Limits and retries 1 h 30 min, 30 s without progress, 1 retry")
    settings = launching.is_saved().nodes[0].run_settings
    assert (settings.time_limit_minutes, settings.stall_limit_minutes) == (90, 0.5)
    assert settings.retries == 1


def test_launcher_counts_and_variables_are_set_and_told(launching: Designer) -> None:
    launching.at("setting-node-count").fill("2")
    launching.at("setting-launcher").select_option("tensorflow")
    launching.at("setting-parameter-servers").fill("1")
    expect(launching.at("process-total")).to_contain_text("1 chief, 2 workers and 1 parameter")
    launching.at("setting-launcher").select_option("pytorch_process")
    expect(launching.at("setting-parameter-servers")).to_have_count(0)
    launching.at("fold-processes").click()
    launching.at("setting-cores").fill("1")
    launching.at("add-variable").click()
    launching.at("variable-name-0").fill("RANK")
    launching.at("variable-value-0").fill("7")
    expect(launching.at("setting-variables")).to_contain_text("The designer sets RANK itself")
    launching.at("variable-name-0").fill("MY_RANK")
    settings = launching.is_saved().nodes[0].run_settings
    assert settings.launcher == "pytorch_process"
    assert (settings.node_count, settings.parameter_server_count) == (2, 0)
    assert settings.cores_per_process == 1
    assert dict(settings.variables) == {"MY_RANK": "7"}
    launching.at("tab-details").click()
    expect(launching.at("script-variables")).to_contain_text("WORLD_SIZE")
    expect(launching.at("command-line")).to_have_text("python train.py")


def test_arguments_are_lines_that_complete_what_they_name(launching: Designer) -> None:
    field = launching.at("param-arguments")
    field.press_sequentially("--data={{im")
    expect(launching.at("completions").get_by_role("option")).to_have_text(["{{inputs.images}}"])
    launching.press("Enter")
    expect(field).to_have_value("--data={{inputs.images}}")
    field.press_sequentially("\n--rank=$LOC")
    launching.press("Tab")
    field.blur()
    arguments = ["--data={{inputs.images}}", "--rank=$LOCAL_RANK"]
    assert launching.is_saved().nodes[0].parameters["arguments"] == arguments
    launching.undo()
    expect(field).to_have_value("")
