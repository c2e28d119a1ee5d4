"""Failures of uv as errors with a fix."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from modules.errors import (
    EnvironmentNotMadeError,
    FailedToDownloadFilesError,
    ModuleError,
    ModuleOutOfMemoryError,
)
from modules.sentences import files as files_say
from modules.sentences.sentence import Sentence
from pipelines.sentences import environments as say

DISK_FULL = ("No space left on device", "os error 28", "Disk quota exceeded", "os error 122")
OFFLINE = ("network was disabled", "Network connectivity is disabled", "not found in the cache")
UNREACHABLE = (
    "error sending request",
    "dns error",
    "Connection refused",
    "Failed to fetch",
    "client error (Connect)",
)
KINDS: tuple[tuple[tuple[str, ...], Sentence], ...] = (
    (("Hash mismatch",), say.HASH_MISMATCH),
    (("was not found in the",), say.PACKAGE_UNKNOWN),
    (("matching Python ABI tag", "matching Python implementation tag"), say.NO_WHEEL_FOR_PYTHON),
    (("requires-python", "does not satisfy Python"), say.NO_WHEEL_FOR_PYTHON),
    (("no usable wheels", "building from source is disabled"), say.ONLY_SOURCE),
    (("Failed to build", "build backend"), say.BUILD_FAILED),
    (("No solution found",), say.NO_SOLUTION),
)
"""Patterns of the output of uv 0.9 to 0.13; the first match counts."""
MOST_TEXT = 700
OPTIONS = re.compile(r" \((?:try:|i\.e\., with) `--[^`]+`\)")
"""Options of uv that users cannot set here."""
CREDENTIALS = re.compile(r"//[^/@\s]+@")


def failure_of(lines: Sequence[str], root: Path) -> ModuleError:
    """Return 0138 for a full disk, 0162 for unavailable packages, or 3110 with uv's message."""
    text = "\n".join(lines)
    reported = presentable_failure(text)
    if any(sign in text for sign in DISK_FULL):
        return ModuleOutOfMemoryError(files_say.DISK_FULL, folder=root, parameter="environment")
    if any(sign in text for sign in (*OFFLINE, *UNREACHABLE)):
        return FailedToDownloadFilesError(
            say.UNREACHABLE, reported=reported, parameter="environment"
        )
    for signs, sentence in KINDS:
        if any(sign in text for sign in signs):
            return EnvironmentNotMadeError(sentence, reported=reported, parameter="environment")
    return EnvironmentNotMadeError(say.UV_FAILED, reported=reported, parameter="environment")


def presentable_failure(text: str) -> str:
    """Return uv's message as one line: the causes, without decoration, options and credentials."""
    _, separator, rest = text.partition("cause:")
    message = rest if separator else text.partition("error:")[2] or text
    message = re.sub(r"\b(cause|hint|error):", " ", CREDENTIALS.sub("//", message))
    line = OPTIONS.sub("", " ".join(message.split())).rstrip(".")
    return line if len(line) <= MOST_TEXT else f"{line[: MOST_TEXT - 3]}..."
