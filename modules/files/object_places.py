"""Places in object stores, reached through fsspec: how they are written, what reaches them."""

from __future__ import annotations

import importlib
import importlib.util
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Self

BACK_ENDS = {
    "s3": ("s3fs", "s3"),
    "abfs": ("adlfs", "azure"),
    "gs": ("gcsfs", "gcs"),
    "file": ("fsspec", "s3"),
}
"""By the address's first word: the package that reaches it, and the extra that installs that."""
OPTIONS: dict[str, dict[str, Any]] = {
    "s3": {"config_kwargs": {"connect_timeout": 5, "read_timeout": 60}},
    "abfs": {"connection_timeout": 5, "read_timeout": 60},
    "gs": {},
    "file": {},
}
RIGHTS = ("Credential", "Authentication", "ProfileNotFound")
"""In the name of an error that no waiting cures."""


class UnknownAddressError(ValueError):
    """It is no address of an object store."""


class MoreThanAPlaceError(ValueError):
    """It holds names, passwords or options; its text is not to be quoted."""


@dataclass(frozen=True)
class ObjectPlace:
    """``protocol://root``; no secret is in it."""

    protocol: str
    root: str

    @classmethod
    def split(cls, text: str) -> Self:
        """Raises ``UnknownAddressError`` or ``MoreThanAPlaceError``, which do not quote it."""
        protocol, found, root = text.partition("://")
        root = root.rstrip("/")
        if not found or protocol not in BACK_ENDS or not root.strip("/"):
            raise UnknownAddressError
        if protocol == "file":
            if not root.startswith("/") or ".." in root.split("/"):
                raise UnknownAddressError
            return cls(protocol, root)
        place, _, account = root.partition("@")
        of_account = protocol == "abfs" and ":" not in place and "/" not in place
        if any(mark in root for mark in "?#") or ":" in root or (account and not of_account):
            raise MoreThanAPlaceError
        return cls(protocol, root)

    @property
    def place(self) -> str:
        """For people, and for fsspec."""
        return f"{self.protocol}://{self.root}"

    def __str__(self) -> str:
        return self.place

    @property
    def missing(self) -> dict[str, str] | None:
        """The ``package`` and its ``extra`` that are not installed; imports nothing."""
        package, extra = BACK_ENDS[self.protocol]
        is_there = importlib.util.find_spec(package) is not None
        return None if is_there else {"package": package, "extra": extra}

    def open(self) -> tuple[Any, str]:
        """What fsspec reaches it with, and what that calls it; imports the back end."""
        from fsspec.core import url_to_fs

        options = {"use_listings_cache": False, "skip_instance_cache": True}
        system, root = url_to_fs(self.place, **options, **OPTIONS[self.protocol])
        return system, str(root)


def load_back_end(protocol: str) -> None:
    """Import what reaches places of a protocol, where it is installed, before anybody waits."""
    package, _ = BACK_ENDS[protocol]
    with suppress(ImportError):
        importlib.import_module(package)
        importlib.import_module("fsspec.core")


def is_refusal(error: Exception) -> bool:
    """Whether the store lets nobody in with these rights."""
    name = type(error).__name__
    return isinstance(error, PermissionError) or any(word in name for word in RIGHTS)


def reason_of_failure(error: Exception) -> str:
    """Without a back end's own words, which may hold who asked and with what."""
    return str(getattr(error, "strerror", None) or type(error).__name__)
