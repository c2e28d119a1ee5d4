"""The ways to label a dataset, and the selection of one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePosixPath
from typing import Literal

from modules.errors import InvalidDatasetError, NotLabeledDatasetError
from modules.files.names import printable
from modules.layouts.class_folders import ClassFolders
from modules.layouts.dataset_tables import DatasetTables, about_names, depth
from modules.layouts.doubts import masks_among_images, masks_as_class, no_images
from modules.layouts.label_table import LabelTable
from modules.layouts.label_tables import Columns
from modules.layouts.labels_in_names import label_in_name, labels_in_names
from modules.layouts.listing import Listing
from modules.layouts.part_names import WHOLE, Part, is_container_name, part_name
from modules.layouts.parts import chosen, is_first_version, left_out, narrowed, part_not_chosen
from modules.layouts.questions import (
    require_first_number,
    several_columns,
    several_readings,
    unclear_table,
)
from modules.sentences import layouts as say
from modules.sentences.sentence import Statement

ClassFrom = Literal["folder name", "CSV column", "file name", "folders only", "none"]
AUTOMATIC: ClassFrom = "folder name"
"""Default: folders of classes, else anything else that labels the images."""
_DISAGREEING_SHARE = 0.1
_MAX_EXAMPLES = 3


@dataclass(frozen=True)
class LabelReading:
    """One way to label the images of a dataset or of a part of it."""

    class_from: ClassFrom
    num_images: int
    """Number of images that the reading uses."""
    counts: Mapping[str, int]
    """Class -> number of images."""
    said: Statement
    labels: Mapping[str, str] | None = None
    """Path -> label; None if folders are the classes, or if there are none."""
    tables: tuple[LabelTable, ...] = ()
    warnings: tuple[Statement, ...] = ()
    source: Statement | None = None
    """Source of the labels; None for folders."""
    is_first_version: bool = True
    """True if the first version of the designer labelled these images in the same way."""
    is_revised: bool = False
    """True if the second version of the designer labelled them in another way."""


@dataclass
class Layout:
    """The files of a dataset, or of one part of it, with everything that may label them."""

    listing: Listing
    part: Part = WHOLE
    columns: Columns = field(default_factory=Columns)
    knows_tables: bool = True
    """False for archives: only the names in them are known."""

    def __post_init__(self) -> None:
        self.parts = self.listing.parts
        self.tree = self.listing.tree
        self.images, self.paths = self.listing.images, self.listing.paths
        self.folder = ""
        if self.part != WHOLE:
            part = chosen(self.parts, self.part)
            self.folder = part.folder
            self.tree = narrowed(self.tree, part)
            self.images = list(filter(part.has, self.images))
            self.paths = list(filter(part.has, self.paths))
        self.folders = ClassFolders.of(self.images, self.tree.folders, self.folder)
        self._tables = DatasetTables(
            self.listing.tree,
            self.listing.paths,
            self.parts,
            self.part,
            self.folder,
            self.folders.base.rstrip("/"),
            self.images,
            self.columns,
            self.knows_tables,
        )

    @property
    def part_warnings(self) -> list[Statement]:
        """Return warnings about images in no part, or only in another folder of the same part."""
        if self.part == WHOLE:
            return []
        return left_out(self.parts, chosen(self.parts, self.part), self.listing.images)

    @property
    def must_choose_part(self) -> bool:
        """Return True if the dataset is in parts and none was selected."""
        return bool(self.parts) and self.part == WHOLE

    def read(self, class_from: ClassFrom) -> LabelReading:
        """Return the reading that a user selected.

        Raises ``NotLabeledDatasetError`` if nothing labels the images in that way, and
        ``InvalidDatasetError`` if a part or a reading must be selected first.
        """
        if class_from == "none":
            return self._unlabelled()
        if class_from == "CSV column":
            return self._chosen_table()
        if class_from == "file name":
            return self._chosen_names()
        if class_from == "folders only":
            if self.must_choose_part:
                raise part_not_chosen(self.parts)
            return self._require_shallow()
        return self._automatic()

    @property
    def alternatives(self) -> list[LabelReading]:
        """Return all readings that label images, the most likely first."""
        table, names = self.by_tables, self.by_names
        if table is not None and unclear_table(table.tables) is not None:
            table = None
        labelled = [reading for reading in (table, names) if reading is not None]
        if self.must_choose_part:
            return labelled
        if not self.by_folders.counts:
            return labelled
        if table is not None and (self.folders.num_filled < 2 or self._contradicts(table)):
            order = [table, self.by_folders, names]
        elif self.folders.num_filled > 1 or self.folders.containers:
            order = [self.by_folders, table, names]
        else:
            order = [table, names, self.by_folders]
        return [reading for reading in order if reading is not None]

    @property
    def reading_version(self) -> int:
        """Return the version of the designer (1 to 3) that first read these classes from the files.

        Questions were added in version 2; joined tables and parts by tables in version 3.
        """
        is_by_tables = any(part.table for part in self.parts)
        if is_by_tables or (self.by_tables is not None and self.by_tables.is_revised):
            return 3
        if self.must_choose_part:
            return 1 if is_first_version(self.parts) else 2
        try:
            return 1 if self._automatic().is_first_version else 2
        except (InvalidDatasetError, NotLabeledDatasetError):
            return 2

    def _automatic(self) -> LabelReading:
        """Return the default reading; raise if several are equally likely."""
        table, names = self.by_tables, self.by_names
        if self.must_choose_part:
            if table is not None and self._labels_all_parts(table):
                require_first_number(table.tables)
                return table
            raise part_not_chosen(self.parts)
        if self.folders.num_filled > 1:
            if table is not None and self._contradicts(table):
                require_first_number(table.tables)
                raise several_readings(_by_choice(table, self.by_folders), "CSV column")
            return self.by_folders
        if table is not None:
            require_first_number(table.tables)
            return table
        candidates = [table for table in self._tables.unused if table.candidates]
        if candidates:
            raise several_columns(candidates[0])
        if names is not None and not self.folders.containers:
            raise several_readings(_by_choice(names, self.by_folders), "file name")
        return self._require_shallow()

    def _labels_all_parts(self, table: LabelReading) -> bool:
        """Return True for a table that earlier versions preferred to parts with class folders."""
        is_first = table.is_first_version and is_first_version(self.parts)
        return is_first and all(self._tables.part_of(used.path) == WHOLE for used in table.tables)

    def _contradicts(self, table: LabelReading) -> bool:
        """Return True if a table labels most images differently than the names of their folders."""
        labels = table.labels or {}
        if len(table.counts) < 2 or len(labels) * 2 < len(self.images):
            return False
        pairs = Counter((self.folders.label_of(path)[0], label) for path, label in labels.items())
        same = sum(images for (folder, label), images in pairs.items() if folder == label)
        return max(same, _renamed(pairs)) < (1 - _DISAGREEING_SHARE) * len(labels)

    @cached_property
    def by_folders(self) -> LabelReading:
        """Return the reading by folders; with one class or none if there are not several."""
        placed = [self.folders.label_of(path) for path in self.images]
        counts = Counter(label for label, left_out in placed if label is not None)
        num_images = sum(left_out is None for _, left_out in placed)
        facts = {"images": num_images, "classes": len(counts)}
        warnings = list(self._doubts(counts)) if self.listing.images else [no_images(self.paths)]
        if self.folders.is_one:
            folder = printable(next(iter(counts)))
            said = say.READ_AS_ONE_CLASS.about({**facts, "folder": folder})
            warnings.append(say.FOLDER_IS_CLASS.about({"folder": folder}))
        else:
            said = (say.READ_AS_FOLDERS if counts else say.READ_AS_UNLABELLED).about(facts)
            warnings += _only_one_class(counts)
        is_first = bool(counts) or not self._has_part_name
        return LabelReading(
            "folders only" if counts else "none",
            num_images,
            counts,
            said,
            warnings=tuple(warnings),
            is_first_version=is_first,
        )

    def _doubts(self, counts: Mapping[str, int]) -> Iterable[Statement]:
        if len(counts) < 2:
            yield from self._unused_warnings()
        else:
            yield from masks_as_class(self.folders.folders, self.images)
            yield from masks_among_images(self.images)

    def _require_shallow(self) -> LabelReading:
        """Return the reading by folders; raise if all images are in deeper folders."""
        if self.images and not self.by_folders.num_images and not self.folders.num_filled:
            raise InvalidDatasetError(
                say.IMAGES_TOO_DEEP, example=printable(self.images[0]), port="input_dataset"
            )
        return self.by_folders

    @property
    def _has_part_name(self) -> bool:
        """Return True for one folder of images with the name of a part, once read as a class."""
        end = self.folders.base.rstrip("/").rpartition("/")[2]
        return not self.folder and (part_name(end) is not None or is_container_name(end))

    def _unused_warnings(self) -> Iterable[Statement]:
        reasons = [table.why for table in self._tables.unused]
        if reasons:
            yield say.TABLES_NOT_UNDERSTOOD.about({"reasons": reasons})

    @cached_property
    def by_names(self) -> LabelReading | None:
        """Return the reading by file names; None if they contain no labels."""
        labels = labels_in_names(self.images)
        return self._named(labels) if labels else None

    def _named(self, labels: Mapping[str, str]) -> LabelReading:
        counts = Counter(labels.values())
        facts = {"images": len(labels), "classes": len(counts), "labels": _examples(counts)}
        said = say.READ_AS_NAMES.about(facts)
        return LabelReading(
            "file name",
            len(labels),
            counts,
            said,
            labels,
            warnings=tuple(_only_one_class(counts)),
            source=say.LABELS_FROM_NAMES.about({}),
            is_first_version=False,
        )

    def _unlabelled(self) -> LabelReading:
        facts = {"images": len(self.images)}
        return LabelReading("none", len(self.images), {}, say.READ_AS_UNLABELLED.about(facts))

    def _chosen_names(self) -> LabelReading:
        labels = {path: label for path in self.images if (label := label_in_name(path))}
        if not labels:
            examples = [PurePosixPath(path).name for path in self.images[:_MAX_EXAMPLES]]
            raise NotLabeledDatasetError(
                say.NO_LABELS_IN_NAMES, names=examples, parameter="class_from"
            )
        return self._named(labels)

    def _chosen_table(self) -> LabelReading:
        if self.by_tables is not None:
            require_first_number(self.by_tables.tables)
            return self.by_tables
        for table in self._tables.unused:
            if table.candidates:
                raise several_columns(table)
        reasons = [table.why for table in self._tables.unused]
        if not reasons:
            raise NotLabeledDatasetError(say.NO_LABEL_TABLE, parameter="class_from")
        raise NotLabeledDatasetError(
            say.NO_LABELS_IN_TABLES, reasons=reasons, parameter="class_from"
        )

    @cached_property
    def by_tables(self) -> LabelReading | None:
        """Return the reading by tables next to the images; None if there is no such table."""
        used = self._tables.best
        if not used:
            return None
        labels = {path: label for table in used for path, label in table.labels.items()}
        counts = Counter(labels.values())
        facts = {
            "tables": [table.path for table in used],
            "count": len(used),
            "labelled": len(labels),
            "images": len(self.images),
            "classes": len(counts),
            "columns": used[0].columns[:2],
        }
        sentence = say.READ_AS_TABLE if len(used[0].columns) == 2 else say.READ_AS_TABLE_OF_CLASSES
        return LabelReading(
            "CSV column",
            len(labels),
            counts,
            sentence.about(facts),
            labels,
            tuple(used),
            (*_only_one_class(counts), *self._table_warnings(used)),
            say.LABELS_FROM_TABLES.about({"tables": facts["tables"]}),
            self._is_first_choice(used),
            bool(self._tables.joined) or any(table.is_revised for table in used),
        )

    def _table_warnings(self, used: Sequence[LabelTable]) -> Iterable[Statement]:
        others = [table for table in self._tables.labelling if table not in used and table.labels]
        if others:
            known = {path for table in used for path in table.labels}
            shown = [_other_table(table, known) for table in others]
            yield say.OTHER_TABLES.about({"table": used[0].path, "others": shown})
        for joined in self._tables.joined:
            counts = [
                say.TABLE_OF_SEVERAL.about({"table": table.path, "images": len(table.labels)})
                for table in joined
            ]
            yield say.TABLES_JOINED.about({"tables": counts})
        for table in used:
            yield from table.warnings
            for names, sentence in (
                (table.ambiguous, say.NAMES_FIT_SEVERAL),
                (table.absent, say.ROWS_WITHOUT_FILE),
            ):
                if names:
                    yield about_names(sentence, table.path, names)

    def _is_first_choice(self, used: Sequence[LabelTable]) -> bool:
        nearest = min(
            self._tables.labelling, key=lambda table: (depth(table), table.path.endswith(".json"))
        )
        return [nearest] == list(used) and nearest.is_first_version


def _by_choice(*readings: LabelReading) -> dict[str, Statement]:
    return {reading.class_from: reading.said for reading in readings}


def _only_one_class(counts: Mapping[str, int]) -> Iterator[Statement]:
    """Return a warning if all labels are the same, as training needs at least two classes."""
    if len(counts) == 1:
        [(name, images)] = counts.items()
        yield say.ONLY_ONE_CLASS.about({"images": images, "name": printable(name)})


def _other_table(table: LabelTable, known: Collection[str]) -> Statement | str:
    """Return the path of an unused table, and how many images only it labels."""
    only = sum(path not in known for path in table.labels)
    return say.OTHER_TABLE.about({"table": table.path, "images": only}) if only else table.path


def _renamed(pairs: Counter[tuple[str | None, str]]) -> int:
    """Count images whose one label belongs to their folder and to no other."""
    label_of: dict[str | None, str] = {}
    for (folder, label), _ in pairs.most_common():
        label_of.setdefault(folder, label)
    folders = Counter(label_of.values())
    return sum(pairs[folder, label] for folder, label in label_of.items() if folders[label] == 1)


def _examples(counts: Counter[str]) -> list[str]:
    return [f"{label}: {images:,}" for label, images in counts.most_common(_MAX_EXAMPLES)]
