from __future__ import annotations

import os
import time

import pytest

from modules.operating_system import locks
from pipelines.environments.builder import MARKER
from pipelines.environments.definition import EnvironmentDefinition
from pipelines.environments.removal import UNUSED_SECONDS
from pipelines.environments.workspace_environments import WorkspaceEnvironments
from pipelines.errors import RefusedError


def test_what_no_environment_needs_any_more_is_swept(environments: WorkspaceEnvironments) -> None:
    definition = EnvironmentDefinition(requirements=("tiny",))
    record = environments.keep("mine", environments.resolve(definition))
    kept, gone = environments.build(environments.get("designer")), environments.build(record)
    environments.store.remove("mine", 1)
    leftover = environments.root / f".building-{'0' * 24}"
    leftover.mkdir()
    assert set(environments.sweep(dry_run=True).folders) == {gone.folder.name, leftover.name}
    assert gone.folder.is_dir()
    assert environments.sweep().num_bytes > 0
    assert (gone.folder.exists(), leftover.exists(), kept.folder.is_dir()) == (False, False, True)
    assert environments.build(environments.get("designer")).was_cached


def test_what_was_not_used_for_a_month_goes_with_its_base(
    environments: WorkspaceEnvironments,
) -> None:
    built = environments.build(environments.get("designer"))
    long_ago = time.time() - UNUSED_SECONDS - 60
    os.utime(built.folder / MARKER, (long_ago, long_ago))
    swept = environments.sweep().folders
    assert built.folder.name in swept
    assert [item for item in swept if item.startswith("base-")]
    assert not environments.build(environments.get("designer")).was_cached


def test_what_somebody_builds_is_not_removed(environments: WorkspaceEnvironments) -> None:
    record = environments.get("designer")
    folder = environments.build(record).folder
    with (environments.root / f"{folder.name}.lock").open("w") as file:
        locks.lock(file)
        with pytest.raises(RefusedError, match="is being built"):
            environments.free(record)
        assert folder.is_dir()
    assert environments.free(record) > 0
    assert environments.free(record) == 0
