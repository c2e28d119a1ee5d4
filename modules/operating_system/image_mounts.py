"""Mounts of the files of a container image by bubblewrap, with folders of this machine."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

MADE = ("dev", "proc", "sys", "tmp", "etc/hosts", "etc/resolv.conf")
"""Folders that a tree must have, to be mounted over."""


def image_mounts(
    tree: Path, machine: Sequence[str], readable: Sequence[Path], writable: Sequence[Path]
) -> list[str]:
    """Return options that make ``tree`` the root, read-only, and mount the folders at their paths.

    ``machine`` are options for paths that exist in the tree.
    """
    tree = tree.resolve()
    folders = dict.fromkeys(readable, "--ro-bind-try") | dict.fromkeys(writable, "--bind")
    parents_first = sorted(folders, key=lambda folder: (len(folder.parts), str(folder)))
    options = [*_layer(tree, Path("/"), list(_without_place(tree, folders))), *machine]
    for folder in parents_first:
        options += (folders[folder], str(folder), str(folder))
    return [*options, "--remount-ro", "/"]


def _without_place(tree: Path, folders: Collection[Path]) -> Iterator[Path]:
    """Return the folders that neither exist in the image nor can be created in ``/tmp``."""
    for folder in folders:  # in a folder that is not a link
        place = tree / folder.relative_to("/")
        is_there = place.is_dir() and Path(os.path.realpath(place)) == place
        if not is_there and folder.parts[1:2] != ("tmp",):
            yield folder


def _layer(tree: Path, inside: Path, without_place: Sequence[Path]) -> Iterator[str]:
    """Mount the contents of a folder of the image file by file, if a path must be created in it."""
    for entry in sorted(os.scandir(tree), key=lambda item: item.name):
        place = inside / entry.name
        below = [folder for folder in without_place if place in folder.parents]
        if place in without_place or (below and not entry.is_dir(follow_symlinks=False)):
            continue
        if below:
            yield from ("--dir", str(place))
            yield from _layer(Path(entry.path), place, below)
        elif entry.is_symlink():
            yield from ("--symlink", os.readlink(entry.path), str(place))
        else:
            yield from ("--ro-bind", entry.path, str(place))
