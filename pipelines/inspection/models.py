"""Facts of a trained model from its description and history, without loading weights."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from modules.artifacts import TrainedModel
from modules.models.recipe import OWN
from pipelines.errors import UnreadableArtifactError
from pipelines.inspection.artifact_info import facts_of
from pipelines.sentences import places

if TYPE_CHECKING:
    import pandas as pd

HEADER_BYTES = 8
MAX_HEADER = 100_000_000
UNTRAINED = ("__metadata__", "running_mean", "running_var", "num_batches_tracked")
"""Suffixes of tensors that are not parameters, such as the counters of batch normalization."""


@dataclass(frozen=True)
class TrainedFacts:
    """Trained model as text and numbers."""

    run_id: str
    node: str
    architecture: str
    classes: tuple[str, ...]
    num_parameters: int
    weights_bytes: int
    input_size: tuple[int, int] | None
    """Height and width in pixels."""
    best_epoch: int | None
    history: pd.DataFrame
    details: tuple[tuple[str, str], ...]
    """Other facts of the description as names and texts."""


def trained_facts(folder: Path) -> TrainedFacts:
    """Return the facts of the trained model in ``folder``.

    Raises ``UnreadableArtifactError`` if damaged.
    """
    model, facts = TrainedModel(folder), facts_of(folder)
    try:
        stored, history = model.description, model.history.reset_index()
        size = stored.get("input_size") or {}
        return TrainedFacts(
            run_id=facts.run_id,
            node=facts.node,
            architecture=str(model.recipe["architecture"]).removeprefix(OWN),
            classes=tuple(map(str, model.classes)),
            num_parameters=num_weights(model.weights_path),
            weights_bytes=model.weights_path.stat().st_size,
            input_size=(int(size["height"]), int(size["width"])) if size else None,
            best_epoch=None if stored.get("best_epoch") is None else int(stored["best_epoch"]),
            history=_with_epochs(history),
            details=tuple(_details(stored)),
        )
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise UnreadableArtifactError(places.MODEL_DAMAGED, error=str(error)[:200]) from error


def num_weights(path: Path) -> int:
    """Return the number of trained numbers in a safetensors file, from its header alone."""
    with path.open("rb") as file:
        length = int.from_bytes(file.read(HEADER_BYTES), "little")
        if length > MAX_HEADER:
            raise ValueError("the header of the weights is too long")
        header: dict[str, Any] = json.loads(file.read(length))
    shapes = [tensor["shape"] for name, tensor in header.items() if not name.endswith(UNTRAINED)]
    total = 0
    for shape in shapes:
        count = 1
        for edge in shape:
            count *= int(edge)
        total += count
    return total


def _with_epochs(history: pd.DataFrame) -> pd.DataFrame:
    table = history.drop(columns=["index", "level_0"], errors="ignore")
    if "epoch" not in table.columns:
        table.insert(0, "epoch", range(1, len(table) + 1))
    return table


LEFT_OUT = frozenset({"role", "classes", "input_size", "best_epoch", "pipeline", "document"})


def _details(stored: dict[str, Any]) -> list[tuple[str, str]]:
    rows = []
    for name, value in stored.items():
        if name in LEFT_OUT:
            continue
        title = name.replace("_", " ").capitalize()
        if isinstance(value, dict):
            for inner, inner_value in value.items():
                rows.append((f"{title}: {str(inner).replace('_', ' ')}", _text(inner_value)))
        else:
            rows.append((title, _text(value)))
    return rows


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)[:1000]
