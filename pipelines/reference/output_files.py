"""Files of outputs, runs and workspaces in the reference, by heading.

The names are stable: users and programs may rely on them.
"""

from __future__ import annotations

from modules.artifacts import ImageDirectory
from pipelines.sentences import _

Rows = tuple[tuple[str, str], ...]

OUTPUT_FILES: dict[str, Rows] = {
    "AnyDirectory": (
        ("dataset.json", _("`location`: the folder or archive, null for `data/`.")),
        ("data/", _("The files, if they were created or downloaded here.")),
    ),
    "ImageDirectory": (
        (
            "images.parquet",
            _(
                "One row per image: {columns}. `label` is null for images without a label. "
                "`source` "
                "is the output that contains the file; it is empty for this output.",
                columns=", ".join(f"`{name}`" for name in ImageDirectory.COLUMNS),
            ),
        ),
        ("classes.json", _("Class names in order. A label's number is its position in this list.")),
        ("skipped.parquet", _("Skipped files: `path`, `reason`.")),
        ("transformation.json", _("`mode` and `operations`, if a transformation is attached.")),
        ("images/", _("Image files; only in the output of Convert to Image Directory.")),
        ("shards.parquet", _("Positions of the images in tar shards, instead of `images/`.")),
    ),
    "ImageTransformation": (
        ("transformation.json", _("`operations` in order, with their arguments.")),
    ),
    "UntrainedModel": (
        (
            "model.json",
            _(
                "`recipe`: family, architecture, arguments and initial weights; `code` of a "
                "custom network."
            ),
        ),
    ),
    "TrainedModel": (
        ("model.safetensors", _("Weights of the best epoch.")),
        (
            "model.json",
            _(
                "Recipe, classes in order, inference transformation, normalization, input size, "
                "training parameters, best epoch, metrics, versions and the pipeline of the "
                "training."
            ),
        ),
        ("history.parquet", _("One row per epoch, one column per metric.")),
        ("training_images.npy", _("Short hashes of the training images, to detect duplicates.")),
    ),
    "ExportedModel": (
        (
            "model.onnx",
            _("The model in its format; `model.pt2` or `model.safetensors` in the others."),
        ),
        ("labels.txt", _("Names of the classes, one per line, in the order of the outputs.")),
        ("README.md", _("Model card, and code that calls the model.")),
        ("card.json", _("The facts of the card, with the agreement with Score Image Model.")),
        ("training_images.npy", _("Short hashes of the training images, to detect duplicates.")),
    ),
    "OnnxModel": (
        ("model.onnx", _("The model, from pixels to probabilities.")),
        ("labels.txt", _("Names of the classes, one per line, in the order of the outputs.")),
        ("card.json", _("The model card that is inside the file.")),
    ),
    "ForeignModel": (
        (
            "model.json",
            _("`framework`, `main` (the model file), and `files` with sizes and hashes."),
        ),
        ("files/", _("Unchanged files that the script wrote.")),
    ),
    "ScoredImages": (
        (
            "scored.parquet",
            _(
                "One row per image: `path`, `category` if labeled, `Scored Labels`, `Scored "
                "Probabilities_CLASS` for each class, `confidence`, `margin`, `loss`; `accepted` "
                "if the model has a confidence threshold."
            ),
        ),
        (
            "mistake_pictures.parquet",
            _("Small previews of the mistakes with the highest confidence."),
        ),
    ),
    "EvaluationResults": (
        ("metrics.json", _("Metrics by name. Those of a second input are in `compared`.")),
        ("confusion.parquet", "`actual`, `predicted`, `count`."),
        ("per_class.parquet", _("Precision, recall, F1 and support per class.")),
        ("calibration.parquet", _("Accuracy by confidence.")),
        ("mistakes.parquet", _("Mistakes with the highest confidence, with their images.")),
        ("*_compared.parquet", _("The same tables for a second input.")),
        ("flipped.parquet", _("Images with different predictions, if there are two inputs.")),
    ),
    "Table": (("table.parquet", _("The rows.")),),
}
"""Files of an output by its type; every output also has a ``manifest.json``."""

_WORKSPACE: Rows = (
    ("artifacts/ARTIFACT/PORT/", _("An output, which never changes.")),
    ("runs/RUN/NODE/", _("Files of one node in one run: see below.")),
    ("datasets/NAME/VERSION/", _("Imported datasets.")),
    ("weights/", _("Pretrained weights by file name. Without a network, copy files here.")),
    ("replays/*.replay", _("Opened replays.")),
    ("modules/*.py", _("Your own modules.")),
    (
        "cache/",
        _("Decoded images, hashes and module declarations. Can be deleted while no run is active."),
    ),
    ("designer.db", _("Runs, events, metrics and the index of outputs (SQLite).")),
    ("secrets.json", _("Values of `designer secrets`, readable only by you.")),
    ("secrets_in_use.json", _("Secrets of running steps, until their logs are redacted.")),
    ("reserve", _("One reserved MiB, so that a full disk can be reported.")),
    ("runner.log", _("Log of the process that executes runs.")),
    ("inspector.log", _("Log of the process that renders samples and heat maps.")),
)

_RUN: Rows = (
    ("document.json", _("The pipeline of the run (in the folder of the run).")),
    ("70_driver_log_RANK.txt", _("Output of one process of the step.")),
    ("70_launcher_log.txt", _("Output of the launcher, for steps with several processes.")),
    ("70_environment_log.txt", _("Log of the environment's build.")),
    (
        "checkpoint/",
        _(
            "State from which a training continues after a crash. Deleted when the step is "
            "finished."
        ),
    ),
    ("attempt-N/step.json", _("Specification of the step.")),
    ("attempt-N/result.json", _("Result of a successful step.")),
    ("attempt-N/source.json", _("Files of a training script with hashes, and the commit.")),
    (
        "attempt-N/working/node-N/",
        _(
            "Working folder of a running training script, with `outputs/` and `logs/`. It is "
            "`rank-N` for outputs of every process, `node-0` for outputs of all together. "
            "`logs/` is kept."
        ),
    ),
    ("attempt-N/error-RANK.json", _("Error of a failed process.")),
    ("attempt-N/working/", _("Working folders of the step's processes, with outputs and logs.")),
    ("attempt-N/events-RANK.jsonl", _("Events that a process reported.")),
)

_MANIFEST: Rows = (
    (
        "manifest.json",
        _(
            "`type`, `schema_version`, `key`, `run_id`, `node`, `module`, `module_version`, "
            "`references` to other outputs, and `content` (hashes by name)."
        ),
    ),
)

FILES: dict[str, Rows] = {
    _("The workspace"): _WORKSPACE,
    _("A node of a run"): _RUN,
    _("Every output"): _MANIFEST,
    **{_("Outputs of type {name}", name=name): rows for name, rows in OUTPUT_FILES.items()},
}
