"""Setup of a training's session from its inputs: data, model, optimizer, schedule."""

from __future__ import annotations

import inspect
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from modules.artifacts import ImageDirectory
from modules.compute.compile import compiled_for_full_batches
from modules.compute.distributed import ProcessGroup
from modules.compute.gradient_averaging import averaging_hook
from modules.compute.precision import Precision, choose_precision
from modules.compute.timing import Stopwatch
from modules.image_loading.sizes import Size
from modules.models.recipe import OWN
from modules.models.structure import set_training_mode, start_at_zero
from modules.sentences import training as say
from modules.training.data import open_image_data
from modules.training.frozen_features import perhaps_features
from modules.training.input_checks import check_batch_norm, smallest_batch
from modules.training.input_spec import InputSpec
from modules.training.lr_schedule import LearningRateSchedule
from modules.training.optimizers import Optimizers
from modules.training.parameters import TrainParameters
from modules.training.session import Networks, Optimisation, Session

if TYPE_CHECKING:
    from torch import nn

    from modules.models.recipe import Recipe

COMPILE_FROM_IMAGES = 1_000_000
"""Number of images from which compiling pays off: it takes about a minute on a GPU (ResNet-50 on an
H200: 41 s, after which an image takes 0.147 ms instead of 0.214).
"""


@contextmanager
def open_session(
    recipe: Recipe,
    training: ImageDirectory,
    validation: ImageDirectory,
    settings: TrainParameters,
    group: ProcessGroup,
) -> Iterator[Session]:
    """Open all parts for the duration of the block; the datasets must have been checked.

    Raises ``InvalidDatasetError`` if their images have no common size, or one that does not suit
    the model.
    """
    # Errors that need no image are raised before any is opened.
    spec = InputSpec.of(training, validation, recipe)
    model, precision = _model(recipe, training.classes, spec.size, settings, group)
    set_training_mode(model, recipe, frozen_batch_norm=settings.freezes_batch_norm)
    check_batch_norm(settings.batch_size, model)
    with (
        open_image_data(spec, training, validation, recipe, precision, settings, group) as images,
        perhaps_features(images, model, recipe, precision, settings, group) as (learner, data),
    ):
        watch = Stopwatch()
        num_images = len(data.training)
        network = _network(learner, recipe, settings, num_images, group, watch)
        networks = Networks(recipe, model, learner, network, precision, settings.freezes_batch_norm)
        optimisation = _optimisation(model, precision, num_images, settings, group)
        yield Session(settings, group, data, networks, optimisation, watch)


def _optimisation(
    model: nn.Module,
    precision: Precision,
    num_images: int,
    settings: TrainParameters,
    group: ProcessGroup,
) -> Optimisation:
    smallest = smallest_batch(model)
    num_full, num_left = divmod(num_images, settings.batch_size * group.world_size)
    num_iterations = num_full + (num_left // group.world_size >= smallest)
    # Each process steps on its own batch. Together they use a batch as many times larger, for which
    # the rate grows in proportion (Goyal et al., arXiv:1706.02677, section 2.1).
    schedule = LearningRateSchedule.of_epochs(
        settings.learning_rate * group.world_size,
        settings.warmup_step_number,
        settings.epochs,
        num_iterations,
        settings.decay_power,
        is_one_cycle=settings.schedule == "one cycle",
    )
    optimizers = Optimizers(model, settings, scaled=precision.scales_losses)
    return Optimisation(optimizers, schedule, num_iterations, smallest)


def _model(
    recipe: Recipe,
    classes: Sequence[str],
    size: Size,
    settings: TrainParameters,
    group: ProcessGroup,
) -> tuple[nn.Module, Precision]:
    """Return the model on its device, in the memory layout that suits it."""
    import torch

    from modules.compute.dropout import draw_dropout_by_bits
    from modules.compute.gemm_convolution import autotune_convolutions, may_gain
    from modules.compute.reached_taps import leaves_taps_unwritten, skip_unreached_taps
    from modules.models.build import build_model
    from modules.models.own_network import check_scores, elsewhere

    context = group.context
    model = build_model(
        recipe,
        len(classes),
        weights_dir=context.weights_dir,
        seed=settings.random_seed,
        classes=classes,
        warn=context.warn if group.is_first else _say_nothing,
    )
    is_only_head = recipe.freeze == "all but the head" and settings.frozen_head == "automatic"
    if is_only_head or (recipe.starts_from_weights and settings.freezes_batch_norm):
        start_at_zero(model, recipe)
    if recipe.is_own:
        with elsewhere():
            check_scores(recipe, model, len(classes), *size)
    # An autotuner's choice differs in bits; a compiler computes convolutions in its own way.
    is_free = not (settings.is_reproducible or settings.compile == "on" or recipe.is_own)
    is_autotuned = group.device.type == "cpu" and is_free and may_gain()
    precision = choose_precision(
        settings.precision,
        group.device,
        size,
        sum(parameter.numel() for parameter in model.parameters()),
        context,
        reproducible=settings.is_reproducible,
        is_autotuned=is_autotuned,
    )
    if recipe.is_own:  # its code may reshape with view(), which needs the default memory order
        precision = replace(precision, channels_last=False)
    layout = torch.channels_last if precision.channels_last else torch.contiguous_format
    model.to(group.device, memory_format=layout)  # type: ignore[call-overload]
    if leaves_taps_unwritten(precision):
        skip_unreached_taps(model)
    if is_autotuned:
        autotune_convolutions(model)
    if group.device.type == "cpu" and settings.compile != "on" and not recipe.is_own:
        draw_dropout_by_bits(model)
    return model, precision


def _say_nothing(text: str) -> None:
    """Ignore a message that the first process reports."""


def _network(
    learner: nn.Module,
    recipe: Recipe,
    settings: TrainParameters,
    num_images: int,
    group: ProcessGroup,
    watch: Stopwatch,
) -> nn.Module:
    """Return the learner for training: compiled if it pays off, distributed if needed."""
    from torch.nn.parallel import DistributedDataParallel

    network: nn.Module = learner
    if settings.is_reproducible:
        group.threads.fix()
    # Compiled first, then distributed, so that the compiler sees the plain network.
    if _shall_compile(settings, num_images, group):
        group.threads.fix()  # for another count the compiler would start again
        network = compiled_for_full_batches(learner, settings.batch_size)
    if group.is_alone:
        return network
    distributed = DistributedDataParallel(
        network,
        device_ids=[group.device] if group.device.type == "cuda" else None,
        **_no_sync_of_buffers(),
        gradient_as_bucket_view=True,
        static_graph=not recipe.architecture.startswith(("googlenet", "inception", OWN)),
        find_unused_parameters=recipe.is_own,
    )
    if group.device.type == "cpu":
        distributed.register_comm_hook(None, averaging_hook(network, group, watch))
    return distributed


def _no_sync_of_buffers() -> dict[str, Any]:
    """Average running statistics once an epoch instead of sending them with every step."""
    from torch.nn.parallel import DistributedDataParallel

    # The name since torch 2.15, where the other one is deprecated.
    current = "forward_sync_buffers"
    is_known = current in inspect.signature(DistributedDataParallel.__init__).parameters
    return {current if is_known else "broadcast_buffers": False}


def _shall_compile(settings: TrainParameters, num_images: int, group: ProcessGroup) -> bool:
    if settings.compile == "auto":
        is_long = num_images * settings.epochs >= COMPILE_FROM_IMAGES
        return group.device.type == "cuda" and is_long
    if settings.compile == "on" and not any(map(shutil.which, ("c++", "g++", "clang++"))):
        group.context.warn(say.NO_COMPILER)
        return False
    return settings.compile == "on"
