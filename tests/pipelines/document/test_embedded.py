"""Files that carry a pipeline: as the browser writes them, cut off, and not of ours at all."""

from __future__ import annotations

import io
import json

import pytest
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from pipelines.document.embedded import carried_document

DOCUMENT = {"format": "pipeline-designer/2", "id": "mine", "name": '<a> & "b" ü'}
TEXT = json.dumps(DOCUMENT, ensure_ascii=False)


def png(text: str | None) -> bytes:
    info = PngInfo()
    info.add_text("Comment", "not ours")
    if text is not None:
        info.add_itxt("pipeline-designer", text)
    file = io.BytesIO()
    Image.new("RGB", (4, 4)).save(file, "PNG", pnginfo=info)
    return file.getvalue()


def svg(text: str) -> bytes:
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    inner = escaped.replace('"', "&quot;")
    return f'<svg><metadata id="pipeline-designer">{inner}</metadata></svg>'.encode()


@pytest.mark.parametrize(
    "file",
    [
        png(TEXT),
        svg(TEXT),
        TEXT.encode(),
        b"\xef\xbb\xbf " + TEXT.encode(),
        json.dumps({"role": "trained", "pipeline": DOCUMENT}).encode(),
    ],
    ids=["png", "svg", "json", "json with a mark", "model"],
)
def test_the_document_is_found(file: bytes) -> None:
    carried = carried_document(file)
    assert carried is not None
    assert json.loads(carried) == DOCUMENT


def test_other_files_carry_none() -> None:
    whole = png(TEXT)
    for file in (b"", b"text", b"\xff\xd8\xff", b"<svg/>", png(None), whole[:60]):
        assert carried_document(file) is None


def test_what_is_no_json_is_left_to_the_parser() -> None:
    assert carried_document(b"{not json") == b"{not json"


def test_an_svg_that_opens_metadata_many_times_is_read_in_linear_time() -> None:
    opening = b'<metadata id="pipeline-designer">'
    assert carried_document(b"<svg>" + opening * 700_000) is None
    assert carried_document(b"<svg>" + opening * 3 + b"{}</metadata></metadata>") == (
        opening * 2 + b"{}"
    )
