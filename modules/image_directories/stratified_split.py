"""Random selection of the images of the first of two sets: strata, remainders, duplicates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]
    Booleans = NDArray[np.bool_]


@dataclass(frozen=True)
class StratifiedSplit:
    """Mask of the images of the first set, and the classes too small to be divided alone."""

    in_first: Booleans
    small_classes: tuple[str, ...]


def choose_first(
    *,
    labels: pd.Series[str] | None,
    groups: pd.Series[str] | None,
    num_images: int,
    fraction: float,
    num_first: int,
    seed: int,
) -> StratifiedSplit:
    """Choose ``num_first`` images, about ``fraction`` of each class.

    ``labels`` None means that there are no classes. Images of the same ``groups`` go to the same
    side; only then may the number differ.
    """
    import numpy as np

    rng = np.random.default_rng(seed)
    strata, small_classes = _strata(labels, num_images, fraction)
    sizes = np.bincount(strata)
    quotas = largest_remainder(sizes * fraction, num_first)
    in_first = np.zeros(num_images, dtype=bool)
    alone = np.ones(num_images, dtype=bool)
    if groups is not None:
        left = sizes.copy()
        for rows in _repeated(groups, rng):
            stratum = strata[rows[0]]
            if _takes(len(rows), int(quotas[stratum]), int(left[stratum]), rng):
                in_first[rows] = True
                quotas[stratum] -= len(rows)
            left[stratum] -= len(rows)
            alone[rows] = False
    _fill(in_first, np.flatnonzero(alone), strata, np.maximum(quotas, 0), rng)
    return StratifiedSplit(in_first, small_classes)


def largest_remainder(shares: NDArray[np.floating], total: int) -> Integers:
    """Return whole numbers close to ``shares`` that sum to ``total`` (Hamilton's method).

    A share is rounded down, or up if its remainder is among the largest.
    """
    import numpy as np

    quotas: Integers = np.floor(shares + 1e-9).astype(np.int64)
    missing = total - int(quotas.sum())
    order = np.argsort(-(shares - quotas), kind="stable")
    quotas[order[:missing]] += 1
    return quotas


def _strata(
    labels: pd.Series[str] | None, num_images: int, fraction: float
) -> tuple[Integers, tuple[str, ...]]:
    """Return the stratum of each image; classes that are too small share the first."""
    import numpy as np
    import pandas as pd

    if labels is None:
        return np.zeros(num_images, dtype=np.int64), ()
    codes, classes = pd.factorize(labels, sort=True, use_na_sentinel=True)
    codes = codes + 1  # Images without a label have code 0.
    sizes = np.bincount(codes, minlength=len(classes) + 1)
    small = sizes * min(fraction, 1 - fraction) < 1 - 1e-9
    small_classes = tuple(str(name) for name, few in zip(classes, small[1:], strict=True) if few)
    strata = np.where(small[codes], 0, codes + 1)
    return strata.astype(np.int64), small_classes


def _repeated(groups: pd.Series[str], rng: np.random.Generator) -> list[Integers]:
    """Yield the rows of each group of more than one, in random order."""
    import numpy as np
    import pandas as pd

    codes, _ = pd.factorize(groups)
    rows = np.flatnonzero(np.bincount(codes)[codes] > 1)
    if not len(rows):
        return []
    rows = rows[np.argsort(codes[rows], kind="stable")]
    parts = np.split(rows, np.flatnonzero(np.diff(codes[rows])) + 1)
    return [parts[index] for index in rng.permutation(len(parts))]


def _takes(size: int, quota: int, left: int, rng: np.random.Generator) -> bool:
    """Draw the side of a group: the only side with space, else the nearer one."""
    fits_first, fits_second = size <= quota, size <= left - quota
    if fits_first and fits_second:
        return bool(rng.random() * left < quota)
    if fits_first or fits_second:
        return fits_first
    return quota > left - quota


def _fill(
    in_first: Booleans,
    rows: Integers,
    strata: Integers,
    quotas: Integers,
    rng: np.random.Generator,
) -> None:
    """Mark at random, among ``rows``, as many of each stratum as its quota."""
    import numpy as np

    order = np.lexsort((rng.random(len(rows)), strata[rows]))
    shuffled = rows[order]
    sizes = np.bincount(strata[shuffled], minlength=len(quotas))
    starts = np.cumsum(sizes) - sizes
    rank = np.arange(len(shuffled)) - np.repeat(starts, sizes)
    in_first[shuffled[rank < quotas[strata[shuffled]]]] = True
