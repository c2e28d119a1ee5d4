"""Module Score Image Model: predict labels and probabilities of images with a trained model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from modules.artifacts import (
    ExportedModel,
    ImageDirectory,
    ScorableModel,
    ScoredImages,
    TrainedModel,
)
from modules.compute.distributed import ProcessGroup, process_group
from modules.compute.failures import exhaustion_explained
from modules.context import Context
from modules.declare import module
from modules.errors import InvalidDatasetError, InvalidModelDirectoryError, ModuleError
from modules.export.formats import FORMATS, is_onnx, missing_packages
from modules.forecast import ArtifactForecast, StepForecast
from modules.formatting import percent
from modules.image_loading.image_files import ImageFiles
from modules.image_loading.normalisation import Normalisation
from modules.image_loading.sizes import Size
from modules.models.abstention import threshold_of
from modules.models.cost_cache import cost_of, keep_cost
from modules.scoring.kept_scores import KeptScores, scoring_identity
from modules.scoring.onnx_scoring import scored_by_onnx
from modules.scoring.score_table import ACCEPTED, CATEGORY, LABEL
from modules.sentences import all_families, export
from modules.sentences import scoring as say
from modules.sentences.sentence import shown_name
from modules.spec import ParameterFinding, PortDoc
from modules.training.training_images import copies_known_to, note_copies
from modules.transforms.operations import Operations

if TYPE_CHECKING:
    import pandas as pd

    from modules.compute.precision import Precision
    from modules.compute.throughput import Speed
    from modules.scoring.backend_selection import BackendSelector
    from modules.scoring.inference import Scorer


class ScoreOutputs(NamedTuple):
    scored_dataset: Annotated[ScoredImages, PortDoc("One row per image.")]


def _forecast(
    inputs: Mapping[str, ArtifactForecast],
    parameters: object,  # noqa: ARG001 - every forecast is given the same three
    context: Context,
) -> StepForecast:
    dataset = inputs.get("dataset", ArtifactForecast())
    model = inputs.get("trained_model", ArtifactForecast())
    seen = ArtifactForecast(
        num_images=dataset.num_images, num_classes=model.num_classes, labeled=dataset.labeled
    )
    forecast = StepForecast(
        {"scored_dataset": seen},
        images_processed=dataset.num_images,
        findings=tuple(_findings(model.model_format)),
    )
    height, width = model.image_height, model.image_width
    if model.model_format is not None:
        return forecast  # ONNX Runtime needs another time for each image
    if model.recipe is None or height is None or width is None or not model.num_classes:
        return forecast
    try:
        cost = cost_of(model.recipe, model.num_classes, height, width, context.cache_dir)
    except (ModuleError, RuntimeError, AssertionError):
        return forecast
    name = _work_name(model.recipe, (height, width), context.world_size)
    return replace(forecast, flops_per_image=cost.flops_per_image, work=name)


def _findings(model_format: str | None) -> Iterator[ParameterFinding]:
    """Report exported models that cannot be scored, and a missing ONNX Runtime."""
    if model_format is None:
        return
    if not any(is_onnx(form) for form in FORMATS if form == model_format):
        yield ParameterFinding.of("", export.NOT_SCORED_FORMAT, "error", format=model_format)
    elif packages := missing_packages("onnx"):
        facts = {"format": model_format, "packages": packages}
        yield ParameterFinding.of("", export.PACKAGES_MISSING, "warning", **facts)


def _work_name(recipe: Mapping[str, Any], size: Size, world_size: int) -> str:
    """Return a key shared by scorings that need the same time per image."""
    return f"{recipe.get('architecture')}, {size[1]} x {size[0]}, {world_size} processes"


@module(
    title="Score Image Model",
    category="Model Scoring & Evaluation",
    summary="Predict the class of images with a trained model.",
    icon="target",
    keywords=("predict", "inference", "classify", "apply"),
    results_version=3,  # 3: large JPEG files are decoded at their full size
    libraries=("torch", "torchvision"),
    distributed=True,
    shares_cores={},
    forecast=_forecast,
)
def score_image_model(
    trained_model: Annotated[
        ScorableModel, PortDoc("From Train PyTorch Model, or ONNX from Export Model.")
    ],
    dataset: Annotated[ImageDirectory, PortDoc("Images to score, with or without labels.")],
    context: Context,
) -> ScoreOutputs:
    """Score images: one row per image with its label and the probability of each class.

    Images go through their attached transformation without its random operations, else through the
    one stored in the model. `confidence` is the largest probability, `margin` its lead over the
    second, `loss` the training loss, and `sha256` identifies the image. Large JPEG files are
    decoded at their full size, as by other programs; training may decode them at a reduced one. The
    model uses the number format of its training, and a GPU if there is one. For a model with a
    *Confidence Threshold*, `accepted` is false where its answer is "I do not know".

    If only the head was trained, features of the images are read from the workspace if a training
    or scoring has stored them there. Other long scorings on a CPU measure torch, OpenVINO and ONNX
    Runtime, as far as installed, and use the fastest. A runtime is rejected if a probability
    differs from torch's by more than 0.0001 (fp32) or 0.02 (bf16). Images/s include opening and
    decoding the files.

    An ONNX file from Export Model or ONNX Model is scored by ONNX Runtime, in fp32 or int8, as
    other programs use it: it prepares the decoded pixels itself. The table has the same columns.
    """
    model = _opened(trained_model)
    model.check()
    dataset.check()
    if len(dataset.images) == 0:
        raise InvalidDatasetError(say.NO_IMAGES_TO_SCORE, port="dataset")
    folder = context.new_folder()
    with exhaustion_explained(None), process_group(context) as group:
        if isinstance(model, ExportedModel):
            table, speed = scored_by_onnx(model, dataset, group)
        else:
            table, speed = _scored(model, dataset, group)
        if table is not None:
            _write(folder, table, dataset)
            _warn_of_copies(folder, model, dataset, context)
            context.summary(all_families.SUMMARY, parts=_summary(table, speed))
            if speed:
                speed.tell(context)
        group.barrier()
    return ScoreOutputs(ScoredImages(folder))


def _opened(model: ScorableModel) -> TrainedModel | ExportedModel:
    """Return the model as what it is: the input can be either kind."""
    if isinstance(model, TrainedModel | ExportedModel):
        return model
    is_exported = (model.path / "card.json").is_file()
    return ExportedModel(model.path) if is_exported else TrainedModel(model.path)


def _scored(
    model: TrainedModel, dataset: ImageDirectory, group: ProcessGroup
) -> tuple[pd.DataFrame | None, Speed | None]:
    """Return the table on the first process, else None; and the speed."""
    from modules.image_loading.datasets import open_images
    from modules.image_loading.final_size import final_size
    from modules.scoring.frozen_features import on_features
    from modules.scoring.inference import UNKNOWN
    from modules.scoring.score_table import scored_table

    operations = _operations(model, dataset)
    attached = dataset.transformation
    size = final_size(dataset, operations, "dataset", attached.operations if attached else ())
    _check_fits(model, dataset, size, group.context)
    scorer = opened_scorer(model, size, group)
    index_of = {name: index for index, name in enumerate(model.classes)}
    categories = dataset.labels
    labels = [
        UNKNOWN if category is None else index_of.get(category, UNKNOWN) for category in categories
    ]
    featured = on_features(scorer, model, dataset, operations)
    if featured is not None:
        scorer, images = featured
    else:
        images = scorer.open(
            lambda: open_images(dataset, operations, group.context, group, in_full=True)
        )
    identity = scoring_identity(model, dataset, operations, len(model.classes))
    try:
        scores = scorer.score(images, labels, KeptScores(group, identity, len(model.classes)))
    finally:
        images.close()
    if scores is None:
        return None, scorer.speed
    if featured is None:  # stored features say nothing about the speed of the model
        name = _work_name(model.recipe, size, group.world_size)
        watch = scorer.watch
        seconds, busy = watch.total_seconds, watch.busy_share
        group.context.work(name, scorer.num_scored, seconds, busy_share=busy)
    _keep_cost(model, group.context)
    paths, hashes = list(dataset.images["path"]), list(dataset.images["sha256"])
    threshold = threshold_of(model)
    table = scored_table(paths, categories, model.classes, *scores, hashes, threshold)
    return table, scorer.speed


def _keep_cost(model: TrainedModel, context: Context) -> None:
    """Keep what forecasts and reports of scorings need to know of the network."""
    from modules.models.recipe import recipe_of

    size = model.description.get("input_size") or {}
    if {"height", "width"} <= size.keys() and context.cache_dir is not None:
        height, width = size["height"], size["width"]
        keep_cost(recipe_of(model), len(model.classes), height, width, context.cache_dir)


def _operations(model: TrainedModel, dataset: ImageDirectory) -> Operations:
    from modules.transforms.operations import FOR_INFERENCE, select

    attached = dataset.transformation
    stored: Any = model.description.get("inference_transformation", [])
    return select(attached.operations if attached else stored, FOR_INFERENCE)


def _check_fits(model: TrainedModel, dataset: ImageDirectory, size: Size, context: Context) -> None:
    """Warn of unknown classes and of another image size; raise if the model cannot score."""
    from modules.models.recipe import recipe_of
    from modules.training.input_checks import check_size

    check_size(recipe_of(model), size, "dataset")
    if not context.is_first_rank:
        return
    unknown = sorted(set(dataset.images["label"].dropna()) - set(model.classes))
    if unknown:
        context.warn(say.UNKNOWN_CLASSES, classes=list(map(shown_name, unknown)))
    trained = model.description.get("input_size") or {}
    if trained and (trained["height"], trained["width"]) != size:
        context.warn(
            say.OTHER_SIZE,
            trained_width=trained["width"],
            trained_height=trained["height"],
            width=size[1],
            height=size[0],
        )


def opened_scorer(model: TrainedModel, size: Size, group: ProcessGroup) -> Scorer:
    """Return the scorer of a model for images of this size, in the number format of its training.

    Raises ``InvalidModelDirectoryError`` if the model has no normalisation.
    """
    import torch

    from modules.compute.precision import choose_precision
    from modules.image_loading.preprocessing import Preprocessing
    from modules.models.serialization import load_trained
    from modules.scoring.backends import TorchRuntime
    from modules.scoring.inference import Scorer

    network = load_trained(model)
    try:
        normalisation = Normalisation.from_json(model.description["normalisation"])
    except (KeyError, TypeError) as error:
        raise InvalidModelDirectoryError(
            all_families.NO_NORMALISATION, port="trained_model"
        ) from error
    wanted = "auto" if model.description.get("precision") in ("bf16", "fp16") else "fp32"
    num_weights = sum(parameter.numel() for parameter in network.parameters())
    precision = choose_precision(wanted, group.device, size, num_weights, group.context)
    if "code" in model.recipe:  # as in training: it may reshape with view()
        precision = replace(precision, channels_last=False)
    layout = torch.channels_last if precision.channels_last else torch.contiguous_format
    network.to(group.device, memory_format=layout)  # type: ignore[call-overload]
    preparation = Preprocessing((), normalisation, group.device, precision.channels_last)
    runtime = TorchRuntime(network, precision)
    return Scorer(runtime, preparation, group, _chooser(model, size, precision, group))


def _chooser(
    model: TrainedModel, size: Size, precision: Precision, group: ProcessGroup
) -> BackendSelector | None:
    """Return the selector; None on a GPU, or if results must be bit-identical.

    The fastest runtime depends on the situation, so models of reproducible trainings stay with
    torch.
    """
    from modules.scoring.backend_selection import BackendSelector

    chosen = model.description.get("training_parameters") or {}
    if group.device.type != "cpu" or chosen.get("reproducible") == "on":
        return None
    import torch

    facts = {"recipe": model.recipe, "classes": len(model.classes), "size": size}
    facts |= {"precision": precision.name, "versions": model.description.get("versions")}
    return BackendSelector(group.context.cache_dir, facts, torch.get_num_threads())


def _write(folder: Path, table: pd.DataFrame, dataset: ImageDirectory) -> None:
    from modules.scoring.misclassified import save_pictures

    ScoredImages.write(folder, table)
    save_pictures(
        folder, table, dict(zip(dataset.images["path"], ImageFiles(dataset), strict=True))
    )


def _warn_of_copies(
    folder: Path, model: ScorableModel, dataset: ImageDirectory, context: Context
) -> None:
    copies = copies_known_to(model, dataset)
    note_copies(folder, copies)
    if copies:
        count = len(dataset.images)
        context.warn(
            say.TRAINING_COPIES, copies=len(copies), images=count, which="scored ", paths=copies
        )


def _summary(table: pd.DataFrame, speed: Speed | None) -> list[object]:
    parts: list[object] = [say.SCORED.about({"images": len(table)})]
    if CATEGORY in table.columns:
        labeled = table[table[CATEGORY].notna()]
        share = percent(float((labeled[CATEGORY] == labeled[LABEL]).mean()))
        parts.insert(0, say.CORRECT.about({"share": share}))  # the result first
    if ACCEPTED in table.columns:
        parts.append(say.ACCEPTED_SHARE.about({"share": percent(float(table[ACCEPTED].mean()))}))
    return [*parts, speed] if speed else parts
