"""The runner as others see it, in moments that come seldom."""

from __future__ import annotations

import shutil

import pytest

from pipelines.errors import WorkspaceGoneError
from pipelines.execution import runner_client
from pipelines.execution.runner_process import launch_runner
from pipelines.workspace import Workspace
from tests.pipelines.conftest import build, opened


def test_a_workspace_that_goes_while_its_runner_starts_is_said_to_be_gone(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def start_too_late(gone: Workspace, *, warm: bool) -> None:
        shutil.rmtree(gone.root)
        launch_runner(gone, warm=warm)

    document = build({}, {"one": {"module": "constant"}})
    with opened(workspace) as runs:
        runs.store.create(document.to_json(), ["one"], name="", experiment="")
        monkeypatch.setattr(runner_client, "launch_runner", start_too_late)
        with pytest.raises(WorkspaceGoneError):
            runs.runner.refresh()
    workspace.make()
