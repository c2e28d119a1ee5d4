"""Custom element, registered with Streamlit by its name."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from designer_app.translation import translated_page, translated_script

HERE = Path(__file__).resolve().parent
KINDS = ("html", "css", "js")


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
