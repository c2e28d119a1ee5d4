"""Folders of object stores: sizes, and whole files that are downloaded, uploaded and removed.

Errors become ``InvalidDatasetError``, without a back end's own text, which may contain credentials.
``FileNotFoundError`` and errors of a full disk propagate.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from modules.errors import InvalidDatasetError
from modules.files.disk import is_full
from modules.files.object_places import (
    MoreThanAPlaceError,
    ObjectPlace,
    UnknownAddressError,
    is_refusal,
    reason_of_failure,
)
from modules.sentences import files as say

PROTOCOLS = ("s3", "abfs", "gs")
"""Protocols of object stores; ``file:`` is read in place."""
VERSIONS = ("ETag", "etag", "LastModified", "last_modified", "updated", "mtime")
"""Attributes of back ends that change with an object."""


def is_address(text: str) -> bool:
    """Return True if the text looks like an address in an object store."""
    return text.partition("://")[0] in PROTOCOLS and "://" in text


class ObjectFolder(ObjectPlace):
    """The objects directly below an address; fsspec is imported on first use."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse an address; raise ``InvalidDatasetError`` without quoting it."""
        try:
            place = cls.split(text)
        except UnknownAddressError:
            raise InvalidDatasetError(say.NO_OBJECT_ADDRESS, parameter="source") from None
        except MoreThanAPlaceError:
            raise InvalidDatasetError(say.OBJECT_ADDRESS_WITH_SECRET, parameter="source") from None
        if not is_address(text):
            raise InvalidDatasetError(say.NO_OBJECT_ADDRESS, parameter="source")
        return place

    def require_package(self) -> None:
        """Raise ``InvalidDatasetError`` if the required package is not installed."""
        if self.missing is not None:
            facts = {"place": self.place, **self.missing}
            raise InvalidDatasetError(say.OBJECT_PACKAGE_MISSING.about(facts), parameter="source")

    def fetch(self, name: str, target: Path) -> None:
        """Download an object to a file; raises ``FileNotFoundError``."""
        with self._asking() as (system, root):
            system.get_file(f"{root}/{name}", str(target))

    def version(self, name: str) -> tuple[int, str]:
        """Return the size and the version of an object; raises ``FileNotFoundError``."""
        with self._asking() as (system, root):
            facts = system.info(f"{root}/{name}")
            return int(facts["size"]), str([facts.get(field) for field in VERSIONS])

    def sizes(self) -> dict[str, int]:
        """Return the objects directly below it by name."""
        try:
            with self._asking() as (system, root):
                there = system.ls(root, detail=True)
        except FileNotFoundError:
            return {}
        files = [entry for entry in there if entry["type"] == "file"]
        return {str(entry["name"]).rpartition("/")[2]: int(entry["size"]) for entry in files}

    def put(self, source: Path, name: str) -> None:
        """Upload a file; raise ``FileNotFoundError`` if the bucket does not exist."""
        with self._asking() as (system, root):
            system.put_file(str(source), f"{root}/{name}")

    def remove(self, name: str) -> None:
        """Remove an object, if it exists."""
        with suppress(FileNotFoundError), self._asking() as (system, root):
            system.rm_file(f"{root}/{name}")

    @cached_property
    def _opened(self) -> dict[int, tuple[Any, str]]:
        return {}

    def _system(self) -> tuple[Any, str]:
        """Return the file system, opened once per process, as a fork must not share it."""
        own = os.getpid()
        if own not in self._opened:
            self._opened[own] = self.open()
        return self._opened[own]

    @contextmanager
    def _asking(self) -> Iterator[tuple[Any, str]]:
        self.require_package()
        try:
            yield self._system()
        except FileNotFoundError:
            raise
        except Exception as error:  # each back end has its own tree of errors
            if isinstance(error, OSError) and is_full(error):
                raise
            sentence = say.OBJECT_PLACE_REFUSES if is_refusal(error) else say.OBJECT_PLACE_AWAY
            why = type(error).__name__ if is_refusal(error) else reason_of_failure(error)
            raise InvalidDatasetError(
                sentence, place=self.place, why=why, parameter="source"
            ) from None
