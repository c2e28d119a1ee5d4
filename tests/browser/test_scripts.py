"""Scripts dropped on the canvas, and code that came with a pipeline: what runs, and when."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.designer import Designer
from tests.browser.watch import GONE, Watch

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
    expect(empty.page.get_by_role("button", name="Build environment")).to_be_visible()
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


@pytest.mark.parametrize(
    ("module", "parameter"),
    [("execute_python_script", "code"), ("run_training_script", "typed_script")],
)
def test_a_mistake_is_underlined_where_it_is(empty: Designer, module: str, parameter: str) -> None:
    empty.drag_in(module, 300, 200)
    code = empty.at(f"param-{parameter}")
    code.press("Control+a")
    code.press("Delete")
    code.press_sequentially("x = 1\ny = (2 +* 3)")
    empty.press("Escape", "Tab")
    expect(code.locator(".cm-lintRange-error")).to_have_text(["*"])


def test_a_folder_of_code_is_uploaded_and_its_script_is_run(
    empty: Designer, tmp_path: Path
) -> None:
    folder = tmp_path / "birds"
    (folder / "outputs").mkdir(parents=True)
    (folder / "main.py").write_text(SCRIPT)
    (folder / "nets.py").write_text("layers = 3\n")
    (folder / "Dockerfile").write_text("FROM scratch\n")
    (folder / "outputs" / "old.pt").write_text("left by an earlier run")
    empty.drop_files(empty.at("canvas"), folder)
    expect(empty.nodes()).to_have_count(1)
    [node] = empty.is_saved().nodes
    assert node.parameters["script"] == "main.py"
    assert node.parameters["arguments"] == ["--epochs=3"]
    expect(empty.at("notice")).to_contain_text("The Dockerfile is not used automatically")
    name, _, version = str(node.parameters["source_folder"]).removeprefix("dataset:").partition("@")
    kept = empty.served.workspace.datasets_dir / name / version
    assert sorted(each.name for each in kept.rglob("*.*")) == ["main.py", "nets.py"]


WRITING = "open('outputs/model.pt', 'w').write('weights')\n"


def test_what_is_dropped_runs_at_once(empty: Designer, tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text(WRITING)
    empty.drop_files(empty.at("canvas"), script)
    expect(empty.nodes()).to_have_count(1)
    empty.submit()
    empty.has_status("run_training_script", "completed")
    empty.at("tab-result").click()
    expect(empty.at("look-model")).to_be_enabled()
    empty.at("tab-settings").click()
    empty.fill("model_file", "")
    empty.is_saved()
    empty.submit()
    empty.has_status("run_training_script", "completed")
    empty.at("tab-result").click()
    expect(empty.at("look-outputs")).to_be_enabled()
    expect(empty.at("look-model")).to_have_count(0)
    expect(empty.page.get_by_text("Empty: Model file is not set.")).to_be_visible()


def test_a_dropped_folder_runs_at_once_and_so_does_what_is_typed_just_before(
    empty: Designer, tmp_path: Path
) -> None:
    folder = tmp_path / "code"
    folder.mkdir()
    (folder / "main.py").write_text("import sys\n" + WRITING + "sys.exit('x' in sys.argv)\n")
    empty.drop_files(empty.at("canvas"), folder)
    expect(empty.nodes()).to_have_count(1)
    arguments = empty.at("param-arguments")
    arguments.fill("y")
    empty.press("Control+Enter")  # without a pause in which it could have been told
    empty.at("submit-confirm").click()
    empty.has_status("run_training_script", "completed")


def test_open_logs_begin_anew_with_the_next_run(empty: Designer, tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text("import sys\nprint('called', sys.argv[1:])\n" + WRITING)
    empty.drop_files(empty.at("canvas"), script)
    expect(empty.nodes()).to_have_count(1)
    empty.submit()
    empty.has_status("run_training_script", "completed")
    empty.fill("arguments", "again")
    empty.is_saved()
    empty.page.get_by_role("tab", name="Logs").click()
    log = empty.page.locator(".pd-logs")
    expect(log).to_contain_text("called []")
    empty.submit()
    expect(log).to_contain_text("called ['again']", timeout=300_000)
    expect(log).not_to_contain_text("called []")
    empty.has_status("run_training_script", "completed")


@pytest.fixture
def text(request: pytest.FixtureRequest) -> str:
    """A script that no other test has allowed."""
    return f"print('from elsewhere: {request.node.name}')\n"


@pytest.fixture
def foreign(designer: Designer, text: str) -> Designer:
    """Somebody else's pipeline, open."""
    parameters = {"typed_script": text, "model_file": None}
    node = {"id": "train", "module": "run_training_script", "parameters": parameters}
    settings = {"variables": {"FROM": text.strip()}}
    called = {"command": f"python -c {shlex.quote(text)}", "typed_script": "", "model_file": None}
    other = {"id": "call", "module": "run_training_script", "parameters": called}
    nodes = [{**node, "title": "Theirs", "run_settings": settings}, other]
    nodes[1]["position"] = {"x": 400, "y": 0}
    designer.open({"format": "pipeline-designer/2", "id": "brought", "nodes": nodes})
    return designer


@pytest.mark.journey
def test_foreign_code_is_looked_at_whole_then_allowed_then_runs(foreign: Designer) -> None:
    page = foreign.page
    foreign.at("submit").click()
    expect(foreign.at("submit-confirm")).to_be_disabled()
    foreign.at("submit-look").click()
    dialog = page.get_by_role("dialog")
    program = dialog.get_by_test_id("foreign-train-typed_script")
    expect(program).to_contain_text("Theirs: Typed script")
    expect(program.get_by_test_id("foreign-text")).to_contain_text("from elsewhere")
    expect(program).to_contain_text("FROM: print")
    expect(dialog.get_by_test_id("foreign-call-command")).to_contain_text("python -c")
    foreign.at("allow-code").click()
    expect(dialog).to_have_count(0)
    foreign.submit()
    foreign.has_status("train", "completed")
    foreign.has_status("call", "completed")


def test_typing_allows_no_foreign_code(foreign: Designer, text: str) -> None:
    foreign.select("train")
    code = foreign.at("param-typed_script")
    expect(foreign.at("param-typed_script-allow")).to_be_visible()
    expect(code).to_have_attribute("aria-readonly", "true")
    code.press("Control+End")
    code.press_sequentially("x = 1")
    expect(code).not_to_contain_text("x = 1")
    foreign.select("call")
    foreign.fill("command", "python -c 1")
    foreign.is_saved()
    expect(foreign.at("node-foreign")).to_be_visible()
    foreign.at("submit").click()
    expect(foreign.at("submit-confirm")).to_be_disabled()
    foreign.press("Escape")
    foreign.select("train")
    foreign.at("param-typed_script-allow").click()  # its variables are reviewed with it
    expect(foreign.page.get_by_test_id("foreign-train-typed_script")).to_contain_text("FROM: print")
    foreign.at("allow-code").click()
    expect(code).to_have_attribute("aria-readonly", "false")
    code.press("Control+End")
    code.press_sequentially("x = 1")
    assert foreign.is_saved().nodes[0].parameters["typed_script"] == f"{text}x = 1"
    checks = foreign.served.session.checks
    [changed, _] = checks.code_of(foreign.is_saved())
    assert changed.text == f"{text}x = 1"
    foreign.until(lambda: checks.allowed_code.allows(changed.sha256))


def scripted(name: str, code: str) -> dict[str, Any]:
    """A pipeline of one node that runs code."""
    node = {"id": "py", "module": "execute_python_script", "parameters": {"code": code}}
    return {"format": "pipeline-designer/2", "id": name, "nodes": [node]}


def test_nodes_that_were_pasted_while_the_server_was_away_are_foreign(
    designer: Designer, watch: Watch
) -> None:
    watch.forgive(*GONE)
    designer.open(scripted("theirs", "brought = 'from elsewhere'"))
    designer.select("py")
    designer.at("canvas").focus()
    designer.press("Control+c")
    designer.until(lambda: "from elsewhere" in designer.clipboard())
    designer.open(scripted("mine", ""))
    designer.at("canvas").focus()
    designer.press("Control+v")  # what pasting needs is loaded while the server is there
    expect(designer.nodes()).to_have_count(2)
    designer.undo()
    expect(designer.nodes()).to_have_count(1)
    designer.select("py")
    code = designer.at("param-code")
    code.click()
    code.press_sequentially("first = 1")
    designer.is_saved()
    designer.served.kill()
    code.press("Control+End")
    code.press_sequentially("; second = 2")
    designer.at("canvas").focus()
    designer.press("Control+v")
    expect(designer.nodes()).to_have_count(2)
    expect(code).to_contain_text("from elsewhere")  # the pasted node is selected
    code.press("Control+End")
    code.press_sequentially("; edited = 3")
    designer.served.start()
    designer.is_saved()
    designer.at("submit").click()
    expect(designer.at("submit-look")).to_be_visible()
    expect(designer.at("submit-confirm")).to_be_disabled()
    designer.at("submit-look").click()
    pieces = designer.page.get_by_test_id("foreign-text")
    expect(pieces).to_have_count(1)  # the owner's own code needs no approval
    expect(pieces).to_contain_text("from elsewhere")
