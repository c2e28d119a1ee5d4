"""Numbers as people read them, the same as on the canvas."""

from __future__ import annotations

UNITS = ("B", "kB", "MB", "GB", "TB")


def in_seconds(seconds: float) -> str:
    """``0.4 s``, ``42 s``, ``3 min 05 s``, ``2 h 10 min``."""
    if seconds < 9.95:
        return f"{max(0.0, seconds):.1f} s"
    rounded = round(seconds)
    if rounded < 60:
        return f"{rounded} s"
    if rounded < 3600:
        return f"{rounded // 60} min {rounded % 60:02d} s"
    minutes = round(rounded / 60)
    return f"{minutes // 60} h {minutes % 60:02d} min"


def in_bytes(count: float) -> str:
    """``812 B``, ``4.2 MB``, ``120 MB``."""
    unit = 0
    while count >= 1000 and unit < len(UNITS) - 1:
        count, unit = count / 1000, unit + 1
    return f"{count:.1f} {UNITS[unit]}" if count < 10 and unit else f"{count:.0f} {UNITS[unit]}"


def in_figures(value: float | None) -> str:
    """Three significant digits: ``0.0821``, ``12.3``, ``1,797``; a dash for none."""
    if value is None:
        return "–"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
