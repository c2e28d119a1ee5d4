"""The scored table: its columns, how it is built from probabilities, and how it is read.

Shape letters: N images, K classes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from modules.artifacts import ScoredImages
from modules.errors import NotScoredDatasetError
from modules.sentences import scoring as say

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pandas as pd

PATH, CATEGORY, LABEL = "path", "category", "Scored Labels"
PROBABILITY_PREFIX = "Scored Probabilities_"
CONFIDENCE, MARGIN, LOSS = "confidence", "margin", "loss"
ACCEPTED = "accepted"
"""Column of models that may abstain: False if their answer is "I do not know"."""
SHA256 = "sha256"
"""Column with the SHA-256 of the image file; tables of earlier versions lack it."""


def scored_table(
    paths: Sequence[str],
    categories: Sequence[str | None],
    classes: Sequence[str],
    probabilities_NK: npt.NDArray[np.float32],
    losses_N: npt.NDArray[np.float32],
    hashes: Sequence[str] | None = None,
    threshold: float | None = None,
) -> pd.DataFrame:
    """Return one row per image; ``category`` only if an image has one, ``loss`` null if unknown.

    ``confidence`` is the largest probability, ``margin`` its lead over the second largest, ``loss``
    the negative logarithm of the category's. ``hashes`` identify the image files. Answers below the
    ``threshold`` of a model are not ``accepted``.
    """
    import numpy as np
    import pandas as pd

    ordered_NK = np.sort(probabilities_NK, axis=1)
    highest_N = ordered_NK[:, -1]
    second_N = ordered_NK[:, -2] if len(classes) > 1 else np.zeros_like(highest_N)
    labels = pd.Series(classes, dtype="str").take(probabilities_NK.argmax(axis=1))
    columns: dict[str, object] = {PATH: pd.Series(paths, dtype="str")}
    known = pd.Series(list(categories), dtype="str")
    if known.notna().any():
        columns[CATEGORY] = known
    columns[LABEL] = labels.reset_index(drop=True)
    for index, name in enumerate(classes):
        columns[f"{PROBABILITY_PREFIX}{name}"] = probabilities_NK[:, index]
    columns[CONFIDENCE] = highest_N
    columns[MARGIN] = highest_N - second_N
    columns[LOSS] = pd.array(losses_N, dtype="Float32")
    if threshold is not None:
        columns[ACCEPTED] = highest_N >= np.float32(threshold)
    if hashes is not None:
        columns[SHA256] = pd.Series(hashes, dtype="str")
    return pd.DataFrame(columns)


@dataclass(frozen=True)
class Scored:
    """A scored table, checked."""

    rows: pd.DataFrame
    classes: tuple[str, ...]
    probabilities: npt.NDArray[np.float64]
    """Shape (N, K)."""

    @classmethod
    def read(cls, scored: ScoredImages, port: str) -> Scored:
        """Return the table of an artifact; raise ``NotScoredDatasetError`` (0025) if invalid."""
        scored.check()
        rows = scored.rows.reset_index(drop=True)
        columns = [name for name in rows.columns if name.startswith(PROBABILITY_PREFIX)]
        if not columns or PATH not in rows.columns or len(rows) == 0:
            raise NotScoredDatasetError(say.NOT_SCORED, why=say.NO_ROWS.about({}), port=port)
        return cls(
            rows,
            tuple(name.removeprefix(PROBABILITY_PREFIX) for name in columns),
            _checked_probabilities(rows[columns], port),
        )

    def only(self, chosen: npt.NDArray[np.bool_]) -> Scored:
        """Return some of the rows."""
        rows = self.rows[chosen].reset_index(drop=True)
        return Scored(rows, self.classes, self.probabilities[chosen])


def _checked_probabilities(columns: pd.DataFrame, port: str) -> npt.NDArray[np.float64]:
    import numpy as np

    try:
        probabilities_NK = columns.to_numpy(dtype=np.float64)
    except (TypeError, ValueError):
        why = say.NO_NUMBERS.about({})
        raise NotScoredDatasetError(say.NOT_SCORED, why=why, port=port) from None
    if not ((probabilities_NK >= 0) & (probabilities_NK <= 1 + 1e-6)).all():
        raise NotScoredDatasetError(say.NOT_SCORED, why=say.NOT_IN_RANGE.about({}), port=port)
    return probabilities_NK
