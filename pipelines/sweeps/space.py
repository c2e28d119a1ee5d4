"""Spaces of a sweep: parsed from text, and put into documents."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from pydantic import JsonValue, ValidationError

from modules.catalog import Catalog
from modules.parameters import takes_text
from modules.search.spaces import read_space
from pipelines.document import strict_json
from pipelines.document.document import Node, PipelineDocument, RunSettings
from pipelines.document.parts import MOST_STEPS_PER_GPU
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


@dataclass(frozen=True)
class TrialShare:
    """Share of this machine that each of several parallel trials gets."""

    num_trials: int
    num_cores: int
    """Cores of the machine."""
    num_gpus: int
    """GPUs of the machine."""

    @property
    def cores(self) -> int:
        """Return the cores of each process."""
        return max(1, self.num_cores // self.num_trials)

    def steps_per_gpu(self, settings: RunSettings) -> int | None:
        """Return how many trials share a GPU, with a step of these settings in each.

        None if each trial can have its own GPUs, or if there are none.
        """
        if not self.num_gpus:
            return None
        num_ranks = settings.node_count * settings.process_count_per_node
        num_groups = self.num_gpus // min(num_ranks, self.num_gpus)
        num_steps = -(-self.num_trials // num_groups)
        return min(num_steps, MOST_STEPS_PER_GPU) if num_steps > 1 else None


def with_shares(
    document: PipelineDocument,
    share: TrialShare,
    catalog: Catalog,
    remote_targets: Collection[str],
) -> PipelineDocument:
    """Limit the cores and GPUs of trainings on this machine, so that trials fit together.

    Args:
        document: Document of a trial.
        share: Limits of nodes that set none.
        catalog: Modules; light ones need no limit.
        remote_targets: Targets that compute on other machines.
    """

    def limited(node: Node) -> Node:
        module, settings = catalog.get(node.module), node.run_settings
        is_heavy = module is not None and (module.needs_torch or module.launches)
        target = settings.target or document.settings.target
        if not is_heavy or target in remote_targets:
            return node
        limits = {
            "cores_per_process": share.cores,
            "steps_per_gpu": share.steps_per_gpu(settings),
        }
        unset = {name: limits[name] for name in limits if getattr(settings, name) is None}
        return node.model_copy(update={"run_settings": settings.model_copy(update=unset)})

    nodes, definitions = tuple(map(limited, document.nodes)), document.definitions
    placed = chain(document.nodes, *(definition.nodes for definition in definitions))
    outer = {node.run_settings.target for node in placed if node.definition_id}
    if outer.isdisjoint(remote_targets):  # otherwise sub-pipelines may run on other machines
        definitions = tuple(
            definition.model_copy(update={"nodes": tuple(map(limited, definition.nodes))})
            for definition in definitions
        )
    return document.model_copy(update={"nodes": nodes, "definitions": definitions})
