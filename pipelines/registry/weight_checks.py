"""Checks of registered models' weights, cached by the hash of each file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from modules.artifacts import TrainedModel, read_json
from modules.errors import InvalidModelDirectoryError
from modules.files.json_files import read_if_valid, remember
from modules.models.implausible_weights import (
    LARGEST_STATISTIC,
    LARGEST_WEIGHT,
    find_implausible_in,
)
from modules.models.recipe import OWN
from modules.sentences import models as say
from modules.sentences.sentence import Statement
from pipelines.registry.models import RegisteredVersion, Registrable
from pipelines.store.artifacts.manifest import MANIFEST

State = Literal["plausible", "implausible", "unreadable", "unchecked"]
_LIMITS = [LARGEST_WEIGHT, LARGEST_STATISTIC]
"""Stored with a result: with other limits the file is read again."""


@dataclass(frozen=True)
class WeightsVerdict:
    """Result of checking the weights of one model."""

    state: State
    """``unchecked`` for files written by a script, which may contain anything."""
    statement: Statement | None = None
    """The fault and its fix; None if there is none."""


@dataclass(frozen=True)
class CheckedVersion:
    """Result of checking one version of a registered model."""

    reference: str
    weights: State
    message: str | None
    """The fault and its fix; None if there is none."""
    cure: str | None


def check_weights(model: Registrable, cache_dir: Path) -> WeightsVerdict:
    """Return the result for a model's weights.

    Args:
        model: Its files in the registry or a run.
        cache_dir: Folder of the results, by the hash of the weights.
    """
    if not isinstance(model, TrainedModel):
        return WeightsVerdict("unchecked")
    try:
        is_own = str(model.recipe.get("architecture", "")).startswith(OWN)
        facts = _known_facts(model, cache_dir, is_own=is_own)
    except InvalidModelDirectoryError as error:
        return WeightsVerdict("unreadable", error.statement)
    except (OSError, ValueError, LookupError, TypeError) as error:
        damage = say.TRAINED_MODEL_DAMAGED.about({"error": str(error)[:200]})
        return WeightsVerdict("unreadable", damage)
    if not facts:
        return WeightsVerdict("plausible")
    return WeightsVerdict("implausible", say.IMPLAUSIBLE_WEIGHTS.about(facts))


def check_version(registered: RegisteredVersion, cache_dir: Path) -> CheckedVersion:
    """Return the result for a registered version."""
    verdict = check_weights(registered.artifact, cache_dir)
    fault = verdict.statement
    message, cure = (fault.message, fault.cure) if fault else (None, None)
    return CheckedVersion(registered.reference, verdict.state, message, cure)


def _known_facts(model: TrainedModel, cache_dir: Path, *, is_own: bool) -> dict[str, str]:
    """Return the facts of the fault from an earlier check; empty without a fault."""
    content = str(read_json(model.path / MANIFEST)["content"][model.weights_path.name])
    path = cache_dir / "weight-checks" / f"{content}{'-own' if is_own else ''}.json"
    stored = read_if_valid(path) or {}
    if stored.get("limits") == _LIMITS and isinstance(stored.get("fault"), dict):
        return {str(name): str(text) for name, text in stored["fault"].items()}
    fault = find_implausible_in(model.weights_path, is_own=is_own)
    facts = fault.facts if fault else {}
    remember(path, {"limits": _LIMITS, "fault": facts})
    return facts
