"""Datasets in parts: ``train/`` and ``val/``, with or without folders of classes in them."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from modules.errors import InvalidDatasetError
from modules.files.names import folders_above, parent_of
from modules.files.scanning import Tree
from modules.forecast import ArtifactForecast
from modules.layouts.class_folders import ClassFolders
from modules.layouts.part_names import PART_ORDER, WHOLE, Part, PartName, part_name
from modules.sentences import layouts as say
from modules.sentences.sentence import Statement

_FIRST_NAMES = {"train", "training", "val", "valid", "validation", "test", "testing"}


@dataclass(frozen=True)
class PartFolder:
    """One part: its folder below the root, or the table that lists its images."""

    part: Part
    folder: str
    """Empty for a part that a table defines."""
    images: int
    classes: int
    table: str = ""
    """Path of the table that defines the part; empty for a folder."""
    paths: frozenset[str] | None = field(default=None, compare=False, repr=False)
    """Images that the table lists; None for a folder, and for a part read from JSON."""

    def __str__(self) -> str:
        return str(self.told)

    @property
    def name(self) -> str:
        """Return the name of its folder or table."""
        return (self.table or self.folder).rpartition("/")[2]

    def has(self, path: str) -> bool:
        """Return True for a file of the part."""
        if self.paths is not None:
            return path in self.paths
        return path.startswith(f"{self.folder}/")

    @property
    def told(self) -> Statement:
        """Return its name and contents."""
        sentence = say.PART if self.classes or self.table else say.FLAT_PART
        return sentence.about({"name": self.name, "images": self.images, "classes": self.classes})


def parts_of(images: Iterable[str]) -> tuple[PartFolder, ...]:
    """Return the parts of a dataset with these image paths; empty if it has none.

    At least two folders have names of parts. If none of them has folders of classes, a folder of
    another name with images is a class, and then all of them are.
    """
    paths = list(images)
    folders = {parent_of(path) for path in paths}
    if not folders or "" in folders:
        return ()
    base = posixpath.commonpath(folders)
    inside: dict[str, list[str]] = {}
    for path in paths:
        name, _, rest = path.removeprefix(base).lstrip("/").partition("/")
        if not rest:
            return ()  # it is in the root itself
        inside.setdefault(name, []).append(rest)
    named = _part_names(inside)
    others = [paths for name, paths in inside.items() if name not in named]
    is_flat = not any("/" in path for name in named for path in inside[name])
    if len(named) < 2 or (is_flat and any("/" not in path for paths in others for path in paths)):
        return ()
    parts = [_part(part, posixpath.join(base, name), inside[name]) for name, part in named.items()]
    if len(set(named.values())) < 2 and any(part.classes for part in parts):
        return ()
    return tuple(sorted(parts, key=lambda part: (PART_ORDER.index(part.part), -part.images)))


def _part_names(names: Iterable[str]) -> dict[str, Part]:
    """Return the folders that are parts of one dataset: other words in their names are the same."""
    groups: dict[frozenset[str], dict[str, PartName]] = {}
    for name in sorted(names):
        if (named := part_name(name)) is not None:
            groups.setdefault(named.other_words, {})[name] = named
    largest = max(groups.values(), key=len, default={})
    return {name: named_part.part for name, named_part in largest.items()}


def _part(part: Part, folder: str, paths: Sequence[str]) -> PartFolder:
    """Return images in classes and the classes; all images if there are no classes."""
    inside = [f"{folder}/{path}" for path in paths]
    layout = ClassFolders.of(inside, folders_above(inside), folder)
    labels = [label for label, left_out in map(layout.label_of, inside) if left_out is None]
    classes = {label for label in labels if label is not None}
    return PartFolder(part, folder, len(labels) if classes else len(inside), len(classes))


def left_out(
    parts: Sequence[PartFolder], chosen: PartFolder, images: Iterable[str]
) -> list[Statement]:
    """Return warnings about images that are not in the selected part or in any part."""
    if chosen.table:
        return _listed_nowhere(parts, images) if chosen == parts[0] else []
    twins = [other.told for other in parts if other.part == chosen.part and other != chosen]
    facts = {"part": chosen.part, "folder": chosen.folder, "others": twins}
    warnings = [say.PART_IN_SEVERAL_FOLDERS.about(facts)] if twins else []
    if chosen == parts[0]:
        starts = tuple(f"{part.folder}/" for part in parts)
        outside = [parent_of(path) for path in images if not path.startswith(starts)]
        if outside:
            folders = sorted(set(outside))
            warnings.append(say.IN_NO_PART.about({"images": len(outside), "folders": folders}))
    return warnings


def _listed_nowhere(parts: Sequence[PartFolder], images: Iterable[str]) -> list[Statement]:
    """Return a warning about images that no table of a part lists."""
    outside = [path for path in images if not any(part.has(path) for part in parts)]
    facts = {"images": len(outside), "tables": [part.table for part in parts]}
    return [say.IN_NO_TABLE_OF_PARTS.about({**facts, "examples": outside})] if outside else []


def is_first_version(parts: Sequence[PartFolder]) -> bool:
    """Return True if the first version of this reader found the same parts: those with classes."""
    names = {part.name.casefold() for part in parts}
    return names <= _FIRST_NAMES and any(part.classes for part in parts)


def told(parts: Iterable[PartFolder]) -> Statement:
    """Return the contents as text, for a notice."""
    return say.IN_PARTS.about({"parts": [part.told for part in parts]})


def part_not_chosen(parts: Sequence[PartFolder]) -> InvalidDatasetError:
    """Return the error for a dataset in parts that was to be used as a whole."""
    return InvalidDatasetError(
        say.PART_NOT_CHOSEN,
        parts=told(parts),
        first=parts[0].part,
        parameter="part",
        remedy={"set": {"part": parts[0].part}},
    )


def chosen(parts: Sequence[PartFolder], part: Part) -> PartFolder:
    """Return the part of that name, of several folders the one with most images.

    Raises ``InvalidDatasetError`` (0018) if there is none.
    """
    selected = next((candidate for candidate in parts if candidate.part == part), None)
    if selected is not None:
        return selected
    remedy = {"set": {"part": parts[0].part if parts else WHOLE}}
    if not parts:
        raise InvalidDatasetError(say.NOT_IN_PARTS, part=part, parameter="part", remedy=remedy)
    raise InvalidDatasetError(
        say.NO_SUCH_PART, part=part, parts=told(parts), parameter="part", remedy=remedy
    )


def wanted(own: Part, selected: str | None) -> Part:
    """Return the part of a node, else the one selected before it (``AnyDirectory.part``)."""
    return own if own != WHOLE else next((part for part in PART_ORDER if part == selected), WHOLE)


def narrowed(tree: Tree, part: PartFolder) -> Tree:
    """Return the tree with only the files of one part, including links into other folders."""
    if part.table:
        return replace(tree, files=[file for file in tree.files if part.has(file.path)])
    folder, inside = part.folder, f"{part.folder}/"
    return replace(
        tree,
        files=[file for file in tree.files if file.path.startswith(inside)],
        folders=[path for path in tree.folders if f"{path}/".startswith(inside)]
        + [path for path in tree.folders if inside.startswith(f"{path}/") and path != folder],
        passed_over=[entry for entry in tree.passed_over if entry[0].startswith(inside)],
    )


def foreseen_part(dataset: ArtifactForecast, part: Part) -> ArtifactForecast:
    """Return the forecast of one part of a dataset; raise ``InvalidDatasetError`` if missing."""
    if part == WHOLE or dataset.parts is None:
        return dataset
    selected = chosen([PartFolder(**facts) for facts in dataset.parts], part)
    readings = tuple(reading for reading in dataset.readings or () if reading["part"] == part)
    return replace(
        dataset,
        num_images=selected.images,
        num_classes=selected.classes,
        labeled=selected.classes > 0,
        num_bytes=None,
        parts=(),
        readings=readings or None,
    )


def parts_of_forecast(parts: Iterable[PartFolder]) -> tuple[Mapping[str, Any], ...]:
    """Return parts as JSON for forecasts; ``PartFolder(**part)`` recreates them without paths."""
    return tuple(
        {
            "part": part.part,
            "folder": part.folder,
            "images": part.images,
            "classes": part.classes,
            **({"table": part.table} if part.table else {}),
        }
        for part in parts
    )


def choices(dataset: ArtifactForecast) -> Mapping[str, Mapping[str, str]]:
    """Return the values of the parameter ``part`` that apply to a dataset."""
    if dataset.parts is None:
        return {}
    meanings = {facts["part"]: str(PartFolder(**facts)) for facts in dataset.parts}
    return {"part": {WHOLE: "all parts" if meanings else "not in parts", **meanings}}
