"""Last lines of a process's output."""

from __future__ import annotations

from pathlib import Path

MAX_BYTES = 64 * 1024
MAX_LINE = 500


def last_lines(log: Path, count: int, start: int = 0) -> list[str]:
    """Return the last lines of a log after an offset, without empty ones; none without a log."""
    try:
        with log.open("rb") as file:
            file.seek(max(start, log.stat().st_size - MAX_BYTES))
            text = file.read().decode(errors="replace")
    except OSError:
        return []
    lines = [line.rstrip()[:MAX_LINE] for line in text.splitlines() if line.strip()]
    return lines[-count:]


def size_of(log: Path) -> int:
    """Return the current size of a log."""
    return log.stat().st_size if log.exists() else 0
