"""Environments with packages from the index that this machine's user has set up."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from pipelines.environments.formats import read_definition
from pipelines.session import WorkspaceSession
from pipelines.workspace import Workspace

pytestmark = pytest.mark.full
CODE = "import lightning, torch; print(torch.__file__)"


def test_lightning_on_the_designers_torch_is_small_and_soon_there_again(tmp_path: Path) -> None:
    with WorkspaceSession(Workspace.at(tmp_path)) as session:
        environments = session.environments
        asked = read_definition("lightning\ntensorboard\nmlflow-skinny\n", "requirements.txt")
        record = environments.keep("mine", environments.resolve(asked))
        built = environments.build(record)
        shutil.rmtree(built.folder)
        again = environments.build(record)
        assert built.own_bytes < 5_000_000
        assert again.seconds < 10
        command = [str(again.python), "-I", "-c", CODE]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert "base-" in done.stdout
        assert environments.verify(record) == []


@pytest.mark.parametrize("name", ["mpi", "pytorch-lightning", "transformers"])
def test_those_that_come_with_the_designer_can_be_built(name: str, tmp_path: Path) -> None:
    with WorkspaceSession(Workspace.at(tmp_path)) as session:
        record = session.environments.get(name)
        assert session.environments.build(record).num_packages > 0
        assert session.environments.verify(record) == []
