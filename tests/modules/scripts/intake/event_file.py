"""Writes TensorBoard event files, record by record, as PyTorch, TensorFlow and Keras do."""

from __future__ import annotations

import struct
from pathlib import Path

from modules.scripts.intake.crc32c import masked_crc32c


def varint(number: int) -> bytes:
    number %= 2**64
    written = b""
    while number > 127:
        written, number = written + bytes([number & 127 | 128]), number >> 7
    return written + bytes([number])


def part(number: int, value: int | bytes) -> bytes:
    """A field of a message: a number, or bytes with their length."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def record(message: bytes) -> bytes:
    length = struct.pack("<Q", len(message))
    checksums = [struct.pack("<I", masked_crc32c(each)) for each in (length, message)]
    return length + checksums[0] + message + checksums[1]


LATER, BEFORE = 4e9, 1.5e9
"""Times: after every test, and before."""


def event(step: int, *values: bytes, at: float = LATER) -> bytes:
    summary = b"".join(part(1, each) for each in values)
    return record(_time(at) + part(2, step) + part(5, summary))


def version(at: float = LATER) -> bytes:
    """The record that every file begins with."""
    return record(_time(at) + part(3, b"brain.Event:2"))


def _time(at: float) -> bytes:
    return b"\x09" + struct.pack("<d", at)


def simple(tag: str, value: float) -> bytes:
    """As PyTorch and TensorFlow 1 write a scalar."""
    return part(1, tag.encode()) + b"\x15" + struct.pack("<f", value)


def tensor(tag: str, value: float, form: str = "content") -> bytes:
    """As TensorFlow 2 writes a scalar: a tensor without dimensions."""
    written = struct.pack("<f", value)
    number = {"content": part(4, written), "packed": part(5, written), "one": b"\x2d" + written}
    return part(1, tag.encode()) + part(8, part(1, 1) + part(2, b"") + number[form])


def double(tag: str, value: float) -> bytes:
    return part(1, tag.encode()) + part(8, part(1, 2) + part(4, struct.pack("<d", value)))


def text(tag: str) -> bytes:
    """A summary that is no number."""
    return part(1, tag.encode()) + part(8, part(1, 7) + part(8, b"hello"))


def write(path: Path, *records: bytes) -> None:
    """Append to an event file; its folder is made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        file.write(b"".join(records))
