"""Metrics are found in the lines of public training scripts; addresses and file names are none."""

from __future__ import annotations

import pytest

from modules.scripts.intake.log_suggestions import suggest

IMAGENET = [
    f"Epoch: [0][ {batch}/4]\tTime  0.229 ( 0.229)\tData  0.100 ( 0.100)"
    f"\tLoss {loss} (6.8e+00)\tAcc@1   0.00 (  0.00)\tAcc@5   3.12 (  3.12)"
    for batch, loss in ((1, "6.7e+00"), (2, "6.6e+00"))
]
"""As pytorch/examples prints it."""
LOGS = [
    (IMAGENET, {"Loss": [6.7, 6.6], "Acc@1": [0.0, 0.0], "Acc@5": [3.12, 3.12]}),
    ([" * Acc@1 3.125 Acc@5 12.500"], {"Acc@1": [3.125], "Acc@5": [12.5]}),
    (
        ["Train Epoch: 1 [0/60000 (0%)]\tLoss: 2.300139", "Train Epoch: 1 [640/60000]\tLoss: nan"],
        {"Loss": [2.300139, float("nan")]},
    ),
    (
        ["Test set: Average loss: 0.0264, Accuracy: 9912/10000 (99%)"],
        {"Average loss": [0.0264]},
    ),
    (
        ["{'loss': 0.6931, 'grad_norm': 1.52, 'learning_rate': 5e-05, 'epoch': 1.0}"],
        {"loss": [0.6931], "grad_norm": [1.52], "learning_rate": [5e-05]},
    ),
    (["{'eval_loss': '0.5', 'eval_runtime': '2.5'}"], {"eval_loss": [0.5]}),
    (
        ["45/45 - 2s - 40ms/step - accuracy: 0.8750 - loss: 0.4132 - val_loss: 0.3"],
        {"accuracy": [0.875], "loss": [0.4132], "val_loss": [0.3]},
    ),
    (
        ["train/loss=0.3 lr=1e-4 trainLoss=0.4"],
        {"train/loss": [0.3], "lr": [1e-4], "trainLoss": [0.4]},
    ),
]


@pytest.mark.parametrize(("lines", "values"), LOGS, ids=lambda each: str(each)[:40])
def test_metrics_of_known_scripts_are_found(
    lines: list[str], values: dict[str, list[float]]
) -> None:
    found = {each.pattern.name: each.pattern for each in suggest(lines)}
    assert sorted(found) == sorted(values)
    for name, wanted in values.items():
        readings = [reading for line in lines if (reading := found[name].read(line))]
        assert [str(each.value) for each in readings] == [str(each) for each in wanted]
        assert all(each.step is None for each in readings)


@pytest.mark.parametrize(
    "line",
    [
        "listening on 127.0.0.1 = 8000",
        "accuracy server on 127.0.0.1: 8000",
        "loss at 127.0.0.1:8000",
        "error at http://127.0.0.1:8000/loss=1/",
        "torch/utils/cpp_extension.py = 183",
        "loss.py: 183",
        'File "train_loss.py", line 12',
        "Version 1.2.3",
        "loss 1.2.3",
        "loss: 12:30:01",
        "port = 6105 seed=42 epoch: 3 time: 0.5",
        "accuracy 3/4",
        "loss: v2",
        "",
    ],
)
def test_other_numbers_are_no_metrics(line: str) -> None:
    assert suggest([line] * 3) == []


def test_the_step_is_read_where_each_line_has_a_new_one() -> None:
    lines = [f"epoch {epoch}: train loss 0.{epoch}, val_acc = 9{epoch}.5%" for epoch in range(1, 4)]
    found = {each.pattern.name: each.pattern for each in suggest(lines)}
    assert [found["train loss"].read(line) for line in lines] == [(0.1, 1), (0.2, 2), (0.3, 3)]
    assert [found["val_acc"].read(line) for line in lines] == [(91.5, 1), (92.5, 2), (93.5, 3)]


def test_the_step_is_not_read_where_several_lines_share_it() -> None:
    lines = [f"epoch 1 batch {batch}: loss 0.5" for batch in range(3)]
    [suggestion] = suggest(lines)
    assert suggestion.pattern.read(lines[1]) == (0.5, None)
    assert (suggestion.num_lines, suggestion.examples) == (3, (lines[0], lines[2]))


def test_a_long_log_gives_few_suggestions() -> None:
    lines = [f"loss_{number % 300}: 0.5 loss: {number}" for number in range(5_000)]
    found = suggest(lines)
    assert len(found) == 12
    assert found[0].pattern.name == "loss"
