"""The built editor as it is sent: from memory, compressed once."""

from __future__ import annotations

import gzip

import pytest

from designer_app.editor.static_files import STATIC_DIR, bundle
from tests.designer_app.http import Client


@pytest.fixture
def script() -> str:
    """The address of the editor's script."""
    built = bundle()
    assert built is not None
    return str(built["js"])


def test_a_script_comes_whole_compressed_or_not(client: Client, script: str) -> None:
    content = (STATIC_DIR / script.rpartition("/")[2]).read_bytes()
    for _ in range(2):
        plain = client.get(script)
        packed = client.get(script, Accept_Encoding="gzip, br")
        assert plain.body == content
        assert "content-encoding" not in plain.headers
        assert packed.headers["content-encoding"] == "gzip"
        assert packed.headers["vary"] == plain.headers["vary"] == "Accept-Encoding"
        assert gzip.decompress(packed.body) == content
        assert packed.headers["content-type"] == plain.headers["content-type"]


def test_a_part_of_a_script_and_its_head_are_answered(client: Client, script: str) -> None:
    part = client.get(script, Range="bytes=0-9")
    assert (part.status, len(part.body)) == (206, 10)
    head = client.send("HEAD", script)
    assert (head.status, head.body) == (200, b"")


@pytest.mark.parametrize("path", ["/ui/editor-00000000.js", "/ui/..%2fstatic_files-12345678.js"])
def test_what_is_not_there_is_told(client: Client, path: str) -> None:
    assert client.get(path).status == 404
