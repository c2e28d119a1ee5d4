"""The files of outputs, runs and workspaces, as the reference lists them.

Heading to rows of name and contents. Users and programs may rely on these names.
"""

from __future__ import annotations

from modules.artifacts import ImageDirectory

Rows = tuple[tuple[str, str], ...]

OUTPUT_FILES: dict[str, Rows] = {
    "AnyDirectory": (
        ("dataset.json", "`location`: the folder or archive, perhaps in here; null for `data/`."),
        ("data/", "The files themselves, where they were made or downloaded here."),
    ),
    "ImageDirectory": (
        (
            "images.parquet",
            f"One row an image: {', '.join(f'`{name}`' for name in ImageDirectory.COLUMNS)}. "
            "`label` is null where there is none; `source` names the output that holds the file, "
            "empty for this one.",
        ),
        ("classes.json", "The class names in their order; a label's number is its place here."),
        ("skipped.parquet", "What was left out: `path`, `reason`."),
        ("transformation.json", "`mode` and `operations`, where a transformation is attached."),
        ("images/", "The image files, in the output of Convert to Image Directory only."),
        ("shards.parquet", "In their place, where they lie in tar shards: what lies where."),
    ),
    "ImageTransformation": (("transformation.json", "`operations`: in order, with arguments."),),
    "UntrainedModel": (
        (
            "model.json",
            "`recipe`: family, architecture, arguments, weights to start from; `code` of a network "
            "of your own.",
        ),
    ),
    "TrainedModel": (
        ("model.safetensors", "The weights of the best epoch."),
        (
            "model.json",
            "Recipe, classes in order, inference transformation, normalisation, input size, "
            "training parameters, best epoch, metrics, versions, the pipeline that made it.",
        ),
        ("history.parquet", "One row an epoch, a column a metric."),
        ("training_images.npy", "Short hashes of the training images, to notice copies of them."),
    ),
    "ForeignModel": (
        (
            "model.json",
            "`framework`, `main`: the file that is the model, `files` with sizes and hashes.",
        ),
        ("files/", "The files that a script wrote, as they are."),
    ),
    "ScoredImages": (
        (
            "scored.parquet",
            "One row an image: `path`, `category` where labelled, `Scored Labels`, "
            "`Scored Probabilities_CLASS` for each class, `confidence`, `margin`, `loss`.",
        ),
        ("mistake_pictures.parquet", "Small previews of the most confident mistakes."),
    ),
    "EvaluationResults": (
        ("metrics.json", "Name to number; those of a second input under `compared`."),
        ("confusion.parquet", "`actual`, `predicted`, `count`."),
        ("per_class.parquet", "Precision, recall, F1 and support of each class."),
        ("calibration.parquet", "How often the model is right, by how sure it is."),
        ("mistakes.parquet", "The most confident mistakes, with their images."),
        ("*_compared.parquet", "The same tables of a second input."),
        ("flipped.parquet", "With two inputs: the images whose predictions differ."),
    ),
    "Table": (("table.parquet", "The rows."),),
}
"""Port type to the files in the folder of an output of that type; ``manifest.json`` is added."""

_WORKSPACE: Rows = (
    ("artifacts/ARTIFACT/PORT/", "An output: never changed once it is there."),
    ("runs/RUN/NODE/", "What one node of one run left: see below."),
    ("datasets/NAME/VERSION/", "Datasets that were imported."),
    ("weights/", "Pretrained weights by file name; put files here where there is no network."),
    ("replays/*.replay", "Replays that were opened here."),
    ("modules/*.py", "Your own modules."),
    ("cache/", "Decoded images, hashes, what modules declare; may go while nothing runs."),
    ("designer.db", "Runs, events, metrics, the index of outputs (SQLite)."),
    ("secrets.json", "Values that `designer secrets` keeps, for you alone."),
    ("secrets_in_use.json", "Those of steps that run, until their logs are redacted."),
    ("reserve", "A MiB kept free, so that a full disk can still be told."),
    ("runner.log", "What the process that executes runs had to say."),
    ("inspector.log", "What the process that draws samples and heat maps had to say."),
)

_RUN: Rows = (
    ("document.json", "The pipeline as it ran (in the folder of the run itself)."),
    ("70_driver_log_RANK.txt", "What one process of the step printed."),
    ("70_launcher_log.txt", "The launcher's words, for steps of several processes."),
    ("70_environment_log.txt", "How the environment of a step's own processes was built."),
    ("checkpoint/", "Where a training goes on after a crash; gone once the step is finished."),
    ("attempt-N/step.json", "What the step was asked to do."),
    ("attempt-N/result.json", "That it succeeded."),
    ("attempt-N/source.json", "Of a training script: its files, what they hash to, the commit."),
    (
        "attempt-N/working/node-N/",
        "The working folder of a training script while it runs, with `outputs/` and `logs/`; "
        "`rank-N` with outputs of every process, `node-0` with those of all together. "
        "`logs/` stays.",
    ),
    ("attempt-N/error-RANK.json", "Why a process failed."),
    ("attempt-N/working/", "Where a step's own processes work: outputs and logs can be seen."),
    ("attempt-N/events-RANK.jsonl", "What a process reported on the way."),
)

_MANIFEST: Rows = (
    (
        "manifest.json",
        "`type`, `schema_version`, `key`, `run_id`, `node`, `module`, `module_version`, "
        "`references` to other outputs, `content`: name to hash.",
    ),
)

FILES: dict[str, Rows] = {
    "The workspace": _WORKSPACE,
    "A node of a run": _RUN,
    "Every output": _MANIFEST,
    **{f"Outputs of type {name}": rows for name, rows in OUTPUT_FILES.items()},
}
