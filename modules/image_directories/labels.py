"""Labels of files: from folder names, file names, or a table next to the images."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from modules.files.names import class_name, is_junk, printable
from modules.files.scanning import Tree
from modules.layouts.class_folders import ClassFolders
from modules.layouts.label_table import LabelTable
from modules.layouts.label_tables import Columns
from modules.layouts.listing import Listing
from modules.layouts.part_names import WHOLE, Part
from modules.layouts.readings import ClassFrom, LabelReading, Layout
from modules.sentences import image_directories as say
from modules.sentences.sentence import Statement


@dataclass(frozen=True)
class LabeledFile:
    """A file below the root, its class, and the reason if its image is excluded."""

    path: str
    label: str | None
    left_out: str | None = None


def manifest_path(path: str, base: str) -> str:
    """Return the path of a file in the manifest: relative to the parent of the class folders."""
    return printable(path.removeprefix(base))


@dataclass
class Labeling:
    """Everything known of the files before any is decoded.

    ``base`` is the folder that manifest paths are relative to: empty, or ending in a slash.
    ``classes`` are those of folders or tables, with or without images. ``source`` is the source of
    the labels if not folders.
    """

    base: str = ""
    files: list[LabeledFile] = field(default_factory=list)
    classes: set[str] = field(default_factory=set)
    skipped: list[tuple[str, str]] = field(default_factory=list)
    warnings: list[Statement] = field(default_factory=list)
    source: Statement | None = None


def label_files(
    tree: Tree, class_from: ClassFrom, part: Part = WHOLE, columns: Columns | None = None
) -> Labeling:
    """Return the classes of all files of a folder, or of one part of it.

    Raises ``NotLabeledDatasetError`` if nothing labels the images in the selected way,
    ``InvalidDatasetError`` if the part does not exist, or if a part or a way must be selected.
    """
    layout = Layout(Listing(tree), part, columns or Columns())
    reading = layout.read(class_from)
    labeling = Labeling(layout.folders.base, warnings=[*reading.warnings, *layout.part_warnings])
    passed_over = layout.tree.passed_over
    labeling.skipped += [entry for entry in passed_over if not is_junk(entry[0])]
    if class_from == "none":
        labeling.files = [LabeledFile(path, None) for path in layout.paths]
    elif reading.labels is None:
        _label_by_folders(labeling, layout.folders, layout.paths)
    else:
        _label_by_reading(labeling, reading, reading.labels, layout.paths)
    return labeling


def _label_by_folders(labeling: Labeling, layout: ClassFolders, paths: list[str]) -> None:
    names = layout.names
    labeling.base = layout.labels_base
    labeling.classes = {class_name(name) for name in names}
    labeling.warnings += _spelled_alike(names)
    labeling.files += [LabeledFile(path, *layout.label_of(path)) for path in paths]


def _spelled_alike(names: Iterable[str]) -> Iterator[Statement]:
    """Warn of folders whose names look the same but have different characters."""
    spellings: dict[str, list[str]] = {}
    for name in names:
        spellings.setdefault(class_name(name), []).append(name)
    alike = {name: folders for name, folders in spellings.items() if len(folders) > 1}
    if alike:
        statements = [
            say.SPELLINGS.about({"name": name, "spellings": list(map(ascii, folders))})
            for name, folders in alike.items()
        ]
        yield say.SPELLED_ALIKE.about({"names": statements})


def _label_by_reading(
    labeling: Labeling, reading: LabelReading, labels: Mapping[str, str], paths: list[str]
) -> None:
    """Set labels by path, from tables or from file names."""
    for table in reading.tables:
        gone = say.NAMED_BUT_NOT_THERE.about({"table": table.path}).message
        labeling.skipped += [(printable(name), gone) for name in table.absent]
        several = say.NAMED_TWICE.about({"table": table.path}).message
        labeling.skipped += [(printable(name), several) for name in table.ambiguous]
    labeling.classes = set(reading.counts)
    labeling.source = reading.source
    own = {table.path for table in reading.tables}
    labeling.files = [
        LabeledFile(
            path, labels.get(path), None if path in labels else _fault(path, reading.tables)
        )
        for path in paths
        if path not in own
    ]


def _fault(path: str, tables: Iterable[LabelTable]) -> str:
    """Return why an image has no label."""
    names = []
    for table in tables:
        if path in table.file_faults:
            return table.file_faults[path]
        names.append(table.path)
    if not names:
        return say.NO_LABEL_IN_NAME.about({}).message
    return say.NOT_IN_TABLE.about({"table": ", ".join(names)}).message
