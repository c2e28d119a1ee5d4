"""Durations, sizes and counts as text, the same wherever they are shown.

The command line, the pages and messages of modules use these; the editor has the same functions in
``view/format.ts``. ``tests/cases/formatting.json`` tests both. Halves are rounded up, by the same
arithmetic in both languages. Separators are those of the user's language.
"""

from __future__ import annotations

import math
from decimal import ROUND_HALF_UP, Context

from modules.sentences.sentence import _
from modules.sentences.translation import local_number

UNITS = ("B", "kB", "MB", "GB", "TB")
LARGEST_WRITTEN_OUT = 1e15
"""Limit from which numbers use an exponent, as floats cannot represent each integer beyond."""
THREE_DIGITS = Context(prec=3, rounding=ROUND_HALF_UP)


def shortest(number: float) -> float | int:
    """Return ``2`` for ``2.0``, as browsers write it."""
    return int(number) if number == int(number) else number


def format_count(count: float) -> str:
    """Format a whole number: ``12,345``."""
    return local_number(f"{math.floor(count + 0.5):,}")


def plural(count: int, word: str) -> str:
    """Format a count of things: ``1 node``, ``3 nodes``, ``12,345 images``."""
    return f"{format_count(count)} {word}{'' if count == 1 else 's'}"


def percent(share: float) -> float:
    """Convert a share to percent, rounded to tenths: 81.3 for 0.8125."""
    return math.floor(share * 1000 + 0.5) / 10


def format_seconds(seconds: float) -> str:
    """Format a duration: ``0.4 s``, ``42 s``, ``1 min 5 s``, ``2 h 10 min``."""
    if seconds < 9.95:
        return f"{_short(max(0.0, seconds))} s"
    whole = math.floor(seconds + 0.5)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return _of_two(whole, 60, "min", "s")
    return _of_two(math.floor(whole / 60 + 0.5), 60, "h", "min")


def format_cost(cost: float) -> str:
    """Format a price without its currency: ``12.40``, ``less than 0.01``."""
    return _("less than 0.01") if 0 < cost < 0.01 else local_number(f"{cost:,.2f}")


def format_bytes(num_bytes: float) -> str:
    """Format a size in units of a thousand: ``812 B``, ``4.2 MB``, ``120 MB``."""
    unit = 0
    while num_bytes >= 999.5 and unit < len(UNITS) - 1:
        num_bytes, unit = num_bytes / 1000, unit + 1
    return f"{_short(num_bytes) if unit else format_count(num_bytes)} {UNITS[unit]}"


def format_rate(per_second: float, things: str) -> str:
    """Format a rate: ``3.4 images/s``, ``1,212 images/s``."""
    return f"{_short(per_second)} {things}/s"


def format_number(value: float | None) -> str:
    """Format three significant digits: ``0.0821``, ``1,797``, ``1e+308``; None is a dash."""
    if value is None or not math.isfinite(value):
        return "–"
    if 999.5 <= abs(value) < LARGEST_WRITTEN_OUT:
        return format_count(value)
    return local_number(_three_digits(value))


def rounded(value: float) -> float:
    """Round a finite number as ``format_number`` shows it."""
    is_whole = 999.5 <= abs(value) < LARGEST_WRITTEN_OUT
    return math.floor(value + 0.5) if is_whole else float(_three_digits(value))


def _three_digits(value: float) -> str:
    if abs(value) >= LARGEST_WRITTEN_OUT:
        return f"{value:.3g}"
    digits = THREE_DIGITS.create_decimal_from_float(value + 0.0).normalize()  # avoids minus zero
    return f"{digits:f}" if abs(digits) >= 1e-6 or not digits else f"{digits:e}"


def _short(value: float) -> str:
    """Format with one decimal below ten, else none."""
    if value >= 9.95:
        return format_count(value)
    return local_number(f"{math.floor(value * 10 + 0.5) / 10:.1f}")


def _of_two(count: int, unit: int, large: str, small: str) -> str:
    """Format ``65`` of ``60 each`` as ``1 min 5 s``; ``2 min`` without remainder."""
    whole, rest = divmod(count, unit)
    return f"{whole} {large} {rest} {small}" if rest else f"{whole} {large}"
