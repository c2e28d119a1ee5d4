"""The program of the guide submits a run, follows it to its end, and names its status."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

from pipelines.session import WorkspaceSession
from pipelines.workspace import Workspace
from tests import toy
from tests.designer_app.documents import document

GUIDE = Path(__file__).parents[3] / "docs/how-to/python.md"


def test_the_program_of_the_guide_runs_a_pipeline(tmp_path: Path) -> None:
    programs = re.findall(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    [program] = [item for item in programs if "WorkspaceSession" in item]
    (tmp_path / "pipeline.json").write_text(json.dumps(document()), encoding="utf-8")
    workspace = Workspace.at(tmp_path / "workspace").make()
    toy.install(workspace.modules_dir)
    command = [sys.executable, "-c", program]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False
    )
    with WorkspaceSession(workspace) as session:
        session.runner.stop()
        [run] = [record.name for record in session.runs.store.newest()]
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert (lines[-1], lines[-2].strip(), run) == ("completed", "RunFinished", "from Python")
