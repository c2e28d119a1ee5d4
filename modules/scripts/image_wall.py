"""Sandbox of scripts in a container image, with access to some files of this machine."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from modules.context import ContainerImage
from modules.errors import InvalidScriptError
from modules.operating_system.wall import can_wall, wall_of_image
from modules.scripts.launchers.program import BOOTSTRAP
from modules.scripts.process_environment import LOADER
from modules.sentences import scripts as say


def require_image_wall() -> None:
    """Raise if container images cannot run."""
    if not can_wall(network=True):
        raise InvalidScriptError(say.NO_WALL_FOR_IMAGE, parameter="environment")


@dataclass(frozen=True)
class ImageWall:
    """Sandbox that starts commands in an image."""

    image: ContainerImage
    writable: Sequence[Path]
    """Folders that are created if they do not exist."""
    readable: Sequence[Path]

    def around(
        self, argv: Sequence[str], variables: Mapping[str, str], *, network: bool = True
    ) -> list[str]:
        """Return the command that runs ``argv`` in the image with the step's ``variables``."""
        merged = {**self.image.variables, **variables}
        for folder in self.writable:
            folder.mkdir(parents=True, exist_ok=True)
        return wall_of_image(
            argv,
            self.image.tree,
            readable=[BOOTSTRAP.parent, *self.readable],
            writable=[folder.absolute() for folder in self.writable],
            loaded={name: value for name, value in merged.items() if name.startswith(LOADER)},
            network=network,
        )


def folders_of(paths: Iterable[Path]) -> list[Path]:
    """Return the folders needed to read files, with links resolved; none is inside another."""
    folders = {folder for path in paths for folder in _folders_of(path.absolute())}
    return sorted(folder for folder in folders if folders.isdisjoint(folder.parents))


def _folders_of(path: Path) -> Iterator[Path]:
    for target in dict.fromkeys((path, Path(os.path.realpath(path)))):
        folder = target if target.is_dir() else target.parent
        if folder != Path(folder.anchor):
            yield folder


def linked_from(folder: Path) -> Iterator[Path]:
    """Return the targets of links below a folder."""
    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(place, name)
            if os.path.islink(path):
                yield Path(os.readlink(path))
