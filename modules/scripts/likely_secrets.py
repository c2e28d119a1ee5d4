"""Detection of passwords and keys in the files of a source, by name and by pattern."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import fnmatch
from typing import NamedTuple

from modules.scripts.source_snapshot import SnapshotFile, SourceSnapshot

NAMES = (".env", ".env.*", "id_rsa", "id_ed25519", "*.pem", "*.key", "*.pfx", ".netrc", ".pypirc")
SHAPES = {
    "a private key": re.compile(rb"-----BEGIN [A-Z ]*PRIVATE KEY-----"),
    "a key of AWS": re.compile(rb"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"),
    "a key of an Azure account": re.compile(rb"AccountKey=[A-Za-z0-9+/]{60,}={0,2}"),
    "a token of GitHub": re.compile(rb"\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_\w{60,})"),
    "a token of Hugging Face": re.compile(rb"\bhf_[A-Za-z0-9]{30,}\b"),
    "a token of Slack": re.compile(rb"\bxox[abprs]-[A-Za-z0-9-]{10,}"),
    "a password": re.compile(
        rb"""(?i)\b(?:password|passwd|secret|api_?key|token)["']?\s*[=:]\s*["'][^"'\s]{12,}["']"""
    ),
}
MAX_BYTES = 1_000_000
"""Maximum size: larger files are data; secrets are in code and settings."""


class LikelySecret(NamedTuple):
    """The location of a likely secret; its value is never reported."""

    path: str
    line: int
    kind: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line} ({self.kind})" if self.line else f"{self.path} (its name)"


def likely_secrets(snapshot: SourceSnapshot) -> list[LikelySecret]:
    """Return likely secrets before the files are copied, at most one for each file."""
    findings = (next(_in_file(snapshot, file), None) for file in snapshot.files)
    return [finding for finding in findings if finding is not None]


def _in_file(snapshot: SourceSnapshot, file: SnapshotFile) -> Iterator[LikelySecret]:
    name = file.path.rpartition("/")[2]
    if any(fnmatch(name, pattern) for pattern in NAMES):
        yield LikelySecret(file.path, 0, "its name")
    if file.link is not None or file.num_bytes > MAX_BYTES:
        return
    content = (snapshot.root / file.path).read_bytes()
    if b"\0" in content:
        return
    for kind, shape in SHAPES.items():
        match = shape.search(content)
        if match:
            yield LikelySecret(file.path, content.count(b"\n", 0, match.start()) + 1, kind)
