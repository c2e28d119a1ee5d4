"""Which file is of which class: from folder names, or from a table beside the images."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from modules.errors import NotLabeledDatasetError
from modules.files.class_folders import ClassFolders
from modules.files.names import class_name, is_junk, parent_of, printable
from modules.files.parts import WHOLE, Part, chosen, narrowed, part_not_chosen, parts_of
from modules.files.scanning import Tree
from modules.files.shard_member import StoredFile
from modules.image_directories.label_tables import find_label_table
from modules.image_loading.decoding import EXTENSIONS, SIGNATURE_BYTES, has_image_signature
from modules.sentences import image_directories as say
from modules.sentences.sentence import Statement

ClassFrom = Literal["folder name", "CSV column", "none"]


@dataclass(frozen=True)
class LabeledFile:
    """A file below the root, its class, and why its image is not to be taken, if so."""

    path: str
    label: str | None
    left_out: str | None = None


def manifest_path(path: str, base: str) -> str:
    """How the manifest names a file: relative to what the folders of the classes lie in."""
    return printable(path.removeprefix(base))


@dataclass
class Labeling:
    """What is known of every file before one is decoded.

    ``base`` is the folder that manifest paths are relative to: empty, or ending in a slash.
    ``classes`` are those that a folder or a table names, with or without images.
    """

    base: str = ""
    files: list[LabeledFile] = field(default_factory=list)
    classes: set[str] = field(default_factory=set)
    skipped: list[tuple[str, str]] = field(default_factory=list)
    warnings: list[Statement] = field(default_factory=list)


def label_files(tree: Tree, class_from: ClassFrom, part: Part = WHOLE) -> Labeling:
    """The classes of all files of a folder, or of one part of it.

    Raises ``NotLabeledDatasetError`` without a table, ``InvalidDatasetError`` where there is no
    such part, or where there are several and none was chosen.
    """
    images = [each.path for each in tree.files if looks_like_image(tree, each.path)]
    parts, folder = parts_of(images), ""
    if part != WHOLE:
        folder = chosen(parts, part).folder
        tree = narrowed(tree, folder)
        images = [path for path in images if path.startswith(f"{folder}/")]
    paths = [file.path for file in tree.files if not is_junk(file.path)]
    images = [path for path in images if not is_junk(path)]
    layout = ClassFolders.of(images, tree.folders, folder)
    labeling = Labeling(layout.base)
    labeling.skipped += [each for each in tree.passed_over if not is_junk(each[0])]
    if class_from == "none":
        labeling.files = [LabeledFile(path, None) for path in paths]
    elif class_from == "CSV column":
        if not _label_by_table(labeling, tree, paths):
            raise NotLabeledDatasetError(say.NO_LABEL_TABLE, parameter="class_from")
    elif layout.num_filled > 1 or not _label_by_table(labeling, tree, paths):
        if parts and part == WHOLE:
            raise part_not_chosen(parts)
        _label_by_folders(labeling, layout, paths)
    return labeling


def looks_like_image(tree: Tree, path: str) -> bool:
    """True where the extension says so, or else the first bytes."""
    if Path(path).suffix.lower() in EXTENSIONS:
        return True
    try:
        return has_image_signature(_start(tree.file(path)))
    except OSError:
        return False


def _start(file: StoredFile) -> bytes:
    if not isinstance(file, Path):
        return file.read_bytes()[:SIGNATURE_BYTES]
    with file.open("rb") as opened:
        return opened.read(SIGNATURE_BYTES)


def _label_by_folders(labeling: Labeling, layout: ClassFolders, paths: list[str]) -> None:
    names = layout.names
    labeling.base = layout.labels_base
    labeling.classes = {class_name(name) for name in names}
    if layout.is_one:
        labeling.warnings.append(say.FOLDER_IS_CLASS.about({"folder": printable(names[0])}))
    labeling.warnings += _spelled_alike(names)
    labeling.files += [LabeledFile(path, *layout.label_of(path)) for path in paths]


def _spelled_alike(names: Iterable[str]) -> Iterator[Statement]:
    """A warning for folders whose names look the same but are other characters."""
    spellings: dict[str, list[str]] = {}
    for name in names:
        spellings.setdefault(class_name(name), []).append(name)
    alike = {name: each for name, each in spellings.items() if len(each) > 1}
    if alike:
        found = [
            say.SPELLINGS.about({"name": name, "spellings": list(map(ascii, each))})
            for name, each in alike.items()
        ]
        yield say.SPELLED_ALIKE.about({"names": found})


def _label_by_table(labeling: Labeling, tree: Tree, paths: list[str]) -> bool:
    """True where a table of labels was found and used."""
    table = find_label_table(tree, paths)
    if table is None:
        return False
    known = _Known(paths)
    folders = (parent_of(table.path), labeling.base.rstrip("/"), "")
    labels: dict[str, str] = {}
    faults: dict[str, str] = {}
    for name, text, where in (
        *((name, label, labels) for name, label in table.labels.items()),
        *((name, fault.message, faults) for name, fault in table.faults.items()),
    ):
        path = known.place(name, folders)
        if path is None:
            gone = say.NAMED_BUT_NOT_THERE.about({"table": table.path})
            labeling.skipped.append((printable(name), gone.message))
        else:
            where[path] = text
    labeling.warnings += table.warnings
    labeling.classes = set(labels.values())
    labeling.files = [
        LabeledFile(path, labels.get(path), _fault(path, labels, faults, table.path))
        for path in paths
        if path != table.path
    ]
    return True


def _fault(
    path: str, labels: dict[str, str], faults: dict[str, str], table_path: str
) -> str | None:
    if path in faults:
        return faults[path]
    return None if path in labels else say.NOT_IN_TABLE.about({"table": table_path}).message


class _Known:
    """The files there are, by their paths and by their names, however Unicode writes those."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._paths: dict[str, str] = {}
        self._by_path: dict[str, list[str]] = {}
        self._by_name: dict[str, list[str]] = {}
        for path in paths:
            spelled = unicodedata.normalize("NFC", path)
            self._paths[path] = path
            self._by_path.setdefault(spelled, []).append(path)
            self._by_name.setdefault(spelled.rpartition("/")[2], []).append(path)

    def place(self, name: str, folders: tuple[str, ...]) -> str | None:
        """The file a table means: relative to the table, to the images, else by its name alone."""
        for folder in folders:
            path = f"{folder}/{name}" if folder else name
            if found := self._paths.get(path) or _only(self._by_path, path):
                return found
        return _only(self._by_name, name.rpartition("/")[2])


def _only(paths: dict[str, list[str]], spelling: str) -> str | None:
    found = paths.get(unicodedata.normalize("NFC", spelling), [])
    return found[0] if len(found) == 1 else None
