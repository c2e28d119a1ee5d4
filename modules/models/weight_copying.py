"""Copying of tensors into a network by name, or an error that compares the names."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from modules.errors import InvalidModelDirectoryError
from modules.models.implausible_weights import find_implausible, learned_tensors
from modules.sentences import models as say
from modules.sentences.sentence import Sentence, Statement

if TYPE_CHECKING:
    import torch
    from torch import nn

    Weights = Mapping[str, torch.Tensor]

NUM_COMPARED = 5
"""Number of names of the file and of the network that an error shows."""


class WeightMismatch(NamedTuple):
    """The error about tensors that do not fit."""

    sentence: Sentence
    """Sentence with ``how``, ``names``, and with ``stored`` also ``compared``."""
    facts: Mapping[str, object] = MappingProxyType({})
    """Further facts of the sentence."""
    parameter: str | None = None
    """Parameter of the file."""
    stored: Collection[str] = ()
    """Names of the tensors as stored in the file."""


def copy_weights(
    model: nn.Module, weights: Weights, refusal: WeightMismatch, optional: Collection[str] = ()
) -> None:
    """Copy tensors by name into the model.

    Args:
        model: The network.
        weights: Tensors under the network's names.
        refusal: The error for tensors that do not match.
        optional: Names that may be missing, such as the batch counters that old files lack.

    Raises:
        InvalidModelDirectoryError: Names or shapes are not the model's, or values are implausible
            (0159).
    """
    own = model.state_dict()
    fault = _misfit(own, weights, optional)
    if fault is not None:
        how, names = fault
        facts = {**refusal.facts, "how": how.about({}), "names": names}
        facts["compared"] = _comparison(own, refusal.stored, optional)
        raise InvalidModelDirectoryError(refusal.sentence.about(facts), parameter=refusal.parameter)
    check_values(model, weights, refusal.parameter)
    for name, tensor in weights.items():
        own[name].copy_(tensor)


def check_values(model: nn.Module, weights: Weights, parameter: str | None) -> None:
    """Raise 0159 if learned tensors contain implausible values."""
    fault = find_implausible(weights, learned_tensors(model))
    if fault is not None:
        raise InvalidModelDirectoryError(fault.statement, parameter=parameter)


def _misfit(
    own: Weights, weights: Weights, optional: Collection[str]
) -> tuple[Sentence, list[Any]] | None:
    """Return the first mismatch of the tensors with the network, and their names."""
    missing = [
        name
        for name in own.keys() - weights.keys()
        if name not in optional and not name.endswith("num_batches_tracked")
    ]
    unequal: list[Statement] = []
    for name in sorted(own.keys() & weights.keys()):
        shape, wanted = tuple(weights[name].shape), tuple(own[name].shape)
        if shape != wanted:
            facts = {"tensor": name, "shape": str(shape), "wanted": str(wanted)}
            unequal.append(say.SHAPES_DIFFER.about(facts))
    faults: tuple[tuple[Sentence, list[Any]], ...] = (
        (say.MISSING, sorted(missing)),
        (say.UNKNOWN, sorted(weights.keys() - own.keys())),
        (say.OTHER_SHAPE, unequal),
    )
    return next((fault for fault in faults if fault[1]), None)


def _comparison(own: Weights, stored: Collection[str], optional: Collection[str]) -> Statement:
    """Return names of the file next to names of the network, first those without a counterpart."""
    theirs = [name for name in stored if name not in own] or list(stored)
    lacking = [name for name in own if name not in stored and name not in optional]
    facts = {"theirs": theirs[:NUM_COMPARED], "own": (lacking or list(own))[:NUM_COMPARED]}
    return say.TENSOR_NAMES.about(facts)
