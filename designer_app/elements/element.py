"""Custom element, registered with Streamlit by its name."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from designer_app.translation import translated_page, translated_script

HERE = Path(__file__).resolve().parent
KINDS = ("html", "css", "js")


MODULES = frozenset({"try_picture"})
"""Elements that the editor draws too, as scripts by their addresses."""


@cache
def element_module(name: str) -> str:
    """Return an element as one script: its function, page and style."""
    draw = (HERE / f"{name}.js").read_text("utf-8")
    page = translated_page((HERE / f"{name}.html").read_text("utf-8"))
    style = (HERE / f"{name}.css").read_text("utf-8")
    parts = f"export const page = {json.dumps(page)};\nexport const style = {json.dumps(style)};\n"
    return translated_script(f"{draw}\n{parts}")


@cache
def element(name: str) -> Any:
    """Return the element of a name, with its page, style and script, if present."""
    paths = {kind: HERE / f"{name}.{kind}" for kind in KINDS}
    texts = {kind: path.read_text("utf-8") for kind, path in paths.items() if path.is_file()}
    if "html" in texts:
        texts["html"] = translated_page(texts["html"])
    if "js" in texts:
        draw = texts["js"].replace("export default", "const draw =")
        texts["js"] = translated_script(f"{draw}\n{(HERE / 'reach.js').read_text('utf-8')}")
    return st.components.v2.component(f"designer_{name}", **texts, isolate_styles=True)
