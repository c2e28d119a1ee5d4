"""Pipelines embedded in files: a document, an image of one, or the card of a trained model."""

from __future__ import annotations

import html
from collections.abc import Iterator

from pipelines.document import strict_json
from pipelines.problems import PipelineError

KEYWORD = b"pipeline-designer"
PNG = b"\x89PNG\r\n\x1a\n"
PLAIN_TEXT = b"\0\0\0\0\0"
"""Text after the keyword of an iTXt chunk: terminator, no compression, language or translation."""
METADATA, METADATA_END = b'<metadata id="pipeline-designer">', b"</metadata>"
"""Tags around the document in an SVG, searched for once each: a regular expression would take
quadratic time on many opening tags without a closing one."""


def carried_document(data: bytes) -> bytes | None:
    """Return the JSON text of the pipeline in a JSON, PNG or SVG file; None if there is none."""
    if data.startswith(PNG):
        return next(_texts(data), None)
    text = data.removeprefix(b"\xef\xbb\xbf").lstrip()
    if text.startswith(b"<"):
        _, _, rest = text.partition(METADATA)
        content, end, _ = rest.partition(METADATA_END)
        return html.unescape(content.decode(errors="replace")).encode() if end else None
    return _of_model(text) if text.startswith(b"{") else None


def _texts(png: bytes) -> Iterator[bytes]:
    """Yield the texts of our PNG chunks; a truncated file ends there."""
    at = len(PNG)
    while at + 12 <= len(png):
        end = at + 8 + int.from_bytes(png[at : at + 4], "big")
        kind, content = png[at + 4 : at + 8], png[at + 8 : end]
        if kind == b"iTXt" and content.startswith(KEYWORD + PLAIN_TEXT) and end + 4 <= len(png):
            yield content[len(KEYWORD + PLAIN_TEXT) :]
        at = end + 4


def _of_model(text: bytes) -> bytes:
    """Return a document unchanged; for ``model.json``, the pipeline of the trained model."""
    import json

    try:
        carried = strict_json.parse(text)
    except PipelineError:
        return text  # reported by the parser
    pipeline = carried.get("pipeline") if isinstance(carried, dict) else None
    return json.dumps(pipeline).encode() if isinstance(pipeline, dict) else text
