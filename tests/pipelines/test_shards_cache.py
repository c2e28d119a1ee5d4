"""Where a workspace's processes keep shards of object stores, and how much of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from modules.files import shard_cache
from pipelines.errors import SettingsUnreadableError
from pipelines.session import WorkspaceSession
from pipelines.workers.step_spec import StepSpec
from pipelines.workspace import Workspace
from tests.pipelines.conftest import build, run

pytestmark = pytest.mark.own_runner

ONE = build({}, {"two": {"module": "constant", "value": 2.0}})


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    before = [*shard_cache._chosen]
    yield
    shard_cache._chosen[:] = before


def test_a_workspace_says_how_much_of_shards_its_processes_keep(workspace: Workspace) -> None:
    settings = workspace.root / "designer.toml"
    settings.write_text("shards_cache_gb = 1.5\n", encoding="utf-8")
    with WorkspaceSession(workspace) as session:
        folder = shard_cache.chosen()
        assert (folder.folder, folder.limit_bytes) == (
            workspace.cache_dir / "shards",
            1_500_000_000,
        )
        run(session.runs, ONE)
        [path] = workspace.runs_dir.glob("*/two/attempt-1/step.json")
        assert StepSpec.read(path).shard_cache == folder
        at_a_node = replace(StepSpec.read(path), cache_dir="/tmp/its-own")
        assert at_a_node.shard_cache.folder == Path("/tmp/its-own/shards")
        session.runner.stop()


@pytest.mark.parametrize("wrong", ["0", "-3", "true", '"50"', "nan"])
def test_a_limit_that_is_none_is_told(workspace: Workspace, wrong: str) -> None:
    settings = workspace.root / "designer.toml"
    settings.write_text(f"shards_cache_gb = {wrong}\n", encoding="utf-8")
    with pytest.raises(SettingsUnreadableError, match="shards_cache_gb must be a number above 0"):
        WorkspaceSession(workspace)
    settings.unlink()
