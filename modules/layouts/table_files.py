"""Readers of tables: CSV, TSV, text, JSON and JSON Lines become rows of cells."""

from __future__ import annotations

import codecs
import csv
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO
from itertools import dropwhile, islice
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from modules.files.names import word_list
from modules.files.shard_member import StoredFile
from modules.layouts.json_tables import rows_of_json, rows_of_json_lines

EXTENSIONS = (".csv", ".tsv", ".txt", ".json", ".jsonl", ".ndjson")
UNREAD_EXTENSIONS = (
    *(".xlsx", ".xls", ".ods", ".parquet", ".arrow", ".arff", ".feather", ".mat", ".xml", ".lst"),
    *(".tfrecord", ".tfrecords", ".record", ".pkl", ".manifest"),
)
"""Extensions of unsupported tables, which are reported if labels are missing."""
MAX_TABLE_BYTES = 512 * 2**20
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_LEGACY = word_list(
    "cp1252 cp1250 cp1251 cp1253 cp1254 cp1256 koi8_r gb18030 big5 cp932 euc_jp euc_kr"
)
_DELIMITERS = ",;\t|"
_BLANKS = " \t\r\n\f\v\u00a0\ufeff"
"""Blanks, including the byte order mark of an appended file."""
_SAMPLED_LINES = 50
_MUCH_MORE = 1.05
_MAX_DETECTED_BYTES = 2**20


class Decoded(NamedTuple):
    """Text, and the encoding that was detected; None for Unicode, which needs no detection."""

    text: str
    detected: str | None
    is_utf_8: bool = False


@dataclass(frozen=True)
class TableRows:
    """A table's cells; the first row may be a header."""

    path: str
    rows: list[list[str]]
    detected_encoding: str | None = None
    is_plain: bool = False
    """True for a comma, semicolon or tab separated UTF-8 file without a ``sep=`` line."""


def read_table(file: StoredFile) -> bytes | None:
    """Return a table's bytes; None if it is unreadable or too large."""
    try:
        num_bytes = file.stat().st_size if isinstance(file, Path) else file.num_bytes
        return None if num_bytes > MAX_TABLE_BYTES else file.read_bytes()
    except OSError:
        return None


def decode(data: bytes) -> Decoded | None:
    """Decode a table; None for binary data."""
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            try:
                return Decoded(data.decode(encoding), None, encoding == "utf-8-sig")
            except UnicodeDecodeError:
                return None
    if b"\0" in data:
        return _without_mark(data)
    try:
        return Decoded(data.decode(), None, True)
    except UnicodeDecodeError:
        encoding = _legacy_encoding(data)
        return Decoded(data.decode(encoding, "replace"), encoding)


def _without_mark(data: bytes) -> Decoded | None:
    """Decode UTF-16 without a byte order mark, in which every second byte of ASCII is zero."""
    for start, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
        if data[start:4096:2].count(0) > len(data[start:4096:2]) // 2:
            try:
                return Decoded(data.decode(encoding), encoding)
            except UnicodeDecodeError:
                return None
    return None


def _legacy_encoding(data: bytes) -> str:
    """Return the likely encoding of text that is not UTF-8, from its lines beyond ASCII."""
    from charset_normalizer import from_bytes

    lines = sorted({line for line in data.splitlines() if not line.isascii()})
    text = b"\n".join(lines)[:_MAX_DETECTED_BYTES]
    best = from_bytes(text, cp_isolation=list(_LEGACY)).best()
    detected = best.encoding if best is not None else "cp1252"
    for encoding in ("cp1252", detected):  # Several Windows encodings share most letters.
        if text.decode(encoding, "replace") == text.decode(detected, "replace"):
            return encoding
    return detected


def parse_rows(path: str, data: bytes) -> TableRows | None:
    """Return the rows of a table; None if the data are not rows of at least two cells."""
    decoded = decode(data)
    if decoded is None or not decoded.text.strip():
        return None
    extension = PurePosixPath(path).suffix.lower()
    if extension == ".json":
        rows = rows_of_json(decoded.text)
    elif extension in (".jsonl", ".ndjson"):
        rows = rows_of_json_lines(decoded.text)
    else:
        return _separated(path, decoded, extension)
    return TableRows(path, rows, decoded.detected) if rows else None


def _separated(path: str, decoded: Decoded, extension: str) -> TableRows | None:
    text, declared = decoded.text, None
    if text[:4].lower() == "sep=" and len(text) > 4:
        declared, text = text[4], text.partition("\n")[2]
    delimiter = declared or _delimiter(text)
    if extension == ".txt" and delimiter not in text.split("\n", 1)[0]:
        delimiter = " "
    try:
        reader = csv.reader(
            StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=delimiter == " "
        )
        rows = [[cell.strip(_BLANKS) for cell in row] for row in reader if row]
    except csv.Error:
        return None
    rows = list(dropwhile(_is_comment, filter(any, rows)))
    if not rows or len(rows[0]) < 2:
        return None
    is_plain = extension == ".csv" and not declared and delimiter != "|" and decoded.is_utf_8
    return TableRows(path, rows, decoded.detected, is_plain)


def _delimiter(text: str) -> str:
    """Return the delimiter with which most lines have the same number of cells."""
    head = text.split("\n", 1)[0]
    lines = list(islice(StringIO(text), _SAMPLED_LINES))

    def score(delimiter: str) -> tuple[int, int]:
        counts = Counter(count for line in lines if (count := line.count(delimiter)))
        return max(counts.values(), default=0), head.count(delimiter)

    by_head = max(_DELIMITERS, key=head.count)
    best = max(_DELIMITERS, key=score)
    return best if score(best)[0] > score(by_head)[0] * _MUCH_MORE else by_head


def _is_comment(row: Sequence[str]) -> bool:
    """Return True for a line above the table: it has one cell, or starts with a number sign."""
    return len(list(filter(None, row))) < 2 or row[0].startswith("# ")
