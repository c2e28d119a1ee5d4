"""Catalogs of translations for tests, compiled by the tool that compiles those of the product."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog

from modules.sentences import translation
from tests.project import catalogs

LANGUAGE = "cs"
Entry = tuple[str, str, str]
"""Text, its context or "", and its translation."""


@contextmanager
def in_czech(folder: Path, entries: Iterable[Entry]) -> Iterator[Catalog]:
    """Run in Czech with these translations only; the files are below ``folder``."""
    catalog = catalogs.updated("modules", LANGUAGE, template=Catalog())
    for text, context, translated in entries:
        catalog.add(text, translated, context=context or None)
    locale = folder / "package" / "locale"
    compiled = locale / LANGUAGE / "LC_MESSAGES" / "package.mo"
    compiled.parent.mkdir(parents=True, exist_ok=True)
    compiled.write_bytes(catalogs.mo_content(catalog))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LANGUAGE", "cs_CZ.UTF-8:de")
        patch.setattr(translation, "_folders", [locale])
        translation.translations.cache_clear()
        yield catalog
    translation.translations.cache_clear()
