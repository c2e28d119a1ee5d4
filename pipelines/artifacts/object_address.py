"""The address of an object store: which package reaches it, and a workspace's own place in it."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from typing import Self

from pipelines.errors import ObjectStoreError
from pipelines.sentences import object_stores as say

BACK_ENDS = {
    "s3": ("s3fs", "s3"),
    "abfs": ("adlfs", "azure"),
    "gs": ("gcsfs", "gcs"),
    "file": ("fsspec", "s3"),
}
"""By the address's first word: the package that reaches it, and the extra that installs that."""


@dataclass(frozen=True)
class ObjectAddress:
    """``protocol://root``; no secret is in it."""

    protocol: str
    root: str

    @classmethod
    def parse(cls, text: str) -> Self:
        """Raises ``ObjectStoreError``, which does not quote it: a secret may stand in it."""
        protocol, found, root = text.partition("://")
        root = root.rstrip("/")
        if not found or protocol not in BACK_ENDS or not root.strip("/"):
            raise ObjectStoreError(say.ADDRESS_UNKNOWN)
        if protocol == "file":
            return cls(protocol, _file_root(root))
        place, _, account = root.partition("@")
        of_account = protocol == "abfs" and ":" not in place and "/" not in place
        if any(mark in root for mark in "?#") or ":" in root or (account and not of_account):
            raise ObjectStoreError(say.ADDRESS_WITH_SECRET)
        return cls(protocol, root)

    @property
    def place(self) -> str:
        """For people, and for fsspec."""
        return f"{self.protocol}://{self.root}"

    def require_package(self) -> None:
        """Raise ``ObjectStoreError`` where what reaches it is not installed; imports nothing."""
        package, extra = BACK_ENDS[self.protocol]
        if importlib.util.find_spec(package) is None:
            raise ObjectStoreError(
                say.DRIVER_MISSING, place=self.place, package=package, extra=extra
            )


def _file_root(root: str) -> str:
    if not root.startswith("/") or ".." in root.split("/"):
        raise ObjectStoreError(say.ADDRESS_UNKNOWN)
    return root
