"""Migrations of older documents, one format at a time, and of replaced modules.

A step converts the JSON object of one format to the next. It must not trust its input: unreadable
parts stay unchanged, and the schema reports them afterwards.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from modules.schema_reference import DocumentData
from modules.sentences.sentence import Sentence
from pipelines.document.parts import DEFINITION_PREFIX
from pipelines.problems import NEWER_FORMAT, NOT_A_PIPELINE, PipelineError
from pipelines.sentences import documents

CURRENT = "pipeline-designer/2"


@dataclass(frozen=True)
class Replacement:
    """Removed module or version, and its successor."""

    module: str
    version: int
    by: str
    by_version: int
    parameters: Mapping[str, str] = field(default_factory=dict)
    """New parameter names by old name."""
    ports: Mapping[str, str] = field(default_factory=dict)
    """New port ids by old id."""


REPLACEMENTS: tuple[Replacement, ...] = ()


def migrate(content: Any) -> DocumentData:
    """Migrate the JSON object of a document to the current format; raises ``PipelineError``."""
    if not isinstance(content, dict):
        raise _not_a_pipeline(documents.NO_OBJECT)
    while content.get("format") != CURRENT:
        written = content.get("format")
        step = STEPS.get(written) if isinstance(written, str) else None
        if step is None:
            raise _unknown_format(written)
        content = step(content)
    return resolve_replaced(content, REPLACEMENTS)


def resolve_replaced(content: DocumentData, replacements: tuple[Replacement, ...]) -> DocumentData:
    """Return the content with the current names of replaced modules, parameters and ports."""
    table = {(replacement.module, replacement.version): replacement for replacement in replacements}
    if not table:
        return content
    names: _Names = defaultdict(_Renamed)
    present = _resolved(content, table, names[_OUTSIDE])
    definitions = present.get("definitions")
    if isinstance(definitions, list):
        inner = [
            _resolved(definition, table, names[_module_of(definition)])
            for definition in definitions
        ]
        bound = [_rebound(definition, names, _module_of(definition)) for definition in inner]
        present = {**present, "definitions": bound}
    rebound: DocumentData = _rebound(present, names, _OUTSIDE)
    return rebound


_OUTSIDE, _NOWHERE = "", "nowhere"
"""Locations of nodes: the pipeline itself and unknown; otherwise the module of a sub-pipeline."""


def _module_of(definition: Any) -> str:
    name = definition.get("id") if isinstance(definition, dict) else None
    return f"{DEFINITION_PREFIX}{name}"


def _resolved(content: Any, table: Mapping[tuple[str, int], Replacement], renamed: _Renamed) -> Any:
    """Return a pipeline or a definition with current names of its nodes and references to them."""
    nodes = content.get("nodes") if isinstance(content, dict) else None
    if not isinstance(nodes, list):
        return content
    present: DocumentData = {
        "nodes": [_replaced(node, table, renamed) for node in nodes],
        "links": [_relinked(link, renamed) for link in _list(content.get("links"))],
    }
    for side in ("inputs", "outputs"):
        if side in content:
            present[side] = [_renamed_endpoint(port, renamed) for port in _list(content[side])]
    return {**content, **present}


@dataclass(frozen=True)
class _Renamed:
    """Current names of modules, ports and parameters, by node id."""

    ports: dict[str, dict[str, str]] = field(default_factory=dict)
    parameters: dict[str, dict[str, str]] = field(default_factory=dict)
    modules: dict[str, str] = field(default_factory=dict)


_Names = defaultdict[str, _Renamed]
"""Names by location of the nodes."""


def _replaced(node: Any, table: Mapping[tuple[str, int], Replacement], renamed: _Renamed) -> Any:
    if not isinstance(node, dict):
        return node
    for _ in range(len(table)):  # each replacement at most once: a cycle of them ends
        identity = (node.get("module"), node.get("version", 1))
        replacement = next((candidate for key, candidate in table.items() if key == identity), None)
        if replacement is None:
            break
        _rename(renamed.ports.setdefault(str(node.get("id")), {}), replacement.ports)
        _rename(renamed.parameters.setdefault(str(node.get("id")), {}), replacement.parameters)
        parameters = node.get("parameters")
        node = {**node, "module": replacement.by, "version": replacement.by_version}
        if isinstance(parameters, dict):
            names = replacement.parameters
            node["parameters"] = {names.get(key, key): value for key, value in parameters.items()}
    renamed.modules[str(node.get("id"))] = str(node.get("module"))
    return node


def _rename(names: dict[str, str], further: Mapping[str, str]) -> None:
    """Chain the names of a replacement to those of earlier replacements."""
    for old, new in further.items():
        earlier = next((name for name, now in names.items() if now == old), old)
        names[earlier] = new


def _relinked(link: Any, renamed: _Renamed) -> Any:
    if not isinstance(link, dict):
        return link
    return {key: _renamed_endpoint(end, renamed) for key, end in link.items()}


def _renamed_endpoint(end: Any, renamed: _Renamed) -> Any:
    if not isinstance(end, dict) or not isinstance(end.get("port"), str):
        return end
    names = renamed.ports.get(str(end.get("node")), {})
    return {**end, "port": names.get(end["port"], end["port"])}


def _rebound(content: Any, names: _Names, scope: str) -> Any:
    """Return the content with current names in binds."""
    if not isinstance(content, dict) or "parameters" not in content:
        return content
    parameters = [
        _with_binds(parameter, names, scope) for parameter in _list(content["parameters"])
    ]
    return {**content, "parameters": parameters}


def _with_binds(parameter: Any, names: _Names, scope: str) -> Any:
    if not isinstance(parameter, dict) or not isinstance(parameter.get("binds"), list):
        return parameter
    return {
        **parameter,
        "binds": [_renamed_bind(bind, names, scope) for bind in parameter["binds"]],
    }


def _renamed_bind(bind: Any, names: _Names, scope: str) -> Any:
    if not isinstance(bind, str):
        return bind
    path, dot, name = bind.partition(".")
    *around, node = path.split("/")
    for container in around:
        scope = names[scope].modules.get(container, _NOWHERE)
    return f"{path}{dot}{names[scope].parameters.get(node, {}).get(name, name)}"


def _from_draft(content: DocumentData) -> DocumentData:
    """Migrate format 0: links as pairs ``"node.port"``, flat run settings, x and y in the node."""
    return {
        **content,
        "format": "pipeline-designer/1",
        "nodes": [_draft_node(node) for node in _list(content.get("nodes"))],
        "links": [_draft_link(link) for link in _list(content.get("links"))],
    }


_DRAFT_RUN_SETTINGS = ("target", "node_count", "process_count_per_node", "regenerate_output")


def _draft_node(node: Any) -> Any:
    if not isinstance(node, dict):
        return node
    remaining = {
        key: value for key, value in node.items() if key not in (*_DRAFT_RUN_SETTINGS, "x", "y")
    }
    run_settings = {key: node[key] for key in _DRAFT_RUN_SETTINGS if key in node}
    position = {key: node[key] for key in ("x", "y") if key in node}
    if run_settings:
        remaining["run_settings"] = run_settings
    if position:
        remaining["position"] = position
    return remaining


def _draft_link(link: Any) -> Any:
    if not (isinstance(link, list) and len(link) == 2):
        return link
    return {"from": _draft_endpoint(link[0]), "to": _draft_endpoint(link[1])}


def _draft_endpoint(text: Any) -> Any:
    if not isinstance(text, str) or "." not in text:
        return text
    node, _, port = text.partition(".")
    return {"node": node, "port": port}


def _from_1(content: DocumentData) -> DocumentData:
    """Migrate format 1: without parameters and sub-pipelines; all new fields are optional."""
    return {**content, "format": "pipeline-designer/2"}


STEPS: Mapping[str, Callable[[DocumentData], DocumentData]] = {
    "pipeline-designer/0": _from_draft,
    "pipeline-designer/1": _from_1,
}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _unknown_format(written: Any) -> PipelineError:
    number = re.fullmatch(r"pipeline-designer/(\d{1,6})", written) if _is_text(written) else None
    if number:
        formats = {"written": written, "current": CURRENT}
        return PipelineError.of(NEWER_FORMAT, documents.NEWER_FORMAT, **formats)
    if written is None:
        return _not_a_pipeline(documents.NO_FORMAT)
    return _not_a_pipeline(documents.OTHER_FORMAT, written=str(written)[:100], current=CURRENT)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _not_a_pipeline(sentence: Sentence, **facts: str) -> PipelineError:
    why = sentence.about(facts)
    return PipelineError.of(NOT_A_PIPELINE, documents.NOT_A_DOCUMENT, why=why)
