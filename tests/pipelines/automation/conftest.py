"""A workspace whose runner is this process: runs stay queued until a test ends them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pipelines.execution.runner_lock import announce, try_lock
from pipelines.registry.published import PublishedPipelines
from pipelines.runs.run_service import RunService
from pipelines.workspace import Workspace
from tests import toy
from tests.pipelines.runs.published import with_parameter
from tests.workspaces import opened


@pytest.fixture
def quiet(tmp_path: Path) -> Iterator[RunService]:
    place = Workspace.at(tmp_path / "quiet").make()
    toy.install(place.modules_dir)
    lock = try_lock(place.runner_lock_path)
    assert lock is not None
    announce(place)
    with opened(place) as runs:
        published = PublishedPipelines(runs.database)
        published.publish("nightly", with_parameter(), runs.checks.problems)
        yield runs
    lock.close()
