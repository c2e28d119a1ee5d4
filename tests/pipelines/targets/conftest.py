"""A step of a user's module file, as targets are handed it, and a cluster that is simulated."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import pytest

from modules.loading import ModuleOrigin, sha256
from pipelines.workers.step_spec import StepSpec
from tests import toy
from tests.pipelines.targets.kubernetes_cluster import Cluster

SPEC = StepSpec(
    run_id="20260101-000000-abcd",
    node="train",
    attempt=2,
    module_id="train",
    origin={"kind": "import", "location": "a:b", "code_hash": None},
    parameters={},
    inputs={},
    key="0" * 64,
    node_dir="/shared/runs/r/train $(touch x)",
    staging_dir="/shared/artifacts/.x",
    datasets_dir="/shared/datasets",
    weights_dir="/shared/weights",
    cache_dir="/shared/cache",
    node_count=3,
    process_count_per_node=4,
    cores_per_process=2,
)
"""A step for targets that run nothing."""


@pytest.fixture
def spec(tmp_path: Path) -> StepSpec:
    path = toy.install(tmp_path / "modules")
    (tmp_path / "staging").mkdir()
    toy.Number.write(_folder(tmp_path / "number"), 1.0)
    return StepSpec(
        run_id="run",
        node="A b/c",
        attempt=1,
        module_id="sleep",
        origin=asdict(ModuleOrigin("file", str(path), sha256(path.read_bytes()))),
        parameters={"seconds": 0.0},
        inputs={"a": str(tmp_path / "number")},
        key="ab" * 32,
        node_dir=str(tmp_path / "node"),
        staging_dir=str(tmp_path / "staging"),
        datasets_dir=str(tmp_path),
        weights_dir=str(tmp_path),
        cache_dir=str(tmp_path),
        target="cluster",
    )


def _folder(path: Path) -> Path:
    path.mkdir()
    return path


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    folder = tmp_path / "cluster"
    folder.mkdir()
    made = Cluster(folder)
    yield made
    made.close()
