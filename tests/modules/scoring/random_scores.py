"""Scored images with random probabilities."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from modules.artifacts import ScoredImages
from modules.scoring.score_table import scored_table


def scored(
    folder: Path, classes: list[str], categories: list[str | None], seed: int = 0
) -> ScoredImages:
    """Return images with random probabilities that are higher for their own category."""
    chance = np.random.default_rng(seed)
    logits = chance.normal(0, 1, (len(categories), len(classes)))
    for row, category in enumerate(categories):
        if category in classes:
            logits[row, classes.index(category)] += 1
    probabilities = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    losses = np.zeros(len(categories))
    folder.mkdir(parents=True)
    paths = [f"{row}.png" for row in range(len(categories))]
    table = scored_table(
        paths, categories, classes, probabilities.astype(np.float32), losses.astype(np.float32)
    )
    return ScoredImages.write(folder, table)
