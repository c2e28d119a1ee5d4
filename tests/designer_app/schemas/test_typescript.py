"""The browser's half and Python agree: documents, the state of a run, the types."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from designer_app.api.endpoints import ENDPOINTS
from designer_app.api.typescript import api_types
from designer_app.schemas.typescript import FRONTEND_DIR, TypesFile, editor_types
from modules.catalog import builtin_catalog
from modules.catalog_spec import CatalogSpec, catalog_spec
from pipelines.document.document import (
    PipelineDocument,
    PipelineParameter,
    dump_document,
    parse_document,
)
from pipelines.events import Event, RunState, fold
from pipelines.lessons.lesson import lessons
from pipelines.problems import Problem
from tests.designer_app.http import Client
from tests.json_values import as_json
from tests.pipelines.document import cases
from tests.toy import CATALOG as TOYS

NODE = shutil.which("node")
VITEST = FRONTEND_DIR / "node_modules" / "vitest" / "vitest.mjs"
TYPES = (editor_types(), api_types())
PROBLEM = Problem(
    code="0138",
    name="ModuleOutOfMemory",
    severity="error",
    node="b",
    message="Memory ran out.",
    cure="Set a smaller batch.",
    remedy={"set": {"batch_size": 8}},
).to_json()

RUNS: tuple[tuple[tuple[str, str | None, dict[str, Any]], ...], ...] = (
    (),
    (
        ("RunQueued", None, {"nodes": ["a", "b", "c", "d"]}),
        ("RunStarted", None, {}),
        ("StepLooking", "a", {"done": 41, "total": 100, "unit": "files looked at", "rank": 0}),
        ("StepReused", "a", {"artifact_id": "x", "run_id": "r", "key": "k", "summary": "3 images"}),
        ("StepQueued", "b", {"key": "k2"}),
        ("StepStarted", "b", {"attempt": 1}),
        ("StepRunning", "b", {}),
        ("StepProgress", "b", {"done": 1, "total": 5, "unit": "iterations", "rank": 1}),
        ("StepProgress", "b", {"done": 1, "total": 5, "unit": "iterations", "rank": 0}),
        (
            "StepProgress",
            "b",
            {
                "done": 2,
                "total": 5,
                "unit": "iterations",
                "rank": 1,
                "own_seconds": 0.5,
                "own_images_per_second": 64.0,
            },
        ),
        ("StepProgress", "b", {"done": 3, "total": 5, "unit": "iterations", "rank": 0}),
        ("StepStalled", "b", {"since": 5.0, "ranks": {"0": "epoch 1/5", "1": ""}}),
        ("StepWentOn", "b", {}),
        ("StepStalled", "a", {"since": 5.0, "ranks": {"0": ""}}),
        ("StepWentOn", "a", {}),
        ("StepStalled", "b", {"since": 6.0, "ranks": {"0": "epoch 1/5"}}),
        ("StepProgress", "b", {"done": 4, "total": 5, "unit": "iterations", "rank": 1}),
        ("StepStalled", "b", {"since": 7.0, "ranks": {"0": "epoch 1/5"}}),
        ("StepWarning", "b", {"message": "3 images were skipped."}),
        ("MetricLogged", "b", {"name": "loss", "step": 1, "value": 0.5}),
        ("StepFailed", "b", {"problem": PROBLEM}),
        ("StepQueued", "b", {"key": "k2"}),
        ("RunInterrupted", None, {"times": 1}),
        ("RunStarted", None, {}),
        ("StepStarted", "b", {"attempt": 2, "price_per_hour": 2.5}),
        ("StepPhase", "b", {"phase": "preparing", "environment": "tiny@1", "rank": 0}),
        ("StepPhase", "b", {"phase": "preparing", "is_cached": True, "num_bytes": 5}),
        ("StepRunning", "b", {}),
        ("StepSummary", "b", {"text": "accuracy 0.9"}),
        ("StepFinalising", "b", {}),
        ("StepFinished", "b", {"artifact_id": "y", "key": "k2", "summary": None}),
        ("StepSkipped", "c", {"problem": PROBLEM}),
        ("StepCancelled", "d", {}),
        ("SomethingNewer", "d", {"of": "a later version"}),
        ("RunCancelRequested", None, {}),
        ("RunFinished", None, {"status": "failed", "problem": PROBLEM}),
        ("RunQueued", None, {"nodes": ["a", "b", "c", "d", "e"]}),
    ),
)


def test_types_that_were_changed_by_hand_are_not_fresh(tmp_path: Path) -> None:
    types = editor_types()
    text = types.path.read_text(encoding="utf-8")
    changed = replace(types, path=tmp_path / "types.gen.ts")
    edits = {
        "by hand": text.replace("readonly disabled: boolean;", "readonly disabled?: boolean;"),
        "other models": text.replace("// schema ", "// schema 0"),
        "is missing": None,
    }
    for reason, content in edits.items():
        assert content != text
        if content is None:
            changed.path.unlink()
        else:
            changed.path.write_text(content, encoding="utf-8")
        assert reason in (changed.stale_reason() or "")


def test_the_endpoints_that_the_editor_calls_have_types() -> None:
    text = api_types().path.read_text(encoding="utf-8")
    names = {f"{each.method} {each.path.removeprefix('/api')}" for each in ENDPOINTS}
    typed = set(re.findall(r'readonly "([A-Z]+ /[^"]*)"', text))
    assert typed <= {name.replace(":path", "") for name in names}
    assert {"GET /catalog", "POST /runs"} <= typed
    assert "DELETE /models/{model}" not in typed


def test_what_python_writes_has_the_shapes() -> None:
    for catalog in (builtin_catalog(), TOYS):
        written = catalog_spec(catalog).model_dump_json()
        assert CatalogSpec.model_validate_json(written) == catalog_spec(catalog)
    for events in _runs():
        state = fold(events)
        assert TypeAdapter(RunState).validate_python(as_json(state)) == state
        for event in events:
            assert TypeAdapter(Event).validate_python(as_json(event)) == event


@pytest.mark.parametrize("types", TYPES, ids=lambda types: types.path.parent.name)
def test_the_generator_names_every_model(types: TypesFile) -> None:
    text = types.path.read_text(encoding="utf-8")
    missing = [name for name in types.schema["$defs"] if f" {name} " not in text]
    assert missing in ([], ["JsonValue"])


def test_the_browser_and_python_agree(tmp_path: Path) -> None:
    if NODE is None or not VITEST.is_file():
        pytest.skip("needs node and the editor's packages: run `make editor`")
    documents = [lesson.document.to_json() for lesson in lessons()]
    documents += [{**each, "links": []} for each in documents]
    runs = list(_runs())
    given = {
        "catalog": as_json(catalog_spec(builtin_catalog())),
        "documents": documents,
        "runs": [[vars(event) for event in events] for events in runs],
    }
    answers = _answers(tmp_path, given)

    assert len(answers["documents"]) == 2 * len(documents)
    for emitted in answers["documents"]:
        document = parse_document(json.dumps(emitted))
        assert json.loads(dump_document(document)) == emitted
        assert list(json.loads(dump_document(document))) == list(emitted)
    assert answers["states"] == [as_json(fold(events)) for events in runs]
    for scripts in answers["scripts"]:
        for node, script in scripts.items():
            compile(script, node, "exec")
    _runs_as_pasted(answers["scripts"][0]["split"], tmp_path, "split")


def test_the_code_of_a_sub_pipeline_runs_with_the_values_it_is_given(tmp_path: Path) -> None:
    if NODE is None or not VITEST.is_file():
        pytest.skip("needs node and the editor's packages: run `make editor`")
    catalog = builtin_catalog()
    lesson = next(iter(lessons())).document
    fraction = PipelineParameter(
        id="share",
        type="number",
        default=0.25,
        binds=("split.fraction_of_images_in_the_first_output",),
    )
    given = lesson.model_copy(update={"parameters": (fraction,)})
    documents = [given.to_json(), _with_sub_pipeline(given).to_json()]
    answers = _answers(
        tmp_path,
        {
            "catalog": as_json(catalog_spec(catalog)),
            "documents": documents,
            "runs": [],
        },
    )
    for scripts, node in zip(answers["scripts"], ("split", "sub_pipeline"), strict=True):
        assert "=0.25," in scripts[node], scripts[node]
    _runs_as_pasted(answers["scripts"][1]["sub_pipeline"], tmp_path, "sub_pipeline/split")


def _with_sub_pipeline(document: PipelineDocument) -> PipelineDocument:
    """Return the lesson with ``convert`` and ``split`` in a sub-pipeline, the parameter kept."""
    content, inside = document.to_json(), ("convert", "split")
    [parameter] = content["parameters"]
    links = content["links"]
    inner = [each for each in links if {each[end]["node"] for end in ("from", "to")} <= {*inside}]
    ports = {"convert": "inputs", "split": "outputs"}
    definition: dict[str, Any] = {
        "id": "sub_pipeline",
        "nodes": [each for each in content["nodes"] if each["id"] in inside],
        "links": inner,
        "parameters": [{**parameter}],
        "inputs": [],
        "outputs": [],
    }
    for link in (each for each in links if each not in inner):
        for end in (link["from"], link["to"]):
            if end["node"] in inside:
                port = {"id": end["port"], **end}
                side = definition[ports[end["node"]]]
                side += [] if port in side else [port]
                end["node"] = "sub_pipeline"
    outer = {"id": "sub_pipeline", "module": "definition:sub_pipeline"}
    return parse_document(
        {
            **content,
            "nodes": [each for each in content["nodes"] if each["id"] not in inside] + [outer],
            "links": [each for each in links if each not in inner],
            "parameters": [{**parameter, "binds": [f"sub_pipeline.{parameter['id']}"]}],
            "definitions": [definition],
        }
    )


def _runs_as_pasted(script: str, folder: Path, made: str) -> None:
    """The text of the tab Code, in a process of its own that knows nothing else."""
    root = str(Path(__file__).resolve().parents[3])
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": root},
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("ImageDirectory(") == 2
    assert (folder / "outputs" / made).is_dir()


def test_edits_of_shared_documents_are_stored_as_they_are(tmp_path: Path) -> None:
    if NODE is None or not VITEST.is_file():
        pytest.skip("needs node and the editor's packages: run `make editor`")
    documents = [parse_document(case["document"]).to_json() for case in cases.load("rules.json")]
    given = {
        "catalog": as_json(catalog_spec(TOYS)),
        "documents": documents,
        "runs": [],
    }
    for emitted in _answers(tmp_path, given)["documents"]:
        assert json.loads(dump_document(parse_document(json.dumps(emitted)))) == emitted


def test_the_browser_and_the_server_agree(client: Client) -> None:
    if NODE is None or not VITEST.is_file():
        pytest.skip("needs node and the editor's packages: run `make editor`")
    address = f"http://127.0.0.1:{client.port}/api"
    _run("tests/live.test.ts", DESIGNER_SERVER=address, DESIGNER_TOKEN=client.token)


def _answers(folder: Path, given: dict[str, Any]) -> dict[str, Any]:
    (folder / "given.json").write_text(json.dumps(given), encoding="utf-8")
    _run("tests/exchange.test.ts", DESIGNER_EXCHANGE=str(folder))
    answers: dict[str, Any] = json.loads((folder / "answers.json").read_text(encoding="utf-8"))
    return answers


def _run(test: str, **variables: str) -> None:
    done = subprocess.run(
        [str(NODE), str(VITEST), "run", test],
        cwd=FRONTEND_DIR,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def _runs() -> Iterable[list[Event]]:
    for run in RUNS:
        yield [
            Event(kind, node, data, time=1000.0 + place, id=place + 1)
            for place, (kind, node, data) in enumerate(run)
        ]
