"""Which file is of which class: from folder names, or from a table beside the images."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Literal

from modules.errors import NotLabeledDatasetError
from modules.files.class_folders import ClassFolders
from modules.files.names import class_name, is_junk, parent_of, printable
from modules.files.parts import WHOLE, Part, chosen, narrowed, part_not_chosen, parts_of
from modules.files.scanning import Tree
from modules.files.shard_member import StoredFile
from modules.image_directories.label_tables import LabelTable, find_label_table
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
    known = _Known(paths, (parent_of(table.path), labeling.base.rstrip("/"), ""))
    labels, faults, absent = _placed(table, known)
    gone = say.NAMED_BUT_NOT_THERE.about({"table": table.path}).message
    labeling.skipped += [(printable(name), gone) for name in absent]
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


def _placed(table: LabelTable, known: _Known) -> tuple[dict[str, str], dict[str, str], list[str]]:
    """Files' labels, why others have none, and the names in the table that are no files here.

    What names a file as it is written comes first: no other name is guessed to mean that file.
    """
    several = say.SEVERAL_LABELS_IN_TABLE.about({"table": table.path}).message
    labels: dict[str, str] = {}
    faults: dict[str, str] = {}
    names = [*table.labels, *table.faults]
    for file_of in (known.named, known.guessed):
        settled = labels.keys() | faults.keys()
        absent = []
        for name in names:
            path = file_of(name)
            if path is None or path in settled:
                absent.append(name)
            elif name in table.faults:
                faults[path] = table.faults[name].message
            elif labels.setdefault(path, table.labels[name]) != table.labels[name]:
                faults[path] = several
        names = absent
    return {path: labels[path] for path in labels.keys() - faults.keys()}, faults, names


class _Known:
    """The files there are, by their paths and by the ends of those, however Unicode writes them.

    ``folders`` are what a table's names may be relative to: its own, the images', the root.
    """

    def __init__(self, paths: Iterable[str], folders: tuple[str, str, str]) -> None:
        self._paths = set(paths)
        self._folders = folders
        self._by_path: dict[str, str | None] = {}
        for path in self._paths:
            _add(self._by_path, path, path)

    def named(self, name: str) -> str | None:
        """The file that is called so, relative to the table, to the images or to the root."""
        return self._below(self._folders, name)

    def guessed(self, name: str) -> str | None:
        """The only file whose path ends so, else the one whose path the name ends in.

        None for a name that begins with a folder there is: that file is missing in it.
        """
        if self._is_anchored(name):
            return None
        if found := self._by_end.get(_spelled(name)):
            return found
        table_folder, _, root = self._folders
        while "/" in name and not self._is_anchored(name):
            name = name.partition("/")[2]
            if found := self._below((table_folder, root), name):
                return found
        return None

    def _below(self, folders: Iterable[str], name: str) -> str | None:
        for folder in folders:
            path = f"{folder}/{name}" if folder else name
            if found := path if path in self._paths else self._by_path.get(_spelled(path)):
                return found
        return None

    def _is_anchored(self, name: str) -> bool:
        first, slash, _ = _spelled(name).partition("/")
        return bool(slash) and first in self._first_folders

    @cached_property
    def _first_folders(self) -> set[str]:
        starts = {f"{folder}/" if folder else "" for folder in self._folders}
        inside = [
            path.removeprefix(each)
            for each in starts
            for path in self._by_path
            if path.startswith(each)
        ]
        return {path.partition("/")[0] for path in inside if "/" in path}

    @cached_property
    def _by_end(self) -> dict[str, str | None]:
        ends: dict[str, str | None] = {}
        for path in self._paths:
            end, slash = path, "/"
            while slash:
                _add(ends, end, path)
                _, slash, end = end.partition("/")
        return ends


def _add(paths: dict[str, str | None], spelling: str, path: str) -> None:
    """Note a file under a spelling; one that several files have means none of them."""
    spelled = _spelled(spelling)
    paths[spelled] = None if spelled in paths else path


def _spelled(name: str) -> str:
    return unicodedata.normalize("NFC", name)
