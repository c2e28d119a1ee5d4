"""Files of outputs, runs and workspaces in the reference, by heading.

The names are stable: users and programs may rely on them.
"""

from __future__ import annotations

from modules.artifacts import ImageDirectory

Rows = tuple[tuple[str, str], ...]

OUTPUT_FILES: dict[str, Rows] = {
    "AnyDirectory": (
        ("dataset.json", "`location`: the folder or archive, null for `data/`."),
        ("data/", "The files, if they were created or downloaded here."),
    ),
    "ImageDirectory": (
        (
            "images.parquet",
            f"One row per image: {', '.join(f'`{name}`' for name in ImageDirectory.COLUMNS)}. "
            "`label` is null for images without a label. `source` is the output that contains the "
            "file; it is empty for this output.",
        ),
        ("classes.json", "Class names in order. A label's number is its position in this list."),
        ("skipped.parquet", "Skipped files: `path`, `reason`."),
        ("transformation.json", "`mode` and `operations`, if a transformation is attached."),
        ("images/", "Image files; only in the output of Convert to Image Directory."),
        ("shards.parquet", "Positions of the images in tar shards, instead of `images/`."),
    ),
    "ImageTransformation": (
        ("transformation.json", "`operations` in order, with their arguments."),
    ),
    "UntrainedModel": (
        (
            "model.json",
            "`recipe`: family, architecture, arguments and initial weights; `code` of a custom "
            "network.",
        ),
    ),
    "TrainedModel": (
        ("model.safetensors", "Weights of the best epoch."),
        (
            "model.json",
            "Recipe, classes in order, inference transformation, normalization, input size, "
            "training parameters, best epoch, metrics, versions and the pipeline of the training.",
        ),
        ("history.parquet", "One row per epoch, one column per metric."),
        ("training_images.npy", "Short hashes of the training images, to detect duplicates."),
    ),
    "ForeignModel": (
        (
            "model.json",
            "`framework`, `main` (the model file), and `files` with sizes and hashes.",
        ),
        ("files/", "Unchanged files that the script wrote."),
    ),
    "ScoredImages": (
        (
            "scored.parquet",
            "One row per image: `path`, `category` if labeled, `Scored Labels`, "
            "`Scored Probabilities_CLASS` for each class, `confidence`, `margin`, `loss`.",
        ),
        ("mistake_pictures.parquet", "Small previews of the mistakes with the highest confidence."),
    ),
    "EvaluationResults": (
        ("metrics.json", "Metrics by name. Those of a second input are in `compared`."),
        ("confusion.parquet", "`actual`, `predicted`, `count`."),
        ("per_class.parquet", "Precision, recall, F1 and support per class."),
        ("calibration.parquet", "Accuracy by confidence."),
        ("mistakes.parquet", "Mistakes with the highest confidence, with their images."),
        ("*_compared.parquet", "The same tables for a second input."),
        ("flipped.parquet", "Images with different predictions, if there are two inputs."),
    ),
    "Table": (("table.parquet", "The rows."),),
}
"""Files of an output by its type; every output also has a ``manifest.json``."""

_WORKSPACE: Rows = (
    ("artifacts/ARTIFACT/PORT/", "An output, which never changes."),
    ("runs/RUN/NODE/", "Files of one node in one run: see below."),
    ("datasets/NAME/VERSION/", "Imported datasets."),
    ("weights/", "Pretrained weights by file name. Without a network, copy files here."),
    ("replays/*.replay", "Opened replays."),
    ("modules/*.py", "Your own modules."),
    (
        "cache/",
        "Decoded images, hashes and module declarations. Can be deleted while no run is active.",
    ),
    ("designer.db", "Runs, events, metrics and the index of outputs (SQLite)."),
    ("secrets.json", "Values of `designer secrets`, readable only by you."),
    ("secrets_in_use.json", "Secrets of running steps, until their logs are redacted."),
    ("reserve", "One reserved MiB, so that a full disk can be reported."),
    ("runner.log", "Log of the process that executes runs."),
    ("inspector.log", "Log of the process that renders samples and heat maps."),
)

_RUN: Rows = (
    ("document.json", "The pipeline of the run (in the folder of the run)."),
    ("70_driver_log_RANK.txt", "Output of one process of the step."),
    ("70_launcher_log.txt", "Output of the launcher, for steps with several processes."),
    ("70_environment_log.txt", "Log of the environment's build."),
    (
        "checkpoint/",
        "State from which a training continues after a crash. Deleted when the step is finished.",
    ),
    ("attempt-N/step.json", "Specification of the step."),
    ("attempt-N/result.json", "Result of a successful step."),
    ("attempt-N/source.json", "Files of a training script with hashes, and the commit."),
    (
        "attempt-N/working/node-N/",
        "Working folder of a running training script, with `outputs/` and `logs/`. "
        "It is `rank-N` for outputs of every process, `node-0` for outputs of all together. "
        "`logs/` is kept.",
    ),
    ("attempt-N/error-RANK.json", "Error of a failed process."),
    ("attempt-N/working/", "Working folders of the step's processes, with outputs and logs."),
    ("attempt-N/events-RANK.jsonl", "Events that a process reported."),
)

_MANIFEST: Rows = (
    (
        "manifest.json",
        "`type`, `schema_version`, `key`, `run_id`, `node`, `module`, `module_version`, "
        "`references` to other outputs, and `content` (hashes by name).",
    ),
)

FILES: dict[str, Rows] = {
    "The workspace": _WORKSPACE,
    "A node of a run": _RUN,
    "Every output": _MANIFEST,
    **{f"Outputs of type {name}": rows for name, rows in OUTPUT_FILES.items()},
}
