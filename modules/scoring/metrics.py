"""Metrics of predictions, as shown by Evaluate Model.

Shape letters: N images, K classes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from modules.scoring.score_table import CATEGORY, CONFIDENCE, LABEL, LOSS, Scored

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pandas as pd

    Floats = npt.NDArray[np.float64]

NUM_BINS = 15
"""Bins of the calibration error (Guo et al., ICML 2017, section 3)."""
_CLASSES_AT_ONCE = 32
_SATURATED = 0.999
"""Probability above which float32 values are too coarse to rank."""


class ClassRates(NamedTuple):
    """Precision, recall and F1 in 0-1 and the number of images of each class, shape (K,)."""

    precision: Floats
    recall: Floats
    f1: Floats
    support: npt.NDArray[np.int64]


def measure(scored: Scored) -> dict[str, float]:
    """Return the metrics by name; metrics that are undefined for these images are omitted.

    Every metric covers all images: one of a class the model does not know counts as wrong and
    leaves Log_Loss undefined. Precision, recall and F1 are averaged over the classes that occur as
    category or as scored label, as scikit-learn does.
    """
    return {
        **_averages(scored),
        **_top_k(scored),
        **_log_loss(scored),
        **_roc_auc(scored),
        "Expected_Calibration_Error": calibration_error(calibration(scored)),
    }


def accuracy_interval(right: int, num_images: int) -> tuple[float, float]:
    """Return the 95 % confidence interval of an accuracy, in 0-1 (Wilson 1927)."""
    share, quantile = right / num_images, 1.96
    weight = 1 + quantile**2 / num_images
    center = (share + quantile**2 / (2 * num_images)) / weight
    spread = share * (1 - share) / num_images + quantile**2 / (4 * num_images**2)
    half = quantile * spread**0.5 / weight
    return max(0.0, center - half), min(1.0, center + half)


def class_indices(scored: Scored) -> npt.NDArray[np.int64]:
    """Return the class index of each image's category, shape (N,); -1 if unknown."""
    import numpy as np
    import pandas as pd

    indices = pd.Index(scored.classes).get_indexer(pd.Index(scored.rows[CATEGORY]))
    return np.asarray(indices, dtype=np.int64)


def calibration(scored: Scored) -> pd.DataFrame:
    """Return confidence and accuracy by bins of confidence; a row of an empty bin is null."""
    import numpy as np
    import pandas as pd

    confidence_N = scored.rows[CONFIDENCE].to_numpy(dtype=np.float64)
    right_N = (scored.rows[CATEGORY] == scored.rows[LABEL]).to_numpy(dtype=np.float64)
    edges = np.linspace(0, 1, NUM_BINS + 1)
    # Bins are open below and closed above, so that certainty belongs to the last one.
    bins_N = np.clip(np.searchsorted(edges, confidence_N, side="left") - 1, 0, NUM_BINS - 1)
    counts = np.bincount(bins_N, minlength=NUM_BINS)
    per_image = np.where(counts > 0, 1 / np.maximum(counts, 1), np.nan)
    return pd.DataFrame(
        {
            "bin_start": edges[:-1],
            "bin_end": edges[1:],
            "count": counts,
            "confidence": np.bincount(bins_N, confidence_N, NUM_BINS) * per_image,
            "accuracy": np.bincount(bins_N, right_N, NUM_BINS) * per_image,
        }
    )


def calibration_error(bins: pd.DataFrame) -> float:
    """Return the mean distance of confidence and accuracy, weighted by the images of a bin."""
    gaps = (bins["confidence"] - bins["accuracy"]).abs().fillna(0.0)
    return float((gaps * bins["count"]).sum() / bins["count"].sum())


def class_rates(scored: Scored, classes: Sequence[str]) -> ClassRates:
    """Return precision, recall and F1 of these classes; NaN where nothing can be divided.

    As ``precision_recall_fscore_support`` of scikit-learn, whose import takes longer than all else
    in an evaluation.
    """
    import numpy as np
    import pandas as pd

    index = pd.Index(classes)
    actual_N = index.get_indexer(pd.Index(scored.rows[CATEGORY]))
    predicted_N = index.get_indexer(pd.Index(scored.rows[LABEL]))

    def count(indices: npt.NDArray[np.intp]) -> npt.NDArray[np.int64]:
        return np.bincount(indices[indices >= 0], minlength=len(classes)).astype(np.int64)

    actual_K, predicted_K = count(actual_N), count(predicted_N)
    right_K = count(actual_N[actual_N == predicted_N])
    with np.errstate(invalid="ignore"):
        return ClassRates(
            precision=right_K / predicted_K,
            recall=right_K / actual_K,
            f1=2 * right_K / (actual_K + predicted_K),
            support=actual_K,
        )


def _averages(scored: Scored) -> dict[str, float]:
    import numpy as np

    actual, predicted = scored.rows[CATEGORY], scored.rows[LABEL]
    accuracy = float((actual == predicted).mean())
    rates = class_rates(scored, sorted({*actual, *predicted}))
    f1_K = np.nan_to_num(rates.f1)
    return {
        "Overall_Accuracy": accuracy,
        # Each image has one category and one label: over all classes, both are the accuracy.
        "Micro_Precision": accuracy,
        "Macro_Precision": float(np.nan_to_num(rates.precision).mean()),
        "Micro_Recall": accuracy,
        "Macro_Recall": float(np.nan_to_num(rates.recall).mean()),
        "Macro_F1": float(f1_K.mean()),
        "Weighted_F1": float(np.average(f1_K, weights=rates.support)),
    }


def _top_k(scored: Scored) -> dict[str, float]:
    """Return the top-5 accuracy, if there are more than five classes."""
    import numpy as np

    k = 5
    if len(scored.classes) <= k:
        return {}  # all classes are in the top k: it would always be 1
    top_NT = np.argpartition(-scored.probabilities, k - 1, axis=1)[:, :k]
    hits_N = (top_NT == class_indices(scored)[:, None]).any(axis=1)
    return {f"Top_{k}_Accuracy": float(hits_N.mean())}


def _log_loss(scored: Scored) -> dict[str, float]:
    """Return the mean log loss of the category; infinite for unknown classes."""
    import numpy as np

    indices_N = class_indices(scored)
    if (indices_N < 0).any():
        return {}
    probability_N = scored.probabilities[np.arange(len(indices_N)), indices_N]
    return {"Log_Loss": float(_losses(scored, probability_N).mean())}


def _losses(scored: Scored, probability_N: Floats) -> Floats:
    """Return the loss of each image, shape (N,).

    The table's own loss is used unless its probability contradicts it. In float32 the probability
    of a confident mistake is 0, and that of a confident hit 1. Without a loss, probabilities are
    clipped as scikit-learn does.
    """
    import numpy as np
    import pandas as pd

    computed_N = -np.log(np.clip(probability_N, np.finfo(np.float64).eps, 1))
    if LOSS not in scored.rows.columns:
        return computed_N
    own = pd.to_numeric(scored.rows[LOSS], errors="coerce")
    own_N = own.to_numpy(dtype=np.float64, na_value=np.nan)
    is_told_N = probability_N >= np.finfo(np.float32).tiny
    with np.errstate(divide="ignore"):
        expected_N = np.where(is_told_N, -np.log(probability_N), own_N)
    agree_N = np.isclose(own_N, expected_N, rtol=1e-5, atol=1e-5)
    return np.where(agree_N, own_N, np.where(is_told_N, expected_N, computed_N))


def _roc_auc(scored: Scored) -> dict[str, float]:
    """Return the mean area under the curve of each class against the rest, if both occur.

    Computed from ranks (Mann and Whitney 1947); ties share their mean rank.
    """
    import numpy as np
    import pandas as pd

    indices_N, areas = class_indices(scored), []
    order_NK = _order(scored.probabilities)
    num = len(indices_N)
    for start in range(0, len(scored.classes), _CLASSES_AT_ONCE):
        part_NK = order_NK[:, start : start + _CLASSES_AT_ONCE]
        ranks_NK = pd.DataFrame(part_NK).rank().to_numpy()
        positive_NK = indices_N[:, None] == np.arange(start, start + part_NK.shape[1])
        positives_K = positive_NK.sum(axis=0)
        rank_sums_K = (ranks_NK * positive_NK).sum(axis=0)
        defined_K = (positives_K > 0) & (positives_K < num)
        pairs_K = positives_K * (num - positives_K)
        above_K = rank_sums_K - positives_K * (positives_K + 1) / 2
        areas += list(above_K[defined_K] / pairs_K[defined_K])
    return {"ROC_AUC_OvR": float(np.mean(areas))} if areas else {}


def _order(probabilities_NK: Floats) -> Floats:
    """Return numbers ordered like the probabilities, shape (N, K), even if these are rounded.

    In float32 many probabilities of a confident model are 1. The sum over its other classes is not
    rounded: the negative logarithm of that sum continues the order.
    """
    import numpy as np

    sums_N1 = probabilities_NK.sum(axis=1, keepdims=True)
    if not np.allclose(sums_N1, 1, rtol=0, atol=(1 - _SATURATED) / 2):
        return probabilities_NK  # not those of one choice among the classes
    order_NK = probabilities_NK.copy()
    for row, column in np.argwhere(probabilities_NK > _SATURATED):
        others = np.delete(probabilities_NK[row], column).sum()
        order_NK[row, column] = -np.log(max(others, np.finfo(np.float64).tiny))
    return order_NK
