"""The address of an object store for what steps make: a workspace's own place in it."""

from __future__ import annotations

from typing import Self

from modules.files.object_places import MoreThanAPlaceError, ObjectPlace, UnknownAddressError
from pipelines.errors import ObjectStoreError
from pipelines.sentences import object_stores as say


class ObjectAddress(ObjectPlace):
    """``protocol://root``; no secret is in it."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Raises ``ObjectStoreError``, which does not quote it: a secret may stand in it."""
        try:
            return cls.split(text)
        except UnknownAddressError:
            raise ObjectStoreError(say.ADDRESS_UNKNOWN) from None
        except MoreThanAPlaceError:
            raise ObjectStoreError(say.ADDRESS_WITH_SECRET) from None

    def require_package(self) -> None:
        """Raise ``ObjectStoreError`` where what reaches it is not installed; imports nothing."""
        if self.missing is not None:
            raise ObjectStoreError(say.DRIVER_MISSING, place=self.place, **self.missing)
