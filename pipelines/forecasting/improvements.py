"""Ways to improve the result of a run with frozen layers, each with its estimate.

The first result of own images is quick, as only the head of a pretrained network was trained. Its
validation images show how good that is, and what more training can bring.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import Field, JsonValue

from modules.json_model import JsonModel
from modules.models.weights_source import weights_sources
from modules.operating_system.machine import busy_share
from modules.sentences.sentence import Statement
from pipelines.document.document import PipelineDocument
from pipelines.document.edits import set_parameter
from pipelines.errors import RefusedError
from pipelines.forecasting import recipes
from pipelines.forecasting.first_results import FirstResult, Trained, first_result, trained_in
from pipelines.forecasting.recipes import Changes
from pipelines.forecasting.run_forecast import forecast_run
from pipelines.inspection.few_images import few_images_text
from pipelines.inspection.run_outputs import RunOutputs
from pipelines.inspection.similar_images import images_of_model
from pipelines.problems import PipelineError
from pipelines.runs.run_service import RunService
from pipelines.sentences import improvements as say
from pipelines.sentences import refusals

IMAGE_MODEL = "image_model"
NETWORKS = (
    "efficientnet_lite0",
    "efficientnet_lite1",
    "efficientnet_lite2",
    "resnet50",
    "efficientnet_v2_s",
)
"""Networks of *Image Model* from small to large."""
ENOUGH_FOR_SCRATCH = 1000
"""Number of training images from which random weights can be the better start."""
POOR_ACCURACY = 0.9
"""Validation accuracy of frozen layers below which the images differ much from photographs."""
FEW_MISTAKES = 2
"""Number of mistakes on validation images that can be chance."""
CORRECTED = (0.2, 1.0)
"""Shares of the mistakes that fine-tuning corrects: on hand signs 0.8 and 0.9 with 400 training
images, all with 512; 0.2 is a cautious guess.
"""
CORRECTED_BY_NETWORK = 0.3
"""Share of the mistakes that a larger network corrects at most, a guess."""

Kind = Literal["fine_tune", "longer", "more_epochs", "larger_network", "from_scratch"]


class NodeChange(JsonModel):
    """New parameters of a node."""

    node: str
    parameters: dict[str, JsonValue]


class Improvement(JsonModel):
    """Way to improve a result: one edit of the pipeline, with the estimate of its run."""

    kind: Kind
    title: str
    text: str
    expected: str = Field(description="Expected gain, judged by the validation images.")
    changes: list[NodeChange]
    seconds: float = Field(description="Estimated duration of the run under the current load.")
    recommended: bool


class Improvements(JsonModel):
    """Ways to improve the result of a run; none if its layers were not frozen."""

    run_id: str
    verdict: str = Field(description="How good the result is, by the validation images.")
    choices: list[Improvement]
    few_images: str | None = Field(
        description="Warning about a class with very few training images; null if there is none."
    )
    first: FirstResult | None = Field(
        description="Earlier result with frozen layers, of another network if those of this run "
        "are frozen, too; null if none."
    )


class _Way(NamedTuple):
    """Improvement without its estimate."""

    kind: Kind
    changes: Changes
    title: Statement
    text: Statement
    expected: Statement
    recommended: bool = False


def improvements_of(
    runs: RunService, run_id: str, allowed_roots: Sequence[Path] | None = None
) -> Improvements:
    """Return the ways to improve the result of a completed run.

    Args:
        runs: The runs of the workspace.
        run_id: A run; one that does not exist or has not completed has none.
        allowed_roots: Folders that estimates may read.
    """
    trained = trained_in(runs, run_id)
    if trained is None:
        return Improvements(run_id=run_id, verdict="", choices=[], few_images=None, first=None)
    first = first_result(runs, run_id)
    ways = list(_ways(runs, trained)) if trained.is_frozen or first else []
    load = busy_share() if ways else 0.0  # measuring it takes a moment
    estimate = _Estimate(runs, trained.document, load, allowed_roots)
    choices = [choice for way in ways if (choice := estimate.of(way)) is not None]
    verdict = " ".join(part.message for part in _verdict(trained)) if choices else ""
    images = images_of_model(RunOutputs(runs, run_id)) if choices else None
    few_images = few_images_text(images) if images else None
    return Improvements(
        run_id=run_id, verdict=verdict, choices=choices, few_images=few_images, first=first
    )


def improved_document(runs: RunService, run_id: str, way: str) -> PipelineDocument:
    """Return the document of a run with the changes of a way; raises ``RefusedError``."""
    trained = trained_in(runs, run_id)
    ways = [] if trained is None else list(_ways(runs, trained))
    chosen = next((candidate for candidate in ways if candidate.kind == way), None)
    if trained is None or chosen is None:
        names = [candidate.kind for candidate in ways]
        raise RefusedError(refusals.NO_IMPROVEMENT, run=run_id, way=way[:100], names=names)
    return with_changes(trained.document, runs, chosen.changes)


@dataclass(frozen=True)
class _Estimate:
    runs: RunService
    document: PipelineDocument
    busy_share: float
    allowed_roots: Sequence[Path] | None

    def of(self, way: _Way) -> Improvement | None:
        """Return the improvement; None if the changed pipeline cannot be run."""
        try:
            changed = with_changes(self.document, self.runs, way.changes)
            forecast = forecast_run(self.runs, changed, self.allowed_roots)
        except PipelineError:
            return None
        return Improvement(
            kind=way.kind,
            title=way.title.message,
            text=way.text.message,
            expected=way.expected.message,
            changes=[
                NodeChange(node=node, parameters=values) for node, values in way.changes.items()
            ],
            seconds=forecast.under_load(self.busy_share).other_work.seconds,
            recommended=way.recommended,
        )


def with_changes(
    document: PipelineDocument, runs: RunService, changes: Changes
) -> PipelineDocument:
    """Return the document with the changes; raises ``PipelineError`` for an unknown node."""
    for node, values in changes.items():
        for name, value in values.items():
            document = set_parameter(document, runs.catalog, node, name, value)
    return document


def _ways(runs: RunService, trained: Trained) -> Iterator[_Way]:
    """Yield the ways, the most promising first."""
    has_gain = trained.num_wrong > FEW_MISTAKES
    if not trained.is_frozen:
        if has_gain:
            yield _more_epochs(trained)
        return
    is_poor = trained.accuracy < POOR_ACCURACY
    scratch = _from_scratch(trained) if trained.images.num_images >= ENOUGH_FOR_SCRATCH else None
    yield from _fine_tunings(trained, recommended=has_gain)
    larger = _larger_network(runs, trained)
    if larger is not None:
        yield larger
    if scratch is not None and is_poor:
        yield scratch


def _fine_tunings(trained: Trained, *, recommended: bool) -> Iterator[_Way]:
    parts, images = trained.parts, trained.images
    pixels = recipes.pixels_of(parts, images)
    changes = recipes.fine_tuning(parts, images)
    epochs = changes[parts.train]["epochs"]
    how = say.FINE_TUNE_HOW.about({"epochs": epochs, "pixels": pixels})
    expected = _expected(trained, *CORRECTED)
    yield _Way("fine_tune", changes, say.FINE_TUNE.about({}), how, expected, recommended)
    longer = recipes.fine_tuning(parts, images, is_longer=True)
    how = say.LONGER_HOW.about({"epochs": longer[parts.train]["epochs"]})
    yield _Way("longer", longer, say.LONGER.about({}), how, expected)


def _more_epochs(trained: Trained) -> _Way:
    changes = recipes.more_epochs(trained.parts)
    before, epochs = trained.parts.settings.epochs, changes[trained.parts.train]["epochs"]
    how = say.MORE_EPOCHS_HOW.about({"epochs": epochs, "before": before})
    expected = _expected(trained, 0.0, CORRECTED_BY_NETWORK)
    return _Way("more_epochs", changes, say.MORE_EPOCHS.about({}), how, expected)


def _larger_network(runs: RunService, trained: Trained) -> _Way | None:
    """Return the largest network whose weights are here, else the next one to download."""
    parts = trained.parts
    network = trained.document.node(parts.network)
    before = getattr(parts.chosen, "model_name", None)
    if network is None or network.module != IMAGE_MODEL or before not in NETWORKS:
        return None
    if parts.chosen.weights_path is not None:
        return None
    larger = NETWORKS[NETWORKS.index(before) + 1 :]
    sources = weights_sources(larger, runs.workspace.weights_dir)
    kinds = {name: source.sentence.key for name, source in sources.items()}
    local = [name for name in larger if kinds.get(name) in ("source_included", "source_local")]
    loaded = [name for name in larger if kinds.get(name) == "source_download"]
    chosen = local[-1] if local else next(iter(loaded), None)
    if chosen is None:
        return None
    facts = {"network": chosen, "before": before, "source": sources[chosen]}
    how = say.LARGER_NETWORK_HOW.about(facts)
    expected = _expected(trained, 0.0, CORRECTED_BY_NETWORK)
    changes: Changes = {parts.network: {"model_name": chosen}}
    return _Way("larger_network", changes, say.LARGER_NETWORK.about({}), how, expected)


def _from_scratch(trained: Trained) -> _Way | None:
    parts = trained.parts
    network = trained.document.node(parts.network)
    if network is None or network.module != IMAGE_MODEL:
        return None
    facts = {
        "network": recipes.SCRATCH_NETWORK,
        "epochs": recipes.SCRATCH_EPOCHS,
        "pixels": recipes.SCRATCH_PIXELS,
    }
    how = say.FROM_SCRATCH_HOW.about(facts)
    expected = say.FROM_SCRATCH_WHEN.about({"images": trained.images.num_images})
    changes = recipes.from_scratch(parts, trained.images)
    return _Way("from_scratch", changes, say.FROM_SCRATCH.about({}), how, expected)


def _expected(trained: Trained, fewest: float, most: float) -> Statement:
    """Return the validation accuracy if these shares of the mistakes are corrected.

    Two models that differ on d of the same images differ in accuracy by 2 * sqrt(d) images by
    chance alone (two standard deviations, as in McNemar's test); d is taken as the number of
    mistakes. The range is wider by it, and unknown if every gain is within it.
    """
    num_wrong, num_images = trained.num_wrong, trained.num_validation
    num_chance = 2 * math.sqrt(max(1, num_wrong))
    chance = num_chance / max(1, num_images)
    if most * num_wrong <= num_chance:
        points = min(100.0, 100 * chance)
        return say.GAIN_UNKNOWN.about({"images": num_images, "points": points})
    wrong = 1 - trained.accuracy
    low = max(0.0, trained.accuracy + fewest * wrong - chance)
    high = min(1.0, trained.accuracy + most * wrong + chance)
    return say.EXPECTED.about({"low": 100 * low, "high": 100 * high})


def _verdict(trained: Trained) -> Iterator[Statement]:
    share = 100 * trained.accuracy
    facts = {"share": share, "images": trained.num_validation, "wrong": trained.num_wrong}
    yield say.JUDGED.about(facts)
    if trained.num_wrong <= FEW_MISTAKES:
        yield say.LITTLE_TO_GAIN.about({})
    elif trained.is_frozen and trained.accuracy < POOR_ACCURACY:
        yield say.MUCH_TO_GAIN.about({})
    elif trained.is_frozen:
        yield say.SOMETHING_TO_GAIN.about({})
