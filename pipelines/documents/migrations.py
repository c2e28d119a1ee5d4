"""Older documents made new, one step at a time, and nodes whose module was replaced.

A step takes the JSON object of one format and gives that of the next. It must not trust its
input: what it cannot read it leaves as it is, and the schema reports it afterwards.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pipelines.problems import NEWER_FORMAT, NOT_A_PIPELINE, PipelineError, Problem

Content = dict[str, Any]
CURRENT = "pipeline-designer/1"


@dataclass(frozen=True)
class Replacement:
    """A module or one of its versions that is no more, and what took its place."""

    module: str
    version: int
    by: str
    by_version: int
    parameters: Mapping[str, str] = field(default_factory=dict)
    """Old parameter name -> new name."""
    ports: Mapping[str, str] = field(default_factory=dict)
    """Old port id -> new id."""


REPLACEMENTS: tuple[Replacement, ...] = ()


def migrate(content: Any) -> Content:
    """The JSON object of a document in the current format; raises ``PipelineError``."""
    if not isinstance(content, dict):
        raise PipelineError([_not_a_pipeline("It holds no JSON object.")])
    while content.get("format") != CURRENT:
        written = content.get("format")
        step = STEPS.get(written) if isinstance(written, str) else None
        if step is None:
            raise PipelineError([_unknown_format(written)])
        content = step(content)
    return resolve_replaced(content, REPLACEMENTS)


def resolve_replaced(content: Content, replacements: tuple[Replacement, ...]) -> Content:
    """The content with every replaced module, parameter and port by its present name."""
    table = {(each.module, each.version): each for each in replacements}
    nodes = content.get("nodes")
    if not table or not isinstance(nodes, list):
        return content
    renamed_ports: dict[str, dict[str, str]] = {}
    present = [_replaced(node, table, renamed_ports) for node in nodes]
    links = [_relinked(link, renamed_ports) for link in _list(content.get("links"))]
    return {**content, "nodes": present, "links": links}


def _replaced(
    node: Any,
    table: Mapping[tuple[str, int], Replacement],
    renamed_ports: dict[str, dict[str, str]],
) -> Any:
    if not isinstance(node, dict):
        return node
    for _ in range(len(table)):  # each replacement at most once: a circle of them ends
        place = (node.get("module"), node.get("version", 1))
        found = next((each for key, each in table.items() if key == place), None)
        if found is None:
            break
        ports = renamed_ports.setdefault(str(node.get("id")), {})
        for old, new in found.ports.items():
            earlier = next((name for name, now in ports.items() if now == old), old)
            ports[earlier] = new
        parameters = node.get("parameters")
        node = {**node, "module": found.by, "version": found.by_version}
        if isinstance(parameters, dict):
            names = found.parameters
            node["parameters"] = {names.get(key, key): each for key, each in parameters.items()}
    return node


def _relinked(link: Any, renamed_ports: Mapping[str, Mapping[str, str]]) -> Any:
    if not isinstance(link, dict):
        return link
    return {key: _renamed_endpoint(end, renamed_ports) for key, end in link.items()}


def _renamed_endpoint(end: Any, renamed_ports: Mapping[str, Mapping[str, str]]) -> Any:
    if not isinstance(end, dict) or not isinstance(end.get("port"), str):
        return end
    names = renamed_ports.get(str(end.get("node")), {})
    return {**end, "port": names.get(end["port"], end["port"])}


def _from_draft(content: Content) -> Content:
    """Format 0: links as pairs ``"node.port"``, run settings flat in the node, x and y beside."""
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
    kept = {key: each for key, each in node.items() if key not in (*_DRAFT_RUN_SETTINGS, "x", "y")}
    run_settings = {key: node[key] for key in _DRAFT_RUN_SETTINGS if key in node}
    position = {key: node[key] for key in ("x", "y") if key in node}
    if run_settings:
        kept["run_settings"] = run_settings
    if position:
        kept["position"] = position
    return kept


def _draft_link(link: Any) -> Any:
    if not (isinstance(link, list) and len(link) == 2):
        return link
    return {"from": _draft_endpoint(link[0]), "to": _draft_endpoint(link[1])}


def _draft_endpoint(text: Any) -> Any:
    if not isinstance(text, str) or "." not in text:
        return text
    node, _, port = text.partition(".")
    return {"node": node, "port": port}


STEPS: Mapping[str, Callable[[Content], Content]] = {"pipeline-designer/0": _from_draft}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _unknown_format(written: Any) -> Problem:
    number = re.fullmatch(r"pipeline-designer/(\d{1,6})", written) if _is_text(written) else None
    if number:
        return Problem.of(
            NEWER_FORMAT,
            f"The document has the format {written!r}; this version reads up to {CURRENT!r}.",
            "Update Pipeline Designer, or save the pipeline in the older format.",
        )
    if written is None:
        return _not_a_pipeline("It has no format.")
    return _not_a_pipeline(f"Its format is {str(written)[:100]!r}, not {CURRENT!r}.")


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _not_a_pipeline(reason: str) -> Problem:
    return Problem.of(
        NOT_A_PIPELINE,
        f"This is not a pipeline document. {reason}",
        "Open a file that Pipeline Designer saved.",
    )
