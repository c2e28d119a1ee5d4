"""Spaces of a sweep: parsed from text, counted, enumerated, drawn from, and put into documents."""

from __future__ import annotations

import json
import math
import random
import re
from collections.abc import Collection, Mapping, Sequence

from pydantic import JsonValue, ValidationError

from modules.catalog import Catalog
from pipelines.document import strict_json
from pipelines.document.document import Node, PipelineDocument
from pipelines.document.overrides import takes_text
from pipelines.document.parts import shortest
from pipelines.document.settings import SweepSpace
from pipelines.errors import RefusedError
from pipelines.problems import PipelineError
from pipelines.sentences import sweeps as sentences

Values = Mapping[str, JsonValue]
"""Values of a trial by NODE.PARAMETER."""
Spaces = Mapping[str, SweepSpace]

_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_KINDS = {None: "linear", "linear": "linear", "log": "log", "int": "integer"}
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
    """Return ``4,8,16``, ``0.1..0.9``, ``1e-3..1e-1:log`` or ``1..9:int`` as a space.

    Choices are JSON, or plain text for text parameters. A JSON array is a list of choices. Raises
    ``PipelineError``, ``ValidationError`` or ``ValueError`` for text that is neither.
    """
    limits = None if is_text else _limits(text)
    if limits is not None:
        low, high, suffix = limits
        return SweepSpace.model_validate(
            {"kind": _KINDS[suffix], "low": float(low), "high": float(high)}
        )
    if text.startswith("["):
        choices = strict_json.parse_checked(text)
    else:
        choices = [_choice(part.strip(), is_text) for part in text.split(",")] if text else []
    return SweepSpace.model_validate({"kind": "choices", "choices": choices})


def _limits(text: str) -> tuple[str, str, str | None] | None:
    """Return the ends of a range and its suffix, as text; None if it is not a range."""
    low, dots, rest = text.partition("..")
    high, colon, suffix = rest.partition(":")
    is_range = dots and (not colon or suffix in _KINDS)
    if not is_range or not all(map(_NUMBER.fullmatch, (low, high))):
        return None
    return low, high, suffix if colon else None


def _choice(text: str, is_text: bool) -> JsonValue:
    if is_text:
        checked: JsonValue = strict_json.checked(text)
        return None if text == "null" else checked
    value: JsonValue = strict_json.parse_checked(text)
    return value


def space_text(space: SweepSpace) -> str:
    """Return a space in the form that ``parsed_space`` reads."""
    if space.kind == "choices":
        if any(isinstance(item, list | dict) or "," in str(item) for item in space.choices):
            return json.dumps(space.choices, ensure_ascii=False)
        return ",".join(map(value_text, space.choices))
    suffix = {"log": ":log", "integer": ":int"}.get(space.kind, "")
    low, high = (json.dumps(shortest(end)) for end in _ends(space))
    return f"{low}..{high}{suffix}"


def num_values(space: SweepSpace) -> int | None:
    """Return the number of values of a space; None for a range of real numbers."""
    if space.kind == "choices":
        return len(space.choices)
    if space.kind == "integer":
        return int(_ends(space)[1]) - int(_ends(space)[0]) + 1
    return None


def num_combinations(spaces: Spaces) -> int | None:
    """Return the number of combinations; None if a space is a range of real numbers."""
    counts = [num_values(space) for space in spaces.values()]
    known = [count for count in counts if count is not None]
    return math.prod(known) if len(known) == len(counts) else None


def combination(spaces: Spaces, number: int) -> dict[str, JsonValue]:
    """Return a combination by its number from 0; the last parameter changes fastest."""
    values: dict[str, JsonValue] = {}
    for place, space in reversed(list(spaces.items())):
        count = num_values(space)
        assert count is not None
        number, position = divmod(number, count)
        is_listed = space.kind == "choices"
        values[place] = space.choices[position] if is_listed else int(_ends(space)[0]) + position
    return dict(reversed(values.items()))


def drawn(spaces: Spaces, generator: random.Random) -> dict[str, JsonValue]:
    """Return random values: ranges are drawn evenly, logarithmic ones evenly in the logarithm."""
    return {place: _drawn(space, generator) for place, space in spaces.items()}


def _drawn(space: SweepSpace, generator: random.Random) -> JsonValue:
    if space.kind == "choices":
        return generator.choice(space.choices)
    low, high = _ends(space)
    if space.kind == "integer":
        return generator.randint(int(low), int(high))
    if space.kind == "log":
        exponent = generator.uniform(math.log(low), math.log(high))
        return min(high, max(low, math.exp(exponent)))
    return min(high, max(low, generator.uniform(low, high)))


def _ends(space: SweepSpace) -> tuple[float, float]:
    assert space.low is not None
    assert space.high is not None
    return float(space.low), float(space.high)


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


def values_text(values: Values) -> str:
    """Return ``learning_rate 0.01, momentum 0.9``; equal names have their nodes."""
    names = [place.rpartition(".")[2] for place in values]
    labels = [
        name if names.count(name) == 1 else place for name, place in zip(names, values, strict=True)
    ]
    pairs = zip(labels, values.values(), strict=True)
    return ", ".join(f"{label} {value_text(value)}" for label, value in pairs)


def value_text(value: JsonValue) -> str:
    """Return a value with at most four significant digits."""
    if isinstance(value, float):
        return f"{value:.4g}"
    return value if isinstance(value, str) else json.dumps(value)
