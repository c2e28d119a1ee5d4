"""Model card: facts about a model and its data, stored in the file and next to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from modules.artifacts import ImageDirectory, TrainedModel
from modules.export.agreement import Agreement
from modules.export.check_images import own_operations
from modules.export.formats import Format, is_onnx
from modules.export.local_paths import without_local_paths
from modules.export.preparation import Preparation
from modules.models.abstention import ABSTENTION
from modules.models.recipe import OWN
from modules.models.serialization import versions

DESCRIBED = (
    ABSTENTION,
    "best_epoch",
    "dataset_fingerprint",
    "metrics",
    "precision",
    "training_parameters",
    "versions",
)
"""Facts that are copied from the description of the model."""
Card = dict[str, Any]
"""Facts on a model card by name, as JSON."""
ClassRow = TypedDict(
    "ClassRow",
    {
        "class": str,
        "images": int,
        "precision": float | None,
        "recall": float | None,
        "f1": float | None,
    },
)
"""Results of one class."""


def card_of(
    model: TrainedModel,
    name: str,
    chosen: Format,
    preparation: Preparation,
    agreement: Agreement | None,
    *,
    batch: bool = False,
    training: ImageDirectory | None = None,
    validation: ImageDirectory | None = None,
) -> Card:
    """Return the card as JSON.

    Args:
        model: The trained model.
        name: Its name for people.
        chosen: Format of the file.
        preparation: Steps before the network.
        agreement: Result of the comparison with scoring; None for files without a network.
        batch: True if the file accepts batches in the size of the input.
        training: Images of the training, if they still exist.
        validation: Images of the validation, if they still exist.
    """
    described = without_local_paths(
        {key: model.description[key] for key in DESCRIBED if key in model.description}
    )
    height, width = preparation.size
    card: Card = {
        "name": name,
        "architecture": str(model.recipe.get("architecture", "")).removeprefix(OWN),
        "format": chosen,
        "classes": len(model.classes),
        "input": _input_words(chosen, height, width, batch=batch),
        "input_size": {"height": height, "width": width},
        "preparation": preparation.in_words,
        "operations": [dict(operation) for operation in own_operations(preparation)],
        "preparation_inside": is_onnx(chosen) and not batch,
        **described,
        "exported_by": f"pipeline-designer {versions()['pipeline-designer']}",
        "limits": _limits(preparation, chosen),
    }
    for key, images in (("training_images", training), ("validation_images", validation)):
        if images is not None:
            card[key] = _counts(images, model.classes)
    if agreement is not None:
        card["agreement"] = agreement.data
        card["dark_background"] = agreement.has_dark_background
        card["per_class"] = per_class(agreement.outcomes, model.classes)
    return card


def _input_words(chosen: Format, height: int, width: int, *, batch: bool) -> str:
    if chosen == "safetensors":
        return "weights only"
    if is_onnx(chosen) and not batch:
        return "pixels: uint8 (height, width, 3), one RGB image of any size"
    return f"pixels: uint8 (images, {height}, {width}, 3), prepared RGB images"


def _limits(preparation: Preparation, chosen: Format) -> list[str]:
    limits = [
        "The model chooses one of its classes for any image, also for images of something else.",
        "Images must be upright (EXIF orientation applied), in RGB, and composited on white.",
    ]
    if preparation.added:
        limits.append(
            "The training used images of one size. Images of other sizes are resized and cropped, "
            "which was not part of the training."
        )
    if chosen == "onnx-int8":
        limits.append("Probabilities differ from those in float32, as values are 8-bit integers.")
    return limits


def _counts(images: ImageDirectory, classes: Sequence[str]) -> dict[str, int]:
    counted = Counter(label for label in images.labels if label is not None)
    return {name: counted.get(name, 0) for name in classes}


def per_class(outcomes: Sequence[tuple[str, int]], classes: Sequence[str]) -> list[ClassRow]:
    """Return images, precision, recall and F1 of each class; empty without labelled images."""
    if not outcomes:
        return []
    actual = Counter(label for label, _ in outcomes)
    predicted = Counter(classes[index] for _, index in outcomes)
    hits = Counter(label for label, index in outcomes if classes[index] == label)
    return [_class_row(name, hits[name], actual[name], predicted[name]) for name in classes]


def _class_row(name: str, hits: int, actual: int, predicted: int) -> ClassRow:
    together = actual + predicted
    return {
        "class": name,
        "images": actual,
        "precision": round(hits / predicted, 4) if predicted else None,
        "recall": round(hits / actual, 4) if actual else None,
        "f1": round(2 * hits / together, 4) if together else None,
    }


def in_markdown_cell(value: object) -> str:
    """Return a value for a cell of a Markdown table, without anything that Markdown interprets."""
    text = "-" if value is None else " ".join(str(value).split())
    for character in "\\`*_{}[]<>#|":
        text = text.replace(character, f"\\{character}")
    return text


def difference_text(difference: float) -> str:
    """Return a bound of a difference with six decimals, ``0.000001`` for none."""
    return f"{max(difference, 1e-6):.6f}".rstrip("0")


def facts_of_card(card: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the numbers of a card as names and texts, for people."""
    agreement = card.get("agreement") or {}
    facts = [
        ("Architecture", str(card["architecture"])),
        ("Format", str(card["format"])),
        ("Input", str(card["input"])),
    ]
    if "dataset_fingerprint" in card:
        facts.append(("Training data (fingerprint)", str(card["dataset_fingerprint"])[:16]))
    if "precision" in card:
        facts.append(("Precision of the training", str(card["precision"])))
    if agreement.get("images"):
        facts.append(("Agreement with Score Image Model in fp32", _agreement_text(agreement)))
        rounded = agreement.get("in_bf16")
        if rounded:
            text = _agreement_text({**agreement, **rounded})
            facts.append(("Agreement with its scores in bf16, the format of the training", text))
    abstention = card.get(ABSTENTION) or {}
    if abstention:
        facts.append(
            (
                "Abstention",
                f"below {abstention['threshold']:.4f}: {100 * abstention['answered']:.1f} % of "
                f"{abstention['num_images']} images answered, {100 * abstention['wrong']:.1f} % "
                "of the answers wrong",
            )
        )
    return facts


def _agreement_text(agreement: Mapping[str, Any]) -> str:
    return (
        f"{agreement['equal_labels']} of {agreement['images']} labels equal, "
        f"probabilities within {difference_text(agreement['largest_difference'])} "
        f"({agreement['images_from']})"
    )
