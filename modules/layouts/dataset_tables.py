"""Selection of the tables of a dataset that give labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath
from posixpath import basename, splitext

from modules.files.names import parent_of, printable
from modules.files.scanning import Tree
from modules.layouts.class_names import ClassNames, read_class_names
from modules.layouts.file_names import FileNames
from modules.layouts.label_table import LabelTable, name_classes
from modules.layouts.label_tables import Columns, UnusedTable, read_labels
from modules.layouts.part_names import WHOLE, Part, part_name
from modules.layouts.parts import PartFolder, chosen
from modules.layouts.table_files import EXTENSIONS, UNREAD_EXTENSIONS, parse_rows, read_table
from modules.sentences import layouts as say
from modules.sentences.sentence import Sentence, Statement

_MAX_DEPTH = 3
_MAX_TABLES_IN_FOLDER = 20
"""Limit of files of a kind in one folder; more are annotations, one for each image."""
_CLASS_NAME_WORDS = ("class", "label", "categor", "names", "species")
_CLASS_NAME_EXTENSIONS = (".txt", ".json", ".csv", ".names")
_MAX_EXAMPLES = 3


@dataclass
class DatasetTables:
    """The tables next to the images of a dataset, or of its selected part."""

    tree: Tree
    """The whole dataset."""
    paths: list[str]
    """All files of the whole dataset, without junk."""
    parts: tuple[PartFolder, ...]
    part: Part
    folder: str
    """Folder of the part; empty for the whole."""
    base: str
    """Folder that the images are relative to."""
    image_paths: Sequence[str]
    columns: Columns
    are_known: bool = True
    """False for archives: only the names in them are known."""

    @cached_property
    def best(self) -> list[LabelTable]:
        """Return the table that labels most images; without a selected part, that of each part."""
        best: dict[Part, LabelTable] = {}
        for table in self.usable:
            part = self._role(table)
            if part not in best or _rank(table) > _rank(best[part]):
                best[part] = table
        if WHOLE in best and all(_rank(best[WHOLE]) >= _rank(table) for table in best.values()):
            return self._joined(best[WHOLE])
        chosen = [table for part, table in best.items() if part != WHOLE or len(best) == 1]
        return [joined for table in chosen for joined in self._joined(table)]

    @cached_property
    def usable(self) -> list[LabelTable]:
        """Return all tables that label images and whose columns probably are labels."""
        return [
            table
            for table in self.labelling
            if not _is_submission(table.path)
            and table.labels
            and not (table.is_guess and self._is_poor(table))
        ]

    def _role(self, table: LabelTable) -> Part:
        """Return the part that a table competes for; with a selected part, all tables do for it."""
        return WHOLE if self.part != WHOLE else self.part_of(table.path)

    @property
    def joined(self) -> list[list[LabelTable]]:
        """Return those of the best tables that are used together for the same images."""
        by_role: dict[Part, list[LabelTable]] = {}
        for table in self.best:
            by_role.setdefault(self._role(table), []).append(table)
        return [tables for tables in by_role.values() if len(tables) > 1]

    def _joined(self, first: LabelTable) -> list[LabelTable]:
        """Return a table, and those that label other images and contradict none before them."""
        joined, labels = [first], dict(first.labels)
        for table in sorted(self.usable, key=_rank, reverse=True):
            is_same = self._role(table) == self._role(first) and table.keys == first.keys
            if is_same and _adds_to(labels, table):
                joined.append(table)
                labels.update(table.labels)
        return joined

    def _is_poor(self, table: LabelTable) -> bool:
        """Return True for a table that labels few of its images, or all in the same way."""
        parts = [part.images for part in self.parts if part.part == self.part_of(table.path)]
        num_images = sum(parts) if parts else len(self.image_paths)
        return table.num_classes < 2 or len(table.labels) * 2 < num_images

    @cached_property
    def labelling(self) -> list[LabelTable]:
        return [table for table in self._read_tables if isinstance(table, LabelTable)]

    @cached_property
    def unused(self) -> list[UnusedTable]:
        tables = [table for table in self._read_tables if isinstance(table, UnusedTable)]
        tables = [table for table in tables if not _is_submission(table.path)]
        for table in self.labelling:
            lists_classes = table.path in self._class_names
            if _is_submission(table.path) or table.is_for_other_files or lists_classes:
                continue
            if table.file_faults and not table.labels:
                tables.append(
                    UnusedTable(table.path, say.TABLE_WITHOUT_LABELS.about({"table": table.path}))
                )
            elif not table.labels:
                several = bool(table.ambiguous)
                names = table.ambiguous or table.absent or list(table.faults)
                sentence = say.NAMES_UNCLEAR if several else say.NAMES_NO_FILE
                tables.append(UnusedTable(table.path, about_names(sentence, table.path, names)))
        return [*tables, *self._unread]

    @property
    def _unread(self) -> Iterator[UnusedTable]:
        """Return files in unsupported formats; of a folder full of them only the first."""
        paths = [path for path in self.paths if path.lower().endswith((".txt", *UNREAD_EXTENSIONS))]
        if not paths:
            return
        stems = {splitext(basename(path))[0] for path in self.image_paths}
        kinds: dict[tuple[str, str], list[str]] = {}
        for path in paths:
            name, extension = splitext(basename(path))
            if not path.lower().endswith(".txt") or (extension and name in stems):
                kinds.setdefault((parent_of(path), extension.lower()), []).append(path)
        read = {table.path for table in self._read_tables}
        for paths in kinds.values():
            if not self._is_for_part(paths[0]) or read.intersection(paths):
                continue
            facts = {"table": paths[0], "others": len(paths) - 1}
            said = say.TABLES_NOT_READ if len(paths) > 1 else say.TABLE_FORMAT_NOT_READ
            yield UnusedTable(paths[0], said.about(facts))

    @cached_property
    def _read_tables(self) -> list[LabelTable | UnusedTable]:
        if not self.are_known:
            return []
        read_tables: list[LabelTable | UnusedTable] = []
        for path in self._table_paths:
            data = read_table(self.tree.file(path))
            files = self._files_for(path)
            if data and (table := read_labels(path, data, files, self.columns)) is not None:
                read_tables.append(table)
            elif data and path not in self._class_names and _seems_a_table(path, data):
                read_tables.append(UnusedTable(path, say.NOT_A_TABLE.about({"table": path})))
        tables = [table for table in read_tables if isinstance(table, LabelTable)]
        labelling = {table.path for table in tables if table.labels}
        lists = [names for path, names in self._class_names.items() if path not in labelling]
        name_classes(tables, lists, self.columns.first_number)
        for table in tables:
            if self.part != WHOLE:
                table.keep(chosen(self.parts, self.part).has)
        return [table for table in read_tables if self._is_for_part(table.path)]

    @cached_property
    def _table_paths(self) -> list[str]:
        """Return files that may be tables for these images, the nearest to the root first.

        If classes are numbered, also the tables of other parts: their numbers show where a list of
        names starts.
        """
        few = _few_of_a_kind(self.paths, EXTENSIONS)
        is_numbered = all(listed.is_numbered for listed in self._class_names.values())
        near = [path for path in few if not is_numbered or self._is_for_part(path)]
        return sorted(near, key=lambda path: (path.count("/"), path.lower()))

    @cached_property
    def _class_names(self) -> dict[str, ClassNames]:
        """Return the names of classes by number, for each file that may list them."""
        by_path = {}
        for path in _few_of_a_kind(self.paths, _CLASS_NAME_EXTENSIONS):
            stem = PurePosixPath(path).stem.lower()
            if any(word in stem for word in _CLASS_NAME_WORDS):
                data = read_table(self.tree.file(path))
                names = read_class_names(path, data) if data else None
                if names is not None:
                    by_path[path] = names
        return by_path

    def part_of(self, path: str) -> Part:
        """Return the part of a table by its folder or its name; the whole for neither."""
        if not self.parts:
            return WHOLE
        for part in self.parts:
            if path == part.table or (not part.table and part.has(path)):
                return part.part
        named = part_name(PurePosixPath(path).stem)
        return named.part if named else WHOLE

    def _is_for_part(self, path: str) -> bool:
        return self.part == WHOLE or self.part_of(path) in (WHOLE, self.part)

    def _files_for(self, path: str) -> FileNames:
        """Return the files that a table may refer to: those of its part, else all files."""
        part = self.part_of(path)
        own = [folder for folder in self.parts if folder.part == part]
        paths = [
            candidate
            for candidate in self.paths
            if not candidate.lower().endswith(EXTENSIONS)
            and (not own or any(folder.has(candidate) for folder in own))
        ]
        # A table of all parts does not refer to the files of the selected part alone.
        base = "" if self.folder and part == WHOLE else self.base
        return FileNames(paths, (parent_of(path), base, ""))


def _few_of_a_kind(paths: Iterable[str], extensions: tuple[str, ...]) -> list[str]:
    """Return files near the root, except those of which a folder has one for each image."""
    near = [
        path
        for path in paths
        if path.lower().endswith(extensions) and path.count("/") <= _MAX_DEPTH
    ]
    kinds = Counter((parent_of(path), PurePosixPath(path).suffix.lower()) for path in near)
    return [
        path
        for path in near
        if kinds[parent_of(path), PurePosixPath(path).suffix.lower()] <= _MAX_TABLES_IN_FOLDER
    ]


def _seems_a_table(path: str, data: bytes) -> bool:
    """Return True for JSON, and for CSV with several columns."""
    if path.lower().endswith((".csv", ".tsv")):
        return parse_rows(path, data) is not None
    return not path.lower().endswith(".txt")


def depth(table: LabelTable) -> int:
    return table.path.count("/")


def _rank(table: LabelTable) -> tuple[bool, int, int, bool]:
    """Return the sort key: several classes, many images, near to the root, CSV before JSON."""
    return (
        table.num_classes > 1,
        len(table.labels),
        -depth(table),
        not table.path.lower().endswith(".json"),
    )


def _adds_to(labels: Mapping[str, str], table: LabelTable) -> bool:
    """Return True for a table that labels more images, and shared ones in the same way."""
    agrees = all(labels.get(path, label) == label for path, label in table.labels.items())
    return agrees and not table.labels.keys() <= labels.keys()


def _is_submission(path: str) -> bool:
    """Return True for a sample submission to a contest."""
    return "submission" in PurePosixPath(path).stem.lower()


def about_names(sentence: Sentence, table: str, names: Sequence[str]) -> Statement:
    shown = [printable(name) for name in names[:_MAX_EXAMPLES]]
    return sentence.about({"table": table, "count": len(names), "names": shown})
