"""A page that is the model: a folder or zip that any web server shows, without a network.

The page recognizes images in the browser with ONNX Runtime Web. Its WebAssembly (14.2 MB) is part
of this package as .xz (2.2 MB; as .gz 3.7 MB), and is decompressed when a page is written.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import shutil
import zipfile
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from modules.export.card import facts_of_card
from modules.export.formats import Format
from modules.export.readme import labels_text, readme

PAGE_FORMATS: Mapping[str, Format] = {"page": "onnx", "page-int8": "onnx-int8"}
"""Format of the model by the name of the format of the page."""
MODEL_FILE = "model.onnx"
_EPOCH = (1980, 1, 1, 0, 0, 0)
"""Date of files in archives, so that equal pages are equal files."""


def write_page(folder: Path, card: Mapping[str, Any], labels: Sequence[str]) -> None:
    """Add the page to a folder that contains the exported ``model.onnx``.

    Args:
        folder: The folder.
        card: The card of the model.
        labels: Names of the classes in the order of the probabilities.
    """
    for source in files("modules.export").joinpath("page").iterdir():
        name, content = source.name, source.read_bytes()
        if name.endswith(".xz"):
            name, content = name.removesuffix(".xz"), lzma.decompress(content)
        (folder / name).write_bytes(content)
    (folder / "README.md").write_text(readme(card, labels, MODEL_FILE) + _SERVING, encoding="utf-8")
    (folder / "labels.txt").write_text(labels_text(labels), encoding="utf-8")
    facts = {
        "name": card["name"],
        "labels": list(labels),
        "card": card,
        "facts": facts_of_card(card),
        "num_bytes": (folder / MODEL_FILE).stat().st_size,
        "dark_background": bool(card.get("dark_background")),
    }
    (folder / "model.json").write_text(json.dumps(facts, ensure_ascii=False), encoding="utf-8")
    kept = {"FILES": ["./", *_names(folder)], "VERSION": _digest(folder)}
    (folder / "files.js").write_text(f"self.PAGE = {json.dumps(kept)};\n", encoding="utf-8")


_SERVING = """
## The page

Put this folder on any web server, for example `python -m http.server`, and open `index.html`. It
needs no other address. Images stay in the browser. After the first visit it also works offline, if
its address starts with https or localhost.
"""


def zip_folder(folder: Path, target: Path) -> None:
    """Write the files of a folder into an archive, compressed except for model weights."""
    with zipfile.ZipFile(target, "w") as archive:
        for name in _names(folder):
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.external_attr = 0o644 << 16
            is_weights = name.endswith(".onnx")
            entry.compress_type = zipfile.ZIP_STORED if is_weights else zipfile.ZIP_DEFLATED
            with (folder / name).open("rb") as source, archive.open(entry, "w") as file:
                shutil.copyfileobj(source, file, 1 << 20)


def _names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def _digest(folder: Path) -> str:
    """Return a hash of all files, so that browsers replace a page that has changed."""
    digest = hashlib.sha256()
    for name in _names(folder):
        with (folder / name).open("rb") as file:
            digest.update(name.encode() + hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()[:16]
