"""The ways in which a dataset can be labelled, and which of them is meant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePosixPath
from typing import Literal

from modules.errors import InvalidDatasetError, NotLabeledDatasetError
from modules.files.names import is_junk, parent_of, printable
from modules.files.scanning import Tree
from modules.layouts.class_folders import ClassFolders
from modules.layouts.class_names import read_class_names
from modules.layouts.file_names import FileNames
from modules.layouts.image_names import looks_like_image
from modules.layouts.label_table import LabelTable
from modules.layouts.label_tables import Columns, UnusedTable, read_labels
from modules.layouts.labels_in_names import label_in_name, labels_in_names
from modules.layouts.part_names import WHOLE, Part, part_name
from modules.layouts.parts import (
    PartFolder,
    chosen,
    is_first_version,
    narrowed,
    part_not_chosen,
    parts_of,
)
from modules.layouts.table_files import EXTENSIONS, UNREAD_EXTENSIONS, read_table
from modules.sentences import layouts as say
from modules.sentences.sentence import Sentence, Statement

ClassFrom = Literal["folder name", "CSV column", "file name", "folders only", "none"]
AUTOMATIC: ClassFrom = "folder name"
"""The default: folders of classes, else what else labels the images."""
_MAX_DEPTH = 3
_MAX_TABLES_IN_FOLDER = 20
"""More files of a kind in one folder are annotations, one for each image."""
_CLASS_NAMES = frozenset(
    [
        "classes",
        "class_names",
        "classnames",
        "names",
        "labels",
        "label_names",
        "labels_map",
        "label_map",
        "label_mapping",
        "class_indices",
        "class_to_idx",
        "cat_to_name",
        "categories",
        "idx_to_class",
        "index_to_name",
        "id_to_label",
        "class_mapping",
        "class_map",
    ]
)
_DISAGREEING_SHARE = 0.1
_MAX_EXAMPLES = 3


@dataclass(frozen=True)
class Reading:
    """One way to label the images of a dataset or of a part of it."""

    class_from: ClassFrom
    num_images: int
    """Images that the reading takes."""
    counts: Mapping[str, int]
    """Class -> images."""
    said: Statement
    labels: Mapping[str, str] | None = None
    """Path -> label; None where folders are the classes, or where there are none."""
    tables: tuple[LabelTable, ...] = ()
    warnings: tuple[Statement, ...] = ()
    source: Statement | None = None
    """Where the labels come from; None for folders."""
    is_first_version: bool = True
    """Earlier versions of the designer labelled these images in the same way."""


@dataclass
class Layout:
    """The files of a dataset, or of one part of it, with all that may label them."""

    tree: Tree
    part: Part = WHOLE
    columns: Columns = field(default_factory=Columns)
    knows_tables: bool = True
    """False for archives: only the names in them are known."""

    def __post_init__(self) -> None:
        self._whole = self.tree
        names = [file.path for file in self.tree.files]
        images = [path for path in names if looks_like_image(self.tree, path)]
        self._all_paths = [path for path in names if not is_junk(path)]
        self.parts: tuple[PartFolder, ...] = parts_of(images)
        self.folder = ""
        if self.part != WHOLE:
            self.folder = chosen(self.parts, self.part).folder
            self.tree = narrowed(self.tree, self.folder)
            images = [path for path in images if path.startswith(f"{self.folder}/")]
        self.images = [path for path in images if not is_junk(path)]
        self.paths = [file.path for file in self.tree.files if not is_junk(file.path)]
        self.folders = ClassFolders.of(images, self.tree.folders, self.folder)

    @property
    def must_choose_part(self) -> bool:
        """True where the dataset is in parts and none was chosen."""
        return bool(self.parts) and self.part == WHOLE

    def read(self, class_from: ClassFrom) -> Reading:
        """Return the reading that a user chose.

        Raises ``NotLabeledDatasetError`` where nothing labels the images in that way, and
        ``InvalidDatasetError`` where a part or a reading must be chosen first.
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
    def alternatives(self) -> list[Reading]:
        """All readings that label images, the likeliest first."""
        found = [self.by_tables, self.by_names]
        labelled = [reading for reading in found if reading is not None]
        if self.must_choose_part:
            return labelled
        by_folders = [self.by_folders] if self.by_folders.counts else []
        return [*by_folders, *labelled] if self.folders.num_filled > 1 else [*labelled, *by_folders]

    @property
    def is_read_as_first_version(self) -> bool:
        """True where earlier versions made the same classes of all parts, without a question."""
        if self.must_choose_part:
            return is_first_version(self.parts)
        try:
            return self._automatic().is_first_version
        except (InvalidDatasetError, NotLabeledDatasetError):
            return False

    def _automatic(self) -> Reading:
        """The reading of the default; raises where several are as likely."""
        table, names = self.by_tables, self.by_names
        if self.must_choose_part:
            if table is not None and table.is_first_version and is_first_version(self.parts):
                return table
            raise part_not_chosen(self.parts)
        if self.folders.num_filled > 1:
            if table is not None and self._contradicts(table):
                raise _question([table, self.by_folders], "CSV column")
            return self.by_folders
        if table is not None:
            return table
        candidates = [table for table in self._unused if table.candidates]
        if candidates:
            raise _columns_question(candidates[0])
        if names is not None:
            raise _question([names, self.by_folders], "file name")
        return self._require_shallow()

    def _contradicts(self, table: Reading) -> bool:
        """True where a table gives most images labels that are not the names of their folders."""
        labels = table.labels or {}
        if len(table.counts) < 2 or len(labels) * 2 < len(self.images):
            return False
        differing = sum(self.folders.label_of(path)[0] != label for path, label in labels.items())
        return differing > _DISAGREEING_SHARE * len(labels)

    @cached_property
    def by_folders(self) -> Reading:
        """Folders are the classes; one class or none where there are not several."""
        placed = [self.folders.label_of(path) for path in self.images]
        counts = Counter(label for label, left_out in placed if label is not None)
        num_images = sum(left_out is None for _, left_out in placed)
        facts = {"images": num_images, "classes": len(counts)}
        if self.folders.is_one:
            said = say.READ_AS_ONE_CLASS.about({**facts, "folder": printable(next(iter(counts)))})
        else:
            said = (say.READ_AS_FOLDERS if counts else say.READ_AS_UNLABELLED).about(facts)
        warnings = () if len(counts) > 1 else tuple(self._unused_warnings())
        is_first = bool(counts) or not self._has_part_name
        return Reading(
            "folders only" if counts else "none",
            num_images,
            counts,
            said,
            warnings=warnings,
            is_first_version=is_first,
        )

    def _require_shallow(self) -> Reading:
        """The reading by folders; raises where all images are deeper than the folders."""
        if self.images and not self.by_folders.num_images and not self.folders.num_filled:
            raise InvalidDatasetError(
                say.IMAGES_TOO_DEEP, example=printable(self.images[0]), port="input_dataset"
            )
        return self.by_folders

    @property
    def _has_part_name(self) -> bool:
        """True for one folder of images that is named like a part: once it was their class."""
        end = self.folders.base.rstrip("/").rpartition("/")[2]
        return not self.folder and part_name(end) is not None

    @cached_property
    def by_names(self) -> Reading | None:
        """The names of files have the labels; None where they do not."""
        labels = labels_in_names(self.images)
        return self._named(labels) if labels else None

    def _named(self, labels: Mapping[str, str]) -> Reading:
        counts = Counter(labels.values())
        facts = {"images": len(labels), "classes": len(counts), "labels": _examples(counts)}
        said = say.READ_AS_NAMES.about(facts)
        return Reading(
            "file name",
            len(labels),
            counts,
            said,
            labels,
            source=say.LABELS_FROM_NAMES.about({}),
            is_first_version=False,
        )

    def _unlabelled(self) -> Reading:
        facts = {"images": len(self.paths)}
        return Reading("none", len(self.paths), {}, say.READ_AS_UNLABELLED.about(facts))

    def _chosen_names(self) -> Reading:
        labels = {path: label for path in self.images if (label := label_in_name(path))}
        if not labels:
            examples = [PurePosixPath(path).name for path in self.images[:_MAX_EXAMPLES]]
            raise NotLabeledDatasetError(
                say.NO_LABELS_IN_NAMES, names=examples, parameter="class_from"
            )
        return self._named(labels)

    def _chosen_table(self) -> Reading:
        if self.by_tables is not None:
            return self.by_tables
        for table in self._unused:
            if table.candidates:
                raise _columns_question(table)
        reasons = [table.why for table in self._unused]
        if not reasons:
            raise NotLabeledDatasetError(say.NO_LABEL_TABLE, parameter="class_from")
        raise NotLabeledDatasetError(
            say.NO_LABELS_IN_TABLES, reasons=reasons, parameter="class_from"
        )

    @cached_property
    def by_tables(self) -> Reading | None:
        """Tables beside the images have the labels; None where there is no such table."""
        used = self._best_tables
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
        return Reading(
            "CSV column",
            len(labels),
            counts,
            sentence.about(facts),
            labels,
            tuple(used),
            tuple(self._table_warnings(used)),
            say.LABELS_FROM_TABLES.about({"tables": facts["tables"]}),
            self._is_first_choice(used),
        )

    def _table_warnings(self, used: Sequence[LabelTable]) -> Iterable[Statement]:
        others = [table for table in self._tables if table not in used and table.labels]
        if others:
            paths = [table.path for table in others]
            yield say.OTHER_TABLES.about({"table": used[0].path, "others": paths})
        for table in used:
            yield from table.warnings
            for names, sentence in (
                (table.ambiguous, say.NAMES_FIT_SEVERAL),
                (table.absent, say.ROWS_WITHOUT_FILE),
            ):
                if names:
                    yield _about_names(sentence, table.path, names)

    def _is_first_choice(self, used: Sequence[LabelTable]) -> bool:
        nearest = min(self._tables, key=lambda table: (_depth(table), table.path.endswith(".json")))
        return [nearest] == list(used) and nearest.is_first_version

    @cached_property
    def _best_tables(self) -> list[LabelTable]:
        """The table that labels most images; where no part is chosen, that of each part."""
        tables = [
            table
            for table in self._tables
            if not _is_submission(table.path)
            and (table.labels or table.file_faults)
            and not (table.is_guess and self._is_poor(table))
        ]
        best: dict[Part, LabelTable] = {}
        for table in tables:
            part = WHOLE if self.part != WHOLE else self._part_of(table.path)
            if part not in best or _rank(table) > _rank(best[part]):
                best[part] = table
        if WHOLE in best and all(_rank(best[WHOLE]) >= _rank(each) for each in best.values()):
            return [best[WHOLE]]
        return [table for part, table in best.items() if part != WHOLE or len(best) == 1]

    def _is_poor(self, table: LabelTable) -> bool:
        """True for a table that labels few of the images it is about, or all in the same way."""
        parts = [part.images for part in self.parts if part.part == self._part_of(table.path)]
        num_images = sum(parts) if parts else len(self.images)
        return table.num_classes < 2 or len(table.labels) * 2 < num_images

    @cached_property
    def _tables(self) -> list[LabelTable]:
        return [table for table in self._read_tables if isinstance(table, LabelTable)]

    @cached_property
    def _unused(self) -> list[UnusedTable]:
        found = [table for table in self._read_tables if isinstance(table, UnusedTable)]
        found = [table for table in found if not _is_submission(table.path)]
        for table in self._tables:
            if not table.labels and not table.is_for_other_files:
                several = bool(table.ambiguous)
                names = table.ambiguous or table.absent or list(table.faults)
                sentence = say.NAMES_FIT_SEVERAL if several else say.NAMES_NO_FILE
                found.append(UnusedTable(table.path, _about_names(sentence, table.path, names)))
        for path in self._all_paths:
            if path.lower().endswith(UNREAD_EXTENSIONS) and self._is_for_part(path):
                why = say.TABLE_FORMAT_NOT_READ.about({"table": path})
                found.append(UnusedTable(path, why))
        return found

    def _unused_warnings(self) -> Iterable[Statement]:
        reasons = [table.why for table in self._unused]
        if reasons:
            yield say.TABLES_NOT_UNDERSTOOD.about({"reasons": reasons})

    @cached_property
    def _read_tables(self) -> list[LabelTable | UnusedTable]:
        if not self.knows_tables:
            return []
        names = self._class_names
        found = []
        for path in self._table_paths:
            data = read_table(self._whole.file(path))
            files = self._files_for(path)
            table = read_labels(path, data, files, names, self.columns) if data else None
            if isinstance(table, LabelTable) and self.folder:
                table.keep_within(f"{self.folder}/")
            if table is not None:
                found.append(table)
        return found

    @cached_property
    def _table_paths(self) -> list[str]:
        """Files that may be tables for these images, the nearest to the root first."""
        paths = [
            path
            for path in self._all_paths
            if path.lower().endswith(EXTENSIONS) and path.count("/") <= _MAX_DEPTH
        ]
        kinds = Counter((parent_of(path), PurePosixPath(path).suffix.lower()) for path in paths)
        few = [
            path
            for path in paths
            if kinds[parent_of(path), PurePosixPath(path).suffix.lower()] <= _MAX_TABLES_IN_FOLDER
        ]
        near = [path for path in few if self._is_for_part(path)]
        return sorted(near, key=lambda path: (path.count("/"), path.lower()))

    @cached_property
    def _class_names(self) -> dict[str, str]:
        for path in self._all_paths:
            stem, extension = PurePosixPath(path).stem.lower(), PurePosixPath(path).suffix.lower()
            if stem in _CLASS_NAMES and extension in (".txt", ".json", ".csv", ".names"):
                data = read_table(self._whole.file(path))
                names = read_class_names(path, data) if data else {}
                if len(names) > 1:
                    return names
        return {}

    def _part_of(self, path: str) -> Part:
        """The part that a table belongs to by its folder or its name; the whole for neither."""
        if not self.parts:
            return WHOLE
        for part in self.parts:
            if path.startswith(f"{part.folder}/"):
                return part.part
        named = part_name(PurePosixPath(path).stem)
        return named.part if named else WHOLE

    def _is_for_part(self, path: str) -> bool:
        return self.part == WHOLE or self._part_of(path) in (WHOLE, self.part)

    def _files_for(self, path: str) -> FileNames:
        """The files that a table may name: those of its part, else all of the dataset."""
        part = self._part_of(path)
        folders = [each.folder for each in self.parts if each.part == part]
        inside = tuple(f"{folder}/" for folder in folders)
        paths = [
            each
            for each in self._all_paths
            if not each.lower().endswith(EXTENSIONS) and (not inside or each.startswith(inside))
        ]
        # A table of all parts does not mean the files of the part that was chosen.
        base = "" if self.folder and part == WHOLE else self.folders.base.rstrip("/")
        return FileNames(paths, (parent_of(path), base, ""))


def _depth(table: LabelTable) -> int:
    return table.path.count("/")


def _rank(table: LabelTable) -> tuple[bool, int, int, bool]:
    """Several classes, then many images, then near to the root, CSV before JSON."""
    return (
        table.num_classes > 1,
        len(table.labels),
        -_depth(table),
        not table.path.lower().endswith(".json"),
    )


def _is_submission(path: str) -> bool:
    """True for a table that shows how answers to a contest are written."""
    return "submission" in PurePosixPath(path).stem.lower()


def _about_names(sentence: Sentence, table: str, names: Sequence[str]) -> Statement:
    shown = [printable(name) for name in names[:_MAX_EXAMPLES]]
    return sentence.about({"table": table, "count": len(names), "names": shown})


def _examples(counts: Counter[str]) -> list[str]:
    return [f"{label}: {images:,}" for label, images in counts.most_common(_MAX_EXAMPLES)]


def _question(readings: Sequence[Reading], first: ClassFrom) -> InvalidDatasetError:
    """The error of a dataset that can be read in several ways."""
    return InvalidDatasetError(
        say.SEVERAL_READINGS,
        readings=[reading.said for reading in readings],
        choices=[reading.class_from for reading in readings],
        parameter="class_from",
        remedy={"set": {"class_from": first}},
    )


def _columns_question(table: UnusedTable) -> InvalidDatasetError:
    return InvalidDatasetError(
        say.CHOOSE_LABEL_COLUMN,
        table=table.path,
        columns=table.candidates,
        parameter="label_column",
    )
