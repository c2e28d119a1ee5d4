"""B3: training on a GPU from a folder of JPEGs, with validation."""

from __future__ import annotations

from dataclasses import replace

from benchmarks.gpu_work import gpu_work
from benchmarks.harness import Bound, Check, Options, Report, Scenario, alternate, only
from benchmarks.training_contenders import OURS, PLAIN, STEPS, Trainings

MIN_OF_STEPS = Bound(0.95, floor=0.7)
MIN_RATE = 3200.0
"""Images/s of the 16 V100 cards in the documentation of the original: 50 epochs in 6 h 22 min."""
EPOCHS = 4
"""After two, accuracies still scatter too much to be compared."""
MAX_ACCURACY_LOST = 0.05
COLUMNS = {"end to end": "rate", "training alone": "steps", "accuracy": "accuracy"}


def measure(options: Options) -> Report:
    """Epochs of training and validation with every contender in turn."""
    report = Report(
        "B3",
        "GPU, real",
        "ResNet-50 at 224 pixels in batches of 256 from JPEG photographs, decoded again in each "
        "epoch, with validation and checkpoints; the first epoch does not count.",
    )
    network = "resnet18" if options.small else "resnet50"
    work = gpu_work(options, network, num_images=12_800)
    trainings = Trainings(work if options.small else replace(work, epochs=EPOCHS), report)
    contenders = [
        trainings.ours(COLUMNS),
        trainings.steps({"training alone": "rate"}),
        trainings.plain(COLUMNS),
    ]
    if options.wants("timm"):
        contenders.append(trainings.peer("timm", COLUMNS))
    spreads = alternate(contenders, options.rounds, options.earlier("Training"))
    rates = only(spreads, "end to end", "training alone")
    report.scenarios += [
        Scenario("Training: speed", rates, STEPS, "images/s"),
        Scenario("Training: accuracy", only(spreads, "accuracy"), STEPS, "of 1"),
    ]
    ours, steps = spreads[OURS], spreads[STEPS]["training alone"].median
    rate = ours["end to end"].median
    report.checks += [
        Check.at_least(
            "training, in steps on images in memory",
            ours["training alone"].median / steps,
            MIN_OF_STEPS,
        ),
        Check.at_least(
            f"accuracy, less that of {PLAIN}",
            ours["accuracy"].median - spreads[PLAIN]["accuracy"].median,
            -MAX_ACCURACY_LOST,
        ),
        Check.at_least("images/s end to end", rate, MIN_RATE, is_gate=False),
        Check.at_least(
            f"times as fast as {PLAIN}", rate / spreads[PLAIN]["end to end"].median, 1.0
        ),
    ]
    return report
