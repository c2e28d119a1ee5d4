"""Files that several processes wrote in a shared working folder, and may have damaged."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any


def written_together(reports: Iterable[Mapping[str, Any]], root: Path) -> list[str]:
    """Return files that more than one rank wrote, by path in the working folder.

    Ranks report files written by Python's ``open`` and by ``torch.save``; other libraries' files
    are unknown.
    """
    ranks: dict[str, set[Any]] = defaultdict(set)
    for report in reports:
        for path in report.get("written") or ():
            ranks[str(path)].add(report.get("rank"))
    shared = (Path(path) for path, by in ranks.items() if len(by) > 1)
    inside = (path.relative_to(root) for path in shared if path.is_relative_to(root))
    return sorted({Path(*path.parts[1:]).as_posix() for path in inside if path.parts[1:]})
