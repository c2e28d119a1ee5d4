"""The header of a safetensors file: texts by name, read without the tensors.

The file starts with the header's length in eight bytes and the header as JSON, in which
``__metadata__`` contains the texts.
"""

from __future__ import annotations

import json
import shutil
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

from modules.files.json_files import JsonObject

METADATA = "__metadata__"
MAX_HEADER_BYTES = 100_000_000
"""The limit of safetensors itself."""
_LENGTH = struct.Struct("<Q")
_ALIGNMENT = 8


def read_texts(path: Path) -> dict[str, str]:
    """Return the texts in a file's header; raise ``ValueError`` without a header."""
    with path.open("rb") as file:
        texts = _read(file).get(METADATA) or {}
    if not isinstance(texts, dict):
        raise ValueError("its header contains no texts")
    return {str(name): str(text) for name, text in texts.items()}


def read_header(path: Path) -> tuple[JsonObject, int]:
    """Return the header of a file and the offset of its tensors; raises like ``read_texts``."""
    with path.open("rb") as file:
        return _read(file), file.tell()


def sort_texts(path: Path) -> None:
    """Sort the texts of a new file by name, as safetensors writes them in any order.

    All of them are ASCII, so that the header keeps its length.
    """
    with path.open("r+b") as file:
        header = _read(file)
        length = file.tell() - _LENGTH.size
        content = _encoded(header).ljust(length)
        if len(content) != length:
            raise ValueError("The texts of a header must be ASCII.")
        file.seek(_LENGTH.size)
        file.write(content)


def copy_with_texts(source: Path, target: IO[bytes], texts: Mapping[str, str]) -> None:
    """Copy the file with these additional texts; without any, copy it unchanged."""
    with source.open("rb") as file:
        if not texts:
            shutil.copyfileobj(file, target, 1 << 20)
            return
        header = _read(file)
        header[METADATA] = {**(header.get(METADATA) or {}), **texts}
        content = _encoded(header)
        content = content.ljust(-(-len(content) // _ALIGNMENT) * _ALIGNMENT)
        target.write(_LENGTH.pack(len(content)) + content)
        shutil.copyfileobj(file, target, 1 << 20)


def _read(file: IO[bytes]) -> JsonObject:
    """Return the header; the file is then positioned at the tensors."""
    start = file.read(_LENGTH.size)
    length = _LENGTH.unpack(start)[0] if len(start) == _LENGTH.size else MAX_HEADER_BYTES + 1
    if length > MAX_HEADER_BYTES:
        raise ValueError("it has no header")
    try:
        header = json.loads(file.read(length))
    except RecursionError:
        raise ValueError("its header is nested too deeply") from None
    if not isinstance(header, dict):
        raise ValueError("its header is not a JSON object")
    return header


def _encoded(header: Mapping[str, Any]) -> bytes:
    texts = header.get(METADATA)
    ordered = {METADATA: dict(sorted(texts.items()))} if texts else {}
    content = {**ordered, **{name: entry for name, entry in header.items() if name != METADATA}}
    return json.dumps(content, separators=(",", ":"), ensure_ascii=False).encode()
