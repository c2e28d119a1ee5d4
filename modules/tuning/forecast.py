"""Forecasts of a search: that of one training, times the number of trials."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from statistics import mean

from modules.context import Context
from modules.errors import ModuleError
from modules.forecast import ArtifactForecast, StepForecast
from modules.search.spaces import TrialValues, probes
from modules.training.forecast import forecast_training
from modules.training.head_settings import is_on_features
from modules.training.parameters import TrainParameters
from modules.tuning.parameters import TuneParameters
from modules.tuning.search_plan import SearchPlan, read_plan
from modules.tuning.trial_progress import planned_epochs


def forecast_tuning(
    inputs: Mapping[str, ArtifactForecast], parameters: TuneParameters, context: Context
) -> StepForecast:
    """Return the forecast of Tune Model Hyperparameters.

    Memory is that of the largest batch size, time that of the mean number of epochs, with the
    pauses of successive halving. Trials that median and bandit stop early need less. Features of
    frozen layers are computed once for all trials.
    """
    try:
        plan = read_plan(parameters)
    except ModuleError:  # reported by the check of the parameters
        return forecast_training(inputs, parameters.training, context)
    forecast = forecast_training(inputs, _usual(plan), context)
    outputs = {**forecast.outputs, "sweep_results": ArtifactForecast()}
    recipe = inputs.get("untrained_model", ArtifactForecast()).recipe or {}
    operations = inputs.get("training_dataset", ArtifactForecast()).transformation or ()
    processed = forecast.images_processed
    if processed is not None and not is_on_features(recipe.get("freeze"), operations):
        processed = round(processed * _num_trainings(plan, parameters))
    return replace(forecast, outputs=outputs, images_processed=processed)


def _num_trainings(plan: SearchPlan, parameters: TuneParameters) -> float:
    """Return the number of whole trainings that have as many epochs as the search."""
    if parameters.halving is None:
        return plan.num_trials
    epochs = plan.base.epochs
    return planned_epochs(plan.num_trials, parameters.halving, epochs) / epochs


def _usual(plan: SearchPlan) -> TrainParameters:
    changes: TrialValues = {}
    if "batch_size" in plan.spaces:
        changes["batch_size"] = int(max(probes(plan.spaces["batch_size"])))
    if "epochs" in plan.spaces:
        changes["epochs"] = max(1, round(mean(probes(plan.spaces["epochs"]))))
    return plan.settings(changes)
