"""Registered models: versions, aliases, use in pipelines, and what deleting them may not break."""

from __future__ import annotations

import json
import struct
import zipfile
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from modules.artifacts import TrainedModel
from pipelines.document.document import PipelineDocument, parse_document
from pipelines.errors import InUseError, RefusedError
from pipelines.problems import PipelineError
from pipelines.registry.model_export import export
from pipelines.registry.model_report import version_report
from pipelines.registry.models import ModelRegistry, RegisteredVersion
from pipelines.runs.history import RunHistory
from pipelines.runs.run_request import RunRequest
from pipelines.runs.run_service import RunService
from pipelines.store.artifacts.garbage_collection import CollectionResult
from pipelines.store.database.pipelines import PipelineStore
from tests.pipelines.conftest import finish, run
from tests.pipelines.registry.trained import CLASSES, DOCUMENT, trained_run


@pytest.fixture
def registry(runs: RunService) -> ModelRegistry:
    return ModelRegistry(runs.database, runs.artifacts)


def registered(
    registry: ModelRegistry, runs: RunService, seed: int = 1, name: str = "m"
) -> RegisteredVersion:
    """The model of a new run, registered."""
    ((_, artifact_id, port),) = registry.trained_by(trained_run(runs, seed))
    return registry.register(artifact_id, port, name)


def using(model: str) -> PipelineDocument:
    """A pipeline with only a registered model in it."""
    node = {"id": "kept", "module": "registered_model", "parameters": {"model": model}}
    return parse_document(
        {"format": "pipeline-designer/2", "id": "using", "name": "Using", "nodes": [node]}
    )


def test_a_node_onnx_model_needs_its_model(runs: RunService, registry: ModelRegistry) -> None:
    registered(registry, runs)
    parameters = {"source": "the registry", "model": "m@1"}
    node = {"id": "kept", "module": "onnx_model", "parameters": parameters}
    document = {"format": "pipeline-designer/2", "id": "using", "name": "Using", "nodes": [node]}
    PipelineStore(runs.database).create(parse_document(document).to_json())
    with pytest.raises(InUseError):
        registry.delete("m")
    parameters["model"] = "m@2"
    problems = runs.checks.problems(parse_document(document), None)
    assert [problem.name for problem in problems] == ["ModelGone"]
    parameters["source"] = "a file"
    problems = runs.checks.problems(parse_document(document), None)
    assert "ModelGone" not in [problem.name for problem in problems]


def collected(runs: RunService, *, dry_run: bool = False) -> CollectionResult:
    with runs.runner.sweeping() as alone:
        assert alone
        return runs.artifacts.sweep(dry_run=dry_run)


def test_versions_and_aliases_lead_to_models(runs: RunService, registry: ModelRegistry) -> None:
    first = registered(registry, runs, 1)
    second = registered(registry, runs, 2)
    assert (first.reference, second.reference) == ("m@1", "m@2")
    assert first.version.metrics["Top-1 validation accuracy"] == 0.75
    assert registry.find("m").reference == "m@2"
    registry.set_alias("m", "best", 1)
    assert registry.find("m@best").reference == "m@1"
    assert registry.find("m@best").aliases == ["best"]
    registry.set_alias("m", "best", 2)
    assert registry.find("m@best").reference == "m@2"
    assert registry.set_alias("m", "best", None).aliases == {}
    assert registry.describe("m", "for the talk").description == "for the talk"
    for unknown in ("n", "m@3", "m@best", "m@"):
        if unknown != "m@":
            with pytest.raises(LookupError):
                registry.find(unknown)


def test_what_is_no_name_or_no_model_is_refused(runs: RunService, registry: ModelRegistry) -> None:
    ((_, artifact_id, port),) = registry.trained_by(trained_run(runs))
    for name in ("", "a b", "../up", "x" * 101, "a@b"):
        with pytest.raises(ValueError, match="Invalid"):
            registry.register(artifact_id, port, name)
    with pytest.raises(ValueError, match="number"):
        registry.register(artifact_id, port, "m", alias="7")
    with pytest.raises(LookupError):
        registry.register("unheard-of", port, "m")
    assert registry.all() == []


def test_a_model_outlives_its_run_and_gc_frees_it_after_it(
    runs: RunService, registry: ModelRegistry
) -> None:
    place = registered(registry, runs)
    run_id = str(place.version.run_id)
    plan = RunHistory(runs).delete(run_id)
    assert [item.used_by for item in plan.kept] == [["m@1"]]
    assert plan.freed == []
    assert collected(runs).artifact_ids == []
    kept = registry.find("m@1")
    kept.artifact.check()
    lineage = version_report(registry, kept).lineage
    assert (lineage["run_id"], lineage["run_exists"], lineage["node"]) == (run_id, False, "train")
    assert (lineage["pipeline"], lineage["classes"]) == ("Shapes", list(CLASSES))
    registry.delete("m")
    artifact_id = kept.version.artifact.split("/")[0]
    assert collected(runs, dry_run=True).artifact_ids == [artifact_id]
    assert collected(runs).num_bytes > 100_000
    assert list(runs.artifacts.root.iterdir()) == []


def test_deleting_a_model_leaves_its_run_whole(runs: RunService, registry: ModelRegistry) -> None:
    place = registered(registry, runs)
    registry.delete("m", 1)
    assert registry.all() == []
    assert collected(runs).artifact_ids == []
    step = runs.store.state(str(place.version.run_id)).steps["train"]
    TrainedModel(Path(runs.artifacts.outputs(step)["trained_model"])).check()


def test_a_model_that_a_pipeline_needs_is_not_deleted(
    runs: RunService, registry: ModelRegistry
) -> None:
    for seed in (1, 2):
        registered(registry, runs, seed)
    registry.set_alias("m", "best", 1)
    saved = PipelineStore(runs.database)
    pipeline_id = saved.create(using("m@best").to_json()).pipeline_id
    for version in (None, 1):
        with pytest.raises(InUseError, match="the pipeline Using"):
            registry.delete("m", version)
    registry.delete("m", 2)
    saved.set_deleted(pipeline_id, True)
    registry.delete("m", 1)
    assert registry.all() == []


def bound(model: str, *, inside: bool) -> PipelineDocument:
    """One whose parameter, or that of its sub-pipeline, names the model."""
    node = {"id": "kept", "module": "registered_model", "parameters": {}}
    asked = {"id": "m", "title": "Model", "type": "string", "binds": ["kept.model"]}
    document = {"format": "pipeline-designer/2", "id": "bound", "name": "Bound"}
    if inside:
        part = {"id": "part", "title": "Part", "parameters": [{**asked, "default": ""}]}
        front = {"id": "front", "module": "definition:part", "parameters": {"m": model}}
        return parse_document(
            {**document, "definitions": [{**part, "nodes": [node]}], "nodes": [front]}
        )
    return parse_document(
        {**document, "parameters": [{**asked, "default": model}], "nodes": [node]}
    )


@pytest.mark.parametrize("inside", [False, True])
def test_a_model_that_a_parameter_of_a_pipeline_names_is_not_deleted(
    runs: RunService, registry: ModelRegistry, inside: bool
) -> None:
    registered(registry, runs)
    PipelineStore(runs.database).create(bound("m@1", inside=inside).to_json())
    with pytest.raises(InUseError, match="the pipeline Bound"):
        registry.delete("m")


def test_a_number_is_never_given_to_another_version(
    runs: RunService, registry: ModelRegistry
) -> None:
    artifact_id, port = registered(registry, runs).version.artifact.split("/")
    registry.register(artifact_id, port, "m", description="for the talk")
    registry.delete("m", 2)
    assert registry.register(artifact_id, port, "m").reference == "m@3"
    registry.delete("m")
    assert registry.all() == []
    again = registry.register(artifact_id, port, "m")
    assert (again.reference, again.model.description) == ("m@4", "")


def test_the_newest_version_is_kept_for_who_asks_for_no_version(
    runs: RunService, registry: ModelRegistry
) -> None:
    for seed in (1, 2):
        registered(registry, runs, seed)
    PipelineStore(runs.database).create(using("m").to_json())
    with pytest.raises(InUseError):
        registry.delete("m", 2)
    registry.delete("m", 1)


def test_a_registered_model_is_a_node_and_its_content_is_its_key(
    runs: RunService, registry: ModelRegistry
) -> None:
    place = registered(registry, runs)
    registry.set_alias("m", "best", 1)
    folders = runs.artifacts.model_folders()
    artifact_id = folders.artifact_of("m@best")
    assert folders["m@best"] == runs.artifacts.folder(artifact_id, "trained_model")
    _, state = run(runs, using("m@best"))
    assert state.status == "completed", state.problem
    trained_model = TrainedModel(Path(runs.artifacts.outputs(state.steps["kept"])["trained_model"]))
    trained_model.check()
    assert isinstance(place.artifact, TrainedModel)
    assert trained_model.weights_path.read_bytes() == place.artifact.weights_path.read_bytes()
    assert runs.artifacts.verify(str(state.steps["kept"].artifact_id)) == []
    _, again = run(runs, using("m@best"))
    assert again.steps["kept"].status == "reused"
    registered(registry, runs, 2)
    registry.set_alias("m", "best", 2)
    _, other = run(runs, using("m@best"))
    assert other.steps["kept"].status == "completed"
    assert other.steps["kept"].artifact_id != state.steps["kept"].artifact_id


def test_a_model_that_is_gone_is_a_problem_with_a_cure(
    runs: RunService, registry: ModelRegistry
) -> None:
    (problem,) = runs.checks.problems(using("m@1"))
    assert (problem.name, problem.node, problem.parameter) == ("ModelGone", "kept", "model")
    assert "Register it from the run" in problem.cure
    registered(registry, runs)
    assert runs.checks.problems(using("m@1")) == []
    (problem,) = runs.checks.problems(using("m@9"))
    assert "m@1" in problem.cure
    with pytest.raises(PipelineError):
        runs.submit(RunRequest(using("m@9")))
    assert [item.code for item in runs.checks.problems(using(""))] == ["0003"]
    assert runs.checks.problems(using("no such/name"))[0].parameter == "model"


@pytest.mark.extended
def test_a_run_of_a_model_that_is_deleted_meanwhile_says_so(
    runs: RunService, registry: ModelRegistry
) -> None:
    registered(registry, runs)
    run_id, _ = run(runs, using("m@1"))
    registry.delete("m")
    with pytest.raises(PipelineError, match="Registered model m@1 was not found"):
        RunHistory(runs).resubmit(run_id)
    finished = finish(runs, run_id)
    assert TrainedModel(
        Path(runs.artifacts.outputs(finished.steps["kept"])["trained_model"])
    ).classes


def test_a_model_is_written_as_a_folder_or_as_one_file(
    runs: RunService, registry: ModelRegistry, tmp_path: Path
) -> None:
    place = registered(registry, runs)
    assert export(place, tmp_path / "folder") == "folder"
    TrainedModel(tmp_path / "folder").check()
    assert export(place, tmp_path / "m.zip") == "zip"
    with zipfile.ZipFile(tmp_path / "m.zip") as archive:
        assert {"m-1/model.safetensors", "m-1/model.json"} <= set(archive.namelist())
    assert export(place, tmp_path / "m.safetensors") == "safetensors"
    assert document_in(tmp_path / "m.safetensors") == DOCUMENT
    assert export(place, tmp_path / "m.pt") == "pt"
    loaded, kept = (
        torch.load(tmp_path / "m.pt", weights_only=True),
        load_file(tmp_path / "m.safetensors"),
    )
    assert all(torch.equal(loaded[name], kept[name]) for name in kept)
    with pytest.raises(FileExistsError):
        export(place, tmp_path / "m.zip")
    export(place, tmp_path / "m.zip", replace=True)
    with pytest.raises(FileExistsError):
        export(place, tmp_path / "folder", replace=True)
    with pytest.raises(RefusedError, match=r"cannot be exported as \.onnx.*") as refused:
        export(place, tmp_path / "m.onnx")
    assert ".safetensors, .pt, .zip" in refused.value.cure
    assert not (tmp_path / "m.onnx").exists()
    assert not list(tmp_path.glob(".*")), "something half-written is left"


def document_in(weights: Path) -> PipelineDocument:
    """What a weights file says of its pipeline, read as the browser does: the header only."""
    with weights.open("rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(length))
    return parse_document(header["__metadata__"]["pipeline-designer"])
