"""Making a training's session from its inputs: data, model, optimizer, schedule."""

from __future__ import annotations

import inspect
import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from modules.artifacts import ImageDirectory
from modules.compute.compile import compiled_for_full_batches
from modules.compute.distributed import Group, timed_all_reduce
from modules.compute.precision import Precision, choose_precision
from modules.compute.thread_tuning import ThreadTuner
from modules.compute.timing import Stopwatch
from modules.image_loading.datasets import ImageSource, open_images
from modules.image_loading.gpu_decoding import fastest_reader
from modules.image_loading.normalisation import Normalisation, from_sums, measure
from modules.image_loading.preprocessing import Preprocessing
from modules.image_loading.sizes import Size
from modules.training.feature_cache import FeatureCache
from modules.training.frozen_features import frozen_backbone, with_features
from modules.training.input_checks import check_batch_norm, smallest_batch
from modules.training.input_spec import InputSpec
from modules.training.lr_schedule import Schedule
from modules.training.optimizers import Optimizers
from modules.training.parameters import TrainParameters
from modules.training.session import LabeledImages, Session
from modules.transforms.mixup import MixtureOfImages
from modules.transforms.operations import Operations, split_prefix

if TYPE_CHECKING:
    from torch import nn

    from modules.models.recipe import Recipe

COMPILE_FROM_IMAGES = 1_000_000
"""Compiling takes a minute or so on a GPU: worth it from about so many images on (ResNet-50 on an
H200: 41 s, after which an image takes 0.147 ms instead of 0.214)."""


@contextmanager
def open_session(
    recipe: Recipe,
    training: ImageDirectory,
    validation: ImageDirectory,
    settings: TrainParameters,
    group: Group,
) -> Iterator[Session]:
    """All of it, for as long as the block runs; the data sets are checked already."""
    from modules.models.structure import set_training_mode

    view = InputSpec.of(training, validation, recipe)
    model, precision = _model(recipe, training.classes, view.size, settings, group)
    set_training_mode(model, recipe)
    check_batch_norm(settings.batch_size, model)
    prefix, rest = split_prefix(view.operations)
    open_them = partial(open_images, context=group.context, peers=group)
    began = time.perf_counter()
    with (
        closing(open_them(training, prefix, random_operations=rest)) as images,
        closing(open_them(validation, view.inference_operations)) as validation_images,
    ):
        opening_seconds = time.perf_counter() - began
        normalisation = _normalisation(recipe, images, group)
        prepare = partial(
            Preprocessing,
            normalisation=normalisation,
            device=group.device,
            channels_last=precision.channels_last,
        )
        labeled = partial(LabeledImages.of, classes=training.classes)
        # Which way is faster depends on the moment, and they differ in bits.
        read = images if settings.is_reproducible else fastest_reader(images, group.device)
        data = (
            labeled(training, read, preparation=prepare(rest[images.num_random :])),
            labeled(validation, validation_images, preparation=prepare(())),
        )
        facts = view.facts(training, validation, normalisation)
        learner, data = _learner(model, recipe, rest, data, precision, settings, group, facts)
        watch = Stopwatch()
        num_iterations = _iterations_per_epoch(len(images), model, settings, group)
        with closing(data[0].images), closing(data[1].images):  # perhaps features
            yield Session(
                settings=settings,
                group=group,
                recipe=recipe,
                model=model,
                learner=learner,
                network=_network(learner, recipe, settings, len(images), group, watch),
                training=data[0],
                validation=data[1],
                mixture=MixtureOfImages(rest, len(training.classes)),
                classes=training.classes,
                optimizers=Optimizers(model, settings, scaled=precision.scales_losses),
                schedule=_schedule(settings, group, num_iterations),
                precision=precision,
                iterations_per_epoch=num_iterations,
                smallest_batch=smallest_batch(model),
                normalisation=normalisation,
                training_size=view.size,
                input_size=view.input_size,
                inference_operations=view.inference_operations,
                threads=_thread_tuner(settings, group),
                watch=watch,
                opening_seconds=opening_seconds,
            )


def _learner(
    model: nn.Module,
    recipe: Recipe,
    random_operations: Operations,
    data: tuple[LabeledImages, LabeledImages],
    precision: Precision,
    settings: TrainParameters,
    group: Group,
    views: tuple[list[Any], list[Any]],
) -> tuple[nn.Module, tuple[LabeledImages, LabeledImages]]:
    """The model on its images; or the head on features, where nothing before it ever changes.

    ``views`` say of either data set what its features depend on.
    """
    import torch

    parts = frozen_backbone(model, recipe, random_operations)
    if parts is None:
        return model, data
    backbone, head = parts
    machine = [torch.get_num_threads(), precision.name, precision.channels_last]

    def compute(images: LabeledImages, view: list[Any]) -> LabeledImages | None:
        kept = FeatureCache.of(group, backbone, [*view, *machine, settings.batch_size])
        return with_features(images, backbone, settings.batch_size, precision, kept)

    training = compute(data[0], views[0])
    validation = compute(data[1], views[1]) if training else None
    if training is None or validation is None:
        return model, data
    return head, (training, validation)


def _schedule(settings: TrainParameters, group: Group, num_iterations: int) -> Schedule:
    return Schedule.of_epochs(
        settings.learning_rate * group.world_size,
        settings.warmup_step_number,
        settings.epochs,
        num_iterations,
        settings.decay_power,
    )


def _model(
    recipe: Recipe, classes: Sequence[str], size: Size, settings: TrainParameters, group: Group
) -> tuple[nn.Module, Precision]:
    """The model on its device, in the memory layout that suits it."""
    import torch

    from modules.compute.gemm_convolution import autotune_convolutions, may_gain
    from modules.models.build import build_model

    context = group.context
    model = build_model(
        recipe,
        len(classes),
        weights_dir=context.weights_dir,
        seed=settings.random_seed,
        classes=classes,
        warn=context.warn if group.is_first else _say_nothing,
    )
    # A race's results differ in bits; a compiler computes convolutions in its own way.
    is_free = not settings.is_reproducible and settings.compile != "on"
    races = group.device.type == "cpu" and is_free and may_gain()
    precision = choose_precision(
        settings.precision,
        group.device,
        size,
        sum(each.numel() for each in model.parameters()),
        context,
        reproducible=settings.is_reproducible,
        races=races,
    )
    layout = torch.channels_last if precision.channels_last else torch.contiguous_format
    model.to(group.device, memory_format=layout)  # type: ignore[call-overload]
    if races:
        autotune_convolutions(model)
    return model, precision


def _say_nothing(text: str) -> None:
    """The first process tells the same."""


def _network(
    learner: nn.Module,
    recipe: Recipe,
    settings: TrainParameters,
    num_images: int,
    group: Group,
    watch: Stopwatch,
) -> nn.Module:
    """The learner as it is trained: compiled where it pays, distributed where there are others."""
    from torch.nn.parallel import DistributedDataParallel

    network: nn.Module = learner
    if _shall_compile(settings, num_images, group):
        network = compiled_for_full_batches(learner, settings.batch_size)
    if group.is_alone:
        return network
    distributed = DistributedDataParallel(
        network,
        device_ids=[group.device] if group.device.type == "cuda" else None,
        **_no_sync_of_buffers(),
        gradient_as_bucket_view=True,
        static_graph=not recipe.architecture.startswith(("googlenet", "inception")),
    )
    if group.device.type == "cpu":
        distributed.register_comm_hook(None, timed_all_reduce(group.world_size, watch))
    return distributed


def _no_sync_of_buffers() -> dict[str, Any]:
    """Running statistics are averaged once an epoch instead of sent with every step."""
    from torch.nn.parallel import DistributedDataParallel

    # The name since torch 2.15; the other one is deprecated there, and the only one before.
    current = "forward_sync_buffers"
    is_known = current in inspect.signature(DistributedDataParallel.__init__).parameters
    return {current if is_known else "broadcast_buffers": False}


def _shall_compile(settings: TrainParameters, num_images: int, group: Group) -> bool:
    if settings.compile == "auto":
        is_long = num_images * settings.epochs >= COMPILE_FROM_IMAGES
        return group.device.type == "cuda" and is_long
    if settings.compile == "on" and not any(map(shutil.which, ("c++", "g++", "clang++"))):
        group.context.warn(
            "Compile is on, but there is no C++ compiler; the model runs uncompiled. "
            "Install g++ or clang, or set Compile to auto."
        )
        return False
    return settings.compile == "on"


def _normalisation(recipe: Recipe, images: ImageSource, group: Group) -> Normalisation:
    """ImageNet's where the weights come from there, else that of the training images."""
    import torch

    from modules.models.build import normalisation

    given = normalisation(recipe)
    if given is not None:
        return Normalisation(tuple(given[0]), tuple(given[1]))
    sums = torch.tensor(measure(images, group.rank, group.world_size), dtype=torch.float64)
    return from_sums(group.sum(sums).tolist())


def _iterations_per_epoch(
    num_images: int, model: nn.Module, settings: TrainParameters, group: Group
) -> int:
    num_full, num_left = divmod(num_images, settings.batch_size * group.world_size)
    return num_full + (num_left // group.world_size >= smallest_batch(model))


def _thread_tuner(settings: TrainParameters, group: Group) -> ThreadTuner:
    """Threads may change where nobody waits for this process and results may differ in bits."""
    import torch

    fixed = settings.is_reproducible or not group.is_alone or group.device.type != "cpu"
    return ThreadTuner(1 if fixed else torch.get_num_threads(), torch.set_num_threads)
