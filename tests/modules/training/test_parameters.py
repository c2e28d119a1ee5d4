"""The parameters of Train PyTorch Model, and what is foreseen of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from modules.context import Context
from modules.forecast import ArtifactForecast
from modules.parameters import parameters_in_key
from modules.training.forecast import forecast_training
from modules.training.parameters import DOUBLE_EPSILON, TrainParameters, check_settings


def test_the_defaults_are_the_originals() -> None:
    settings = TrainParameters()
    assert (settings.epochs, settings.batch_size, settings.warmup_step_number) == (5, 16, 0)
    assert (settings.learning_rate, settings.random_seed) == (0.001, 1)
    assert (settings.patience, settings.print_frequency) == (3, 10)
    assert (settings.optimizer, settings.weight_decay, settings.momentum) == ("sgd", 1e-4, 0.9)
    assert settings.decay_power == 2
    assert (settings.schedule, settings.batch_norm) == ("decay", "learned")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("epochs", 0),
        ("batch_size", 0),
        ("warmup_step_number", -1),
        ("learning_rate", DOUBLE_EPSILON / 2),
        ("learning_rate", float("nan")),
        ("patience", 0),
        ("print_frequency", 0),
        ("momentum", 1.0),
        ("decay_power", 0),
        ("label_smoothing", 1.0),
        ("optimizer", "lion"),
        ("random_seed", 2**60),
    ],
)
def test_values_out_of_range_are_refused(name: str, value: object) -> None:
    with pytest.raises(ValidationError):
        TrainParameters(**{name: value})  # type: ignore[arg-type]


def test_values_that_cannot_be_meant_together_are_found() -> None:
    assert not list(check_settings(TrainParameters()))
    long_warmup = TrainParameters(epochs=2, warmup_step_number=2)
    assert [each.parameter for each in check_settings(long_warmup)] == ["warmup_step_number"]
    beyond, usual = TrainParameters(learning_rate=50_000), TrainParameters(learning_rate=0.1)
    assert [each.parameter for each in check_settings(beyond)] == ["learning_rate"]
    assert not list(check_settings(usual))
    fast_adam = TrainParameters(optimizer="adamw", learning_rate=0.1)
    assert [each.parameter for each in check_settings(fast_adam)] == ["learning_rate"]
    largest = TrainParameters(learning_rate=1.0)
    largest_of_adam = TrainParameters(optimizer="adamw", learning_rate=0.02)
    assert not [*check_settings(largest), *check_settings(largest_of_adam)]


def test_the_forecast_counts_images_and_finds_a_batch_that_is_too_large(tmp_path: Path) -> None:
    inputs = {
        "training_dataset": ArtifactForecast(num_images=10, num_classes=2),
        "validation_dataset": ArtifactForecast(num_images=4),
    }
    forecast = forecast_training(inputs, TrainParameters(epochs=3, batch_size=8), Context(tmp_path))
    assert forecast.images_processed == 42
    assert not forecast.findings
    two = forecast_training(inputs, TrainParameters(batch_size=8), Context(tmp_path, world_size=2))
    assert [(each.parameter, each.severity) for each in two.findings] == [("batch_size", "error")]
    assert forecast_training({}, TrainParameters(), Context(tmp_path)).images_processed is None


def test_the_forecast_knows_the_work_where_sizes_are_known(tmp_path: Path) -> None:
    recipe = {"family": "ResNet", "architecture": "resnet18"}
    images = ArtifactForecast(num_images=100, num_classes=10, image_height=64, image_width=64)
    inputs = {
        "untrained_model": ArtifactForecast(recipe=recipe),
        "training_dataset": images,
        "validation_dataset": images,
    }
    forecast = forecast_training(inputs, TrainParameters(), Context(tmp_path))
    assert forecast.flops_per_image is not None
    # ResNet-18 takes 3.6 GFLOP at 224 pixels; half of the images cost three passes, half one.
    assert forecast.flops_per_image == pytest.approx(3.6e9 * (64 / 224) ** 2 * 2, rel=0.05)
    assert forecast.memory_bytes is not None
    assert forecast.outputs["trained_model"].num_parameters == pytest.approx(11.2e6, rel=0.01)


def test_later_parameters_leave_earlier_keys_and_trainings_as_they_were() -> None:
    in_key = parameters_in_key(TrainParameters())
    assert not {"schedule", "batch_norm", "frozen_head"} & in_key.keys()
    assert parameters_in_key(TrainParameters(schedule="one cycle"))["schedule"] == "one cycle"


def test_frozen_statistics_of_random_weights_are_found(tmp_path: Path) -> None:
    def found(settings: TrainParameters, *, pretrained: bool) -> list[str]:
        recipe = {"family": "ResNet", "architecture": "resnet18", "pretrained": pretrained}
        inputs = {
            "untrained_model": ArtifactForecast(recipe=recipe),
            "training_dataset": ArtifactForecast(num_images=100, num_classes=2),
        }
        forecast = forecast_training(inputs, settings, Context(tmp_path))
        return [finding.parameter for finding in forecast.findings]

    frozen = TrainParameters(batch_norm="frozen")
    assert found(frozen, pretrained=False) == ["batch_norm"]
    assert found(frozen, pretrained=True) == []
    assert found(TrainParameters(), pretrained=False) == []
