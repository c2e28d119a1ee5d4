"""Differences of two files of one name: values of JSON, rows of tables, tensors of weights.

Durations and references to artifacts of a store do not count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from modules.artifacts import read_json

if TYPE_CHECKING:
    import pandas as pd

TIMING = re.compile(r"^time |(per second|seconds)$", re.IGNORECASE)
"""Names of columns and values that contain durations."""
ARTIFACT_COLUMN = "source"
"""Column of the image manifest that names an artifact: recomputed ones have other names."""
MAX_LISTED = 5


def differences(original: Path, reproduced: Path) -> list[str]:
    """Return descriptions of up to six differences of two files; empty if there are none."""
    try:
        texts = list(_compared(original, reproduced))
    except (OSError, ValueError, KeyError, TypeError) as error:
        return [f"cannot be compared: {str(error)[:200]}"]
    rest = len(texts) - MAX_LISTED
    return texts[:MAX_LISTED] + ([f"and {rest:,} more"] if rest > 0 else [])


def _compared(original: Path, reproduced: Path) -> Iterator[str]:
    if original.is_dir() or reproduced.is_dir():
        yield from _folders(original, reproduced)
    elif original.suffix == ".json":
        yield from _values(read_json(original), read_json(reproduced), "")
    elif original.suffix == ".parquet":
        yield from _tables(original, reproduced)
    elif original.suffix == ".safetensors":
        yield from _tensors(original, reproduced)
    elif original.read_bytes() != reproduced.read_bytes():
        yield "contents differ"


def _folders(original: Path, reproduced: Path) -> Iterator[str]:
    old, new = (
        {str(path.relative_to(top)) for path in top.rglob("*")} for top in (original, reproduced)
    )
    if old - new:
        yield f"{len(old - new):,} files are missing, including {min(old - new)}"
    if new - old:
        yield f"{len(new - old):,} files are new, including {min(new - old)}"
    for name in sorted(old & new):
        one, other = original / name, reproduced / name
        if one.is_file() and other.is_file() and one.read_bytes() != other.read_bytes():
            yield f"{name} differs"


def _values(old: Any, new: Any, path: str) -> Iterator[str]:
    if isinstance(old, dict) and isinstance(new, dict):
        for key in dict.fromkeys([*old, *new]):
            if not TIMING.search(key):
                yield from _values(old.get(key), new.get(key), f"{path}.{key}".lstrip("."))
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for index, (one, other) in enumerate(zip(old, new, strict=True)):
            yield from _values(one, other, f"{path}[{index}]")
    elif old != new:
        is_number = all(type(value) in (int, float) for value in (old, new))
        by = f", by {abs(new - old):.3g}" if is_number else ""
        yield f"{path or 'value'} changed from {_short(old)} to {_short(new)}{by}"


def _tables(original: Path, reproduced: Path) -> Iterator[str]:
    import pandas as pd

    old, new = pd.read_parquet(original), pd.read_parquet(reproduced)
    for word, names in (
        ("is missing", set(old.columns) - set(new.columns)),
        ("is new", set(new.columns) - set(old.columns)),
    ):
        yield from (f"column {name} {word}" for name in sorted(names))
    if len(old) != len(new):
        yield f"the number of rows changed from {len(old):,} to {len(new):,}"
        return
    for name in old.columns:
        if name in new.columns and name != ARTIFACT_COLUMN and not TIMING.search(str(name)):
            yield from _columns(str(name), old[name], new[name])


def _columns(name: str, old: pd.Series[Any], new: pd.Series[Any]) -> Iterator[str]:
    import pandas as pd

    same = [_equal(one, other) for one, other in zip(old, new, strict=True)]
    count = same.count(False)
    if not count:
        return
    by = ""
    if pd.api.types.is_numeric_dtype(old) and pd.api.types.is_numeric_dtype(new):
        by = f", by up to {float((old - new).abs().max()):.3g}"
    yield f"column {name}: {count:,} of {len(same):,} values differ{by}"


def _equal(one: Any, other: Any) -> bool:
    if isinstance(one, float | int) and isinstance(other, float | int):
        return one == other or (one != one and other != other)
    return bool(one is other or one == other or (_is_missing(one) and _is_missing(other)))


def _is_missing(value: Any) -> bool:
    import pandas as pd

    return value is None or value is pd.NA


def _tensors(original: Path, reproduced: Path) -> Iterator[str]:
    from safetensors import safe_open

    with safe_open(original, "pt") as old, safe_open(reproduced, "pt") as new:
        names, others = set(old.keys()), set(new.keys())
        if names != others:
            yield f"{len(names ^ others):,} tensors exist only on one side"
        changes = {}
        for name in sorted(names & others):
            one, other = old.get_tensor(name), new.get_tensor(name)
            if one.shape != other.shape:
                yield f"tensor {name} changed shape from {list(one.shape)} to {list(other.shape)}"
            elif one.numel() and not bool((one == other).all()):
                changes[name] = float((one.double() - other.double()).abs().max())
        if changes:
            largest = max(changes, key=lambda name: changes[name])
            yield (
                f"{len(changes):,} of {len(names):,} tensors differ, by up to "
                f"{changes[largest]:.3g} ({largest})"
            )


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) <= 60 else text[:59] + "…"
