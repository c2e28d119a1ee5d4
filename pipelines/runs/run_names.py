"""Default names of runs, from the changes since the previous one."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from modules.catalog import Catalog
from modules.spec import Module
from pipelines.document.document import Node, PipelineDocument
from pipelines.document.node_matching import MatchedNode, match_nodes, renamed
from pipelines.document.node_settings import PLAIN, NodeSettings, setting_label, settings_of
from pipelines.document.node_titles import node_title

MAX_CHANGES = 3
MAX_VALUE = 24
MAX_NAME = 200
UNTOLD = frozenset({"regenerate_output", "retries", "time_limit_minutes", "stall_limit_minutes"})
"""Run settings that do not change results."""
_NUMBERED = re.compile(r"Run ([0-9]{1,9})")


class _Change(NamedTuple):
    """Change such as ``epochs`` of Train and ``4 → 8``, with the node's title if ambiguous."""

    label: str
    text: str
    node: str = ""


def name_of_change(old: PipelineDocument, new: PipelineDocument, catalog: Catalog) -> str | None:
    """Return ``epochs 4 → 8, batch size 16 → 32``: at most three changes, then a count.

    Only changes of results count, not of the graph's layout; None if there are none.
    """
    changes = list(_changes(old, new, catalog))
    often = Counter(change.label for change in changes)
    texts = [
        f"{change.node} · {_capitalised(change.text)}"
        if change.node and often[change.label] > 1
        else change.text
        for change in changes
    ]
    rest = len(texts) - MAX_CHANGES
    more = f" and {rest:,} more" if rest > 0 else ""
    return ", ".join(texts[:MAX_CHANGES])[: MAX_NAME - len(more)] + more or None


def numbered_name(earlier: Iterable[str], count: int) -> str:
    """Return ``Run 4``: one more than the number of runs and than any earlier such name."""
    numbers = [int(match.group(1)) for name in earlier if (match := _NUMBERED.fullmatch(name))]
    return f"Run {max([count, *numbers]) + 1}"


def _changes(old: PipelineDocument, new: PipelineDocument, catalog: Catalog) -> Iterator[_Change]:
    rows = match_nodes([old, new])
    yield from _exchanged(rows, catalog)
    pairs = [(was, now) for was, now in (row.nodes for row in rows) if was and now]
    for was, now in pairs:
        yield from _node_changes(was, now, catalog)
    names = {now.id: was.id for was, now in pairs}
    if len(pairs) == len(rows) and _wires(old) != _wires(renamed(new, names)):
        yield _Change("wires", "different wires")
    if old.settings != new.settings:
        yield from _differing("", old.settings.model_dump(), new.settings.model_dump(), None)


def _exchanged(rows: Iterable[MatchedNode], catalog: Catalog) -> Iterator[_Change]:
    """Return added and removed nodes; one of each is a replacement."""
    removed = [
        node_title(was, catalog) for was, now in (row.nodes for row in rows) if was and not now
    ]
    added = [
        node_title(now, catalog) for was, now in (row.nodes for row in rows) if now and not was
    ]
    if len(removed) == len(added) == 1:
        yield _Change("nodes", f"{removed[0]} → {added[0]}")
        return
    yield from (_Change("nodes", f"with {title}") for title in added)
    yield from (_Change("nodes", f"without {title}") for title in removed)


def _node_changes(was: Node, now: Node, catalog: Catalog) -> Iterator[_Change]:
    title, module = node_title(now, catalog), catalog.get(now.module)
    yield from _differing(title, _compared(was, module), _compared(now, module), module)
    if was.disabled != now.disabled:
        yield _Change("disabled", f"{title} {'off' if now.disabled else 'on'}")
    if was.pin != now.pin:
        yield _Change("pinned", f"{title} {'unpinned' if now.pin is None else 'pinned'}")


def _compared(node: Node, module: Module | None) -> NodeSettings:
    settings = settings_of(node, module, PLAIN)
    return {name: value for name, value in settings.items() if name not in UNTOLD}


def _differing(
    node: str, before: NodeSettings, after: NodeSettings, module: Module | None
) -> Iterator[_Change]:
    for name, value in after.items():
        old = before.get(name)
        if old != value:
            label = setting_label(name, module)
            yield _Change(label, _change_text(label, old, value), node)


def _capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]


def _change_text(label: str, old: Any, new: Any) -> str:
    if isinstance(new, bool) and isinstance(old, bool):
        return f"{label} {'on' if new else 'off'}"
    texts = [_value_text(value) for value in (old, new)]
    return f"{label} {texts[0]} → {texts[1]}" if all(texts) else f"different {label}"


def _value_text(value: Any) -> str:
    """Return a short text of a value; empty if it would be long."""
    if value is None:
        return "none"
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= MAX_VALUE else ""


def _wires(document: PipelineDocument) -> set[tuple[str, str]]:
    return {(str(link.from_), str(link.to)) for link in document.links}
