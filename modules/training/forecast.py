"""Forecasts of a training from its inputs: images, operations, memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from modules.context import Context
from modules.errors import ModuleError
from modules.forecast import ArtifactForecast, StepForecast
from modules.image_loading.largest_images import decoding_bytes, images_of
from modules.models.cost_cache import cost_of
from modules.operating_system.machine import num_cores
from modules.sentences import training as say
from modules.sentences.sentence import Statement
from modules.spec import ParameterFinding
from modules.training.feature_views import extra_views
from modules.training.features_note import features_note, views_note
from modules.training.head_settings import is_on_features, suited_settings
from modules.training.parameters import TrainParameters

BYTES_OF_FLOAT = 4
WEIGHT_COPIES = 4
"""Number of copies: weights, gradients, momentum, and the weights of the best epoch."""
PROCESS_BYTES = 700 * 2**20
"""Memory of a process with torch and torchvision loaded."""
BACKWARD_FACTOR = 3
"""A step costs about three forward passes: one forward, two backward."""


def forecast_training(
    inputs: Mapping[str, ArtifactForecast], parameters: TrainParameters, context: Context
) -> StepForecast:
    """Return the forecast of Train PyTorch Model."""
    training = inputs.get("training_dataset", ArtifactForecast())
    validation = inputs.get("validation_dataset", ArtifactForecast())
    recipe = inputs.get("untrained_model", ArtifactForecast()).recipe
    num_training, num_validation = training.num_images, validation.num_images
    operations = training.transformation or ()
    is_on_stored = recipe is not None and is_on_features(recipe.get("freeze"), operations)
    if recipe is not None:
        of_process = None if num_training is None else num_training // context.world_size
        freeze, classes = recipe.get("freeze"), training.num_classes
        parameters = suited_settings(parameters, freeze, operations, of_process, classes)
    num_views = len(extra_views(num_training, parameters)) if is_on_stored else 0
    num_images, num_opened = None, None
    if num_training is not None and num_validation is not None:
        num_opened = num_training + num_validation
        # Frozen layers run once per image; the time of the head is negligible.
        num_images = num_opened * (1 if is_on_stored else parameters.epochs)
        num_images += num_training * num_views
    seen = replace(
        ArtifactForecast(recipe=recipe, num_classes=training.num_classes),
        image_height=validation.image_height,
        image_width=validation.image_width,
        transformation=validation.transformation,
    )
    forecast = StepForecast(
        {"trained_model": seen},
        images_processed=num_images,
        images_opened=num_opened,
        findings=tuple(_findings(training, recipe, parameters, context.world_size)),
        notes=tuple(_notes(recipe, training, num_views)),
    )
    height, width = training.image_height, training.image_width
    if recipe is not None and not is_on_stored and height is not None and width is not None:
        name = work_name(recipe, (height, width), parameters, context.world_size)
        forecast = replace(forecast, work=name)
    if height is not None and width is not None:
        forecast = replace(forecast, image_size=(height, width))
    cost = _cost(recipe, training, parameters, context)
    if cost is None:
        return forecast
    num_parameters, flops_per_image, memory_bytes, activation_bytes = cost
    memory_bytes += max(_decoding_bytes(images, context) for images in (training, validation))
    if num_training and num_validation:
        share = num_training / (num_training + num_validation)
        share += (1 - share) / BACKWARD_FACTOR
        flops_per_image *= share
        activation_bytes = round(activation_bytes * share)
    return replace(
        forecast,
        outputs={"trained_model": replace(seen, num_parameters=num_parameters)},
        flops_per_image=flops_per_image,
        activation_bytes_per_image=activation_bytes,
        memory_bytes=memory_bytes,
    )


def _decoding_bytes(images: ArtifactForecast, context: Context) -> int:
    """Return the memory of the images that are decoded while the model trains."""
    threads = context.threads or num_cores()
    return decoding_bytes(images_of(images), images.transformation or (), threads)


def work_name(
    recipe: Mapping[str, object],
    size: tuple[int, int],
    parameters: TrainParameters,
    world_size: int,
) -> str:
    """Return a key shared by trainings that need the same time per image."""
    facts = (recipe.get("architecture"), f"{size[1]} x {size[0]}", f"freeze {recipe.get('freeze')}")
    chosen = (parameters.batch_size, parameters.precision, parameters.compile)
    more = (parameters.reproducible, parameters.optimizer, f"{world_size} processes")
    return ", ".join(map(str, facts + chosen + more))


def _findings(
    training: ArtifactForecast,
    recipe: Mapping[str, object] | None,
    parameters: TrainParameters,
    world_size: int,
) -> Iterable[ParameterFinding]:
    if parameters.freezes_batch_norm and recipe is not None and not _has_weights(recipe):
        yield ParameterFinding.of("batch_norm", say.FROZEN_RANDOM_STATISTICS)
    if training.num_images is None:
        return
    fitting = training.num_images // world_size
    if parameters.batch_size > fitting:
        yield ParameterFinding.of(
            "batch_size",
            say.BATCH_WILL_BE_TOO_LARGE,
            severity="error",
            batch=parameters.batch_size,
            processes=world_size,
            images=training.num_images,
            fitting=max(1, fitting),
        )


def _has_weights(recipe: Mapping[str, object]) -> bool:
    return bool(recipe.get("pretrained") or recipe.get("weights_path"))


def _notes(
    recipe: Mapping[str, object] | None, training: ArtifactForecast, num_views: int
) -> Iterable[Statement]:
    """Yield notes on how often frozen layers run."""
    if recipe is not None and recipe.get("freeze") == "all but the head":
        yield features_note(training.transformation or ())
    if training.num_images and num_views:
        yield views_note(training.num_images, num_views)


def _cost(
    recipe: Mapping[str, object] | None,
    training: ArtifactForecast,
    parameters: TrainParameters,
    context: Context,
) -> tuple[int, float, int, int] | None:
    """Return parameters, operations per training image, peak bytes, and bytes of activations per
    image; None if unknown.
    """
    height, width = training.image_height, training.image_width
    if recipe is None or height is None or width is None or not training.num_classes:
        return None
    try:
        cost = cost_of(recipe, training.num_classes, height, width, context.cache_dir)
    except ModuleError:
        # The step itself reports the error and how to fix it.
        return None
    is_head_only = recipe.get("freeze") == "all but the head"
    flops = cost.flops_per_image * (1 if is_head_only else BACKWARD_FACTOR)
    memory = (
        PROCESS_BYTES
        + cost.num_parameters * BYTES_OF_FLOAT * WEIGHT_COPIES
        + cost.activation_bytes_per_image * parameters.batch_size
    )
    return cost.num_parameters, flops, memory, cost.activation_bytes_per_image
