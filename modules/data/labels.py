"""Which file is of which class: from folder names, or from a table beside the images."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from modules.data.label_tables import find_label_table
from modules.data.names import is_junk, parent_of, printable
from modules.data.scanning import Tree
from modules.errors import NotLabeledDatasetError
from modules.images.decode import EXTENSIONS, SIGNATURE_BYTES, has_image_signature

ClassFrom = Literal["folder name", "CSV column", "none"]

DEEPER = "it lies deeper than the folders of the classes"
SHALLOWER = "it lies beside the folders of the classes, not in one"


@dataclass(frozen=True)
class LabeledFile:
    """A file below the root, its class, and why its image is not to be taken, if so."""

    path: str
    label: str | None
    left_out: str | None = None


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
    warnings: list[str] = field(default_factory=list)


def label_files(tree: Tree, class_from: ClassFrom) -> Labeling:
    """The classes of all files of a folder; raises ``NotLabeledDatasetError`` without a table."""
    paths = [file.path for file in tree.files if not is_junk(file.path)]
    layout = _Layout(tree, paths)
    labeling = Labeling(layout.base)
    labeling.skipped += [each for each in tree.passed_over if not is_junk(each[0])]
    if class_from == "none":
        labeling.files = [LabeledFile(path, None) for path in paths]
    elif class_from == "CSV column":
        if not _label_by_table(labeling, tree.root, paths):
            raise NotLabeledDatasetError(
                "No table of labels lies beside the images.",
                cure="Add labels.csv with the columns path and label, or a COCO JSON, or set "
                "Class from to folder name.",
                parameter="class_from",
            )
    elif layout.num_filled_folders > 1 or not _label_by_table(labeling, tree.root, paths):
        _label_by_folders(labeling, layout, paths)
    return labeling


@dataclass
class _Layout:
    """Where in a tree the folders of the classes are."""

    tree: Tree
    paths: list[str]
    base: str = field(init=False)
    class_folders: tuple[str, ...] = field(init=False)
    """Paths of the folders right below ``base``; none where ``base`` is a leaf with images."""
    num_filled_folders: int = field(init=False)
    """How many of them hold an image of their own, not only deeper ones."""
    _subfolders: dict[str, list[str]] = field(init=False)

    def __post_init__(self) -> None:
        self._subfolders = {}
        for folder in self.tree.folders:
            if not is_junk(folder):
                self._subfolders.setdefault(parent_of(folder), []).append(folder)
        direct: dict[str, list[str]] = {}
        for path in self.paths:
            direct.setdefault(parent_of(path), []).append(path)
        folder = ""
        while len(self._subfolders.get(folder, ())) == 1 and not self._has_image(
            direct.get(folder, [])
        ):
            folder = self._subfolders[folder][0]
        self.base = f"{folder}/" if folder else ""
        self.class_folders = self._folders_of_classes(folder, direct)
        self.num_filled_folders = sum(
            self._has_image(direct.get(each, [])) for each in self.class_folders
        )

    def _folders_of_classes(self, folder: str, direct: dict[str, list[str]]) -> tuple[str, ...]:
        folders = self._subfolders.get(folder, [])
        if not self._has_image(direct.get(folder, [])):
            return tuple(folders)
        holds_images = any(
            self._has_image(paths)
            for place, paths in direct.items()
            if place.startswith(self.base) and place != folder
        )
        return tuple(folders) if holds_images else ()

    def _has_image(self, paths: list[str]) -> bool:
        return any(looks_like_image(self.tree.root, path) for path in paths)


def looks_like_image(root: Path, path: str) -> bool:
    """True where the extension says so, or else the first bytes."""
    if Path(path).suffix.lower() in EXTENSIONS:
        return True
    try:
        with (root / path).open("rb") as file:
            return has_image_signature(file.read(SIGNATURE_BYTES))
    except OSError:
        return False


def _label_by_folders(labeling: Labeling, layout: _Layout, paths: list[str]) -> None:
    base = labeling.base
    labeling.classes = {printable(folder.removeprefix(base)) for folder in layout.class_folders}
    for path in paths:
        parts = path.removeprefix(base).split("/")
        if not layout.class_folders:
            labeling.files.append(LabeledFile(path, None, DEEPER if len(parts) > 1 else None))
        elif len(parts) == 2 and path.startswith(base):
            labeling.files.append(LabeledFile(path, printable(parts[0])))
        else:
            reason = SHALLOWER if len(parts) < 2 else DEEPER
            labeling.files.append(LabeledFile(path, None, reason))


def _label_by_table(labeling: Labeling, root: Path, paths: list[str]) -> bool:
    """True where a table of labels was found and used."""
    table = find_label_table(root, paths)
    if table is None:
        return False
    known, names = set(paths), Counter(path.rpartition("/")[2] for path in paths)
    by_name = {path.rpartition("/")[2]: path for path in paths}
    unique = {name: path for name, path in by_name.items() if names[name] == 1}
    folders = (parent_of(table.path), labeling.base.rstrip("/"), "")
    labels: dict[str, str] = {}
    faults: dict[str, str] = {}
    for name, text, where in (
        *((name, label, labels) for name, label in table.labels.items()),
        *((name, reason, faults) for name, reason in table.faults.items()),
    ):
        path = _place(name, folders, known, unique)
        if path is None:
            labeling.skipped.append((printable(name), f"named in {table.path}, but not there"))
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
    return None if path in labels else f"it is not in {table_path}"


def _place(
    name: str, folders: tuple[str, ...], known: set[str], unique: dict[str, str]
) -> str | None:
    """The file a table means: relative to the table, to the images, else by its name alone."""
    for folder in folders:
        path = f"{folder}/{name}" if folder else name
        if path in known:
            return path
    return unique.get(name.rpartition("/")[2])
