"""Module Train PyTorch Model: train an untrained model on labelled images."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from modules.artifacts import ImageDirectory, TrainedModel, UntrainedModel
from modules.augmentation import Augmentation
from modules.compute.distributed import process_group
from modules.compute.failures import exhaustion_explained, indeterminism_explained
from modules.context import Context
from modules.declare import module
from modules.formatting import percent
from modules.models.origin import WeightsOrigin
from modules.models.recipe import Recipe, recipe_of
from modules.sentences import all_families
from modules.sentences import training as say
from modules.sentences.sentence import Statement
from modules.spec import PortDoc
from modules.training.checkpoint import Checkpoints
from modules.training.fingerprints import dataset_fingerprint, identity
from modules.training.forecast import forecast_training, work_name
from modules.training.head_settings import suited_settings
from modules.training.input_checks import (
    check_batch_fits,
    check_classes,
    check_labeled,
    warn_of_copies,
)
from modules.training.parameters import TrainParameters, check_settings
from modules.training.training_images import write_training_images
from modules.transforms.operations import Operations, select

if TYPE_CHECKING:
    from modules.training.loop import Outcome
    from modules.training.session import Session


class TrainOutputs(NamedTuple):
    trained_model: Annotated[TrainedModel, PortDoc("The weights of the best epoch.")]


@module(
    title="Train PyTorch Model",
    category="Model Training",
    summary="Train an image model on labelled images.",
    icon="dumbbell",
    keywords=("fit", "learn", "fine-tune", "training", "pytorch"),
    results_version=2,
    libraries=("torch", "torchvision"),
    distributed=True,
    stoppable=True,
    shares_cores={"reproducible": "off"},
    check=check_settings,
    forecast=forecast_training,
    augmentation=Augmentation(learned="training_dataset", validated="validation_dataset"),
)
def train_pytorch_model(
    untrained_model: Annotated[UntrainedModel, PortDoc("From DenseNet, ResNet or Image Model.")],
    training_dataset: Annotated[ImageDirectory, PortDoc("Labelled images to train on.")],
    validation_dataset: Annotated[
        ImageDirectory,
        PortDoc("Labelled images of the same classes, used to choose the best epoch."),
    ],
    parameters: TrainParameters,
    context: Context,
) -> TrainOutputs:
    """Train a model and return the weights of the epoch with the lowest validation loss.

    The learning rate is multiplied by the number of processes. It rises over the warm-up epochs and
    then decays to near zero with every iteration. Random operations of the training images'
    transformation are redrawn in each epoch. Images are normalised as the pretrained weights
    require, else by the mean and deviation of the training images. The normalisation, and the
    transformation without its random operations, are stored in the model for scoring. The head of a
    weights file is kept only for classes of the same names; otherwise a new one is trained.

    If all layers but the head are frozen, settings that you have not changed suit the head (*Frozen
    layers*). If no operation is random either, the frozen layers run once per image, and their
    features are stored in the workspace for other trainings.

    Images that do not fill a last batch evenly over all processes are skipped, different ones in
    each epoch. A cancelled or crashed training resumes from its last checkpoint.
    """
    recipe = _recipe(untrained_model)
    operations = _operations(training_dataset)
    num_images = len(training_dataset.images) // context.world_size
    num_classes = len(training_dataset.classes)
    parameters = suited_settings(parameters, recipe.freeze, operations, num_images, num_classes)
    check_labeled(training_dataset, "training_dataset")
    check_labeled(validation_dataset, "validation_dataset")
    check_classes(training_dataset, validation_dataset, context)
    warn_of_copies(training_dataset, validation_dataset, context)
    check_batch_fits(parameters.batch_size, context.world_size, len(training_dataset.images))
    folder = context.new_folder()
    context.alive()  # ranks that lost contact also stall
    with (
        exhaustion_explained(parameters.batch_size),
        indeterminism_explained(),
        process_group(context) as group,
    ):
        from modules.compute.seeds import seed_everything
        from modules.training.loop import train
        from modules.training.setup import open_session

        seed_everything(parameters.random_seed, reproducible=parameters.is_reproducible)
        arguments = (recipe, training_dataset, validation_dataset, parameters)
        with (
            open_session(*arguments, group) as session,
            Checkpoints(
                context.checkpoint_dir, identity(*arguments, group.world_size), context
            ) as checkpoints,
        ):
            outcome = train(session, checkpoints)
        if group.is_first:
            facts = description(session, outcome, training_dataset, context)
            _save(folder, session, outcome, facts)
            write_training_images(folder, training_dataset)
            _tell(session, outcome, context)
        group.barrier()
    return TrainOutputs(TrainedModel(folder))


def _operations(training: ImageDirectory) -> Operations:
    """Return the operations on training images."""
    attached = training.transformation
    return select(attached.operations, attached.mode) if attached else ()


def _recipe(model: UntrainedModel) -> Recipe:
    """Return the recipe, adjusted to what its weights file requires."""
    recipe = recipe_of(model)
    if recipe.weights_file is None:
        return recipe
    return WeightsOrigin.of(recipe.weights_file).followed_by(recipe)


def description(
    session: Session, outcome: Outcome, training: ImageDirectory, context: Context
) -> dict[str, Any]:
    """Return the contents of ``model.json``."""
    from modules.models.serialization import versions

    best = outcome.history[outcome.best_epoch - 1]
    return {
        **session.description,
        "inference_transformation": [
            dict(operation) for operation in session.data.spec.inference_operations
        ],
        "input_size": {
            "height": session.data.spec.input_size[0],
            "width": session.data.spec.input_size[1],
        },
        "training_parameters": session.settings.model_dump(mode="json"),
        "world_size": session.group.world_size,
        "precision": session.networks.precision.name,
        "best_epoch": outcome.best_epoch,
        "num_epochs": len(outcome.history),
        "ended_early": outcome.reason,
        "metrics": best,
        "versions": versions(),
        "dataset_fingerprint": dataset_fingerprint(training),
        "class_counts": training.images["label"].value_counts().to_dict(),
        "pipeline": context.document,
    }


def _save(folder: Path, session: Session, outcome: Outcome, facts: dict[str, Any]) -> None:
    import pandas as pd

    from modules.models.serialization import save_trained

    history = pd.DataFrame(outcome.history)
    save_trained(folder, session.networks.model, facts, history)


def _tell(session: Session, outcome: Outcome, context: Context) -> None:
    """Report the footer line, the speed, and the data for later forecasts."""
    context.summary(_summary(outcome, session.settings.epochs))
    if outcome.speed is None:
        return
    outcome.speed.tell(context, step=len(outcome.history))
    if session.networks.learner is not session.networks.model:
        return  # the time of the head says nothing about that of the network
    name = work_name(
        session.networks.recipe.to_json(),
        session.data.spec.size,
        session.settings,
        context.world_size,
    )
    context.work(
        name,
        outcome.num_images,
        outcome.seconds,
        num_opened=len(session.data.training) + len(session.data.validation),
        opening_seconds=session.data.opening_seconds,
        busy_share=session.watch.busy_share,
    )


def _summary(outcome: Outcome, epochs: int) -> Statement:
    accuracy = outcome.history[outcome.best_epoch - 1]["Top-1 validation accuracy"]
    best = {"share": percent(accuracy), "best": outcome.best_epoch, "epochs": epochs}
    parts = [say.TRAINED.about(best), outcome.reason, outcome.speed]
    return all_families.SUMMARY.about({"parts": [part for part in parts if part]})
