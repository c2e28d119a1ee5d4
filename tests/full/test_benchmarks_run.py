"""The benchmarks run: tiny, without peers, judged by what they write and not by their times."""

from __future__ import annotations

import json
import shutil
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from benchmarks import a8_serve, s1_accuracy, table
from benchmarks.harness import Options
from benchmarks.processes import SERVING_PYTHON
from tests.cluster.machines import lacks
from tests.cluster.slurm import COMMANDS
from tests.project.benchmark_runs import OURS, measure_small, run_benchmarks

pytestmark = pytest.mark.full

PIL_VERSION = version("pillow")
LOOP = "torchvision's loop"
STEPS = "steps on images in memory"
WITH_TORCH = {
    "A1": {
        OURS,
        "torchvision's stock path, threads",
        "torchvision's stock path, DataLoader",
        "decoding in full",
    },
    "A5": {OURS, "torch, eager", "decoding and multiplying alone"},
    "B1": {OURS, "torchvision, mixed precision", "the arithmetic alone"},
    "B2": {
        OURS,
        "torchvision, DataLoader",
        "torchvision, decoded on the device",
        "decoding in full on all cores",
    },
    "B3": {OURS, LOOP, STEPS},
}


def test_few_photos_benchmark(tmp_path: Path) -> None:
    result = measure_small("A10", tmp_path, rounds=1)
    assert len(result["scenarios"]) == 6
    for scenario in result["scenarios"]:
        assert set(scenario["contenders"]) == {OURS}


def test_export_benchmark(tmp_path: Path) -> None:
    result = measure_small("A9", tmp_path, rounds=1)
    time, answers, labels, size = result["scenarios"]
    exported = {"exported ONNX, fp32", "exported ONNX, int8"}
    assert set(size["contenders"]) == exported
    assert set(time["contenders"]) == exported | {"Score Image Model", "torch, eager, fp32"}
    assert all(found["an image"]["low"] > 0 for found in time["contenders"].values())
    assert all(found["labels given"]["low"] > 1 for found in labels["contenders"].values())
    for name, found in answers["contenders"].items():
        if "int8" not in name:
            assert found["equal labels"]["low"] == 1
            assert found["largest difference"]["high"] <= 0.002
    assert len(result["checks"]) == 2


@pytest.mark.parametrize("peers", ["", "bare,mlserver,bentoml"])
def test_serve_benchmark(peers: str, tmp_path: Path) -> None:
    if peers and not SERVING_PYTHON.exists():
        pytest.skip("MLServer and BentoML need `make .venv-serving/.installed`")
    result = measure_small("A8", tmp_path, 1, "--peers", peers)
    names = {a8_serve.PEERS[peer].name for peer in peers.split(",") if peer}
    assert len(result["scenarios"]) == 3 * len(a8_serve.CALLERS)
    for scenario in result["scenarios"]:
        assert set(scenario["contenders"]) == {OURS, *names}
        for found in scenario["contenders"].values():
            assert all(spread["low"] > 0 for spread in found.values())
    assert ({"mlserver", "bentoml"} <= set(result["versions"])) == bool(peers)


def test_graph_benchmark(tmp_path: Path) -> None:
    result = measure_small("A4", tmp_path, rounds=1)
    names = [scenario["name"] for scenario in result["scenarios"]]
    assert names == [
        "4 nodes in a chain",
        "4 nodes fanned out",
        "12-node image graph again",
        "50 nodes checked",
    ]
    for scenario in result["scenarios"]:
        assert set(scenario["contenders"]) == {"Pipeline Designer", scenario["denominator"]}
    assert set(result["scenarios"][0]["contenders"]["Pipeline Designer"]) == {
        "warm",
        "in the runner",
        "cold",
    }


def test_dataset_benchmark_and_its_table(tmp_path: Path) -> None:
    result = measure_small("A6", tmp_path)
    assert result["machine"]["cores"] >= 1
    assert result["versions"]["pipeline-designer"]
    for scenario in result["scenarios"]:
        for found in scenario["contenders"].values():
            assert all(len(spread["samples"]) == 2 for spread in found.values())
    readme = Path(shutil.copy(table.FOLDER / "README.md", tmp_path))
    table.write_tables(readme, tmp_path / "results")
    once = readme.read_text()
    assert "| Pipeline Designer |" in once
    assert "reading the bytes once (what the machine allows)" in once
    table.write_tables(readme, tmp_path / "results")
    assert readme.read_text() == once


@pytest.fixture(scope="module")
def small_results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """Of the benchmarks that compute with torch, run by one process, which loads it once."""
    folder = tmp_path_factory.mktemp("benchmarks")
    process = run_benchmarks(
        *(*WITH_TORCH, "--small", "--rounds", "1", "--peers", ""),
        *("--results", folder, "--scratch", folder / "scratch"),
        seconds=840,
    )
    assert process.returncode == 0, process.stderr
    return {name: json.loads((folder / f"{name}.json").read_text()) for name in WITH_TORCH}


@pytest.mark.timeout(900)
@pytest.mark.parametrize("identifier", WITH_TORCH)
def test_a_benchmark_with_torch(identifier: str, small_results: dict[str, dict[str, Any]]) -> None:
    result = small_results[identifier]
    assert set(result["scenarios"][0]["contenders"]) == WITH_TORCH[identifier]
    for found in result["scenarios"][0]["contenders"].values():
        assert found
        assert all(spread["low"] > 0 for spread in found.values())
    assert {"torch", "torchvision"} <= set(result["versions"])
    assert result["versions"].get("pillow", PIL_VERSION) == PIL_VERSION


@pytest.mark.timeout(900)
def test_contenders_agree(small_results: dict[str, dict[str, Any]]) -> None:
    pixels = small_results["A1"]["scenarios"][1]["contenders"][OURS]["difference"]
    assert pixels["high"] < 2
    probabilities = small_results["A5"]["scenarios"][2]["contenders"][OURS]
    assert 0 < probabilities["largest difference"]["high"] <= 0.02


def test_accuracy_benchmark(tmp_path: Path) -> None:
    report = s1_accuracy.measure(Options(rounds=1, small=True, scratch=tmp_path))
    [drawn] = report.scenarios
    assert len(drawn.spreads) == 3
    assert all(0 <= found["top-1"].median <= 1 for found in drawn.spreads.values())
    assert len(report.checks) == 3


@pytest.mark.cluster
@pytest.mark.parametrize(
    ("identifier", "contenders"),
    [("C2", {OURS, "torchrun"}), ("C3", {"a step, cold", "srun python"})],
)
def test_a_benchmark_on_simulated_machines(
    identifier: str, contenders: set[str], tmp_path: Path
) -> None:
    missing = lacks(*COMMANDS, "ps")
    if missing:
        pytest.skip(f"a simulated cluster {missing}")
    part = ("--part", "Slurm") if identifier == "C3" else ()
    scenarios = measure_small(identifier, tmp_path, 1, *part)["scenarios"]
    assert all(set(each["contenders"]) == contenders for each in scenarios)
    found = [each for one in scenarios for each in one["contenders"].values()]
    assert all(spread["low"] > 0 for each in found for spread in each.values())


def test_the_control_plane_benchmark(tmp_path: Path) -> None:
    scenarios = measure_small("C1", tmp_path, rounds=1)["scenarios"]
    rates = next(each["contenders"] for each in scenarios if each["name"] == "Events")
    assert set(rates) == {"one runner", "the store alone"}
    assert rates["one runner"]["rate"]["median"] > 10  # ten agents tell twenty a second
