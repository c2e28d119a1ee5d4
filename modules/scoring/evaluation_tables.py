"""Tables of an evaluation: confusion, metrics per class, and differences of two models."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modules.scoring.metrics import class_rates
from modules.scoring.score_table import CATEGORY, CONFIDENCE, LABEL, PATH, SHA256, Scored

if TYPE_CHECKING:
    import pandas as pd

OTHER = " compared"
"""Suffix of the second model's columns."""


def confusion(scored: Scored) -> pd.DataFrame:
    """Count the images of each actual class by assigned label; only pairs that occur."""
    pairs = scored.rows.groupby([CATEGORY, LABEL], sort=True).size().reset_index(name="count")
    return pairs.rename(columns={CATEGORY: "actual", LABEL: "predicted"})


def per_class(scored: Scored) -> pd.DataFrame:
    """Return precision, recall, F1 and support, one row per class; recall is null without images.

    The model's classes in their order, then those it does not know.
    """
    import pandas as pd

    unknown = sorted(set(scored.rows[CATEGORY]) - set(scored.classes))
    names = [*scored.classes, *unknown]
    rates = class_rates(scored, names)
    return pd.DataFrame(
        {
            "class": pd.Series(names, dtype="str"),
            "precision": rates.precision,
            "recall": rates.recall,
            "f1": rates.f1,
            "support": rates.support,
        }
    )


def identities(rows: pd.DataFrame, contents: pd.Series[str]) -> pd.Series[str]:
    """Return the identity of each image across tables: its content and its index among equal ones.

    ``contents`` are hashes of the files, or paths if there are none.
    """
    ordered = contents.loc[rows.sort_values(PATH, kind="stable").index]
    occurrence = ordered.groupby(ordered).cumcount()
    return contents + " " + occurrence.loc[contents.index].astype("str")


def shared(scored: Scored, compared: Scored) -> pd.DataFrame:
    """Return the images in both tables, matched by content; by path if a table has no hashes.

    Columns: path, category, both labels, both confidences; the second model's end in ``compared``.
    """
    both = (scored.rows, compared.rows)
    key = SHA256 if all(SHA256 in rows.columns for rows in both) else PATH
    wanted = [[PATH, CATEGORY, LABEL, CONFIDENCE], [LABEL, CONFIDENCE]]
    first, second = (
        rows.set_index(identities(rows, rows[key]))[columns]
        for rows, columns in zip(both, wanted, strict=True)
    )
    return first.join(second.add_suffix(OTHER), how="inner")


def flipped(scored: Scored, compared: Scored) -> pd.DataFrame:
    """Return the ``shared`` images with different labels, highest confidence first."""
    pairs = shared(scored, compared)
    different = pairs[pairs[LABEL] != pairs[LABEL + OTHER]]
    ordered = different.sort_values([CONFIDENCE, PATH], ascending=[False, True])
    return ordered.reset_index(drop=True)
