"""A partial download: the bytes on disk, and a check whether the rest may be appended."""

from __future__ import annotations

import contextlib
import json
import re
from dataclasses import asdict, dataclass
from http.client import HTTPMessage, HTTPResponse
from pathlib import Path

from modules.sentences import downloads as say

PARTIAL, FACTS = ".partial", ".partial.json"


@dataclass(frozen=True)
class Version:
    """A server's description of one version of a file."""

    etag: str | None = None
    modified: str | None = None
    num_bytes: int | None = None

    @classmethod
    def of(cls, headers: HTTPMessage, num_bytes: int | None) -> Version:
        return cls(headers.get("ETag"), headers.get("Last-Modified"), num_bytes)

    @property
    def validator(self) -> str | None:
        """Return the value for ``If-Range``, a strong tag or a date; None without either."""
        strong = self.etag if self.etag and not self.etag.startswith("W/") else None
        return strong or self.modified

    def is_another(self, other: Version) -> bool:
        """Return True if any fact that both have differs."""
        pairs = zip(asdict(self).values(), asdict(other).values(), strict=True)
        return any(None not in pair and pair[0] != pair[1] for pair in pairs)


class PartialFile:
    """The bytes in ``folder``, and the version of the file they belong to."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / PARTIAL
        self._facts_path = folder / FACTS

    @property
    def num_bytes(self) -> int:
        return self.path.stat().st_size if self.path.is_file() else 0

    def range_headers(self, *, is_pinned: bool) -> dict[str, str]:
        """Return the request headers for the rest; none if only the whole can be requested.

        ``is_pinned`` means that a hash will show whether the parts belong together.
        """
        version, start = self._version(), self.num_bytes
        if start == 0 or not (version.validator or is_pinned):
            return {}
        headers = {"Range": f"bytes={start}-"}
        return headers | ({"If-Range": version.validator} if version.validator else {})

    def accept(self, response: HTTPResponse) -> int | None:
        """Prepare for the response; return the size of the whole if it is known.

        Bytes of another version are discarded, and ``ConnectionResetError`` requests a retry if the
        response would continue them.
        """
        if response.status == 206:
            start, total = _content_range(response)
            version = Version.of(response.headers, total)
            if start == self.num_bytes and not self._version().is_another(version):
                return total
            self.discard()
            raise ConnectionResetError(say.CHANGED_ON_SERVER.about({}))
        total = response.length
        self.discard()
        self._facts_path.write_text(json.dumps(asdict(Version.of(response.headers, total))))
        return total

    def discard(self) -> None:
        """Delete the partial file."""
        self.path.unlink(missing_ok=True)
        self._facts_path.unlink(missing_ok=True)

    def complete(self, path: Path) -> None:
        """Move the complete file to its path."""
        self.path.replace(path)
        self._facts_path.unlink(missing_ok=True)

    def _version(self) -> Version:
        with contextlib.suppress(OSError, ValueError, TypeError):
            return Version(**json.loads(self._facts_path.read_text()))
        return Version()


def _content_range(response: HTTPResponse) -> tuple[int, int | None]:
    """Return the start of a part (-1 if not specified), and the size of the whole."""
    text = response.headers.get("Content-Range", "")
    match = re.fullmatch(r"bytes (\d+)-\d+/(\d+|\*)", text)
    if match is None:
        return -1, None
    return int(match[1]), None if match[2] == "*" else int(match[2])
