"""A run that scored with an exported model: explanations use the network behind the file."""

from __future__ import annotations

from pathlib import Path

from modules.artifacts import (
    EvaluationResults,
    ExportedModel,
    OnnxModel,
    ScoredImages,
    TrainedModel,
    write_json,
)
from pipelines.document.document import parse_document
from pipelines.events import Event
from pipelines.inspection.evaluation import evaluated_model
from pipelines.inspection.run_outputs import RunOutputs
from pipelines.runs.run_service import RunService
from pipelines.store.artifacts.manifest import seal
from tests.designer_app.documents import document, node
from tests.pipelines.inspection.conftest import MADE_BY
from tests.pipelines.inspection.runs import wire
from tests.workspaces import store_without_runner

PORTS = {
    "train": ("trained_model", TrainedModel),
    "export": ("exported_model", OnnxModel),
    "score": ("scored_dataset", ScoredImages),
    "evaluate": ("evaluation_results", EvaluationResults),
}
MODULES = {"train": "train_pytorch_model", "export": "export_model", "score": "score_image_model"}
LINKS = [
    wire("train.trained_model", "export.trained_model"),
    wire("export.exported_model", "score.trained_model"),
    wire("score.scored_dataset", "evaluate.scored_dataset"),
]


def _run(runs: RunService, links: list[dict[str, object]]) -> str:
    """Its id; the outputs are empty folders of their types."""
    for item, (port, kind) in PORTS.items():
        folder = runs.artifacts.root / f"a-{item}" / port
        folder.mkdir(parents=True)
        write_json(folder / "card.json", {})
        seal(folder, kind(folder), {**MADE_BY, "node": item})
    nodes = [node(item, MODULES.get(item, "evaluate_model")) for item in PORTS]
    described = parse_document(document(nodes=nodes, links=links)).to_json()
    run_id = store_without_runner(runs).create(described, list(PORTS), name="a", experiment="e")
    done = [
        Event("StepFinished", item, {"artifact_id": f"a-{item}", "seconds": 0.1}) for item in PORTS
    ]
    over = Event("RunFinished", data={"status": "completed"})
    runs.store.append_to(run_id, [Event("RunStarted"), *done, over])
    return run_id


def test_the_network_is_that_of_the_exported_model(runs: RunService) -> None:
    model = evaluated_model(RunOutputs(runs, _run(runs, LINKS)), "evaluate")
    assert model is not None
    assert (model.node, model.type) == ("train", "TrainedModel")


def test_an_imported_file_has_no_network(runs: RunService) -> None:
    outputs = RunOutputs(runs, _run(runs, LINKS[1:]))
    assert evaluated_model(outputs, "evaluate") is None
    scored = outputs.output("score", "scored_dataset")
    assert outputs.network_of(scored) is None


def test_types_of_exported_models(tmp_path: Path) -> None:
    assert issubclass(OnnxModel, ExportedModel)
    assert OnnxModel(tmp_path).in_words() == "ONNX model"
