"""Scalars of a TensorBoard event file, read while it grows, without TensorBoard.

A file is a sequence of TFRecords: length (8 bytes), its checksum (4), an ``Event`` message, its
checksum (4). Of an ``Event`` and its contents only the fields named below are used
(tensorflow/core/util/event.proto, framework/summary.proto, framework/tensor.proto).
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

from modules.scripts.intake.crc32c import masked_crc32c
from modules.scripts.intake.protobuf_fields import Field, fields

HEADER_BYTES, CHECKSUM_BYTES = 12, 4
MAX_RECORD_BYTES = 2**20
"""Maximum length of a record; longer ones are images and graphs, which are skipped."""
EVENT_TIME, EVENT_STEP, EVENT_SUMMARY = 1, 2, 5
SUMMARY_VALUE = 1
VALUE_TAG, VALUE_NUMBER, VALUE_TENSOR = 1, 2, 8
TENSOR_TYPE, TENSOR_BYTES = 1, 4
NUMBERS = {1: ("<f", 5), 2: ("<d", 6)}
"""Encoding and field of numbers, by a tensor's type (float, double)."""


class Scalar(NamedTuple):
    """One point as the script wrote it."""

    tag: str
    step: int
    value: float


class DamagedEventFileError(ValueError):
    """A record with a wrong checksum, or one that is not an event."""


class EventFileTail:
    """Reader of the complete records that were added to a growing file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._offset = 0

    def read(self, most_bytes: int) -> list[Scalar]:
        """Return new scalars of about ``most_bytes``; raise ``DamagedEventFileError``.

        Incomplete records wait for the next call. A missing file has nothing new, and one that is
        shorter than before is another one.
        """
        scalars: list[Scalar] = []
        try:
            with self.path.open("rb") as file:
                if os.fstat(file.fileno()).st_size < self._offset:
                    self._offset = 0
                end = self._offset + most_bytes
                while self._offset < end and (message := self._next(file)) is not None:
                    scalars += _scalars(message)
        except OSError:
            return scalars
        return scalars

    def began(self) -> float | None:
        """Return the time of its first record; None if that is not complete yet.

        Raises ``DamagedEventFileError``. The record counts as unread after that.
        """
        try:
            with self.path.open("rb") as file:
                message = self._next(file)
        except OSError:
            return None
        self._offset = 0
        return None if message is None else _time_of(message)

    def pass_over(self) -> None:
        """Skip the existing content."""
        self._offset = self.path.stat().st_size

    def _next(self, file: BinaryIO) -> bytes | None:
        """Return the next record, empty if it is skipped; None if it is not complete yet."""
        file.seek(self._offset)
        header = file.read(HEADER_BYTES)
        if len(header) < HEADER_BYTES:
            return None
        _check(header[:8], header[8:])
        length = int.from_bytes(header[:8], "little")
        end = self._offset + HEADER_BYTES + length + CHECKSUM_BYTES
        if os.fstat(file.fileno()).st_size < end:
            return None
        self._offset = end
        if length > MAX_RECORD_BYTES:
            return b""
        body = file.read(length + CHECKSUM_BYTES)
        _check(body[:length], body[length:])
        return body[:length]


def _check(data: bytes, checksum: bytes) -> None:
    if masked_crc32c(data) != int.from_bytes(checksum, "little"):
        raise DamagedEventFileError("a checksum does not match")


def _scalars(message: bytes) -> list[Scalar]:
    try:
        return list(_scalars_of(tuple(fields(message))))
    except (ValueError, TypeError, struct.error) as error:
        raise DamagedEventFileError(str(error)) from error


def _time_of(message: bytes) -> float:
    """Return the time of a record, 0 if it has none."""
    try:
        written = dict(fields(message)).get(EVENT_TIME)
        return _unpacked("<d", written) if isinstance(written, bytes) else 0.0
    except (ValueError, struct.error) as error:
        raise DamagedEventFileError(str(error)) from error


def _scalars_of(event: tuple[Field, ...]) -> Iterator[Scalar]:
    step = next((int(value) for number, value in event if number == EVENT_STEP), 0)
    step -= 2**64 if step >= 2**63 else 0  # negative numbers are encoded as their complement
    for summary in _parts(event, EVENT_SUMMARY):
        for part in _parts(tuple(fields(summary)), SUMMARY_VALUE):
            value = dict(fields(part))
            number = _number(value)
            if number is not None:
                yield Scalar(_bytes(value[VALUE_TAG]).decode("utf-8", "replace"), step, number)


def _parts(message: tuple[Field, ...], wanted: int) -> Iterator[bytes]:
    return (_bytes(value) for number, value in message if number == wanted)


def _number(value: dict[int, int | bytes]) -> float | None:
    """Return a scalar, in the form of TensorFlow 1 and PyTorch, or the tensor of TensorFlow 2."""
    if VALUE_TAG not in value:
        return None
    if VALUE_NUMBER in value:
        return _unpacked("<f", _bytes(value[VALUE_NUMBER]))
    if VALUE_TENSOR not in value:
        return None
    tensor = dict(fields(_bytes(value[VALUE_TENSOR])))
    form = NUMBERS.get(int(tensor.get(TENSOR_TYPE, 0)))
    if form is None:
        return None
    written = _bytes(tensor.get(TENSOR_BYTES) or tensor.get(form[1], b""))
    return _unpacked(form[0], written) if len(written) == struct.calcsize(form[0]) else None


def _unpacked(form: str, written: bytes) -> float:
    return float(struct.unpack(form, written)[0])


def _bytes(value: int | bytes) -> bytes:
    if isinstance(value, int):
        raise ValueError("a number in place of a message")
    return value
