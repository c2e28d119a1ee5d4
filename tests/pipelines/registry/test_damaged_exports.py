"""Exports of models whose files are damaged: refused with the fault and its fix."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from pipelines.registry.models import ModelRegistry, RegisteredVersion
from pipelines.runs.run_service import RunService
from tests.pipelines.cli.commands import designer
from tests.pipelines.registry.trained import trained_run

CONTENTS: dict[str, Callable[[str], str]] = {
    "cut": lambda text: text[:200],
    "text": lambda _: "hello",
    "empty": lambda _: "",
    "list": lambda _: "[1]",
    "deep": lambda _: "[" * 100_000,
    "binary": lambda _: "\udcff\udcfe",
}
VALUES: dict[str, Any] = {
    "recipe": "text",
    "classes": 5,
    "inference_transformation": "resize",
    "input_size": 64,
    "normalisation": [1, 2],
    "training_parameters": [1],
    "precision": [1],
}
IN_NETWORK: dict[str, Any] = {
    "inference_transformation": [{"operation": 3}],
    "input_size": {"height": "large", "width": 64},
    "normalisation": {"mean": "x"},
}
"""Values of the right type whose content is wrong."""
TARGETS = [
    *(("m.safetensors",), ("m.pt",), ("m.zip",), ("m",), ("m.onnx",), ("m.pt2",)),
    ("m.safetensors", "--format", "safetensors"),
    ("page", "--format", "page"),
]


def registered(runs: RunService, **options: Any) -> RegisteredVersion:
    registry = ModelRegistry(runs.database, runs.artifacts)
    ((_, artifact_id, port),) = registry.trained_by(trained_run(runs, **options))
    return registry.register(artifact_id, port, "m")


def check_refused(runs: RunService, folder: Path, said: str, target: tuple[str, ...]) -> None:
    name, *options = target
    shown = designer(runs, "models", "export", "m@1", folder / name, *options)
    text = " ".join(shown.output.split())
    assert shown.exit_code == 1, text
    assert said in text, f"{target}: {text}"
    assert list(folder.iterdir()) == []


DAMAGES = [*CONTENTS, *VALUES]
IN_TURN = [(damage, [target]) for damage, target in zip(DAMAGES, cycle(TARGETS))]
# Every format refuses by the same check, which the first damage shows.
ALL = [pytest.param(damage, TARGETS, marks=pytest.mark.full) for damage in DAMAGES[1:]]


@pytest.mark.parametrize(("damage", "targets"), [(DAMAGES[0], TARGETS), *IN_TURN[1:], *ALL])
def test_a_damaged_description_is_an_error_with_a_fix(
    runs: RunService, tmp_path: Path, damage: str, targets: list[tuple[str, ...]]
) -> None:
    path = registered(runs).artifact.path / "model.json"
    text = path.read_text(encoding="utf-8")
    if damage in CONTENTS:
        changed = CONTENTS[damage](text)
    else:
        changed = json.dumps({**json.loads(text), damage: VALUES[damage]})
    path.write_text(changed, encoding="utf-8", errors="surrogateescape")
    (tmp_path / "out").mkdir()
    for target in targets:
        check_refused(runs, tmp_path / "out", "model.json of the model is damaged", target)


@pytest.mark.parametrize("damage", IN_NETWORK)
def test_a_network_that_is_described_wrongly_is_not_exported(
    runs: RunService, tmp_path: Path, damage: str
) -> None:
    path = registered(runs).artifact.path / "model.json"
    described = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**described, damage: IN_NETWORK[damage]}), encoding="utf-8")
    (tmp_path / "out").mkdir()
    for target in TARGETS[4:]:
        check_refused(runs, tmp_path / "out", "Run ", target)


def test_weights_that_are_no_numbers_are_not_exported(runs: RunService, tmp_path: Path) -> None:
    registered(runs, first_weight=float("nan"))
    (tmp_path / "out").mkdir()
    for target in (target for target in TARGETS if target not in (("m.zip",), ("m",))):
        check_refused(runs, tmp_path / "out", "contains implausible weights", target)
