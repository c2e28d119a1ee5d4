"""Training scripts as steps of a run: reuse by content, and processes that end with their run."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import pytest

from pipelines.document.document import PipelineDocument, parse_document
from pipelines.execution.runner_lock import current_runner
from pipelines.runs.run_request import RunRequest
from pipelines.runs.run_service import RunService
from tests.pipelines.conftest import finish, run, statuses
from tests.pipelines.execution.stubborn_script import MARK, STUBBORN, marked
from tests.polling import wait_for


def chain(folder: Path, name: str = "reader") -> PipelineDocument:
    """A script that writes, and one that reads what it wrote."""
    scripts: list[tuple[str, dict[str, Any]]] = [
        ("writer", {"source_folder": str(folder), "script": "writer.py"}),
        (name, {"source_folder": str(folder / name), "arguments": ["{{inputs.folder}}"]}),
    ]
    nodes = [
        {"id": node, "module": "run_training_script", "parameters": {"model_file": None, **value}}
        for node, value in scripts
    ]
    link = {"from": {"node": "writer", "port": "outputs"}, "to": {"node": name, "port": "folder"}}
    return parse_document(
        {"format": "pipeline-designer/2", "id": "scripts", "nodes": nodes, "links": [link]}
    )


def test_a_changed_line_runs_only_that_script_and_what_follows(
    runs: RunService, tmp_path: Path
) -> None:
    (tmp_path / "reader").mkdir()
    (tmp_path / ".gitignore").write_text("reader/\n")
    writer, reader = tmp_path / "writer.py", tmp_path / "reader/train.py"
    writer.write_text("open('outputs/a', 'w').write('one')\n")
    reader.write_text("import os, sys\nprint(os.listdir(sys.argv[1]))\n")
    document = chain(tmp_path)
    runs.checks.allow_code_of(document)
    first, state = run(runs, document)
    assert statuses(state) == {"writer": "completed", "reader": "completed"}, state.problem
    log = runs.workspace.node_dir(first, "reader") / "70_driver_log_0.txt"
    assert log.read_text().strip() == "['a']"
    assert set(statuses(run(runs, document)[1]).values()) == {"reused"}
    reader.write_text("import os, sys\nprint(len(os.listdir(sys.argv[1])))\n")
    assert statuses(run(runs, document)[1]) == {"writer": "reused", "reader": "completed"}
    writer.write_text("open('outputs/b', 'w').write('two')\n")
    assert set(statuses(run(runs, document)[1]).values()) == {"completed"}


@pytest.mark.parametrize("victim", ["host", "runner", "none"])
@pytest.mark.extended
def test_nothing_of_a_script_outlives_its_run(runs: RunService, victim: str) -> None:
    settings = {"process_count_per_node": 2, "variables": {MARK: "1"}}
    parameters = {"typed_script": STUBBORN, "model_file": None}
    node = {"id": "script", "module": "run_training_script", "parameters": parameters}
    document = parse_document(
        {
            "format": "pipeline-designer/2",
            "id": "stubborn",
            "nodes": [{**node, "run_settings": settings}],
        }
    )
    runs.checks.allow_code_of(document)
    run_id = runs.submit(RunRequest(document))
    logs = [runs.workspace.node_dir(run_id, "script") / f"70_driver_log_{n}.txt" for n in (0, 1)]
    wait_for(lambda: all(log.exists() and "started" in log.read_text() for log in logs))
    wait_for(lambda: len(marked()) == 4)
    runner = current_runner(runs.workspace)
    assert runner is not None
    if victim == "host":
        [host] = {item.ppid() for item in marked() if "bootstrap.py" in " ".join(item.cmdline())}
        os.kill(host, signal.SIGKILL)
    elif victim == "runner":
        os.kill(runner.pid, signal.SIGKILL)
    wait_for(lambda: victim == "none" or not marked())
    runs.cancel(run_id)
    state = finish(runs, run_id)
    assert state.steps["script"].status in ("failed", "cancelled")
    wait_for(lambda: not marked())
