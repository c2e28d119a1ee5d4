"""Module Tune Model Hyperparameters: train a model with several settings, output the best one."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path
from typing import Annotated, NamedTuple

from modules.artifacts import ImageDirectory, Table, TrainedModel, UntrainedModel
from modules.augmentation import Augmentation
from modules.compute.distributed import process_group
from modules.compute.failures import exhaustion_explained
from modules.context import Context
from modules.declare import module
from modules.formatting import percent
from modules.module_texts import parameter_title
from modules.search.spaces import space_text, value_text
from modules.search.trials import Goal
from modules.sentences import all_families
from modules.sentences import search as say
from modules.sentences.sentence import Statement
from modules.spec import PortDoc
from modules.training.parameters import TrainParameters
from modules.training.training_run import TrainingInputs
from modules.tuning.forecast import forecast_tuning
from modules.tuning.parameters import TuneParameters
from modules.tuning.search import ACCURACY, Search
from modules.tuning.search_plan import SearchPlan, check_search, read_plan
from modules.tuning.trial_records import TrialFolder, TrialRecord
from modules.tuning.trial_table import trial_table


class TuneOutputs(NamedTuple):
    trained_model: Annotated[
        TrainedModel,
        PortDoc("The model of the best trial.", title="Trained best model", label="best model"),
    ]
    sweep_results: Annotated[
        Table, PortDoc("One row per trial: its values, its rank, its metrics, its reason.")
    ]


@module(
    title="Tune Model Hyperparameters",
    category="Model Training",
    summary="Train a model with several values of its settings and keep the best one.",
    icon="sliders-horizontal",
    keywords=("sweep", "search", "hyperparameter", "optimize", "grid", "random", "optuna", "tpe"),
    libraries=("torch", "torchvision"),
    distributed=True,
    stoppable=True,
    shares_cores={"reproducible": "off"},
    bridges=(),
    check=check_search,
    forecast=forecast_tuning,
    augmentation=Augmentation(learned="training_dataset", validated="validation_dataset"),
)
def tune_model_hyperparameters(
    untrained_model: Annotated[UntrainedModel, PortDoc("From DenseNet, ResNet or Image Model.")],
    training_dataset: Annotated[ImageDirectory, PortDoc("Labelled images to train on.")],
    validation_dataset: Annotated[
        ImageDirectory,
        PortDoc("Labelled images of the same classes, by which the trials are compared."),
    ],
    parameters: TuneParameters,
    context: Context,
) -> TuneOutputs:
    """Train a model several times, each time with other values, and output the best one.

    *Values to try* has a line for each parameter of Train PyTorch Model that is varied. The other
    parameters below are those of every training. Trials run one after the other, in this step, and
    have equal seeds: they differ only by their values. With *Reproducible* on, the best model is
    bit-identical to that of Train PyTorch Model with the same values.

    The table of trials has one row per trial, and *rank* 1 is the output model. A trial whose loss
    diverges, whose batch does not fit, or that runs out of memory counts as failed; the others
    continue. If the first five trials fail, the step fails.

    Each ended trial is stored: a cancelled or crashed step continues with the trials that are left,
    and within a trial from its last checkpoint. *Finish early* outputs the best model so far, and
    so does the *Time limit of the search*.

    With *Stop poor trials* on halving, every trial trains to the epoch of *Compare from epoch* and
    pauses. The best half or third (*Halving factor*) continues from its checkpoints to the next
    pause, and so on; the last ones train to their end. The weights are those of a training without
    pauses. Checkpoints of trials that may continue stay on the disk meanwhile.

    Differences between trials are also chance. The images by which trials were chosen say too much
    good about the best one: score it on images that no trial has seen. To run trials side by side,
    or to vary parameters of other modules, use a sweep (the flask next to a parameter).
    """
    plan = read_plan(parameters)
    inputs = TrainingInputs.checked(untrained_model, training_dataset, validation_dataset, context)
    model_folder, table_folder = context.new_folder(), context.new_folder()
    goal: Goal = "maximize" if parameters.metric == "accuracy" else "minimize"
    context.alive()  # ranks that lost contact also stall
    root = context.checkpoint_dir or context.staging_dir / "trials"
    with exhaustion_explained(None), process_group(context) as group:
        identity = _identity(plan, parameters, inputs, group.world_size)
        folder = TrialFolder(root, identity, goal)
        search = Search(plan, parameters, inputs, group, folder)
        best = search.run()
        if group.is_first:
            shutil.copytree(folder.model(best.number), model_folder, dirs_exist_ok=True)
            Table.write(table_folder, trial_table(plan, search.records, goal))
            trained = TrainedModel(model_folder)
            _report(trained, plan, best, search.records, context, is_time_up=search.ended_by_time)
            _remove_unless_kept(root, context)
        group.barrier()
    return TuneOutputs(TrainedModel(model_folder), Table(table_folder))


def _identity(
    plan: SearchPlan, parameters: TuneParameters, inputs: TrainingInputs, world_size: int
) -> str:
    """Return a hash of all that decides the results of trials, except their number."""
    facts = [
        inputs.identity(plan.base, world_size),
        [(name, space_text(space)) for name, space in plan.spaces.items()],
        (parameters.strategy, parameters.search_seed, parameters.metric),
        parameters.early_stopping,
    ]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()


def _report(
    model: TrainedModel,
    plan: SearchPlan,
    best: TrialRecord,
    records: list[TrialRecord],
    context: Context,
    *,
    is_time_up: bool,
) -> None:
    """Report the curves of the best trial, and the footer line."""
    for epoch, row in enumerate(model.history.to_dict("records"), start=1):
        for name, value in row.items():
            context.metric(str(name), value, epoch)
    shown = plan.settings(best.values).model_dump()
    values = ", ".join(f"{_title(name)} {value_text(shown[name])}" for name in plan.spaces)
    facts = {"share": percent(best.metrics[ACCURACY]), "values": values, "count": len(records)}
    parts: list[Statement] = [say.BEST_OF_TRIALS.about(facts)]
    for state, sentence in (("failed", say.FAILED_TRIALS), ("stopped", say.STOPPED_TRIALS)):
        count = sum(record.state == state for record in records)
        if count:
            parts.append(sentence.about({"count": count}))
    if context.cut_short:
        parts.append(say.FINISHED_EARLY.about({}))
    elif is_time_up:
        parts.append(say.TIME_LIMIT_REACHED.about({}))
    context.summary(all_families.SUMMARY, parts=parts)


def _title(name: str) -> str:
    """Return ``learning rate``: the title of a parameter within a sentence."""
    return (parameter_title(TrainParameters, name) or name.replace("_", " ")).lower()


def _remove_unless_kept(root: Path, context: Context) -> None:
    """Remove the trials of a step that cannot be resumed: they are among its outputs."""
    if context.checkpoint_dir is None:
        shutil.rmtree(root, ignore_errors=True)
