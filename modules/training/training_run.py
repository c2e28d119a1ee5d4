"""One training from checked images to the files of a trained model.

Train PyTorch Model does it once, Tune Model Hyperparameters once per trial.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from modules.artifacts import ImageDirectory, UntrainedModel
from modules.compute.distributed import ProcessGroup
from modules.context import Context
from modules.models.cost_cache import keep_cost
from modules.models.origin import WeightsOrigin
from modules.models.recipe import Recipe, recipe_of
from modules.training.checkpoint import Checkpoints
from modules.training.fingerprints import dataset_fingerprint, identity
from modules.training.forecast import work_name
from modules.training.head_settings import suited_settings
from modules.training.input_checks import (
    check_batch_fits,
    check_classes,
    check_labeled,
    warn_of_copies,
)
from modules.training.parameters import TrainParameters
from modules.training.training_images import write_training_images
from modules.transforms.operations import Operations, select

if TYPE_CHECKING:
    from modules.training.loop import Outcome
    from modules.training.session import Session


@dataclass(frozen=True)
class TrainingInputs:
    """The network and the images of a training, checked."""

    recipe: Recipe
    training: ImageDirectory
    validation: ImageDirectory

    @classmethod
    def checked(
        cls,
        model: UntrainedModel,
        training: ImageDirectory,
        validation: ImageDirectory,
        context: Context,
    ) -> Self:
        """Return the inputs; raise the error for users if they cannot be trained with."""
        recipe = _recipe(model)
        check_labeled(training, "training_dataset")
        check_labeled(validation, "validation_dataset")
        check_classes(training, validation, context)
        warn_of_copies(training, validation, context)
        return cls(recipe, training, validation)

    def suited(self, parameters: TrainParameters, world_size: int) -> TrainParameters:
        """Return the settings that suit the inputs; raise 0007 if a batch does not fit them."""
        num_images, num_classes = len(self.training.images), len(self.training.classes)
        suited = suited_settings(
            parameters,
            self.recipe.freeze,
            self._operations,
            num_images // world_size,
            num_classes,
        )
        check_batch_fits(suited.batch_size, world_size, num_images)
        return suited

    def identity(self, settings: TrainParameters, world_size: int) -> str:
        """Return the identity of a training with these settings."""
        return identity(self.recipe, self.training, self.validation, settings, world_size)

    @property
    def _operations(self) -> Operations:
        attached = self.training.transformation
        return select(attached.operations, attached.mode) if attached else ()


def _recipe(model: UntrainedModel) -> Recipe:
    """Return the recipe, adjusted to what its weights file requires."""
    recipe = recipe_of(model)
    if recipe.weights_file is None:
        return recipe
    return WeightsOrigin.of(recipe.weights_file).followed_by(recipe)


def train_into(
    folder: Path, inputs: TrainingInputs, settings: TrainParameters, group: ProcessGroup
) -> Outcome:
    """Train, and write the model of the best epoch; the first process writes and reports.

    Args:
        folder: Folder for the files of the model.
        inputs: Network and images.
        settings: Settings, as ``TrainingInputs.suited`` returns them.
        group: Processes; their context has the folder of the checkpoints and gets the metrics.

    Raises:
        TrainingDivergedError: The loss became NaN or infinite, on all processes.
    """
    from modules.compute.seeds import seed_everything
    from modules.training.loop import train
    from modules.training.setup import open_session

    context = group.context
    seed_everything(settings.random_seed, reproducible=settings.is_reproducible)
    own_identity = inputs.identity(settings, group.world_size)
    with (
        open_session(inputs.recipe, inputs.training, inputs.validation, settings, group) as session,
        Checkpoints(context.checkpoint_dir, own_identity, context) as checkpoints,
    ):
        outcome = train(session, checkpoints)
    if group.is_first:
        _save(folder, session, outcome, _description(session, outcome, inputs.training, context))
        write_training_images(folder, inputs.training)
        _report_speed(session, outcome, context)
        _keep_costs(session, context)
    return outcome


def _description(
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


def _keep_costs(session: Session, context: Context) -> None:
    """Keep what forecasts and reports of trainings and scorings need to know of the network."""
    if context.cache_dir is None:
        return
    num_classes, recipe = len(session.data.classes), session.networks.recipe
    for height, width in {session.data.spec.size, session.data.spec.input_size}:
        keep_cost(recipe, num_classes, height, width, context.cache_dir)


def _report_speed(session: Session, outcome: Outcome, context: Context) -> None:
    """Report the speed, and the data for later forecasts."""
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
