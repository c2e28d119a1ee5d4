"""Locks as text: one package per paragraph, with the hashes of all its possible files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from packaging.markers import Marker
from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

PINNED = re.compile(r"([A-Za-z0-9._-]+)==([^\s;\\][^\s\\]*)")
HASH = re.compile(r"--hash=(sha256:[0-9a-f]{64})")


@dataclass(frozen=True)
class LockedPackage:
    """One version of one package."""

    name: str
    version: str
    condition: str
    """Environment marker; empty for always."""
    hashes: tuple[str, ...]

    @property
    def text(self) -> str:
        """Return the paragraph in the form of an installer that requires hashes."""
        condition = f" ; {self.condition}" if self.condition else ""
        hashes = "".join(f" \\\n    --hash={digest}" for digest in self.hashes)
        return f"{self.name}=={self.version}{condition}{hashes}\n"

    def is_needed(self, markers: Mapping[str, str]) -> bool:
        """Return True for a Python with these markers."""
        return not self.condition or Marker(self.condition).evaluate(dict(markers))


def read_lock(text: str) -> list[LockedPackage]:
    """Return the packages of a lock."""
    packages: list[LockedPackage] = []
    for paragraph in re.split(r"\n(?=\S)", text.strip()):
        first, *_ = paragraph.splitlines() or [""]
        pinned, _, condition = first.rstrip().removesuffix("\\").partition(";")
        match = PINNED.fullmatch(pinned.strip())
        if match is not None and "\\" not in condition:
            hashes = tuple(HASH.findall(paragraph))
            packages.append(LockedPackage(match[1], match[2], condition.strip(), hashes))
    return packages


def image_lock(identity: str) -> str:
    """Return the lock of an image: one line with its id."""
    return f"image sha256:{identity}\n"


def locked_image(lock: str) -> str:
    """Return the id in a lock of an image."""
    return lock.strip().removeprefix("image sha256:")


def lock_text(packages: Iterable[LockedPackage]) -> str:
    """Return the lock of these packages, sorted: equal packages give equal text."""
    return "".join(package.text for package in sorted(packages, key=lambda package: package.name))


def is_same_version(one: str, other: str) -> bool:
    """Return True if versions are equal except for a local part: ``2.15.0`` and ``2.15.0+cpu``."""
    try:
        return Version(one).public == Version(other).public
    except InvalidVersion:
        return one == other


def without(packages: Iterable[LockedPackage], installed: Mapping[str, str]) -> list[LockedPackage]:
    """Return the packages that are not installed yet, by names and versions."""
    return [
        package
        for package in packages
        if not is_same_version(package.version, installed.get(canonicalize_name(package.name), ""))
    ]
