"""Address of an object store for outputs: a workspace's own prefix in it."""

from __future__ import annotations

from typing import Self

from modules.files.object_places import MoreThanAPlaceError, ObjectPlace, UnknownAddressError
from pipelines.errors import ObjectStoreError
from pipelines.sentences import object_stores as say


class ObjectAddress(ObjectPlace):
    """``protocol://root``, without secrets."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse an address.

        Raises ``ObjectStoreError`` without quoting it: it may contain a secret.
        """
        try:
            return cls.split(text)
        except UnknownAddressError:
            raise ObjectStoreError(say.ADDRESS_UNKNOWN) from None
        except MoreThanAPlaceError:
            raise ObjectStoreError(say.ADDRESS_WITH_SECRET) from None

    def require_package(self) -> None:
        """Raise ``ObjectStoreError`` if the driver is not installed; imports nothing."""
        if self.missing is not None:
            raise ObjectStoreError(say.DRIVER_MISSING, place=self.place, **self.missing)
