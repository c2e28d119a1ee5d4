"""Differences between two pipelines node by node, with both values, to be drawn on the graph."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from pydantic import Field, JsonValue

from modules.catalog import Catalog
from modules.files.json_files import is_same_json
from modules.formatting import LARGEST_WRITTEN_OUT, shortest
from modules.json_model import JsonModel
from modules.spec import Module
from pipelines.document.document import (
    Definition,
    Link,
    Node,
    PipelineDocument,
    PipelineParameter,
)
from pipelines.document.document_diff import (
    Whole,
    describe,
    link_changes,
    short_value,
    titles_of,
)
from pipelines.document.node_matching import match_nodes, matching_names, renamed
from pipelines.document.node_settings import PLAIN, settings_of
from pipelines.document.node_titles import setting_title
from pipelines.document.settings import SweepSettings
from pipelines.sentences import _


class ValueChange(JsonModel):
    """Parameter or run setting with its value, or default, in both pipelines."""

    name: str
    title: str
    before: JsonValue
    after: JsonValue


class GraphDifference(JsonModel):
    """Nodes and links added, removed, changed and moved between two documents; nodes by id."""

    added: list[str]
    removed: list[str]
    changed: dict[str, list[str]] = Field(description="Changes of each node as text.")
    moved: dict[str, list[str]] = Field(
        description="Nodes that only look different: position, color, collapsed."
    )
    values: dict[str, list[ValueChange]] = Field(
        description="Changed parameters and run settings of each node."
    )
    added_links: list[Link]
    removed_links: list[Link] = Field(description="Also those of removed nodes.")
    links: list[str] = Field(
        description="Wires that were added or removed between nodes of both pipelines."
    )
    others: list[str] = Field(
        description="Other changes as text: name, settings, parameters, ports, notes, groups."
    )
    summary: str

    @property
    def count(self) -> int:
        """Return the number of differences; a wire of an added or removed node is none."""
        nodes = (self.added, self.removed, self.changed, self.moved)
        return sum(map(len, nodes)) + len(self.links) + len(self.others)


class PipelineDifference(JsonModel):
    """Differences of a pipeline from another one, the baseline."""

    name: str = Field(description="Name of the baseline.")
    baseline: PipelineDocument = Field(
        description="The baseline; its nodes have the ids of the matching nodes of the pipeline."
    )
    graph: GraphDifference
    inside: dict[str, GraphDifference] = Field(
        description="Differences in the sub-pipelines of both, by the id of the sub-pipeline."
    )
    count: int = Field(description="Number of differences. 0: the pipelines are the same.")


def graph_difference(
    old: PipelineDocument, new: PipelineDocument, catalog: Catalog
) -> GraphDifference:
    """Return the differences node by node."""
    inside = _inside(old, new, catalog)
    return _difference(old, new, _Context(old, new, catalog, set(inside)))


def pipeline_difference(
    old: PipelineDocument, new: PipelineDocument, catalog: Catalog
) -> PipelineDifference:
    """Return the differences of ``new`` from the baseline ``old``.

    Nodes are matched by id, title and module, also those in sub-pipelines with the same id. Names
    of different pipelines are not compared.
    """
    aligned = _aligned(old, new)
    inside = _inside(aligned, new, catalog)
    graph = _difference(aligned, new, _Context(aligned, new, catalog, set(inside)))
    return PipelineDifference(
        name=old.name or old.id,
        baseline=aligned,
        graph=graph,
        inside=inside,
        count=graph.count + sum(difference.count for difference in inside.values()),
    )


class _Context:
    """Both documents, and the sub-pipelines that differ."""

    def __init__(
        self,
        old: PipelineDocument,
        new: PipelineDocument,
        catalog: Catalog,
        changed_definitions: set[str],
    ) -> None:
        self.catalog = catalog
        self.definitions = (*new.definitions, *old.definitions)
        self.changed_definitions = changed_definitions


def _aligned(old: PipelineDocument, new: PipelineDocument) -> PipelineDocument:
    """Return the old document with the node ids of the new one, also in its sub-pipelines."""
    definitions = []
    for definition in old.definitions:
        now = new.definition(definition.id)
        definitions.append(_with_ids_of(now, definition) if now else definition)
    return _with_ids_of(new, old).model_copy(update={"definitions": tuple(definitions)})


def _with_ids_of(new: Whole, old: Whole) -> Whole:
    names = matching_names(match_nodes([new, old]), 1)
    if all(name == own for own, name in names.items()):
        return old
    updates: dict[str, object] = {
        "parameters": tuple(
            parameter.model_copy(update={"binds": tuple(_rebound(parameter.binds, names))})
            for parameter in old.parameters
        ),
        "groups": tuple(
            group.model_copy(update={"nodes": tuple(names.get(own, own) for own in group.nodes)})
            for group in old.groups
        ),
    }
    if isinstance(old, Definition):
        for side in ("inputs", "outputs"):
            updates[side] = tuple(
                port.model_copy(update={"node": names.get(port.node, port.node)})
                for port in getattr(old, side)
            )
    elif old.settings.sweep is not None:
        sweep = _sweep_with_ids(old.settings.sweep, names)
        updates["settings"] = old.settings.model_copy(update={"sweep": sweep})
    return renamed(old, names).model_copy(update=updates)


def _sweep_with_ids(sweep: SweepSettings, names: Mapping[str, str]) -> SweepSettings:
    binds = _rebound(sweep.parameters, names)
    parameters = dict(zip(binds, sweep.parameters.values(), strict=True))
    objective = sweep.objective
    if objective is not None:
        outer, separator, inner = objective.node.partition("/")
        node = f"{names.get(outer, outer)}{separator}{inner}"
        objective = objective.model_copy(update={"node": node})
    return sweep.model_copy(update={"parameters": parameters, "objective": objective})


def _rebound(binds: Iterable[str], names: Mapping[str, str]) -> Iterator[str]:
    for bind in binds:
        node, separator, rest = bind.partition("/") if "/" in bind else bind.partition(".")
        yield f"{names.get(node, node)}{separator}{rest}"


def _inside(
    old: PipelineDocument, new: PipelineDocument, catalog: Catalog
) -> dict[str, GraphDifference]:
    """Return the differences in the sub-pipelines that nodes of both documents use."""
    pairs = [(was, now) for now in new.definitions if (was := old.definition(now.id))]
    differing: set[str] = set()
    while True:  # a sub-pipeline differs if one inside it does, at most MAX_DEPTH levels up
        context = _Context(old, new, catalog, differing)
        inside = {
            now.id: difference
            for was, now in pairs
            if (difference := _difference(was, now, context)).count
        }
        if set(inside) == differing:
            return inside
        differing = set(inside)


def _difference(old: Whole, new: Whole, context: _Context) -> GraphDifference:
    before = {node.id: node for node in old.nodes}
    after = {node.id: node for node in new.nodes}
    names = titles_of(context.definitions, (*new.nodes, *old.nodes), context.catalog)
    changed: dict[str, list[str]] = {}
    moved: dict[str, list[str]] = {}
    values: dict[str, list[ValueChange]] = {}
    common = [node_id for node_id in after if node_id in before]
    for node_id in common:
        was, node = before[node_id], after[node_id]
        module = context.catalog.get(node.module)
        own_values = list(_value_changes(was, node, module))
        texts = list(_node_texts(was, node, own_values, context))
        if texts:
            changed[node_id] = texts
        elif looks := list(_looks(was, node)):
            moved[node_id] = looks
        if own_values:
            values[node_id] = own_values
    old_links, new_links = _links(old), _links(new)
    return GraphDifference(
        added=[node_id for node_id in after if node_id not in before],
        removed=[node_id for node_id in before if node_id not in after],
        changed=changed,
        moved=moved,
        values=values,
        added_links=[link for key, link in new_links.items() if key not in old_links],
        removed_links=[link for key, link in old_links.items() if key not in new_links],
        links=list(link_changes(old, new, names, set(common))),
        others=list(_other_changes(old, new)),
        summary=_summary(old, new, context.catalog),
    )


def _summary(old: Whole, new: Whole, catalog: Catalog) -> str:
    if isinstance(old, PipelineDocument) and isinstance(new, PipelineDocument):
        return describe(old, new, catalog)
    return ""


def _links(whole: Whole) -> dict[str, Link]:
    return {f"{link.from_}>{link.to}": link for link in whole.links}


def _value_changes(was: Node, node: Node, module: Module | None) -> Iterator[ValueChange]:
    if was.module != node.module:
        return
    before, after = settings_of(was, module, PLAIN), settings_of(node, module, PLAIN)
    for name in dict.fromkeys((*after, *before)):
        old, new = before.get(name), after.get(name)
        if not is_same_json(old, new):
            title = setting_title(name, module)
            yield ValueChange(name=name, title=title, before=old, after=new)


def _node_texts(
    was: Node, node: Node, values: Iterable[ValueChange], context: _Context
) -> Iterator[str]:
    module = context.catalog.get(node.module)
    if was.module != node.module:
        title = module.title if module else node.module
        yield _("module changed to {title}", title=title)
    elif was.version != node.version:
        yield _("module version: {before} → {after}", before=was.version, after=node.version)
    if node.definition_id in context.changed_definitions:
        yield _("contents changed")
    for value in values:
        yield _arrow(value.title, value.before, value.after)
    if was.title != node.title:
        yield _arrow(_("Title"), was.title, node.title)
    if was.disabled != node.disabled:
        yield _("disabled") if node.disabled else _("enabled")
    if was.pin != node.pin:
        run = node.pin.run if node.pin else None
        yield _("pinned to the result of run {run}", run=run) if run else _("unpinned")
    if was.comment != node.comment:
        yield _("comment changed")


def _looks(was: Node, node: Node) -> Iterator[str]:
    if was.position != node.position:
        yield _("moved")
    if was.collapsed != node.collapsed:
        yield _("collapsed") if node.collapsed else _("expanded")
    if was.color != node.color:
        yield _("color changed")


def _other_changes(old: Whole, new: Whole) -> Iterator[str]:
    """Return the differences that belong to no node."""
    if isinstance(old, PipelineDocument) and isinstance(new, PipelineDocument):
        if old.id == new.id and old.name != new.name:
            yield _arrow(_("Name"), old.name, new.name)
        before = old.settings.model_dump(exclude={"sweep"})
        for key, value in new.settings.model_dump(exclude={"sweep"}).items():
            if not is_same_json(before[key], value):
                yield _arrow(setting_title(key, None), before[key], value)
        if old.settings.sweep != new.settings.sweep:
            yield _("sweep changed")
    elif isinstance(old, Definition) and isinstance(new, Definition):
        if old.title != new.title:
            yield _arrow(_("Title"), old.title, new.title)
        if (old.inputs, old.outputs) != (new.inputs, new.outputs):
            yield _("ports changed")
    if old.description != new.description:
        yield _("description changed")
    yield from _parameter_changes(old.parameters, new.parameters)
    if old.notes != new.notes:
        yield _("notes changed")
    if old.groups != new.groups:
        yield _("groups changed")


def _parameter_changes(
    old: Iterable[PipelineParameter], new: Iterable[PipelineParameter]
) -> Iterator[str]:
    before = {parameter.id: parameter for parameter in old}
    after = {parameter.id: parameter for parameter in new}
    for name, parameter in after.items():
        was, title = before.get(name), parameter.title or name
        if was is None:
            yield _("parameter {title} added", title=title)
        elif not is_same_json(was.default, parameter.default):
            label = _("parameter {title}", title=title)
            yield _arrow(label, was.default, parameter.default)
        elif was != parameter:
            yield _("parameter {title} changed", title=title)
    for name, parameter in before.items():
        if name not in after:
            yield _("parameter {title} removed", title=parameter.title or name)


def _arrow(title: str, before: JsonValue, after: JsonValue) -> str:
    """Return ``Epochs: 4 → 8``; equal short forms of long values are not repeated."""
    texts = [_value_text(value) for value in (before, after)]
    if texts[0] == texts[1]:
        return _("{title} changed", title=title)
    return f"{title}: {texts[0]} → {texts[1]}"


def _value_text(value: JsonValue) -> str:
    if isinstance(value, bool):
        return _("on") if value else _("off")
    if isinstance(value, float) and abs(value) < LARGEST_WRITTEN_OUT:
        return str(shortest(value))
    return _("none") if value is None or value == "" else short_value(value)
