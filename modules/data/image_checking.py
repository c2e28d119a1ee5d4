"""Reading, verifying and copying image files in threads, in bounded memory, in their order."""

from __future__ import annotations

import hashlib
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from modules.data.labels import LabeledFile
from modules.data.names import printable
from modules.errors import ImageExceedsLimitError
from modules.images.decode import (
    EXTENSIONS,
    SIGNATURE_BYTES,
    UnreadableImageError,
    has_image_signature,
    verify_image,
)

MAX_FILE_BYTES = 2**30
_AHEAD = 4  # Files begun before the oldest one is done, for each thread.


@dataclass(frozen=True)
class ImageFacts:
    """One row of the manifest: an image that was decoded to its end and copied."""

    path: str
    label: str | None
    width: int
    height: int
    num_bytes: int
    sha256: str


@dataclass(frozen=True)
class LeftOut:
    """A file that is not in the output, and why.

    ``is_image``: its name or its first bytes say that it was meant as an image; ``misplaced``: it
    lies where no class can be told; ``error``: what decoding it raised.
    """

    path: str
    reason: str
    is_image: bool
    misplaced: bool = False
    error: ImageExceedsLimitError | None = None


class ImageChecker:
    """Verifies files below ``root`` and copies the good ones, by their path, into ``target``."""

    def __init__(self, root: Path, target: Path, base: str) -> None:
        self._root = root
        self._target = target
        self._base = base
        self._folders: set[Path] = set()

    def check_all(
        self, files: Iterable[LabeledFile], threads: int
    ) -> Iterator[ImageFacts | LeftOut]:
        """One result a file, in the order of ``files``; only a few files are in memory at once."""
        with ThreadPoolExecutor(threads, thread_name_prefix="check") as pool:
            try:
                yield from _in_order(pool, self._check, files, threads * _AHEAD)
            finally:
                pool.shutdown(wait=True, cancel_futures=True)

    def _check(self, file: LabeledFile) -> ImageFacts | LeftOut:
        has_image_name = Path(file.path).suffix.lower() in EXTENSIONS
        path = printable(file.path.removeprefix(self._base))
        try:
            data = _read_image(self._root / file.path)
        except OSError as error:
            return LeftOut(path, f"cannot be read ({error.strerror})", has_image_name)
        except UnreadableImageError as error:
            return LeftOut(path, error.reason, has_image_name)
        if file.left_out:
            return LeftOut(path, file.left_out, is_image=True, misplaced=True)
        try:
            header = verify_image(data)
        except UnreadableImageError as error:
            return LeftOut(path, error.reason, is_image=True)
        except ImageExceedsLimitError as error:
            named = ImageExceedsLimitError(f"{path}: {error.message}", cure=error.cure)
            return LeftOut(path, error.message.rstrip("."), is_image=True, error=named)
        try:
            self._write(path, data)
        except FileExistsError:
            return LeftOut(path, "another file has the same name but for its spelling", True)
        digest = hashlib.sha256(data).hexdigest()
        return ImageFacts(path, file.label, header.width, header.height, len(data), digest)

    def _write(self, path: str, data: bytes) -> None:
        place = self._target / path
        if place.parent not in self._folders:
            place.parent.mkdir(parents=True, exist_ok=True)
            self._folders.add(place.parent)
        with place.open("xb", buffering=0) as file:
            file.write(data)


def _read_image(path: Path) -> bytes:
    """A file's bytes; raises ``UnreadableImageError`` before reading what cannot be an image."""
    with path.open("rb") as file:
        start = file.read(SIGNATURE_BYTES)
        if not start:
            raise UnreadableImageError("the file is empty")
        if not has_image_signature(start):
            raise UnreadableImageError("not an image")
        if os.fstat(file.fileno()).st_size > MAX_FILE_BYTES:
            raise UnreadableImageError("the file is larger than 1 GiB")
        return start + file.read()


def _in_order(
    pool: ThreadPoolExecutor,
    work: Callable[[LabeledFile], ImageFacts | LeftOut],
    files: Iterable[LabeledFile],
    ahead: int,
) -> Iterator[ImageFacts | LeftOut]:
    pending: deque[Future[ImageFacts | LeftOut]] = deque()
    for file in files:
        pending.append(pool.submit(work, file))
        if len(pending) >= ahead:
            yield pending.popleft().result()
    while pending:
        yield pending.popleft().result()
