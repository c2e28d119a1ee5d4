"""Downloads with limits: resumed after an interruption, bounded, verified.

Only a complete file gets the final name. The partial file is stored next to it.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import ssl
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from typing import IO

from modules.downloads.address import Address
from modules.downloads.connection import UnusableAnswerError, answer
from modules.downloads.partial_file import PartialFile
from modules.errors import FailedToDownloadFilesError, ModuleError, ModuleOutOfMemoryError
from modules.files.disk import disk_errors, is_full
from modules.files.locks import alone
from modules.formatting import format_bytes
from modules.sentences import downloads as say
from modules.sentences.sentence import said_by

MAX_BYTES_VARIABLE = "DESIGNER_MAX_DOWNLOAD_BYTES"
CHUNK_BYTES = 1 << 18
LOCK = ".lock"
Tell = Callable[[int, int | None], None]
"""Callback with the bytes received, of how many (None: unknown); its exceptions propagate."""


def _max_bytes() -> int:
    return int(os.environ.get(MAX_BYTES_VARIABLE, 200 * 10**9))


@dataclass(frozen=True)
class DownloadLimits:
    """Limits at which a download fails."""

    num_bytes: int = field(default_factory=_max_bytes)
    seconds: float = 24 * 3600
    slow_seconds: float = 60.0
    """Seconds; a connection that transfers less than ``slow_bytes`` in this time is interrupted."""
    slow_bytes: int = 64 * 1024
    attempts: int = 5
    """Maximum consecutive interruptions without having transferred ``slow_bytes``."""
    pause_seconds: float = 0.5
    """Seconds before the second attempt; doubled each time."""


def download(
    address: Address, path: Path, tell: Tell, limits: DownloadLimits | None = None
) -> None:
    """Download the file of an address to ``path``, in its own folder, unless it exists.

    Raises ``FailedToDownloadFilesError`` (0162), which names address, folder and file,
    ``SourceNotAllowedError`` and ``ModuleOutOfMemoryError`` for a full disk.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with alone(path.parent / LOCK, lambda: tell(0, None)), disk_errors(path.parent):
        if not path.is_file():
            _Download(address, path, tell, limits or DownloadLimits()).run()


def not_downloaded(address: Address, path: Path, reason: Exception) -> FailedToDownloadFilesError:
    """Return the error with the path where the file belongs."""
    said = said_by(reason)
    return FailedToDownloadFilesError(
        say.NOT_DOWNLOADED,
        url=address.url[:300],
        why=said.rstrip(".") if isinstance(said, str) else said,
        name=path.name,
        folder=path.parent,
        parameter="source",
    )


@dataclass
class _Download:
    """The attempts to download one file."""

    address: Address
    path: Path
    tell: Tell
    limits: DownloadLimits

    def __post_init__(self) -> None:
        self._partial = PartialFile(self.path.parent)
        self._deadline = time.monotonic() + self.limits.seconds

    def run(self) -> None:
        failures = 0
        while True:
            before = self._partial.num_bytes
            try:
                self._attempt()
            except (UnusableAnswerError, ssl.SSLCertVerificationError) as error:
                raise not_downloaded(self.address, self.path, error) from error
            except ModuleError:
                raise
            except (OSError, HTTPException) as error:
                self._raise_if_full(error)
                brought = self._partial.num_bytes - before
                failures = 1 if brought >= self.limits.slow_bytes else failures + 1
                if failures >= self.limits.attempts or time.monotonic() > self._deadline:
                    raise not_downloaded(self.address, self.path, error) from error
                self._pause(self.limits.pause_seconds * 2 ** (failures - 1))
            else:
                return

    def _attempt(self) -> None:
        headers = self._partial.range_headers(is_pinned=self.address.sha256 is not None)
        with answer(self.address, headers) as response:
            self._require_usable(response)
            total = self._partial.accept(response)
            self._require_room(total)
            digest = self._receive(response, total)
        self._check(digest, total)
        self._partial.complete(self.path)

    def _receive(self, response: HTTPResponse, total: int | None) -> str:
        """Append the response to the partial file; return the hash of the whole."""
        with self._partial.path.open("a+b") as file:
            digest, size = self._hash_of(file, total)
            pace = _Pace(self.limits, self._deadline)
            while chunk := response.read1(_wanted(size, total)):
                size += len(chunk)
                if size > self.limits.num_bytes:
                    raise self._too_big()
                file.write(chunk)
                digest.update(chunk)
                pace.count(len(chunk))
                self.tell(size, total)
            file.flush()
            os.fsync(file.fileno())
        return digest.hexdigest()

    def _hash_of(self, file: IO[bytes], total: int | None) -> tuple[hashlib._Hash, int]:
        digest, size = hashlib.sha256(), 0
        file.seek(0)
        while chunk := file.read(CHUNK_BYTES):
            digest.update(chunk)
            size += len(chunk)
            self.tell(size, total)
        return digest, size

    def _require_usable(self, response: HTTPResponse) -> None:
        """Raise if the response has no bytes: permanently, or until a retry."""
        if response.status in (200, 206):
            return
        facts = {"status": response.status, "said": response.reason}
        said = say.SERVER_ANSWERS.about(facts)
        if response.status == 416:  # the server has less than the disk: another file
            self._partial.discard()
        if response.status in (408, 416, 429) or response.status >= 500:
            raise ConnectionResetError(said)
        raise UnusableAnswerError(said)

    def _check(self, digest: str, total: int | None) -> None:
        """Check that the file is complete and matches its expected hash."""
        if total is not None and self._partial.num_bytes != total:
            missing = total - self._partial.num_bytes
            raise ConnectionResetError(say.ENDED_EARLY.about({"missing": missing}))
        if self.address.sha256 not in (None, digest):
            self._partial.discard()
            raise FailedToDownloadFilesError(
                say.OTHER_FILE, url=self.address.url[:300], sha256=digest, parameter="source"
            )

    def _require_room(self, total: int | None) -> None:
        if (total or 0) > self.limits.num_bytes:
            raise self._too_big()
        missing = (total or 0) - self._partial.num_bytes
        free = shutil.disk_usage(self.path.parent).free
        if missing > free:
            raise ModuleOutOfMemoryError(
                say.NO_ROOM,
                url=self.address.url[:300],
                missing=format_bytes(missing),
                folder=self.path.parent,
                free=format_bytes(free),
            )

    def _too_big(self) -> FailedToDownloadFilesError:
        self._partial.discard()
        return FailedToDownloadFilesError(
            say.TOO_BIG,
            url=self.address.url[:300],
            limit=self.limits.num_bytes,
            variable=MAX_BYTES_VARIABLE,
            parameter="source",
        )

    def _raise_if_full(self, error: Exception) -> None:
        """Raise if the disk is full, which is not a network error; delete the partial file."""
        if isinstance(error, OSError) and is_full(error):
            self._partial.discard()
            raise error

    def _pause(self, seconds: float) -> None:
        """Wait, but stay cancellable."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.tell(self._partial.num_bytes, None)
            time.sleep(min(0.1, seconds))


def _wanted(size: int, total: int | None) -> int:
    """Return how much to read at once; never past the end, where the connection may be silent."""
    return CHUNK_BYTES if total is None else min(CHUNK_BYTES, total - size)


class _Pace:
    """Detector of servers that keep a connection open but transfer almost nothing."""

    def __init__(self, limits: DownloadLimits, deadline: float) -> None:
        self._limits, self._deadline = limits, deadline
        self._since, self._num_bytes = time.monotonic(), 0

    def count(self, num_bytes: int) -> None:
        now = time.monotonic()
        self._num_bytes += num_bytes
        if now > self._deadline:
            raise TimeoutError(say.TOO_LONG.about({"hours": self._limits.seconds / 3600}))
        if now - self._since > self._limits.slow_seconds:
            if self._num_bytes < self._limits.slow_bytes:
                raise TimeoutError(say.TOO_SLOW.about({"num_bytes": self._num_bytes}))
            self._since, self._num_bytes = now, 0
