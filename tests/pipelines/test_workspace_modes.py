"""A new workspace is for its user alone; of an existing one the doctor says who may read it."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from pipelines.doctor import examine
from pipelines.workspace import Workspace

pytestmark = pytest.mark.skipif(os.name != "posix", reason="modes of files are those of Unix")


def mode_of(workspace: Workspace) -> int:
    return stat.S_IMODE(workspace.root.stat().st_mode)


def privacy_check(workspace: Workspace) -> tuple[str, str]:
    [result] = [finding for finding in examine(workspace) if finding.name == "privacy"]
    assert result.ok
    return result.found, result.cure


def test_a_new_workspace_is_for_its_user_alone(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path / "new" / "workspace").make()
    assert mode_of(workspace) == 0o700
    assert privacy_check(workspace) == ("accessible to only you", "")


@pytest.mark.parametrize(("mode", "who"), [(0o755, "other users"), (0o750, "your group")])
def test_an_open_workspace_stays_as_it_is_and_the_doctor_says_how_to_close_it(
    tmp_path: Path, mode: int, who: str
) -> None:
    workspace = Workspace(tmp_path / "my workspace").make()
    workspace.root.chmod(mode)
    workspace.make()
    assert mode_of(workspace) == mode
    result, cure = privacy_check(workspace)
    assert result.startswith(who)
    assert cure.endswith(f"chmod go-rwx '{workspace.root}'")


def test_a_workspace_in_a_folder_of_a_team_is_for_the_team(tmp_path: Path) -> None:
    tmp_path.chmod(0o2770)
    before = os.umask(0o007)
    try:
        workspace = Workspace(tmp_path / "workspace").make()
    finally:
        os.umask(before)
    assert mode_of(workspace) & 0o777 == 0o770
    assert privacy_check(workspace)[0] == "accessible to its group, which shares it"
    workspace.root.chmod(0o2775)
    assert privacy_check(workspace)[1].endswith(f"chmod o-rwx {workspace.root}")
