"""Tables of labels next to the images: columns of files and labels, and the labels of files."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from modules.files.names import word_list
from modules.layouts.coco import read_coco
from modules.layouts.file_names import FileNames, normalized
from modules.layouts.label_table import MISSING, LabelTable
from modules.layouts.part_names import part_name
from modules.layouts.table_files import TableRows, parse_rows
from modules.sentences import layouts as say
from modules.sentences.sentence import Statement

_FIRST_FILE_COLUMNS = ("path", "file", "filename", "file_name", "image", "image_path", "name")
_FIRST_LABEL_COLUMNS = ("label", "class", "category", "target")
"""Columns known to the first version of this reader, in its order, for its tables."""
FILE_COLUMNS = (
    *_FIRST_FILE_COLUMNS,
    *word_list(
        "filepath file_path image_id imageid image_name img img_id img_name id image_file "
        "image_url url uri picture photo photo_id x_ray image_index image_filename fname"
    ),
)
LABEL_COLUMNS = (
    *_FIRST_LABEL_COLUMNS,
    *word_list(
        "labels class_name classname class_label class_id category_name category_id "
        "label_name label_id breed species targets tag tags y diagnosis dx finding "
        "finding_labels classes categories variety cultivar grade level"
    ),
)
_JOINED = "(joined)"
"""Key of a column that is part of the files' names."""
FOLDER_COLUMNS = ("folder", "directory", "dir", "subfolder", "subdir", "folder_name")
_IGNORED_COLUMNS = frozenset(
    word_list(
        "width height xmin ymin xmax ymax x1 y1 x2 y2 bbox area depth channels size bytes "
        "split set subset partition fold part usage md5 sha1 sha256 hash url source license "
        "date"
    )
)
_NEVER_LABELS = frozenset(["split", "set", "subset", "partition", "fold", "part", "usage"])
_MAX_TITLE_ROWS = 5
"""Maximum rows above the header: titles and comments may precede it."""
_SAMPLED_ROWS = 400
_MIN_ROWS = 4
"""Up to this number of rows, each may have a separate class."""
_ONES = {"1", "1.0", "true", "True", "TRUE"}
_ZEROS = {"0", "0.0", "", "false", "False", "FALSE"}


@dataclass(frozen=True)
class Columns:
    """The columns selected by the user; empty: they are recognized."""

    file: str = ""
    label: str = ""
    first_number: int | None = None
    """The number of the first name in a list of class names without numbers."""


@dataclass(frozen=True)
class UnusedTable:
    """A table without labels, and the reason."""

    path: str
    why: Statement
    columns: tuple[str, ...] = ()
    candidates: tuple[str, ...] = ()
    """Columns that may all be the labels: the user must choose."""


def read_labels(
    path: str,
    data: bytes,
    files: FileNames,
    columns: Columns | None = None,
) -> LabelTable | UnusedTable | None:
    """Return the labels of one table, or the reason for none; None if the file is not a table."""
    table: LabelTable | UnusedTable | None = None
    if path.lower().endswith(".json"):
        table = read_coco(path, data)
    if table is None:
        rows = parse_rows(path, data)
        table = None if rows is None else _read_rows(rows, files, columns or Columns())
    if isinstance(table, LabelTable):
        table.place(files)
        if not table.names and not table.faults:
            return None
    return table


def _read_rows(
    table: TableRows, files: FileNames, wanted: Columns
) -> LabelTable | UnusedTable | None:
    width = max(map(len, table.rows))
    rows = [row + [""] * (width - len(row)) for row in table.rows]
    header, body = _header(rows, files)
    keys = [_key(cell) for cell in header]
    missing = [name for name in (wanted.file, wanted.label) if name and _key(name) not in keys]
    if missing:
        why = say.NO_SUCH_COLUMN.about(
            {"table": table.path, "column": missing[0], "columns": header}
        )
        return UnusedTable(table.path, why, tuple(header))
    file_at = keys.index(_key(wanted.file)) if wanted.file else _file_column(keys, body, files)
    if file_at is None:
        if table.path.lower().endswith(".txt") or not set(keys) & {*FILE_COLUMNS, *LABEL_COLUMNS}:
            return None
        why = say.NO_FILE_COLUMN.about({"table": table.path, "columns": header})
        return UnusedTable(table.path, why, tuple(header))
    body, keys = _with_folders(keys, body, file_at, files)
    label_at = [keys.index(_key(wanted.label))] if wanted.label else _labels(keys, body, file_at)
    if len(label_at) != 1 and not _is_one_hot(body, label_at):
        if table.path.lower().endswith(".txt"):
            return None  # annotations of another kind
        names = tuple(header[at] for at in label_at)
        said = say.SEVERAL_LABEL_COLUMNS if names else say.NO_LABEL_COLUMN
        why = said.about({"table": table.path, "columns": list(names or header)})
        return UnusedTable(table.path, why, tuple(header), names)
    label_table = _filled(table, header, body, file_at, label_at)
    is_named = keys[file_at] in FILE_COLUMNS or keys[label_at[0]] in LABEL_COLUMNS
    label_table.is_guess = not (is_named or wanted.file or wanted.label)
    label_table.is_first_version = label_table.is_first_version and _JOINED not in keys
    return label_table


def _with_folders(
    keys: list[str], body: list[list[str]], file_at: int, files: FileNames
) -> tuple[list[list[str]], list[str]]:
    """Return the rows with the folder of each file before its name, if another column has it."""
    folder_at = _first_of(keys, FOLDER_COLUMNS)
    if folder_at is None or folder_at == file_at:
        return body, keys
    joined = [
        [f"{row[folder_at]}/{cell}" if at == file_at else cell for at, cell in enumerate(row)]
        for row in body
    ]
    before, after = (
        sum(files.find(row[file_at]) is not None for row in _sample(rows))
        for rows in (body, joined)
    )
    if after <= before:
        return body, keys
    return joined, [_JOINED if at == folder_at else key for at, key in enumerate(keys)]


def _filled(
    table: TableRows,
    header: Sequence[str],
    body: Sequence[Sequence[str]],
    file_at: int,
    label_at: Sequence[int],
) -> LabelTable:
    keys = [cell.strip().lower() for cell in header]
    known = (_first_of(keys, _FIRST_FILE_COLUMNS), _first_of(keys, _FIRST_LABEL_COLUMNS))
    is_first_version = table.is_plain and known == (file_at, label_at[0])
    names = (header[file_at], *(header[at] for at in label_at))
    label_table = LabelTable(table.path, names, is_first_version=is_first_version)
    for row in body:
        if len(label_at) == 1:
            label_table.add(row[file_at], _unwrapped(row[label_at[0]]))
            continue
        ones = [header[at] for at in label_at if row[at] in _ONES]
        label_table.add(row[file_at], ones[0] if len(ones) == 1 else "")
        if len(ones) > 1:
            fault = say.SEVERAL_LABELS_IN_TABLE.about({"table": table.path})
            label_table.faults[normalized(row[file_at])] = fault
    for at, name in enumerate(header):
        if at not in (file_at, *label_at) and _names_parts(row[at] for row in body):
            facts = {"table": table.path, "column": name}
            label_table.warnings.append(say.SPLIT_COLUMN.about(facts))
    if table.detected_encoding is not None:
        facts = {"table": table.path, "encoding": table.detected_encoding}
        label_table.warnings.append(say.DETECTED_ENCODING.about(facts))
    return label_table


def _unwrapped(cell: str) -> str:
    """Return the only value of a JSON object such as ``{"kind":"cat"}``."""
    if not cell.startswith("{"):
        return cell
    try:
        content = json.loads(cell)
    except (ValueError, RecursionError):
        return cell
    values = list(content.values()) if isinstance(content, dict) else [cell]
    return str(values[0]) if len(values) == 1 else "" if not values else cell


def _first_of(keys: Sequence[str], names: Iterable[str]) -> int | None:
    return next((keys.index(name) for name in names if name in keys), None)


def _key(cell: str) -> str:
    return re.sub(r"\W+", "_", cell.strip().casefold()).strip("_")


def _header(rows: list[list[str]], files: FileNames) -> tuple[list[str], list[list[str]]]:
    """Return the names of the columns and the rows below them; numbers if there is no header."""
    known = {*FILE_COLUMNS, *LABEL_COLUMNS}
    for at, row in enumerate(rows[:_MAX_TITLE_ROWS]):
        if known.intersection(map(_key, row)):
            return row, [other for other in rows[at + 1 :] if other != row]
        if any(map(files.find, row)):
            break
    first = rows[0]
    if any(map(files.find, first)):
        return [f"column {number}" for number in range(1, len(first) + 1)], rows
    return first, rows[1:]


def _sample(body: Sequence[list[str]]) -> list[list[str]]:
    step = max(1, len(body) // _SAMPLED_ROWS)
    return list(body[::step])


def _file_column(keys: list[str], body: list[list[str]], files: FileNames) -> int | None:
    """Return the column whose cells match most files; if none does, the one named so."""
    sample = _sample(body)
    scores = []
    for at, key in enumerate(keys):
        cells = [row[at] for row in sample]
        hits = sum(files.find(cell) is not None or files.fits_several(cell) for cell in cells)
        exact = sum(any(rule(normalized(cell)) for rule in files.exact_rules) for cell in cells)
        role = FILE_COLUMNS.index(key) if key in FILE_COLUMNS else len(FILE_COLUMNS)
        scores.append((hits and exact, hits, -role, -at))
    best = max(range(len(keys)), key=scores.__getitem__)
    if scores[best][1]:
        return best
    return _first_of(keys, FILE_COLUMNS)


def _labels(keys: list[str], body: list[list[str]], file_at: int) -> list[int]:
    """Return the label column, those of a one-hot table, or all candidates."""
    others = [
        at
        for at in range(len(keys))
        if at != file_at
        and keys[at] != _JOINED
        and not _is_index(keys[at], [row[at] for row in body])
    ]
    named = [at for at in others if keys[at] in LABEL_COLUMNS and not _is_coordinate(keys, at)]
    named.sort(key=lambda at: LABEL_COLUMNS.index(keys[at]))
    useful = [at for at in named if _tells_apart([row[at] for row in body])]
    if (first := _first_of(keys, _FIRST_LABEL_COLUMNS)) not in (None, file_at):
        assert first is not None
        return [first] if first in useful or not useful else [first, *useful]
    if _is_one_hot(body, hot := [at for at in others if keys[at] not in _IGNORED_COLUMNS]):
        return hot
    if named:
        return (useful or named)[:1]
    others = [at for at in others if keys[at] not in _NEVER_LABELS]
    if len(others) == 1 and not _are_all_different([row[others[0]] for row in body]):
        return others
    sample = _sample(body)
    return [at for at in others if _may_label(keys[at], [row[at] for row in sample])]


def _is_coordinate(keys: Sequence[str], at: int) -> bool:
    """Return True for the ``y`` of a box or a point."""
    return keys[at] == "y" and "x" in keys


def _tells_apart(cells: list[str]) -> bool:
    """Return True for a column with several values, some of them repeated."""
    return len({*cells} - MISSING) > 1 and not _are_all_different(cells)


def _names_parts(cells: Iterable[str]) -> bool:
    """Return True for a column that splits the images into parts: ``TRAIN``, ``VALIDATION``."""
    values = {cell for cell in cells if cell not in MISSING}
    return len(values) > 1 and all(
        (named := part_name(cell)) is not None and not named.other_words for cell in values
    )


def _are_all_different(cells: list[str]) -> bool:
    """Return True for numbers of images, captions and addresses, which are not labels."""
    return len(cells) > _MIN_ROWS and len(set(cells)) == len(cells)


def _is_index(key: str, cells: list[str]) -> bool:
    """Return True for row numbers, as data frames write them."""
    return key in ("", "unnamed_0", "index") and len(set(cells)) == len(cells)


def _may_label(key: str, cells: list[str]) -> bool:
    """Return True for a column of text or whole numbers with repeated values."""
    if key in _IGNORED_COLUMNS:
        return False
    values = {cell for cell in cells if cell not in MISSING}
    if _names_parts(values):
        return False
    is_fraction = any(re.fullmatch(r"[-+]?\d*\.\d+(e[-+]?\d+)?", cell) for cell in values)
    return 1 < len(values) <= max(2, len(cells) // 2) and not is_fraction


def _is_one_hot(body: list[list[str]], columns: Sequence[int]) -> bool:
    """Return True for columns of zeros and ones, if nearly all rows have a one."""
    if len(columns) < 2 or not body:
        return False
    ones = 0
    for row in body:
        cells = [row[at] for at in columns]
        if not all(cell in _ONES or cell in _ZEROS for cell in cells):
            return False
        ones += any(cell in _ONES for cell in cells)
    return ones * 2 > len(body)
