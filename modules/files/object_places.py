"""Locations in object stores, reached through fsspec: their addresses and required packages."""

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
"""Package and extra by the protocol of the address."""
OPTIONS: dict[str, dict[str, Any]] = {
    "s3": {"config_kwargs": {"connect_timeout": 5, "read_timeout": 60}},
    "abfs": {"connection_timeout": 5, "read_timeout": 60},
    "gs": {},
    "file": {},
}
RIGHTS = ("Credential", "Authentication", "ProfileNotFound")
"""Part of the name of errors that no retry fixes."""


class UnknownAddressError(ValueError):
    """The text is not an address of an object store."""


class MoreThanAPlaceError(ValueError):
    """The address contains names, passwords or options; its text must not be quoted."""


@dataclass(frozen=True)
class ObjectPlace:
    """``protocol://root``, without secrets."""

    protocol: str
    root: str

    @classmethod
    def split(cls, text: str) -> Self:
        """Parse an address; raise an error that does not quote it."""
        protocol, separator, root = text.partition("://")
        root = root.rstrip("/")
        if not separator or protocol not in BACK_ENDS or not root.strip("/"):
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
        """Return the address for people and for fsspec."""
        return f"{self.protocol}://{self.root}"

    def __str__(self) -> str:
        return self.place

    @property
    def missing(self) -> dict[str, str] | None:
        """Return the missing ``package`` and its ``extra``; imports nothing."""
        package, extra = BACK_ENDS[self.protocol]
        is_there = importlib.util.find_spec(package) is not None
        return None if is_there else {"package": package, "extra": extra}

    def open(self) -> tuple[Any, str]:
        """Return fsspec's file system and path; imports the back end."""
        from fsspec.core import url_to_fs

        options = {"use_listings_cache": False, "skip_instance_cache": True}
        system, root = url_to_fs(self.place, **options, **OPTIONS[self.protocol])
        return system, str(root)


def load_back_end(protocol: str) -> None:
    """Import the back end of a protocol, if it is installed, before it is needed."""
    package, _ = BACK_ENDS[protocol]
    with suppress(ImportError):
        importlib.import_module(package)
        importlib.import_module("fsspec.core")


def is_refusal(error: Exception) -> bool:
    """Return True if the store denied access."""
    name = type(error).__name__
    return isinstance(error, PermissionError) or any(word in name for word in RIGHTS)


def reason_of_failure(error: Exception) -> str:
    """Return the reason without a back end's own text, which may contain credentials."""
    return str(getattr(error, "strerror", None) or type(error).__name__)
