"""The lock pins and hashes all that pyproject.toml asks for, and names no registry."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipelines.environments.curated_environments import curated
from pipelines.environments.lock_lines import read_lock
from pipelines.environments.resolver import FIXED
from tests.project.lock import ROOT, find_lock_problems, locked_requirements

PYPROJECT = """
[build-system]
requires = ["setuptools>=77"]
[project]
dependencies = ["numpy>=2.1"]
[project.optional-dependencies]
dev = ["types-networkx"]
"""
HASH = f"    --hash=sha256:{'0' * 64}"
LOCK = f"""numpy==2.4.6 ; python_full_version < '3.12' \\
{HASH}
numpy==2.5.5 ; python_full_version >= '3.12' \\
{HASH} \\
{HASH}
setuptools==84.2.1 \\
{HASH}
types-networkx==3.6.1.20261114 \\
{HASH}
"""


LOCKS = {
    **{"requirements.lock": 50, "benchmarks/requirements.txt": 50},
    **{"benchmarks/serving.txt": 50, ".ci/uv.txt": 0, ".ci/ray.txt": 50},
}
"""Each lock, and a number of entries that it has more of."""


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_names_no_address(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert "://" not in text
    assert "-url" not in text
    assert "find-links" not in text


@pytest.mark.parametrize("name", LOCKS)
def test_every_entry_is_hashed(name: str) -> None:
    entries = locked_requirements(ROOT / name)
    assert len(entries) > LOCKS[name]
    assert [str(requirement) for requirement, num_hashes in entries if not num_hashes] == []


def test_servers_that_are_compared_compute_with_the_same_onnx_runtime() -> None:
    names = ("requirements.lock", "benchmarks/requirements.txt", "benchmarks/serving.txt")
    found = [
        {str(entry) for entry, _ in locked_requirements(ROOT / name) if entry.name == "onnxruntime"}
        for name in names
    ]
    assert found[0]
    assert found == [found[0]] * len(names)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("", "", None),
        ("numpy==2.4.6", "numpy==2.0.9", "numpy>=2.1 is asked for, but 2.0.9 is locked."),
        ("types-networkx", "types-other", "types-networkx is asked for, but is not locked."),
        (f"84.2.1 \\\n{HASH}", "84.2.1", "setuptools==84.2.1 has no hash."),
        ("setuptools==84.2.1", "setuptools>=84", "setuptools>=84 is not pinned to one version."),
    ],
)
def test_problems_are_found(tmp_path: Path, old: str, new: str, problem: str | None) -> None:
    (tmp_path / "pyproject.toml").write_text(PYPROJECT)
    (tmp_path / "requirements.lock").write_text(LOCK.replace(old, new) if old else LOCK)
    problems = find_lock_problems(tmp_path / "pyproject.toml", tmp_path / "requirements.lock")
    assert problem is None or problem in problems
    assert bool(problems) == (problem is not None)


def test_the_environments_that_come_with_the_designer_have_its_own_torch() -> None:
    lock = read_lock((ROOT / "requirements.lock").read_text("utf-8"))
    pinned = {each.name: each.version for each in lock if each.name in FIXED}
    assert len(pinned) == len(FIXED)
    for record in curated().values():
        assert "://" not in record.lock
        packages = read_lock(record.lock)
        assert all(each.hashes for each in packages)
        own = {each.name: each.version for each in packages if each.name in pinned}
        assert record.base == "isolated" or own.items() <= pinned.items()
