"""The tables of an evaluation: confusion, per class, and what two models see differently."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modules.scoring.table import CATEGORY, CONFIDENCE, LABEL, PATH, Scored

if TYPE_CHECKING:
    import pandas as pd

OTHER = " compared"
"""Behind the names of the second model's columns."""


def confusion(scored: Scored) -> pd.DataFrame:
    """How many images of each actual class were given which label; pairs that occur only."""
    pairs = scored.rows.groupby([CATEGORY, LABEL], sort=True).size().reset_index(name="count")
    return pairs.rename(columns={CATEGORY: "actual", LABEL: "predicted"})


def per_class(scored: Scored) -> pd.DataFrame:
    """Precision, recall, F1 and support, one row a class; recall is null without images.

    The model's classes in their order, then those it does not know.
    """
    import numpy as np
    import pandas as pd
    from sklearn.metrics import precision_recall_fscore_support

    actual, predicted = scored.rows[CATEGORY], scored.rows[LABEL]
    unknown = sorted(set(actual) - set(scored.classes))
    names = [*scored.classes, *unknown]
    precision, recall, f1, support = precision_recall_fscore_support(
        actual, predicted, labels=names, zero_division=np.nan
    )
    return pd.DataFrame(
        {
            "class": pd.Series(names, dtype="str"),
            "precision": precision,
            "recall": recall,
            "f1": f1,
            "support": support.astype("int64"),
        }
    )


def flipped(scored: Scored, compared: Scored) -> pd.DataFrame:
    """The images that both scored and labelled differently, the surest first.

    Columns: path, category, both labels, both confidences; the second model's end in
    ``compared``.
    """
    columns = [PATH, LABEL, CONFIDENCE]
    other = compared.rows[columns].drop_duplicates(PATH)
    pairs = scored.rows[[PATH, CATEGORY, LABEL, CONFIDENCE]].merge(
        other, on=PATH, suffixes=("", OTHER)
    )
    different = pairs[pairs[LABEL] != pairs[LABEL + OTHER]]
    ordered = different.sort_values([CONFIDENCE, PATH], ascending=[False, True])
    return ordered.reset_index(drop=True)
