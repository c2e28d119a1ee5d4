"""Differences of two files of one name: values of JSON, rows of tables, tensors of weights.

Durations and references to artifacts of a store do not count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from modules.artifacts import read_json
from pipelines.sentences import _

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
        return [_("cannot be compared: {error}", error=str(error)[:200])]
    rest = len(texts) - MAX_LISTED
    return texts[:MAX_LISTED] + ([_("and {count:,} more", count=rest)] if rest > 0 else [])


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
        yield _("contents differ")


def _folders(original: Path, reproduced: Path) -> Iterator[str]:
    old, new = (
        {str(path.relative_to(top)) for path in top.rglob("*")} for top in (original, reproduced)
    )
    if old - new:
        gone = old - new
        yield _("{count:,} files are missing, including {name}", count=len(gone), name=min(gone))
    if new - old:
        added = new - old
        yield _("{count:,} files are new, including {name}", count=len(added), name=min(added))
    for name in sorted(old & new):
        one, other = original / name, reproduced / name
        if one.is_file() and other.is_file() and one.read_bytes() != other.read_bytes():
            yield _("{name} differs", name=name)


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
        by = _(", by {amount:.3g}", amount=abs(new - old)) if is_number else ""
        yield _(
            "{name} changed from {old} to {new}{by}",
            name=path or _("value"),
            old=_short(old),
            new=_short(new),
            by=by,
        )


def _tables(original: Path, reproduced: Path) -> Iterator[str]:
    import pandas as pd

    old, new = pd.read_parquet(original), pd.read_parquet(reproduced)
    gone, added = set(old.columns) - set(new.columns), set(new.columns) - set(old.columns)
    yield from (_("column {name} is missing", name=name) for name in sorted(gone))
    yield from (_("column {name} is new", name=name) for name in sorted(added))
    if len(old) != len(new):
        yield _("the number of rows changed from {old:,} to {new:,}", old=len(old), new=len(new))
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
        by = _(", by up to {amount:.3g}", amount=float((old - new).abs().max()))
    yield _(
        "column {name}: {count:,} of {total:,} values differ{by}",
        name=name,
        count=count,
        total=len(same),
        by=by,
    )


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
            yield _("{count:,} tensors exist only on one side", count=len(names ^ others))
        changes = {}
        for name in sorted(names & others):
            one, other = old.get_tensor(name), new.get_tensor(name)
            if one.shape != other.shape:
                yield _(
                    "tensor {name} changed shape from {old} to {new}",
                    name=name,
                    old=str(list(one.shape)),
                    new=str(list(other.shape)),
                )
            elif one.numel() and not bool((one == other).all()):
                changes[name] = float((one.double() - other.double()).abs().max())
        if changes:
            largest = max(changes, key=lambda name: changes[name])
            yield _(
                "{count:,} of {total:,} tensors differ, by up to {amount:.3g} ({largest})",
                count=len(changes),
                total=len(names),
                amount=changes[largest],
                largest=largest,
            )


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) <= 60 else text[:59] + "…"
