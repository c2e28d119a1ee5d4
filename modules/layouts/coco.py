"""Labels in the COCO JSON format."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import Any

from modules.layouts.label_table import LabelTable
from modules.layouts.table_files import decode
from modules.sentences import layouts as say


def read_coco(path: str, data: bytes) -> LabelTable | None:
    """Read a COCO JSON; an image with boxes of several categories gets the one of most area."""
    decoded = decode(data)
    try:
        content: Any = json.loads(decoded.text) if decoded else None
        names = {category["id"]: str(category["name"]) for category in content["categories"]}
        files = {image["id"]: str(image["file_name"]) for image in content["images"]}
        areas = _areas(content["annotations"])
    except (ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError):
        return None  # Some other JSON.
    table, several = LabelTable(path, is_first_version=True), 0
    for image, file in files.items():
        known = {key: area for key, area in areas.get(image, {}).items() if key in names}
        several += len(known) > 1
        table.add(file, names[max(known, key=lambda key: known[key])] if known else "")
    if several:
        table.warnings.append(say.SEVERAL_CATEGORIES.about({"images": several, "table": path}))
    return table if table.names else None


def _areas(annotations: Any) -> dict[Any, dict[Any, float]]:
    """Return image ID -> category ID -> area of its objects (square pixels; 0 if missing)."""
    areas: dict[Any, dict[Any, float]] = defaultdict(lambda: defaultdict(float))
    for annotation in annotations:
        box = annotation.get("bbox") or (0, 0, 0, 0)
        area = annotation.get("area")
        area = float(box[2]) * float(box[3]) if area is None else float(area)
        areas[annotation["image_id"]][annotation["category_id"]] += area
    return areas
