"""Locks as text: one package a paragraph, with the hashes of all files that it may come from."""

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
    """When it is needed, as a marker; empty for always."""
    hashes: tuple[str, ...]

    @property
    def text(self) -> str:
        """The paragraph, as an installer that requires hashes reads it."""
        condition = f" ; {self.condition}" if self.condition else ""
        hashes = "".join(f" \\\n    --hash={each}" for each in self.hashes)
        return f"{self.name}=={self.version}{condition}{hashes}\n"

    def is_needed(self, markers: Mapping[str, str]) -> bool:
        """True for a Python whose markers these are."""
        return not self.condition or Marker(self.condition).evaluate(dict(markers))


def read_lock(text: str) -> list[LockedPackage]:
    """The packages of a lock, as they stand."""
    found: list[LockedPackage] = []
    for paragraph in re.split(r"\n(?=\S)", text.strip()):
        first, *_ = paragraph.splitlines() or [""]
        pinned, _, condition = first.rstrip().removesuffix("\\").partition(";")
        match = PINNED.fullmatch(pinned.strip())
        if match is not None and "\\" not in condition:
            hashes = tuple(HASH.findall(paragraph))
            found.append(LockedPackage(match[1], match[2], condition.strip(), hashes))
    return found


def image_lock(identity: str) -> str:
    """A lock that is an image: one line with its id."""
    return f"image sha256:{identity}\n"


def locked_image(lock: str) -> str:
    """The id in a lock that is an image."""
    return lock.strip().removeprefix("image sha256:")


def lock_text(packages: Iterable[LockedPackage]) -> str:
    """A lock of these packages, sorted: equal packages give equal text."""
    return "".join(package.text for package in sorted(packages, key=lambda package: package.name))


def is_same_version(one: str, other: str) -> bool:
    """True where versions are equal but for a local part, as ``2.15.0`` and ``2.15.0+cpu``."""
    try:
        return Version(one).public == Version(other).public
    except InvalidVersion:
        return one == other


def without(packages: Iterable[LockedPackage], there: Mapping[str, str]) -> list[LockedPackage]:
    """The packages that are not there, by names and versions, already."""
    return [
        package
        for package in packages
        if not is_same_version(package.version, there.get(canonicalize_name(package.name), ""))
    ]
