"""Spaces of a sweep: parsed from text, and put into documents."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from pydantic import JsonValue, ValidationError

from modules.catalog import Catalog
from modules.parameters import takes_text
from modules.search.spaces import read_space
from pipelines.document import strict_json
from pipelines.document.document import Node, PipelineDocument
from pipelines.document.settings import SweepSpace
from pipelines.errors import RefusedError
from pipelines.problems import PipelineError
from pipelines.sentences import sweeps as sentences

Values = Mapping[str, JsonValue]
"""Values of a trial by NODE.PARAMETER."""

_LONGEST_TEXT = 20_000


def parsed_spaces(
    texts: Sequence[str], document: PipelineDocument, catalog: Catalog
) -> dict[str, SweepSpace]:
    """Return spaces by place from ``NODE.PARAMETER=SPACE`` texts; raises ``RefusedError``."""
    spaces: dict[str, SweepSpace] = {}
    for text in texts:
        place, equals, space = text.partition("=")
        node_id, _, name = place.strip().rpartition(".")
        if not (equals and node_id and name) or len(text) > _LONGEST_TEXT:
            raise RefusedError(sentences.NO_SPACE, text=text[:100])
        try:
            module = catalog.get(getattr(document.node(node_id), "module", ""))
            is_text = (
                module is not None
                and name in module.parameters_type.model_fields
                and takes_text(module.parameters_type, name)
            )
            spaces[place.strip()] = parsed_space(space.strip(), is_text=is_text)
        except (PipelineError, ValidationError, ValueError, OverflowError):
            raise RefusedError(sentences.NO_SPACE, text=text[:100]) from None
    return spaces


def parsed_space(text: str, *, is_text: bool = False) -> SweepSpace:
    """Return a space from its text (``modules.search.spaces.read_space``).

    Raises ``PipelineError``, ``ValidationError`` or ``ValueError`` for text that is none.
    """
    space = read_space(text, strict_json.parse_checked, is_text=is_text)
    content = {**vars(space), "choices": strict_json.checked(list(space.choices))}
    return SweepSpace.model_validate(content)


def with_values(document: PipelineDocument, values: Values) -> PipelineDocument:
    """Return the document of a trial: with its values and without the sweep."""
    by_node: dict[str, dict[str, JsonValue]] = {}
    for place, value in values.items():
        node_id, _, name = place.rpartition(".")
        by_node.setdefault(node_id, {})[name] = value
    nodes = tuple(
        node.model_copy(update={"parameters": {**node.parameters, **by_node[node.id]}})
        if node.id in by_node
        else node
        for node in document.nodes
    )
    settings = document.settings.model_copy(update={"sweep": None})
    return document.model_copy(update={"nodes": nodes, "settings": settings})


def with_cores(
    document: PipelineDocument, cores: int, catalog: Catalog, remote_targets: Collection[str]
) -> PipelineDocument:
    """Limit the cores of each process of trainings on this machine, so that trials fit together.

    Args:
        document: Document of a trial.
        cores: Limit of nodes that set none.
        catalog: Modules; light ones need no limit.
        remote_targets: Targets that compute on other machines.
    """

    def limited(node: Node) -> Node:
        module, settings = catalog.get(node.module), node.run_settings
        is_heavy = module is not None and (module.needs_torch or module.launches)
        target = settings.target or document.settings.target
        if not is_heavy or settings.cores_per_process is not None or target in remote_targets:
            return node
        settings = settings.model_copy(update={"cores_per_process": cores})
        return node.model_copy(update={"run_settings": settings})

    return document.model_copy(update={"nodes": tuple(map(limited, document.nodes))})
