"""Scripts dropped on the canvas: the node that runs them, and their code in its settings pane."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.designer import Designer

pytestmark = pytest.mark.browser
HEADER = '# /// script\n# dependencies = ["lightning"]\n# ///\n'
SCRIPT = "import argparse\np = argparse.ArgumentParser()\np.add_argument('--epochs', default=3)\n"


@pytest.fixture
def empty(designer: Designer) -> Designer:
    """An empty pipeline, open."""
    content: dict[str, Any] = {"format": "pipeline-designer/2", "id": "own", "name": "Own"}
    designer.open({**content, "nodes": [], "links": []})
    return designer


def test_a_script_becomes_a_node_whose_code_is_edited_in_it(
    empty: Designer, tmp_path: Path
) -> None:
    script = tmp_path / "train.py"
    script.write_text(HEADER + SCRIPT)
    empty.drop_files(empty.at("canvas"), script)
    expect(empty.page.get_by_role("button", name="Build its environment")).to_be_visible()
    [node] = empty.is_saved().nodes
    assert node.module == "run_training_script"
    assert node.parameters["typed_script"] == HEADER + SCRIPT
    assert node.parameters["arguments"] == ["--epochs=3"]
    code = empty.at("param-typed_script")
    expect(code).to_contain_text("ArgumentParser")
    code.press("Control+End")
    code.press_sequentially("x = 1")
    empty.press("Escape", "Tab")
    expect(code).not_to_be_focused()
    assert empty.is_saved().nodes[0].parameters["typed_script"] == HEADER + SCRIPT + "x = 1"
    empty.undo()
    expect(code).not_to_contain_text("x = 1")
    empty.at("param-typed_script-larger").click()
    expect(empty.page.get_by_role("dialog").get_by_test_id("param-typed_script")).to_be_focused()


def test_a_folder_of_code_is_uploaded_and_its_script_is_run(
    empty: Designer, tmp_path: Path
) -> None:
    folder = tmp_path / "birds"
    (folder / "outputs").mkdir(parents=True)
    (folder / "main.py").write_text(SCRIPT)
    (folder / "nets.py").write_text("layers = 3\n")
    (folder / "outputs" / "old.pt").write_text("left by an earlier run")
    empty.drop_files(empty.at("canvas"), folder)
    expect(empty.nodes()).to_have_count(1)
    [node] = empty.is_saved().nodes
    assert node.parameters["script"] == "main.py"
    assert node.parameters["arguments"] == ["--epochs=3"]
    name, _, version = str(node.parameters["source_folder"]).removeprefix("dataset:").partition("@")
    kept = empty.served.workspace.datasets_dir / name / version
    assert sorted(each.name for each in kept.rglob("*.*")) == ["main.py", "nets.py"]
