"""Parts of a flat dataset defined by tables: ``train.csv`` and ``val.csv`` next to images."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath

from modules.files.scanning import Tree
from modules.layouts.class_folders import ClassFolders
from modules.layouts.dataset_tables import DatasetTables
from modules.layouts.label_table import LabelTable
from modules.layouts.label_tables import Columns
from modules.layouts.part_names import PART_ORDER, WHOLE, Part, PartName, part_name
from modules.layouts.parts import PartFolder
from modules.layouts.table_files import EXTENSIONS


def parts_of_tables(tree: Tree, paths: list[str], images: Sequence[str]) -> tuple[PartFolder, ...]:
    """Return the parts that tables define; empty if they define none.

    Several tables have names of parts, one for each part, with the same columns and labels for
    different images; the images are not in folders of classes.

    Args:
        tree: The whole dataset.
        paths: All files of it, without junk.
        images: Those that are images.
    """
    named = (_name(path) for path in paths if path.lower().endswith(EXTENSIONS))
    if len({name.part for name in named if name is not None}) < 2:
        return ()
    folders = ClassFolders.of(images, tree.folders)
    if folders.num_filled > 1 or folders.containers:
        return ()
    base = folders.base.rstrip("/")
    tables = DatasetTables(tree, paths, (), WHOLE, "", base, images, Columns())
    by_part: dict[Part, list[LabelTable]] = {}
    for table in tables.usable:
        if (name := _name(table.path)) is not None:
            by_part.setdefault(name.part, []).append(table)
    tables_by_part = {part: of_part[0] for part, of_part in by_part.items()}
    if len(tables_by_part) < 2 or any(len(of_part) > 1 for of_part in by_part.values()):
        return ()
    return _parts(tables_by_part) if _fit_together(list(tables_by_part.values())) else ()


def _name(path: str) -> PartName | None:
    return part_name(PurePosixPath(path).stem)


def _fit_together(tables: Sequence[LabelTable]) -> bool:
    """Return True for tables with the same columns and no image in common."""
    seen: set[str] = set()
    for table in tables:
        files = table.labels.keys() | table.file_faults.keys()
        if table.keys != tables[0].keys or files & seen:
            return False
        seen |= files
    return True


def _parts(tables: dict[Part, LabelTable]) -> tuple[PartFolder, ...]:
    return tuple(
        PartFolder(
            part,
            "",
            len(table.labels),
            table.num_classes,
            table.path,
            frozenset(table.labels.keys() | table.file_faults.keys()),
        )
        for part in PART_ORDER
        if (table := tables.get(part)) is not None
    )
