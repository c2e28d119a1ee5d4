"""What the designer computes with, for environments that build on it: a folder of links.

The folder holds a link for each top-level name of torch, torchvision, numpy, Pillow and all that
these need, and nothing else: what an environment does not declare is not there. It is named by
the versions; an environment's ``.pth`` file leads to it.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import metadata
from pathlib import Path
from threading import Lock
from types import MappingProxyType

from packaging.requirements import Requirement
from packaging.utils import NormalizedName, canonicalize_name

from modules.files.disk import disk_errors, scratch_folder
from modules.operating_system.files import replace

ROOTS = ("torch", "torchvision", "numpy", "pillow")
PROVED_BY = "torch"
"""Where this link leads nowhere, the designer has been moved and all are made anew."""
_READING = Lock()
NO_PACKAGES = ("__pycache__", "bin", "Scripts", "..")


def base_versions() -> Mapping[str, str]:
    """Name and version of each distribution of the layer, as the designer has them."""
    with _READING:  # Python 3.11 fails where two threads at once parse what packages need
        return _base_versions()


@cache
def _base_versions() -> Mapping[str, str]:
    found = {name: each.version for name, each in _distributions().items()}
    return MappingProxyType(dict(sorted(found.items())))


def base_identity() -> str:
    """A hash of the versions."""
    lines = "".join(f"{name}=={version}\n" for name, version in base_versions().items())
    return hashlib.sha256(lines.encode()).hexdigest()


def ensure_base_layer(root: Path) -> Path:
    """The folder of links in ``root``, made where it is not there or leads nowhere."""
    folder = root / f"base-{base_identity()[:16]}"
    if (folder / PROVED_BY / "__init__.py").is_file():
        return folder
    with disk_errors(root), scratch_folder(root) as scratch:
        layer = scratch / "layer"
        layer.mkdir()
        for target in _targets():
            os.symlink(target, layer / target.name, target_is_directory=target.is_dir())
        _put(layer, folder)
    return folder


def _put(layer: Path, folder: Path) -> None:
    """Into its place; who made one meanwhile has made the same."""
    if (folder / PROVED_BY / "__init__.py").is_file():
        return
    shutil.rmtree(folder, ignore_errors=True)
    replace(layer, folder)


def base_scripts() -> dict[str, tuple[str, str]]:
    """The commands of the layer, as ``torchrun``: each with its module and its function."""
    return {
        script.name: (script.module, script.attr)
        for distribution in _distributions().values()
        for script in distribution.entry_points.select(group="console_scripts")
    }


def _targets() -> Iterator[Path]:
    """Each file and folder that lies right in the designer's packages and is of the layer."""
    seen = set[Path]()
    for distribution in _distributions().values():
        for file in distribution.files or []:
            top = Path(str(distribution.locate_file(file.parts[0])))
            if file.parts[0] not in NO_PACKAGES and top not in seen and top.exists():
                seen.add(top)
                yield top


@cache
def _distributions() -> Mapping[str, metadata.Distribution]:
    """What the roots need, and they themselves, by their normal names."""
    installed = {
        canonicalize_name(distribution.metadata["Name"]): distribution
        for distribution in reversed(list(metadata.distributions(path=sys.path)))
        if distribution.metadata["Name"]
    }
    closure: dict[str, metadata.Distribution] = {}
    waiting = [(canonicalize_name(name), "") for name in ROOTS]
    seen = set[tuple[str, str]]()
    while waiting:
        name, extra = waiting.pop()
        if (name, extra) not in seen and name in installed:
            seen.add((name, extra))
            closure[name] = installed[name]
            waiting += _needed(installed[name], extra)
    return closure


def _needed(
    distribution: metadata.Distribution, extra: str
) -> Iterator[tuple[NormalizedName, str]]:
    """Names, each with no extra and with those that are asked for."""
    for text in distribution.requires or []:
        requirement = Requirement(text)
        if requirement.marker is None or requirement.marker.evaluate({"extra": extra}):
            name = canonicalize_name(requirement.name)
            yield name, ""
            yield from ((name, each) for each in requirement.extras)
