"""Kinds of targets that installed packages add by an entry point."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipelines.errors import RefusedError
from pipelines.session import WorkspaceSession
from pipelines.targets import kinds
from pipelines.targets.kinds import GROUP, all_kinds, target_kind
from pipelines.workspace import Workspace

PACKAGE = """
from pipelines.targets.kinds import TargetKind
from pipelines.targets.local.target import local_target
from pipelines.document.target_offer import TargetOffer
from pipelines.targets.settings import TargetSettings

class LabSettings(TargetSettings):
    room: str

    def offer(self, name):
        return TargetOffer(name=name, kind="lab", max_nodes=3)

KIND = TargetKind("lab", "Lab machines", "lab_targets:LabSettings", "lab_targets:local_target")
MASKED = KIND._replace(name="slurm")
"""
ENTRIES = f"""[{GROUP}]
broken = lab_targets:MISSING
lab = lab_targets:KIND
slurm = lab_targets:MASKED
"""


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An installed package with a kind, a broken entry and one that takes a built-in name."""
    package = tmp_path / "packages"
    metadata = package / "lab_targets-1.dist-info"
    metadata.mkdir(parents=True)
    (package / "lab_targets.py").write_text(PACKAGE, encoding="utf-8")
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: lab-targets\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text(ENTRIES)
    monkeypatch.syspath_prepend(str(package))
    kinds._installed.cache_clear()
    yield
    kinds._installed.cache_clear()
    sys.modules.pop("lab_targets", None)


@pytest.mark.usefixtures("lab")
def test_a_kind_of_an_installed_package_is_added_and_checked(tmp_path: Path) -> None:
    session = WorkspaceSession(Workspace(tmp_path / "workspace"))
    session.targets.add("benches", "lab", {"room": "B12"})
    offer = session.targets.offers()["benches"]
    assert (offer.kind, offer.max_nodes) == ("lab", 3)
    assert all(finding.ok for finding in session.targets.check("benches", session.workspace))
    with pytest.raises(RefusedError, match="room"):
        session.targets.add("other", "lab", {})


@pytest.mark.usefixtures("lab")
def test_a_built_in_kind_is_never_replaced_and_a_broken_entry_is_ignored() -> None:
    assert target_kind("slurm").settings == "pipelines.targets.slurm.settings:SlurmSettings"
    names = [kind.name for kind in all_kinds()]
    assert names.count("slurm") == 1
    assert "lab" in names
    assert "broken" not in names


def test_kubernetes_is_such_a_kind() -> None:
    assert "kubernetes" not in {kind.name for kind in kinds.BUILT_IN}
    assert target_kind("kubernetes").title == "Kubernetes (experimental)"


@pytest.mark.usefixtures("lab")
def test_a_target_of_a_package_that_is_gone_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = WorkspaceSession(Workspace(tmp_path / "workspace"))
    session.targets.add("benches", "lab", {"room": "B12"})
    monkeypatch.undo()  # the package is no longer on the path
    kinds._installed.cache_clear()
    assert "benches" not in session.targets.offers()
    with pytest.raises(RefusedError, match="lab"):
        list(session.targets.check("benches", session.workspace))
