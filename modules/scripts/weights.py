"""Comparison of the final weights of the ranks of a training."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any


def differing_ranks(reports: Iterable[Mapping[str, Any]]) -> list[int]:
    """Return ranks whose weights have the same shapes but other values; empty if all are equal.

    If shapes differ, each rank holds a part of one model, and the result is unknown.
    """
    by_shapes: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for report in reports:
        weights, rank = report.get("weights"), report.get("rank")
        if isinstance(weights, Mapping) and isinstance(rank, int):
            by_shapes[str(weights["shapes"])][str(weights["hash"])].append(rank)
    if len(by_shapes) != 1:
        return []
    [by_hash] = by_shapes.values()
    return sorted(rank for ranks in by_hash.values() for rank in ranks) if len(by_hash) > 1 else []
