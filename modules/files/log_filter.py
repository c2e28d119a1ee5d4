"""The log filter: writes the output of a step's processes to logs, with secrets redacted.

``python -m modules.files.log_filter``, started by ``log_output``. The first line on its stdin is
JSON: the ``values`` of secrets, the ``log``, and ``pipes``, named pipes and their logs. The rest of
stdin is output. It ends when no process holds the write ends any more, so it outlives the processes
it reads from, and all output is written even if they were killed.
"""

from __future__ import annotations

import json
import os
import selectors
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from modules.files.redaction import RedactedStream, Redaction
from modules.operating_system.files import open_private
from modules.operating_system.pipes import open_to_read
from modules.operating_system.signals import ignore_requests_to_end

STDIN, STDOUT = 0, 1
MOST_BYTES = 2**20
SMALL_BYTES = 2**14
GATHER_SECONDS = 0.005
"""Seconds that output is collected after a small piece. Otherwise a process that prints line by
line would wake this one, and wait for it, with each line.
"""
READY = b"\n"


class RedactedLog:
    """A log that pieces of output are appended to."""

    def __init__(self, path: Path, redaction: Redaction) -> None:
        self._descriptor = open_private(path)
        self._stream = RedactedStream(redaction)
        self._num_lost = 0

    def write(self, piece: bytes) -> None:
        """Append a piece; an empty one means that currently nothing more arrives."""
        self._append(self._stream.feed(piece) if piece else self._stream.rest())

    def _append(self, content: bytes) -> None:
        if self._num_lost and content:
            note = f"\n[{self._num_lost:,} bytes of output could not be written here.]\n"
            content = note.encode() + content
        left = memoryview(content)
        try:
            while left:
                left = left[os.write(self._descriptor, left) :]
                self._num_lost = 0
        except OSError:  # a full disk must not end a step, and its processes must not wait for it
            self._num_lost += len(left)


class NamedPipe:
    """A pipe that processes open by its path."""

    def __init__(self, path: str, log: RedactedLog) -> None:
        self._path, self._log = path, log
        self._stream_is_open = False
        self.descriptor = open_to_read(path)

    def read(self) -> bool:
        """Write the available output; return False if no process holds the other end."""
        try:
            piece = os.read(self.descriptor, MOST_BYTES)
        except BlockingIOError:
            return True
        if piece or self._stream_is_open:
            self._log.write(piece)
        self._stream_is_open = bool(piece)
        return bool(piece)

    def reopen(self) -> None:
        """Wait for the next process, without leaving the pipe without a reader."""
        fresh = open_to_read(self._path)
        os.close(self.descriptor)
        self.descriptor = fresh

    def remove(self) -> None:
        """Remove the pipe, so that no reader of files waits at it forever."""
        with suppress(OSError):
            os.unlink(self._path)
            os.rmdir(os.path.dirname(self._path))


def filter_stdin(log: RedactedLog, piece: bytes) -> None:
    """Filter stdin, of which the first piece has already been read."""
    piece = piece or os.read(STDIN, MOST_BYTES)
    while piece:
        log.write(piece)
        _gather(piece)
        piece = os.read(STDIN, MOST_BYTES)
    log.write(b"")


def _gather(piece: bytes) -> None:
    if len(piece) < SMALL_BYTES:
        time.sleep(GATHER_SECONDS)


def filter_pipes(log: RedactedLog, piece: bytes, pipes: list[NamedPipe]) -> None:
    """Filter stdin and named pipes, until stdin ends and no process holds one of the pipes."""
    selector = selectors.DefaultSelector()
    selector.register(STDIN, selectors.EVENT_READ)
    for pipe in pipes:
        selector.register(pipe.descriptor, selectors.EVENT_READ, pipe)
    if piece:
        log.write(piece)
    is_open = True
    while is_open:
        time.sleep(GATHER_SECONDS)
        for key, _ in selector.select():
            pipe = key.data
            if pipe is None:
                piece = os.read(STDIN, MOST_BYTES)
                is_open = bool(piece)
                log.write(piece)
            elif not pipe.read():
                selector.unregister(pipe.descriptor)
                pipe.reopen()
                selector.register(pipe.descriptor, selectors.EVENT_READ, pipe)
    while sum(map(NamedPipe.read, pipes)):  # all of them, as a rank may wait for another one
        time.sleep(GATHER_SECONDS)
    for pipe in pipes:
        pipe.remove()


def _header() -> tuple[dict[str, Any], bytes]:
    content = b""
    while b"\n" not in content and (piece := os.read(STDIN, MOST_BYTES)):
        content += piece
    line, _, rest = content.partition(b"\n")
    return json.loads(line), rest


def main() -> None:
    """Filter until the output ends."""
    ignore_requests_to_end()  # this process ends with the output
    header, piece = _header()
    redaction = Redaction(header["values"])
    log = RedactedLog(Path(header["log"]), redaction)
    own = dict[str, str](header["pipes"])
    pipes = [NamedPipe(pipe, RedactedLog(Path(path), redaction)) for pipe, path in own.items()]
    with suppress(OSError):
        os.write(STDOUT, READY)
    os.close(STDOUT)
    if pipes:
        filter_pipes(log, piece, pipes)
    else:
        filter_stdin(log, piece)


if __name__ == "__main__":
    main()
    sys.exit()
