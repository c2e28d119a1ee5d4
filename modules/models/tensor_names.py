"""Names of a file's tensors, without the prefixes that wrappers add to a network's names.

Distributed training, compiling, averaging and training frameworks wrap networks in any order, so
that ``conv1.weight`` is stored as ``_orig_mod.module.conv1.weight`` or ``model.net.conv1.weight``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import torch

    Weights = Mapping[str, torch.Tensor]

PREFIXES = frozenset(
    {"module", "_orig_mod", "model", "net", "backbone", "encoder", "network", "_forward_module"}
    | {"_fsdp_wrapped_module", "_checkpoint_wrapped_module", "_model", "_net", "base_model"}
)
INNER_WRAPPERS = frozenset(
    {"module", "_orig_mod", "_fsdp_wrapped_module", "_checkpoint_wrapped_module"}
)
"""Wrappers that may also be around parts of a network."""
AUXILIARY_HEADS = ("AuxLogits.", "aux1.", "aux2.")
"""Heads that GoogLeNet and Inception use in training but not in inference."""
COUNTERS = ("n_averaged",)
"""Tensors that averaging adds to the network's own."""


class NamedWeights(NamedTuple):
    """Tensors under a network's names."""

    weights: Weights
    left_out: tuple[str, ...]
    """Names in the file of tensors of other parts than the network, such as a loss."""


def name_as(own: Collection[str], weights: Weights) -> NamedWeights:
    """Return the tensors under the names ``own`` of a network, if removing prefixes leads there.

    Tensors of unknown names keep them, unless the network is found below one prefix: others are
    then skipped.
    """
    known = frozenset(own)
    prefix = _main_prefix(known, weights)
    inside = {
        _own_name(name.removeprefix(prefix), known): tensor
        for name, tensor in weights.items()
        if name.startswith(prefix)
    }
    for name, tensor in weights.items():
        if not name.startswith(prefix):
            short = next((variant for variant in _variants(name) if variant in known), None)
            if short is not None and short not in inside:
                inside[short] = tensor
    counted = {name: tensor for name, tensor in inside.items() if not _is_counter(name, known)}
    taken = {id(tensor) for tensor in inside.values()}
    left_out = [name for name, tensor in weights.items() if id(tensor) not in taken]
    return NamedWeights(counted, tuple(name for name in left_out if not _is_counter(name, known)))


def _main_prefix(known: frozenset[str], weights: Weights) -> str:
    """Return the shortest chain of prefixes below which most of the network's names are."""
    counts: Counter[str] = Counter()
    for name in weights:
        for prefix, rest in _splits(name):
            counts[prefix] += _own_name(rest, known) in known
    if not counts:
        return ""
    return min(counts, key=lambda prefix: (-counts[prefix], len(prefix)))


def _splits(name: str) -> Iterator[tuple[str, str]]:
    """Yield a name as ``("", name)``, and split after each further prefix."""
    prefix, rest = "", name
    while True:
        yield prefix, rest
        first, dot, following = rest.partition(".")
        if not dot or first not in PREFIXES:
            return
        prefix, rest = f"{prefix}{first}.", following


def _variants(name: str) -> Iterator[str]:
    for _, rest in _splits(name):
        yield rest
        yield _without_inner(rest)


def _own_name(name: str, known: frozenset[str]) -> str:
    """Return the name in the network, without wrappers of its parts and DenseNet's old names."""
    if name in known:
        return name
    # DenseNet's published files are older than the ban on dots in names: norm.1 is now norm1.
    old = re.sub(r"(denselayer\d+\.(?:norm|relu|conv))\.([12]\.)", r"\1\2", name)
    return next((candidate for candidate in (old, _without_inner(old)) if candidate in known), name)


def _without_inner(name: str) -> str:
    return ".".join(part for part in name.split(".") if part not in INNER_WRAPPERS)


def _is_counter(name: str, known: frozenset[str]) -> bool:
    return name not in known and name.rpartition(".")[2] in COUNTERS
