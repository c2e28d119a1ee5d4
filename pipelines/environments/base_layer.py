"""Base layer: the designer's own packages for environments that build on it, as links.

The folder has a link for each top-level name of torch, torchvision, numpy, Pillow and their
requirements, and nothing else: undeclared packages are missing. It is named by the versions; an
environment's ``.pth`` file leads to it.
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
"""If this link is broken, the designer was moved and all links are created again."""
_READING = Lock()
NO_PACKAGES = ("__pycache__", "bin", "Scripts", "..")


def base_versions() -> Mapping[str, str]:
    """Return name and version of each distribution of the layer, as installed here."""
    with _READING:  # Python 3.11 fails if two threads parse requirements at once
        return _base_versions()


@cache
def _base_versions() -> Mapping[str, str]:
    versions = {name: distribution.version for name, distribution in _distributions().items()}
    return MappingProxyType(dict(sorted(versions.items())))


def base_identity() -> str:
    """Return a hash of the versions."""
    lines = "".join(f"{name}=={version}\n" for name, version in base_versions().items())
    return hashlib.sha256(lines.encode()).hexdigest()


def ensure_base_layer(root: Path) -> Path:
    """Return the folder of links in ``root``, created if it is missing or broken."""
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
    """Move it to its place; a concurrent process has created the same."""
    if (folder / PROVED_BY / "__init__.py").is_file():
        return
    shutil.rmtree(folder, ignore_errors=True)
    replace(layer, folder)


def base_scripts() -> dict[str, tuple[str, str]]:
    """Return the commands of the layer, such as ``torchrun``, with module and function."""
    return {
        script.name: (script.module, script.attr)
        for distribution in _distributions().values()
        for script in distribution.entry_points.select(group="console_scripts")
    }


def _targets() -> Iterator[Path]:
    """Yield the layer's files and folders directly in site-packages."""
    seen = set[Path]()
    for distribution in _distributions().values():
        for file in distribution.files or []:
            top = Path(str(distribution.locate_file(file.parts[0])))
            if file.parts[0] not in NO_PACKAGES and top not in seen and top.exists():
                seen.add(top)
                yield top


@cache
def _distributions() -> Mapping[str, metadata.Distribution]:
    """Return the roots and all their requirements by normalized name."""
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
    """Return names without an extra and with the requested ones."""
    for text in distribution.requires or []:
        requirement = Requirement(text)
        if requirement.marker is None or requirement.marker.evaluate({"extra": extra}):
            name = canonicalize_name(requirement.name)
            yield name, ""
            yield from ((name, requested) for requested in requirement.extras)
