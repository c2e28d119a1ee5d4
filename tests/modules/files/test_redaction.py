"""Secrets are found however output is cut into pieces and however they are written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from modules.files.redaction import RedactedStream, Redaction

VALUES = ("secret", "secretlong", "xabc", "abcd", "aaaa", "first\nsecond")
TEXT = b"a secret secretlong xabcd aaaaaa secre first\nsecond first\\nsecond first second sec"
WHOLE = b"a ****** ********** ***** ****** secre ************ ************* ************ sec"


def fed(redaction: Redaction, pieces: list[bytes]) -> bytes:
    stream = RedactedStream(redaction)
    return b"".join([*map(stream.feed, pieces), stream.rest()])


@pytest.mark.parametrize("size", [*range(1, 15), len(TEXT)])
def test_pieces_of_any_size_are_redacted_as_the_whole(size: int) -> None:
    pieces = [TEXT[start : start + size] for start in range(0, len(TEXT), size)]
    assert fed(Redaction(VALUES), pieces) == WHOLE == Redaction(VALUES).raw(TEXT)


def test_the_first_half_of_a_secret_is_held_back_and_redacted_if_nothing_follows() -> None:
    stream = RedactedStream(Redaction(["hunter2long"]))
    assert stream.feed(b"token hunter") == b"token "
    assert stream.feed(b"2lo") == b""
    assert stream.rest() == b"*********"
    assert stream.feed(b"token hunter") + stream.feed(b"s") == b"token hunters"


@pytest.mark.parametrize("write", [str, repr, json.dumps])
def test_a_secret_of_several_lines_is_found_as_repr_and_json_write_it(write: type) -> None:
    value = 'one "quoted" line\nanother "\\" ünd'
    assert "another" not in Redaction([value]).text(f"say {write(value)}!")


def test_a_file_is_redacted_in_place(tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    log.write_bytes(TEXT)
    Redaction(VALUES).redact_file(log)
    assert log.read_bytes() == WHOLE
