"""Labels that lie in a table beside the images: a CSV (``path,label``) or a COCO JSON."""

from __future__ import annotations

import csv
import json
from collections import defaultdict
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import Any

from modules.files.names import class_name
from modules.files.scanning import Tree
from modules.files.shard_member import StoredFile
from modules.sentences import image_directories as say
from modules.sentences.sentence import Statement

PATH_COLUMNS = ("path", "file", "filename", "file_name", "image", "image_path", "name")
LABEL_COLUMNS = ("label", "class", "category", "target")
MAX_TABLE_BYTES = 512 * 2**20
_MAX_DEPTH = 2


@dataclass
class LabelTable:
    """Labels by image path as the table writes it, with slashes; what was wrong with it."""

    path: str
    labels: dict[str, str] = field(default_factory=dict)
    faults: dict[str, Statement] = field(default_factory=dict)
    """Image path -> why it has no label."""
    warnings: list[Statement] = field(default_factory=list)

    def add(self, name: str, label: str) -> None:
        """Note one image's label; without one, or with two, the image is left out."""
        name = name.strip().replace("\\", "/").removeprefix("./")
        label = class_name(label.strip())
        if not name:
            return
        if not label:
            self.faults[name] = say.NO_LABEL_IN_TABLE.about({"table": self.path})
        elif self.labels.setdefault(name, label) != label:
            self.faults[name] = say.SEVERAL_LABELS_IN_TABLE.about({"table": self.path})

    def close(self) -> LabelTable | None:
        """The table without its faulty rows; None where nothing is left."""
        for name in self.faults:
            self.labels.pop(name, None)
        return self if self.labels else None


def find_label_table(tree: Tree, paths: list[str]) -> LabelTable | None:
    """The table of labels nearest to the root, CSV before JSON; a second one is warned about."""
    tables = []
    for path in sorted(paths, key=lambda path: (path.count("/"), path.lower())):
        reader = _READERS.get(Path(path).suffix.lower())
        if reader is None or path.count("/") > _MAX_DEPTH:
            continue
        text = _read_text(tree.file(path))
        table = reader(path, text) if text else None
        if table is not None:
            tables.append(table)
    tables.sort(key=lambda table: (table.path.count("/"), table.path.lower().endswith(".json")))
    if len(tables) > 1:
        both = {"table": tables[0].path, "other": tables[1].path}
        tables[0].warnings.append(say.SECOND_TABLE.about(both))
    return tables[0] if tables else None


def _read_text(file: StoredFile) -> str | None:
    try:
        num_bytes = file.stat().st_size if isinstance(file, Path) else file.num_bytes
        if num_bytes > MAX_TABLE_BYTES:
            return None
        data = file.read_bytes()
    except OSError:
        return None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _read_csv(path: str, text: str) -> LabelTable | None:
    """A CSV with a path column and a label column, comma, semicolon or tab between them."""
    head = text.split("\n", 1)[0]
    delimiter = max(",;\t", key=head.count)
    try:
        rows = csv.reader(StringIO(text, newline=""), delimiter=delimiter)
        header = [cell.strip().lower() for cell in next(rows, [])]
        path_at, label_at = _column(header, PATH_COLUMNS), _column(header, LABEL_COLUMNS)
        if path_at is None or label_at is None:
            return None
        table = LabelTable(path)
        for row in rows:
            if len(row) > path_at:
                table.add(row[path_at], row[label_at] if len(row) > label_at else "")
    except csv.Error:
        return None
    return table.close()


def _column(header: list[str], names: tuple[str, ...]) -> int | None:
    return next((header.index(name) for name in names if name in header), None)


def _read_coco(path: str, text: str) -> LabelTable | None:
    """A COCO JSON; an image with boxes of several categories gets the one of most area."""
    try:
        content = json.loads(text)
        names = {each["id"]: str(each["name"]) for each in content["categories"]}
        files = {each["id"]: str(each["file_name"]) for each in content["images"]}
        areas = _areas(content["annotations"])
    except (ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError):
        return None  # Some other JSON.
    table, several = LabelTable(path), 0
    for image, file in files.items():
        known = {key: area for key, area in areas.get(image, {}).items() if key in names}
        several += len(known) > 1
        table.add(file, names[max(known, key=lambda key: known[key])] if known else "")
    if several:
        table.warnings.append(say.SEVERAL_CATEGORIES.about({"images": several, "table": path}))
    return table.close()


def _areas(annotations: Any) -> dict[Any, dict[Any, float]]:
    """Image id -> category id -> area of its objects (square pixels; 0 where none is given)."""
    areas: dict[Any, dict[Any, float]] = defaultdict(lambda: defaultdict(float))
    for each in annotations:
        box = each.get("bbox") or (0, 0, 0, 0)
        area = each.get("area")
        area = float(box[2]) * float(box[3]) if area is None else float(area)
        areas[each["image_id"]][each["category_id"]] += area
    return areas


_READERS = {".csv": _read_csv, ".json": _read_coco}
