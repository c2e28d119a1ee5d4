"""The fields of a protocol buffer message, read without its schema."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

MAX_VARINT_BYTES = 10
FIXED_BYTES = {1: 8, 5: 4}
"""Wire types of a fixed length."""


class Field(NamedTuple):
    """A field by its number; ``value`` is an unsigned number, or the bytes of anything else."""

    number: int
    value: int | bytes


def fields(message: bytes) -> Iterator[Field]:
    """Yield every field in order; raise ``ValueError`` if the message is invalid."""
    place = 0
    while place < len(message):
        tag, place = _varint(message, place)
        value: int | bytes
        if tag & 7 == 0:
            value, place = _varint(message, place)
        else:
            length, place = _length(message, place, tag & 7)
            value, place = message[place : place + length], place + length
        if place > len(message):
            raise ValueError("a field is longer than its message")
        yield Field(tag >> 3, value)


def _length(message: bytes, place: int, wire_type: int) -> tuple[int, int]:
    if wire_type == 2:
        return _varint(message, place)
    if wire_type not in FIXED_BYTES:
        raise ValueError(f"there is no wire type {wire_type}")
    return FIXED_BYTES[wire_type], place


def _varint(message: bytes, place: int) -> tuple[int, int]:
    number = 0
    for index, byte in enumerate(message[place : place + MAX_VARINT_BYTES]):
        number |= (byte & 127) << (7 * index)
        if byte < 128:
            return number, place + index + 1
    raise ValueError("a number has no end")
