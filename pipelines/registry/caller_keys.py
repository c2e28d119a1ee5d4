"""Keys with which programs call endpoints and published pipelines.

An owner (an endpoint or a published pipeline) has up to two keys, so that one can be replaced while
callers still use the other. Only their hashes are stored: a new key is shown once.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable
from dataclasses import dataclass

from pipelines.errors import RefusedError
from pipelines.sentences import calling
from pipelines.store.database.caller_keys import CallerKeyStore
from pipelines.store.database.connections import Database

SLOTS = (1, 2)
FEWEST_LETTERS, MOST_LETTERS = 16, 200
_PREFIX = "dsk_"
"""Start of created keys, by which scanners for leaked secrets recognize them."""


@dataclass(frozen=True)
class KeyEntry:
    """A stored key: its slot, its creation time, and the start of its hash to compare keys."""

    slot: int
    created: float
    digest_start: str


def digest_of(key: str) -> str:
    """Return the hash of a key. Keys are random, so a plain SHA-256 cannot be reversed."""
    return hashlib.sha256(key.encode("utf-8", "surrogateescape")).hexdigest()


def is_one_of(key: str, digests: Iterable[str]) -> bool:
    """Return True if a key has one of these hashes, in a time that does not depend on the key."""
    digest = digest_of(key)
    return sum(hmac.compare_digest(digest, other) for other in digests) > 0


def bearer_key(authorization: str | None) -> str:
    """Return the key of an ``Authorization: Bearer`` header; empty if there is none."""
    scheme, _, key = (authorization or "").partition(" ")
    return key.strip() if scheme.lower() == "bearer" else ""


def check_chosen_key(key: str) -> None:
    """Raise ``RefusedError`` for a key that is easy to guess or cannot be sent in a header."""
    is_plain = key.isascii() and key.isprintable() and " " not in key
    if not is_plain or not FEWEST_LETTERS <= len(key) <= MOST_LETTERS:
        raise RefusedError(calling.WEAK_CALLER_KEY, fewest=FEWEST_LETTERS, most=MOST_LETTERS)


class CallerKeys:
    """Keys of one owner."""

    def __init__(self, database: Database, owner: str) -> None:
        self._store = CallerKeyStore(database, owner)

    def all(self) -> list[KeyEntry]:
        """Return the stored keys without their secret."""
        return [
            KeyEntry(slot, created, digest[:8])
            for slot, (digest, created) in self._store.all().items()
        ]

    def digests(self) -> tuple[str, ...]:
        """Return the hashes to compare keys with."""
        return tuple(digest for digest, _ in self._store.all().values())

    def rotate(self, slot: int) -> str:
        """Replace the key of a slot; return the new one, which cannot be shown again."""
        _check_slot(slot)
        key = _PREFIX + secrets.token_urlsafe(32)
        self._store.set(slot, digest_of(key))
        return key

    def remove(self, slot: int) -> None:
        """Remove the key of a slot."""
        _check_slot(slot)
        self._store.set(slot, None)

    def clear(self) -> None:
        """Remove all keys."""
        self._store.clear()


def _check_slot(slot: int) -> None:
    if slot not in SLOTS:
        raise RefusedError(calling.NO_SLOT, slot=slot)
