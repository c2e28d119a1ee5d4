"""Detection of the encoding of names in zip archives: Shift-JIS, GBK, code pages of DOS.

Detectors of text fail on a few short names (charset-normalizer recognized 12 of 21 in a trial). So
the likelihood of the names is compared: the characters that an encoding decodes them to, how common
those are in its language, and whether words stay in one script.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable, Iterable, Sequence

STANDARD = "cp437"
"""Encoding of names that are not marked as UTF-8, by the specification of zip archives."""
_MAX_WORDS = 2000
_RARE, _ODD = 1e-7, 1e-5
_CAPITAL_INSIDE, _CAPITALS = 1 / 20, 1 / 3
"""Factors for a capital after a small letter, and after a capital."""
_ASCII, _ASCII_SIGN = 1 / 40, 1e-3
_PLAIN_SIGNS = "._- ()"


def decoded_names(names: Sequence[bytes]) -> tuple[str, list[str]] | None:
    """Return an encoding and all decoded names; None if no known encoding fits all of them."""
    try:
        return "utf-8", [name.decode() for name in names]
    except UnicodeDecodeError:
        pass
    words = _words(names)
    likelihoods = {encoding: _likelihood(encoding, words) for encoding in _PRIORS}
    best = max(likelihoods, key=likelihoods.__getitem__)
    if likelihoods[best] == -math.inf:
        return None
    try:
        return best, [name.decode(best) for name in names]
    except UnicodeDecodeError:
        return None


def _words(names: Iterable[bytes]) -> list[bytes]:
    """Return each part of a path once, as repeated folder names add no information."""
    seen: dict[bytes, None] = {}
    for name in names:
        # No encoding of paths has a slash or a dot as second byte of a character.
        for part in name.split(b"/"):
            if not part.isascii():
                seen.setdefault(part)
        if len(seen) >= _MAX_WORDS:
            break
    return list(seen)


def _likelihood(encoding: str, words: Iterable[bytes]) -> float:
    """Return the logarithm of the likelihood of these names in an encoding."""
    prior, of_character = _PRIORS[encoding]
    total = math.log(prior)
    for word in words:
        try:
            text = word.decode(encoding)
        except UnicodeDecodeError:
            return -math.inf
        for place, character in enumerate(text):
            is_plain = character.isalnum() or character in _PLAIN_SIGNS
            if not character.isascii():
                total += math.log(of_character(text, place, encoding))
            else:
                # The second byte of a character in another encoding can be ASCII.
                total += math.log(_ASCII if is_plain else _ASCII_SIGN)
            total += math.log(_of_case(text[place - 1 : place], character))
    return total


def _of_case(before: str, character: str) -> float:
    if not character.isupper() or not before.isalpha():
        return 1.0
    return _CAPITALS if before.isupper() else _CAPITAL_INSIDE if before.islower() else 1.0


def _of_chinese(first: int, last: int, count: int) -> Callable[[str, int, str], float]:
    """Two-byte characters; the common ones have a first byte in a range."""

    def of_character(text: str, place: int, encoding: str) -> float:
        raw = text[place].encode(encoding)
        is_common = len(raw) == 2 and first <= raw[0] <= last
        is_plain = encoding == "big5" or raw[-1] >= 0xA1
        return 1 / count if is_common and is_plain else _RARE

    return of_character


def _of_japanese(text: str, place: int, _encoding: str) -> float:
    """Half of the characters are kana; kanji of the first level are the common ones."""
    character = text[place]
    if "\u3041" <= character <= "\u30fe" or character in "々〆":
        return 0.5 / 170
    raw = character.encode("euc_jp", "replace")
    is_common = len(raw) == 2 and 0xB0 <= raw[0] <= 0xCF
    return 0.5 / 2965 if is_common else _RARE


def _of_letters(expected: str, count: int = 50) -> Callable[[str, int, str], float]:
    """One-byte characters: letters of one script in each word."""

    def of_character(text: str, place: int, _encoding: str) -> float:
        character = text[place]
        script = _script(character)
        if script != expected:
            return _ODD
        before = text[place - 1] if place else ""
        after = text[place + 1 : place + 2]
        if any(
            neighbour.isalpha() and _script(neighbour) != script for neighbour in (before, after)
        ):
            return _ODD
        return 1 / count

    return of_character


def _script(character: str) -> str:
    """The script of a letter or mark by its name in Unicode; empty for all else."""
    if not character or unicodedata.category(character)[0] not in "LM":
        return ""
    script = unicodedata.name(character, "").split(" ", 1)[0]
    is_usual = script != "LATIN" or "\u00c0" <= character <= "\u017f" or character.isascii()
    return script if is_usual else ""


_WESTERN, _GREEK = _of_letters("LATIN", 100), _of_letters("GREEK")
_CYRILLIC, _HEBREW = _of_letters("CYRILLIC"), _of_letters("HEBREW")
_PRIORS: dict[str, tuple[float, Callable[[str, int, str], float]]] = {
    "cp932": (0.25, _of_japanese),
    "gb18030": (0.3, _of_chinese(0xB0, 0xD7, 3755)),
    "cp949": (0.08, _of_chinese(0xB0, 0xC8, 2350)),
    "big5": (0.08, _of_chinese(0xA4, 0xC6, 5401)),
    "euc_jp": (0.01, _of_japanese),
    STANDARD: (0.2, _WESTERN),
    "cp850": (0.1, _WESTERN),
    "cp1252": (0.08, _WESTERN),
    "cp852": (0.03, _WESTERN),
    "cp1250": (0.03, _WESTERN),
    "cp866": (0.1, _CYRILLIC),
    "cp1251": (0.05, _CYRILLIC),
    "koi8_r": (0.01, _CYRILLIC),
    "cp737": (0.02, _GREEK),
    "cp1253": (0.01, _GREEK),
    "cp874": (0.02, _of_letters("THAI", 80)),
    "cp862": (0.01, _HEBREW),
    "cp1255": (0.01, _HEBREW),
    "cp1256": (0.01, _of_letters("ARABIC")),
}
"""Prior probability of each encoding, and the likelihood of characters in it."""
