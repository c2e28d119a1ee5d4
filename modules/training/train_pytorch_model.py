"""Module Train PyTorch Model: train an untrained model on labelled images."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NamedTuple

from modules.artifacts import ImageDirectory, TrainedModel, UntrainedModel
from modules.augmentation import Augmentation
from modules.compute.distributed import process_group
from modules.compute.failures import exhaustion_explained, indeterminism_explained
from modules.context import Context
from modules.declare import module
from modules.formatting import percent
from modules.sentences import all_families
from modules.sentences import training as say
from modules.sentences.sentence import Statement
from modules.spec import PortDoc
from modules.training.forecast import forecast_training
from modules.training.parameters import TrainParameters, check_settings
from modules.training.training_run import TrainingInputs, train_into

if TYPE_CHECKING:
    from modules.training.loop import Outcome


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
    inputs = TrainingInputs.checked(untrained_model, training_dataset, validation_dataset, context)
    settings = inputs.suited(parameters, context.world_size)
    folder = context.new_folder()
    context.alive()  # ranks that lost contact also stall
    with (
        exhaustion_explained(settings.batch_size),
        indeterminism_explained(),
        process_group(context) as group,
    ):
        outcome = train_into(folder, inputs, settings, group)
        if group.is_first:
            context.summary(_summary(outcome, settings.epochs))
        group.barrier()
    return TrainOutputs(TrainedModel(folder))


def _summary(outcome: Outcome, epochs: int) -> Statement:
    accuracy = outcome.history[outcome.best_epoch - 1]["Top-1 validation accuracy"]
    best = {"share": percent(accuracy), "best": outcome.best_epoch, "epochs": epochs}
    parts = [say.TRAINED.about(best), outcome.reason, outcome.speed]
    return all_families.SUMMARY.about({"parts": [part for part in parts if part]})
