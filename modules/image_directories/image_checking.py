"""Verification and copying of image files in threads, in bounded memory and in order."""

from __future__ import annotations

import hashlib
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypeVar

from modules.errors import ImageExceedsLimitError
from modules.files.scanning import Tree
from modules.files.shard_member import ShardMember
from modules.image_directories.labels import LabeledFile, manifest_path
from modules.image_loading.decoding import UnreadableImageError, verify_image
from modules.image_loading.image_formats import (
    CAMERA_RAW,
    SIGNATURE_BYTES,
    OtherFormat,
    has_image_extension,
    has_image_signature,
    other_format,
)
from modules.sentences import image_directories as say
from modules.sentences import image_loading
from modules.sentences.sentence import Statement

S = TypeVar("S")
T = TypeVar("T")

MAX_FILE_BYTES = 2**30
SMALL_FILE_BYTES = 32_768
"""Mean size below which one thread is used: two threads took 5.8 s for 3,000 images of 32 pixels
because they wait for the interpreter, one thread 4.0 s.
"""
_AHEAD = 4  # Files (of small ones: batches) started before the oldest is done, per thread.
_PORTION_FILES, _PORTION_BYTES = 64, 2**22  # Number of small files placed together.
_SAMPLED = 50


@dataclass(frozen=True)
class CheckedImage:
    """One row of the manifest: an image that was decoded completely and copied."""

    path: str
    label: str | None
    width: int
    height: int
    num_bytes: int
    sha256: str


@dataclass(frozen=True)
class LeftOut:
    """A file that is not in the output, and the reason.

    ``is_image``: its name or its first bytes show that it is meant as an image; ``misplaced``: its
    class is unknown because of its location; ``error``: the exception of decoding it; ``format``:
    its unsupported image format.
    """

    path: str
    reason: Statement | str
    is_image: bool
    misplaced: bool = False
    error: ImageExceedsLimitError | None = None
    format: OtherFormat | None = None


class _OtherFormatError(UnreadableImageError):
    """An image in an unsupported format."""

    def __init__(self, format: OtherFormat) -> None:
        self.format = format
        super().__init__(format.reason)


class _Whole(NamedTuple):
    """An image that was decoded completely and is not placed yet."""

    facts: CheckedImage
    data: bytes
    source: str | ShardMember


class ImageChecker:
    """Verifier of the files of a tree, which places valid ones, by their path, in ``target``.

    ``may_link`` is for roots that never change: their files get a hard link instead of a copy.
    Files in shards stay there.
    """

    def __init__(self, tree: Tree, target: Path, base: str, *, may_link: bool = False) -> None:
        self._root = os.fspath(tree.root)
        self._members = tree.members
        self._target = os.fspath(target)
        self._base = base
        self._may_link = may_link
        self._folders: set[str] = set()

    def check_all(
        self, files: Sequence[LabeledFile], threads: int
    ) -> Iterator[CheckedImage | LeftOut]:
        """Yield one result per file, in order, with only a few files in memory at once."""
        is_small = threads == 1 or self._mean_bytes(files) < SMALL_FILE_BYTES
        with ThreadPoolExecutor(1 if is_small else threads, "check") as pool:
            try:
                if is_small:
                    # Decoding keeps the interpreter busy, creating files the system, so they run in
                    # parallel.
                    seen = self._verified_portions(files)
                    for placed in _in_order(pool, self._all_placed, seen, _AHEAD):
                        yield from placed
                else:
                    yield from _in_order(pool, self._check, files, threads * _AHEAD)
            finally:
                pool.shutdown(wait=True, cancel_futures=True)

    def _verified_portions(self, files: Iterable[LabeledFile]) -> Iterator[list[_Whole | LeftOut]]:
        portion: list[_Whole | LeftOut] = []
        num_bytes = 0
        for file in files:
            portion.append(checked := self._verified(file))
            num_bytes += len(checked.data) if isinstance(checked, _Whole) else 0
            if len(portion) == _PORTION_FILES or num_bytes >= _PORTION_BYTES:
                yield portion
                portion, num_bytes = [], 0
        yield portion

    def _check(self, file: LabeledFile) -> CheckedImage | LeftOut:
        return self._placed(self._verified(file))

    def _verified(self, file: LabeledFile) -> _Whole | LeftOut:
        path = manifest_path(file.path, self._base)
        source = self._source(file.path)
        try:
            data = _read_image(source, path)
        except OSError as error:
            why = image_loading.CANNOT_BE_READ.about({"error": error.strerror})
            return LeftOut(path, why, has_image_extension(path))
        except _OtherFormatError as error:
            return LeftOut(path, error.statement, is_image=True, format=error.format)
        except UnreadableImageError as error:
            return LeftOut(path, error.statement, has_image_extension(path))
        if file.left_out:
            return LeftOut(path, file.left_out, is_image=True, misplaced=True)
        try:
            header = verify_image(data)
        except UnreadableImageError as error:
            known = CAMERA_RAW if error.statement == CAMERA_RAW.reason else None
            return LeftOut(path, error.statement, is_image=True, format=known)
        except ImageExceedsLimitError as error:
            named = ImageExceedsLimitError(say.IMAGE_IN_FILE, file=path, why=error.statement)
            return LeftOut(path, error.message.rstrip("."), is_image=True, error=named)
        digest = hashlib.sha256(data).hexdigest()
        facts = CheckedImage(path, file.label, header.width, header.height, len(data), digest)
        return _Whole(facts, data, source)

    def _placed(self, seen: _Whole | LeftOut) -> CheckedImage | LeftOut:
        if isinstance(seen, LeftOut):
            return seen
        path = seen.facts.path
        try:
            self._place(path, seen.data, seen.source)
        except FileExistsError:
            return LeftOut(path, image_loading.SAME_NAME.about({}), is_image=True)
        return seen.facts

    def _all_placed(self, seen: list[_Whole | LeftOut]) -> list[CheckedImage | LeftOut]:
        return [self._placed(checked) for checked in seen]

    def _source(self, path: str) -> str | ShardMember:
        return f"{self._root}/{path}" if self._members is None else self._members(path)

    def _place(self, path: str, data: bytes, source: str | ShardMember) -> None:
        if isinstance(source, ShardMember):
            return
        place = f"{self._target}/{path}"
        folder = place.rpartition("/")[0]
        if folder not in self._folders:
            os.makedirs(folder, exist_ok=True)
            self._folders.add(folder)
        if not (self._may_link and _linked(source, place)):
            _write(place, data)

    def _mean_bytes(self, files: Sequence[LabeledFile]) -> float:
        """Return the mean size of some files across the list; 0 if none can be read."""
        sizes = []
        for file in files[:: len(files) // _SAMPLED + 1]:
            with suppress(OSError):
                sizes.append(_num_bytes(self._source(file.path)))
        return sum(sizes) / max(1, len(sizes))


def _num_bytes(source: str | ShardMember) -> int:
    return os.stat(source).st_size if isinstance(source, str) else source.num_bytes


def _linked(source: str, place: str) -> bool:
    """Return True if ``source`` now has the hard link ``place``; not every disk supports that.

    For a symbolic link, its target is linked, as the link itself would break in another folder.
    """
    try:
        os.link(os.path.realpath(source), place)
    except FileExistsError:
        raise
    except OSError:
        return False
    return True


def _write(path: str, data: bytes) -> None:
    with open(path, "xb", buffering=0) as file:
        view = memoryview(data)
        while view:
            view = view[file.write(view) :]


def _read_image(source: str | ShardMember, path: str) -> bytes:
    """Return a file's bytes; raise ``UnreadableImageError`` early if it cannot be an image."""
    if isinstance(source, ShardMember):
        _require_small(source.num_bytes)
        content = source.read_bytes()
        require_image(content[:SIGNATURE_BYTES], path)
        return content
    with open(source, "rb", buffering=0) as file:
        start = file.read(SIGNATURE_BYTES)
        require_image(start, path)
        _require_small(os.fstat(file.fileno()).st_size)
        return start + file.read()


def require_image(start: bytes, path: str) -> None:
    """Raise ``UnreadableImageError`` if the first bytes of a file are not those of an image."""
    if not start:
        raise UnreadableImageError(image_loading.EMPTY_FILE)
    known = other_format(start, path)
    if known is not None and not known.is_read:
        raise _OtherFormatError(known)
    if known is None and not has_image_signature(start):
        raise UnreadableImageError(image_loading.NO_IMAGE)


def _require_small(num_bytes: int) -> None:
    if num_bytes > MAX_FILE_BYTES:
        raise UnreadableImageError(image_loading.LARGER_THAN_1_GIB)


def _in_order(
    pool: ThreadPoolExecutor, work: Callable[[S], T], items: Iterable[S], ahead: int
) -> Iterator[T]:
    pending: deque[Future[T]] = deque()
    for item in items:
        pending.append(pool.submit(work, item))
        if len(pending) >= ahead:
            yield pending.popleft().result()
    while pending:
        yield pending.popleft().result()
