"""Pages of tables, sorted and filtered on the server."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pipelines.errors import UnreadableArtifactError
from pipelines.sentences import places

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pandas as pd
    import pyarrow as pa

Operator = Literal["contains", "is", "is not", "at least", "at most"]
OPERATORS: Mapping[str, tuple[Operator, ...]] = {
    "text": ("contains", "is", "is not"),
    "number": ("at least", "at most", "is", "is not"),
}
THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d+)?")


@dataclass(frozen=True)
class Column:
    """Name and kind of a column: ``text``, ``number`` or ``other``."""

    name: str
    kind: Literal["text", "number", "other"]


@dataclass(frozen=True)
class Filter:
    """Condition on a column's value; text is compared case-insensitively."""

    column: str
    operator: Operator
    value: str


@dataclass(frozen=True)
class Query:
    """Rows of a table and their order; null values are last."""

    filters: tuple[Filter, ...] = ()
    sort: str | None = None
    descending: bool = False


@lru_cache(maxsize=32)
def columns(path: Path) -> tuple[Column, ...]:
    """Return the columns of a Parquet file."""
    import pyarrow.parquet as pq

    with _readable(path):
        schema = pq.read_schema(path)
    return tuple(Column(field.name, _kind(field.type)) for field in schema)


@lru_cache(maxsize=8)
def matching(path: Path, query: Query) -> npt.NDArray[np.int64]:
    """Return the numbers of the matching rows in order; only the needed columns are read."""
    import numpy as np
    import pandas as pd

    kinds = {column.name: column.kind for column in columns(path)}
    filters = [
        condition for condition in query.filters if condition.column in kinds and condition.value
    ]
    sort = query.sort if query.sort in kinds else None
    needed = {condition.column for condition in filters} | ({sort} if sort else set())
    table = read(path, sorted(needed)) if needed else pd.DataFrame(index=range(num_rows(path)))
    keep = np.ones(len(table), dtype=bool)
    for condition in filters:
        keep &= _matches(table[condition.column], condition, kinds[condition.column])
    rows = np.flatnonzero(keep)
    if sort is None:
        return rows
    values = table[sort].iloc[rows].reset_index(drop=True)
    order = values.sort_values(
        ascending=not query.descending, kind="stable", na_position="last"
    ).index
    ordered: npt.NDArray[np.int64] = rows[order.to_numpy()]
    return ordered


def page(path: Path, query: Query, names: Sequence[str], offset: int, count: int) -> pd.DataFrame:
    """Return some of the matching rows and columns; the index is the row's number."""
    rows = matching(path, query)[offset : offset + count]
    table = read(path, list(names)).iloc[rows]
    return table.set_axis(rows, axis=0)


def as_csv(path: Path, query: Query) -> bytes:
    """Return the matching rows with all columns as CSV, without bytes such as images."""
    plain = [column.name for column in columns(path) if column.kind != "other"]
    text: str = read(path, plain).iloc[matching(path, query)].to_csv(index=False)
    return text.encode()


def as_parquet(path: Path, query: Query) -> bytes:
    """Return the matching rows with all columns as a Parquet file."""
    buffer = BytesIO()
    read(path, None).iloc[matching(path, query)].to_parquet(buffer, index=False)
    return buffer.getvalue()


def rows_of(path: Path, column: str, value: str) -> pd.DataFrame:
    """Return the rows whose text is exactly this one, with all columns."""
    import pandas as pd

    with _readable(path):
        return pd.read_parquet(path, filters=[(column, "==", value)])


def num_rows(path: Path) -> int:
    """Return the number of rows of the file."""
    import pyarrow.parquet as pq

    with _readable(path):
        return int(pq.read_metadata(path).num_rows)


def read(path: Path, names: list[str] | None) -> pd.DataFrame:
    """Return some of the columns, or all."""
    import pandas as pd

    with _readable(path):
        return pd.read_parquet(path, columns=names)


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    """Convert errors of broken files to ``UnreadableArtifactError``."""
    try:
        yield
    except (OSError, ValueError, KeyError) as error:
        raise UnreadableArtifactError(places.TABLE_UNREADABLE, file=path.name) from error


def _kind(type_: pa.DataType) -> Literal["text", "number", "other"]:
    import pyarrow.types as types

    if types.is_string(type_) or types.is_large_string(type_) or types.is_boolean(type_):
        return "text"
    if types.is_integer(type_) or types.is_floating(type_):
        return "number"
    return "other"


def number_of(text: str) -> float | None:
    """Parse a number as people write it: ``12,000``, ``12 000`` or ``0,5``; None if invalid."""
    text = "".join(text.split())
    if THOUSANDS.fullmatch(text):
        text = text.replace(",", "")
    elif text.count(",") == 1:
        text = text.replace(",", ".")
    for read_as in (int, float):
        try:
            number: float = read_as(text)
        except ValueError:
            continue
        return None if math.isnan(number) else number
    return None


def _matches(values: Any, condition: Filter, kind: str) -> npt.NDArray[np.bool_]:
    if kind == "number":
        parsed = number_of(condition.value)
        number = math.nan if parsed is None else parsed
        if values.dtype.kind == "f":  # 0.9 differs between precisions
            number = values.dtype.type(number)
        matches = {
            "at least": values >= number,
            "at most": values <= number,
            "is not": values != number,
        }.get(condition.operator, values == number)
    else:
        text, sought = values.astype("string").str.lower(), condition.value.lower()
        if condition.operator == "contains":
            matches = text.str.contains(sought, regex=False)
        else:
            matches = (text == sought) if condition.operator == "is" else (text != sought)
    result: npt.NDArray[np.bool_] = matches.fillna(False).to_numpy(dtype=bool)
    return result
