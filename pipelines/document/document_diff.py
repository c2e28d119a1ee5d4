"""Changes between two documents, as a sentence."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar

from modules.catalog import Catalog
from modules.files.json_files import is_same_json
from modules.spec import Module
from pipelines.document.document import Link, Node, PipelineDocument
from pipelines.document.node_titles import node_title, numbered, setting_title
from pipelines.document.parts import Definition, Position
from pipelines.sentences import _

MAX_CHANGES = 5
MAX_VALUE = 40

Whole = TypeVar("Whole", PipelineDocument, Definition)
"""Pipeline, or the inside of a sub-pipeline."""


def is_same(one: PipelineDocument, other: PipelineDocument) -> bool:
    """Return True if both do the same; titles and positions are ignored."""
    return _substance(one) == _substance(other)


def _substance(document: PipelineDocument) -> tuple[object, ...]:
    looks = {
        "position": Position(),
        "title": None,
        "color": None,
        "comment": "",
        "collapsed": False,
    }
    nodes = {node.id: node.model_copy(update=looks) for node in document.nodes}
    links = {(str(link.from_), str(link.to)) for link in document.links}
    return nodes, links, document.settings, document.parameters


def describe(old: PipelineDocument, new: PipelineDocument, catalog: Catalog) -> str:
    """Return ``added ResNet, set Train PyTorch Model · Epochs to 5``: at most five changes."""
    texts = list(_changes(old, new, catalog))
    if not texts:
        return _("nothing changed")
    rest = len(texts) - MAX_CHANGES
    shown = ", ".join(texts[:MAX_CHANGES])
    return _("{items} and {count:,} more", items=shown, count=rest) if rest > 0 else shown


def _changes(old: PipelineDocument, new: PipelineDocument, catalog: Catalog) -> Iterator[str]:
    yield from _changes_of_nodes(old, new, _names(old, new, catalog), catalog)
    yield from _changes_inside(old, new, catalog)
    yield from _document_changes(old, new)
    before = {node.id: node.position for node in old.nodes}
    moved = sum(before.get(node.id, node.position) != node.position for node in new.nodes)
    if moved:
        yield _("moved {count:,} {count:node|nodes}", count=moved)
    yield from _collapses(old, new)


def _collapses(old: PipelineDocument, new: PipelineDocument) -> Iterator[str]:
    was = {node.id: node.collapsed for node in old.nodes}
    changed = [node for node in new.nodes if was.get(node.id, node.collapsed) != node.collapsed]
    collapsed = sum(node.collapsed for node in changed)
    if collapsed:
        yield _("collapsed {count:,} {count:node|nodes}", count=collapsed)
    if expanded := len(changed) - collapsed:
        yield _("expanded {count:,} {count:node|nodes}", count=expanded)


def _changes_of_nodes(
    old: Whole, new: Whole, names: Mapping[str, str], catalog: Catalog
) -> Iterator[str]:
    before = {node.id: node for node in old.nodes}
    after = {node.id: node for node in new.nodes}
    added = (names[node_id] for node_id in after if node_id not in before)
    removed = (names[node_id] for node_id in before if node_id not in after)
    yield from (_("added {node}", node=name) for name in added)
    yield from (_("removed {node}", node=name) for name in removed)
    for node_id, node in after.items():
        if node_id in before:
            yield from _node_changes(before[node_id], node, names[node_id], catalog)
    yield from link_changes(old, new, names, set(before) & set(after))


def _changes_inside(
    old: PipelineDocument, new: PipelineDocument, catalog: Catalog
) -> Iterator[str]:
    """Return the differences in the sub-pipelines of both documents."""
    for definition in new.definitions:
        was = old.definition(definition.id)
        if was is None or was == definition:
            continue
        names = titles_of(
            (*new.definitions, *old.definitions), (*definition.nodes, *was.nodes), catalog
        )
        changes = list(_changes_of_nodes(was, definition, names, catalog)) or [_("changed")]
        title = definition.title or definition.id
        yield from (_("in {title}: {change}", title=title, change=change) for change in changes)


def _node_changes(was: Node, node: Node, name: str, catalog: Catalog) -> Iterator[str]:
    module = catalog.get(node.module)
    if was.module != node.module or was.version != node.version:
        title = module.title if module else node.module
        facts = {"node": name, "module": title, "version": node.version}
        yield _("changed {node} to {module}, version {version}", **facts)
    yield from _set(name, was.parameters, node.parameters, module)
    yield from _set(name, dict(was.run_settings), dict(node.run_settings), module)
    if was.title != node.title:
        yield _("renamed {node} to {title}", node=name, title=node.title or _("its default name"))
    if was.comment != node.comment:
        yield _("commented on {node}", node=name)
    if was.disabled != node.disabled:
        enabled, disabled = _("enabled {node}", node=name), _("disabled {node}", node=name)
        yield disabled if node.disabled else enabled
    if was.pin != node.pin and node.pin is not None:
        yield _("pinned {node} to the result of run {run}", node=name, run=node.pin.run)
    elif was.pin != node.pin:
        yield _("unpinned {node}", node=name)


def _set(
    name: str, was: Mapping[str, Any], now: Mapping[str, Any], module: Module | None
) -> Iterator[str]:
    for key, value in now.items():
        if key not in was or not is_same_json(was[key], value):
            yield _(
                "set {node} · {setting} to {value}",
                node=name,
                setting=setting_title(key, module),
                value=short_value(value),
            )
    for key in was:
        if key not in now:
            setting = setting_title(key, module)
            yield _("reset {node} · {setting}", node=name, setting=setting)


def link_changes(
    old: Whole, new: Whole, names: Mapping[str, str], common: set[str]
) -> Iterator[str]:
    """Return changed links, without those of added or removed nodes."""

    def between_common(links: tuple[Link, ...]) -> dict[str, Link]:
        return {
            f"{link.from_}>{link.to}": link
            for link in links
            if {link.from_.node, link.to.node} <= common
        }

    before, after = between_common(old.links), between_common(new.links)
    for key, link in after.items():
        if key not in before:
            yield _("connected {source} to {target}", **_ends(link, names))
    for key, link in before.items():
        if key not in after:
            yield _("disconnected {source} from {target}", **_ends(link, names))


def _ends(link: Link, names: Mapping[str, str]) -> dict[str, str]:
    return {"source": names[link.from_.node], "target": names[link.to.node]}


def _document_changes(old: PipelineDocument, new: PipelineDocument) -> Iterator[str]:
    if old.name != new.name:
        yield _("renamed the pipeline to {name}", name=short_value(new.name))
    if old.description != new.description:
        yield _("changed the description")
    if old.settings.sweep != new.settings.sweep:
        yield _("changed the sweep")
    for key, value in new.settings.model_dump(exclude={"sweep"}).items():
        if getattr(old.settings, key) != value:
            yield _(
                "set the pipeline's {setting} to {value}",
                setting=key.replace("_", " "),
                value=short_value(value),
            )
    if old.notes != new.notes:
        yield _("changed the notes")
    if old.groups != new.groups:
        yield _("changed the groups")
    if old.parameters != new.parameters:
        yield _("changed the parameters of the pipeline")


def _names(old: PipelineDocument, new: PipelineDocument, catalog: Catalog) -> dict[str, str]:
    """Return previous titles by node, with numbers for duplicates; new nodes have current ones."""
    return titles_of((*new.definitions, *old.definitions), (*new.nodes, *old.nodes), catalog)


def titles_of(
    definitions: Iterable[Definition], nodes: Iterable[Node], catalog: Catalog
) -> dict[str, str]:
    """Return titles by id: the last node with an id counts; a sub-pipeline has its own title."""
    titles = {definition.id: definition.title or definition.id for definition in definitions}
    return numbered(
        {
            node.id: node.title or titles.get(node.definition_id or "") or node_title(node, catalog)
            for node in nodes
        }
    )


def short_value(value: object) -> str:
    """Return a value as JSON, a text as it is, with at most 40 characters."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= MAX_VALUE else text[: MAX_VALUE - 1] + "…"
