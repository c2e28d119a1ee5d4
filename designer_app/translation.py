"""Texts of the interface in the language of the user.

``_("Show all {count:,}", count=12)`` translates and fills a text. Placeholders, also those for
singular and plural, are those of sentences (``modules.sentences.sentence``).
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

from modules.sentences.sentence import _
from modules.sentences.translation import add_catalogs, in_language, translations

__all__ = ["_", "browser_catalog", "translated_page", "translated_script"]

HERE = Path(__file__).resolve().parent
LOCALE_DIR = HERE / "locale"
MARKED_TEXT = re.compile(r"\[\[([^\[\]]*)\]\]")

add_catalogs(LOCALE_DIR)


def translated_page(page: str) -> str:
    """Return HTML with its texts, marked as ``[[Select zip]]``, in the language of the user."""
    return MARKED_TEXT.sub(lambda marked: in_language(marked[1]), page)


def translated_script(script: str) -> str:
    """Return a script of a page with ``t("...")``, which translates its texts."""
    return f"{(HERE / 'translate.js').read_text('utf-8')}\n{script}"


@cache
def browser_catalog() -> dict[str, object] | None:
    """Return the language of the user and the translations of the browser; None for English."""
    known = translations()
    if known is None:
        return None
    path = LOCALE_DIR / known.language / "LC_MESSAGES" / f"{HERE.name}.json"
    if not path.is_file():
        return None
    catalog: dict[str, object] = json.loads(path.read_text("utf-8"))
    return catalog
