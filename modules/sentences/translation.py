"""Translations: gettext catalogs of the packages in the language of the user.

English is in the code and needs no catalog. Another language is chosen as in other programs, by
``LANGUAGE``, ``LC_ALL``, ``LC_MESSAGES`` or ``LANG``, for the whole process. The catalogs of a
package are ``locale/<language>/LC_MESSAGES/<package>.mo`` in its folder; ``make catalogs`` makes
them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gettext import NullTranslations

VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
SOURCE_LANGUAGES = ("en", "C", "POSIX")
"""Languages of the texts in the code; ``C`` and ``POSIX`` mean that none was chosen."""
FRACTION_FORM = ("plural form", "1.5")
"""Context and id under which a catalog holds the index of the form of a word for fractions, which
gettext's own rule does not cover."""

NUMBER_FORMAT = ("number format", "1,234.5")
"""Context and id under which a catalog holds this number with the separators of its language."""
ENGLISH_SEPARATORS = (",", ".")

FormRule = Callable[[float], int]
"""Rule of a language: the index of the form of a word for a count."""
Convert = Callable[[str, str], str]
"""Function from an English text and its context in the catalogs to the text to show."""

_folders = [Path(__file__).resolve().parents[1] / "locale"]


@dataclass(frozen=True)
class Translations:
    """Catalogs of one language, one for each package, with its plural rule and separators."""

    language: str
    catalogs: tuple[NullTranslations, ...]
    form: FormRule
    separators: tuple[str, str] = ENGLISH_SEPARATORS
    """Separator of thousands and decimal separator."""

    def translated(self, text: str, context: str = "") -> str | None:
        """Return the translation of an English text; None if it has none."""
        for catalog in self.catalogs:
            known = catalog.pgettext(context, text) if context else catalog.gettext(text)
            if known != text:
                return known
        return None


def add_catalogs(folder: Path) -> None:
    """Add the catalogs of a package: its folder ``locale``."""
    if folder not in _folders:
        _folders.append(folder)
        translations.cache_clear()


@cache
def translations() -> Translations | None:
    """Return the translations for the language of the user; None for English."""
    for language in _languages():
        if re.split(r"[_.@]", language)[0] in SOURCE_LANGUAGES:
            return None
        if any(folder.is_dir() for folder in _folders) and (opened := _opened(language)):
            return opened
    return None


def translate(text: str, context: str = "") -> tuple[str, FormRule]:
    """Return the text in the language of the user, and the plural rule of that language."""
    known = translations() if text else None
    translated = known.translated(text, context) if known else None
    if known is None or translated is None:
        return text, english_form
    return translated, known.form


def in_language(text: str, context: str = "") -> str:
    """Return a text without placeholders in the language of the user."""
    return translate(text, context)[0]


def local_number(text: str) -> str:
    """Return an English number, such as ``1,234.5``, with the separators of the user's language."""
    known = translations()
    if known is None:
        return text
    group, decimal = known.separators
    return text.translate({ord(","): group, ord("."): decimal})


def recorder(texts: list[tuple[str, str]]) -> Convert:
    """Return a function that records texts and their contexts and returns them unchanged."""

    def record(text: str, context: str) -> str:
        texts.append((text, context))
        return text

    return record


def english_form(count: float) -> int:
    """Return 0, the singular, for 1 (and for True)."""
    return 0 if count == 1 else 1


def _languages() -> list[str]:
    chosen = next(filter(None, map(os.environ.get, VARIABLES)), "")
    return [language for language in chosen.split(":") if language]


def _opened(language: str) -> Translations | None:
    import gettext  # English does without

    files = [gettext.find(folder.parent.name, str(folder), [language]) for folder in _folders]
    paths = [Path(file) for file in files if file]
    if not paths:
        return None
    catalogs = []
    for path in paths:
        with path.open("rb") as file:
            catalogs.append(gettext.GNUTranslations(file))
    language, first = paths[0].parents[1].name, catalogs[0]
    return Translations(language, tuple(catalogs), _form_rule(first), _separators(first))


def _separators(catalog: NullTranslations) -> tuple[str, str]:
    """Return the separators that a catalog declares by an example."""
    example = re.fullmatch(r"1(.?)234(.)5", catalog.pgettext(*NUMBER_FORMAT))
    return (example[1], example[2]) if example else ENGLISH_SEPARATORS


def _form_rule(catalog: NullTranslations) -> FormRule:
    """Return the plural rule that a catalog declares in its header."""
    import gettext

    header = catalog.info().get("plural-forms", "")
    declared = re.search(r"plural=([^;]+)", header)
    if declared is None:
        return english_form
    form_of_whole = gettext.c2py(declared[1])
    fraction_form = int(float(catalog.pgettext(*FRACTION_FORM)))
    return lambda count: form_of_whole(int(count)) if count == int(count) else fraction_form
