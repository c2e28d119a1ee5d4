"""``designer score --target``: a folder scored by a run on a compute target.

The run's scores are kept in shards until it ends (``modules.scoring.kept_scores``), so it continues
after a kill of the runner or of a machine. The output folder notes a key before the run is
submitted with it, and the run afterwards: the same command follows it, or resumes it, and a kill at
any time starts no second one.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from modules.artifacts import ImageDirectory, Table, read_json
from modules.files.whole_files import replacing
from modules.parameters import ParameterValues
from modules.scoring.batch_scoring import CSV, ERROR, TABLE, BatchResult
from modules.scoring.web_service_output import FILE
from pipelines.cli.command import CommandContext
from pipelines.cli.run import watched
from pipelines.document.document import PipelineDocument, parse_document
from pipelines.runs.run_request import RunRequest
from pipelines.runs.single_submission import SingleSubmission
from pipelines.sentences import _

if TYPE_CHECKING:
    from pipelines.cli.command import Answer
    from pipelines.runs.run_service import RunService

RUN_FILE = "run.json"
"""File in the output folder with the id of its run, or the key of one that is being submitted."""
SOURCE = "score"
"""Source of the submissions."""
KEY = re.compile(r"[0-9a-f]{32}-[0-9a-f]{32}")
RESUMABLE = ("failed", "cancelled", "paused")


def score_on_target(
    context: CommandContext, model: str, folder: Path, output: Path, target: str
) -> BatchResult | Answer:
    """Score a folder of images on a target; return the answer about a run that failed.

    Args:
        context: The command.
        model: ``NAME@VERSION``.
        folder: Images.
        output: Folder for the predictions.
        target: Name of the target.

    Raises:
        PipelineError: The target does not exist, or the images cannot be read.
    """
    runs = context.runs
    document = scoring_document(model, folder, target)
    run_id = _started(runs, document, output)
    answer = watched(context, run_id)
    if runs.store.state(run_id).status != "completed":
        return answer
    return _written(runs, run_id, output)


def scoring_document(model: str, folder: Path, target: str) -> PipelineDocument:
    """Return the pipeline: import, convert, the registered model, score, and the table."""
    modules: dict[str, tuple[str, ParameterValues]] = {
        "images": ("import_images", {"source": f"file:{folder.resolve()}"}),
        "convert": ("convert_to_image_directory", {"class_from": "none"}),
        "model": ("registered_model", {"model": model}),
        "score": ("score_image_model", {}),
        "predictions": ("web_service_output", {}),
    }
    links = (
        ("images.dataset", "convert.input_dataset"),
        ("model.trained_model", "score.trained_model"),
        ("convert.output_image_directory", "score.dataset"),
        ("score.scored_dataset", "predictions.scored_dataset"),
    )
    return parse_document(
        {
            "format": "pipeline-designer/2",
            "id": "score-folder",
            "name": _("Score {model}", model=model)[:100],
            "nodes": [
                {
                    "id": node,
                    "module": module,
                    "parameters": parameters,
                    "position": {"x": 260 * place, "y": 0},
                }
                for place, (node, (module, parameters)) in enumerate(modules.items())
            ],
            "links": [{"from": _end(source), "to": _end(end)} for source, end in links],
            "settings": {"target": target},
        }
    )


def _end(text: str) -> dict[str, str]:
    node, _dot, port = text.partition(".")
    return {"node": node, "port": port}


def _started(runs: RunService, document: PipelineDocument, output: Path) -> str:
    """Return the run that writes to this folder: a new one, or one that has not completed."""
    noted = _noted(output)
    known = noted.get("run")
    record = runs.store.record(known) if known else None
    if record is not None and known and record.document == document.to_json():
        status = runs.store.state(known).status
        if status in RESUMABLE:
            runs.resume(known)
        if status != "completed":
            return known
    key = _key(document, noted.get("key", ""))
    _note(output, {"key": key})  # a repeated command submits the same key
    run_id = SingleSubmission(runs, SOURCE).submit(key, RunRequest(document), {}).run_id
    if runs.store.record(run_id) is None:  # it was deleted after a kill of the last command
        key = _key(document)
        _note(output, {"key": key})
        run_id = SingleSubmission(runs, SOURCE).submit(key, RunRequest(document), {}).run_id
    _note(output, {"run": run_id})
    return run_id


def _key(document: PipelineDocument, noted: str = "") -> str:
    """Return the noted key if it is one of this document, else a new one."""
    text = json.dumps(document.to_json(), sort_keys=True)
    start = hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:32]
    is_same = KEY.fullmatch(noted) is not None and noted.startswith(start)
    return noted if is_same else f"{start}-{secrets.token_hex(16)}"


def _note(output: Path, content: Mapping[str, str]) -> None:
    with replacing(output / RUN_FILE, durably=True) as path:
        path.write_text(json.dumps(content), encoding="utf-8")


def _noted(output: Path) -> dict[str, str]:
    """Return the noted run or key; empty for a missing or damaged note."""
    try:
        noted = read_json(output / RUN_FILE)
    except (OSError, ValueError):
        return {}
    items = noted.items() if isinstance(noted, dict) else ()
    return {name: value for name, value in items if isinstance(value, str)}


def _written(runs: RunService, run_id: str, output: Path) -> BatchResult:
    """Write the table and the CSV file of a completed run; unreadable images have an error."""
    import pandas as pd

    steps = runs.store.state(run_id).steps
    places = {node: runs.artifacts.outputs(steps[node]) for node in ("convert", "predictions")}
    images = ImageDirectory(Path(places["convert"]["output_image_directory"]))
    rows = Table(Path(places["predictions"]["predictions"])).rows
    rows[ERROR] = pd.Series([None] * len(rows), dtype="str")
    skipped = images.skipped.rename(columns={"path": FILE, "reason": ERROR})
    whole = pd.concat([rows, skipped[[FILE, ERROR]]]).sort_values(FILE, ignore_index=True)
    with replacing(output / TABLE) as path:
        whole.to_parquet(path, index=False)
    with replacing(output / CSV) as path:
        whole.to_csv(path, index=False)
    scored_now = 0 if steps["score"].status == "reused" else len(rows)
    return BatchResult(len(whole), len(skipped), scored_now)
