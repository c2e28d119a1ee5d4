"""Datasets in parts: ``train/`` and ``val/``, say, each with one folder for each class."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from modules.errors import InvalidDatasetError
from modules.files.names import class_name, is_junk, parent_of
from modules.files.scanning import Tree
from modules.forecast import ArtifactForecast
from modules.sentences import files as say
from modules.sentences.sentence import Statement

Part = Literal["whole", "train", "validation", "test"]
WHOLE: Part = "whole"
_PARTS: Mapping[str, Part] = {
    "train": "train",
    "training": "train",
    "val": "validation",
    "valid": "validation",
    "validation": "validation",
    "test": "test",
    "testing": "test",
}
_ORDER: tuple[Part, ...] = ("train", "validation", "test")


@dataclass(frozen=True)
class PartFolder:
    """One part: its folder below the root, and what lies there by the names of its files."""

    part: Part
    folder: str
    images: int
    classes: int

    def __str__(self) -> str:
        return str(self.told)

    @property
    def told(self) -> Statement:
        """Its name and what it holds."""
        name = self.folder.rpartition("/")[2]
        return say.PART.about({"name": name, "images": self.images, "classes": self.classes})


def parts_of(images: Iterable[str]) -> tuple[PartFolder, ...]:
    """The parts of a dataset whose images have these paths; none where it is not in parts.

    Two folders at least are named after parts, and one of them holds folders of classes. A folder
    of another name that holds images itself is a class, and then they all are.
    """
    paths = [path for path in images if not is_junk(path)]
    folders = {parent_of(path) for path in paths}
    if not folders or "" in folders:
        return ()
    base = posixpath.commonpath(folders)
    inside: dict[str, list[str]] = {}
    for path in paths:
        name, _, rest = path.removeprefix(base).lstrip("/").partition("/")
        if not rest:
            return ()  # it lies in the root itself
        inside.setdefault(name, []).append(rest)
    named = {name: part for name in sorted(inside) if (part := _PARTS.get(name.casefold()))}
    strangers = [paths for name, paths in inside.items() if name not in named]
    if len(set(named.values())) < 2 or any("/" not in path for each in strangers for path in each):
        return ()
    found = [_part(part, posixpath.join(base, name), inside[name]) for name, part in named.items()]
    if not any(each.classes for each in found):
        return ()
    return tuple(sorted(found, key=lambda each: _ORDER.index(each.part)))


def _part(part: Part, folder: str, paths: Sequence[str]) -> PartFolder:
    names = [path.partition("/") for path in paths]
    classes = {class_name(name) for name, slash, _ in names if slash}
    in_classes = sum(rest.count("/") == 0 for _, slash, rest in names if slash)
    return PartFolder(part, folder, in_classes if classes else len(paths), len(classes))


def told(parts: Iterable[PartFolder]) -> Statement:
    """What lies there, for a notice."""
    return say.IN_PARTS.about({"parts": [each.told for each in parts]})


def part_not_chosen(parts: Sequence[PartFolder]) -> InvalidDatasetError:
    """The error of a dataset in parts that was to be taken as a whole."""
    return InvalidDatasetError(
        say.PART_NOT_CHOSEN,
        parts=told(parts),
        first=parts[0].part,
        parameter="part",
        remedy={"set": {"part": parts[0].part}},
    )


def chosen(parts: Sequence[PartFolder], part: Part) -> PartFolder:
    """The part of that name; raises ``InvalidDatasetError`` (0018) where there is none."""
    found = next((each for each in parts if each.part == part), None)
    if found is not None:
        return found
    remedy = {"set": {"part": parts[0].part if parts else WHOLE}}
    if not parts:
        raise InvalidDatasetError(say.NOT_IN_PARTS, part=part, parameter="part", remedy=remedy)
    raise InvalidDatasetError(
        say.NO_SUCH_PART, part=part, parts=told(parts), parameter="part", remedy=remedy
    )


def wanted(own: Part, given: str | None) -> Part:
    """The part that a node asks for, else the one chosen before it (``AnyDirectory.part``)."""
    return own if own != WHOLE else next((part for part in _ORDER if part == given), WHOLE)


def narrowed(tree: Tree, folder: str) -> Tree:
    """The tree with nothing but what lies in one folder, links into other ones included."""
    inside = f"{folder}/"
    return replace(
        tree,
        files=[each for each in tree.files if each.path.startswith(inside)],
        folders=[each for each in tree.folders if f"{each}/".startswith(inside)]
        + [each for each in tree.folders if inside.startswith(f"{each}/") and each != folder],
        passed_over=[each for each in tree.passed_over if each[0].startswith(inside)],
    )


def foreseen_part(dataset: ArtifactForecast, part: Part) -> ArtifactForecast:
    """What is foreseen of one part of a dataset; raises ``InvalidDatasetError`` for none."""
    if part == WHOLE or dataset.parts is None:
        return dataset
    found = chosen([PartFolder(**each) for each in dataset.parts], part)
    return replace(
        dataset,
        num_images=found.images,
        num_classes=found.classes,
        labeled=found.classes > 0,
        num_bytes=None,
        parts=(),
    )


def to_json(parts: Iterable[PartFolder]) -> tuple[Mapping[str, Any], ...]:
    """As a forecast carries them."""
    return tuple(asdict(each) for each in parts)


def choices(dataset: ArtifactForecast) -> Mapping[str, Mapping[str, str]]:
    """The values of the parameter ``part`` that mean something for a dataset."""
    if dataset.parts is None:
        return {}
    found = {each["part"]: str(PartFolder(**each)) for each in dataset.parts}
    return {"part": {WHOLE: "all parts" if found else "not in parts", **found}}
