"""How good predictions are, in numbers: the metrics of Evaluate Model.

Shape letters: N images, K classes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from modules.scoring.table import CATEGORY, CONFIDENCE, LABEL, Scored

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pandas as pd

    Floats = npt.NDArray[np.float64]

NUM_BINS = 15
"""Bins of the calibration error (Guo et al., ICML 2017, section 3)."""
_CLASSES_AT_ONCE = 32


def measure(scored: Scored) -> dict[str, float]:
    """Name -> number; what is undefined for these images is left out.

    Precision, recall and F1 are averaged over the classes that occur as category or as scored
    label, as scikit-learn does; an image of a class the model does not know is wrong.
    """
    return {
        **_averages(scored),
        **_top_k(scored),
        **_log_loss(scored),
        **_roc_auc(scored),
        "Expected_Calibration_Error": calibration_error(calibration(scored)),
    }


def class_indices(scored: Scored) -> npt.NDArray[np.int64]:
    """Place of each image's category among the model's classes, shape (N,); -1 where unknown."""
    import numpy as np
    import pandas as pd

    found = pd.Index(scored.classes).get_indexer(pd.Index(scored.rows[CATEGORY]))
    return np.asarray(found, dtype=np.int64)


def calibration(scored: Scored) -> pd.DataFrame:
    """Confidence and accuracy by bins of confidence: one row a bin, null where it is empty."""
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
    """The mean distance of confidence and accuracy, weighted by the images of a bin."""
    gaps = (bins["confidence"] - bins["accuracy"]).abs().fillna(0.0)
    return float((gaps * bins["count"]).sum() / bins["count"].sum())


def _averages(scored: Scored) -> dict[str, float]:
    from sklearn.metrics import accuracy_score, precision_recall_fscore_support

    actual, predicted = scored.rows[CATEGORY], scored.rows[LABEL]

    def averaged(average: str) -> tuple[float, float, float]:
        precision, recall, f1, _ = precision_recall_fscore_support(
            actual, predicted, average=average, zero_division=0
        )
        return float(precision), float(recall), float(f1)

    micro, macro, weighted = averaged("micro"), averaged("macro"), averaged("weighted")
    return {
        "Overall_Accuracy": float(accuracy_score(actual, predicted)),
        "Micro_Precision": micro[0],
        "Macro_Precision": macro[0],
        "Micro_Recall": micro[1],
        "Macro_Recall": macro[1],
        "Macro_F1": macro[2],
        "Weighted_F1": weighted[2],
    }


def _top_k(scored: Scored) -> dict[str, float]:
    """The part of images whose category is among the k most probable classes."""
    import numpy as np

    k = min(5, len(scored.classes))
    top_NT = np.argpartition(-scored.probabilities, k - 1, axis=1)[:, :k]
    hits_N = (top_NT == class_indices(scored)[:, None]).any(axis=1)
    return {f"Top_{k}_Accuracy": float(hits_N.mean())}


def _log_loss(scored: Scored) -> dict[str, float]:
    """The mean negative logarithm of the category's probability, of classes the model knows."""
    import numpy as np

    indices_N = class_indices(scored)
    known_N = indices_N >= 0
    if not known_N.any():
        return {}
    probabilities_NK = scored.probabilities[known_N]
    probability_N = probabilities_NK[np.arange(len(probabilities_NK)), indices_N[known_N]]
    smallest = np.finfo(np.float32).eps
    return {"Log_Loss": float(-np.log(np.clip(probability_N, smallest, 1)).mean())}


def _roc_auc(scored: Scored) -> dict[str, float]:
    """The mean area under the curve of each class against the rest, where both occur.

    Computed from ranks (Mann and Whitney 1947), ties sharing their mean rank.
    """
    import numpy as np
    import pandas as pd

    indices_N, areas = class_indices(scored), []
    num = len(indices_N)
    for start in range(0, len(scored.classes), _CLASSES_AT_ONCE):
        part_NK = scored.probabilities[:, start : start + _CLASSES_AT_ONCE]
        ranks_NK = pd.DataFrame(part_NK).rank().to_numpy()
        positive_NK = indices_N[:, None] == np.arange(start, start + part_NK.shape[1])
        positives_K = positive_NK.sum(axis=0)
        rank_sums_K = (ranks_NK * positive_NK).sum(axis=0)
        defined_K = (positives_K > 0) & (positives_K < num)
        pairs_K = positives_K * (num - positives_K)
        above_K = rank_sums_K - positives_K * (positives_K + 1) / 2
        areas += list(above_K[defined_K] / pairs_K[defined_K])
    return {"ROC_AUC_OvR": float(np.mean(areas))} if areas else {}
