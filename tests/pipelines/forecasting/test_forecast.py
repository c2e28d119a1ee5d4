"""What a run will do is foreseen without running anything."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import pytest
from pydantic import Field

from modules.artifacts import ImageDirectory
from modules.catalog import Catalog
from modules.context import Context
from modules.declare import module
from modules.errors import InvalidDatasetError
from modules.forecast import ArtifactForecast, StepForecast
from modules.parameters import NoParameters, Parameters
from pipelines.document.document import parse_document
from pipelines.forecasting.forecast import (
    START_SECONDS,
    EstimateCache,
    MachineRate,
    forecast,
)
from pipelines.forecasting.last_times import PastWork
from pipelines.forecasting.other_work import on_idle_machine
from pipelines.forecasting.step_timings import StepTimings
from pipelines.store.database.step_timings import PastStep
from tests.pipelines.document import cases


class SourceParameters(Parameters):
    count: int = Field(100, ge=0, title="Count", description="Images.")
    broken: str = Field("", title="Broken", description="How the hook fails.")


ASKED: list[int] = []
"""Counts that Source was asked for."""


def _source(
    inputs: Mapping[str, ArtifactForecast], parameters: SourceParameters, context: Context
) -> StepForecast:
    assert inputs == {}
    ASKED.append(parameters.count)
    if parameters.broken == "dataset":
        raise InvalidDatasetError("It is gone.", cure="Put it back.", parameter="broken")
    if parameters.broken == "bug":
        raise KeyError("oops")
    images = ArtifactForecast(
        parameters.count, 10, 32, 48, transformation=({"operation": "resize"},)
    )
    return StepForecast({"output": images}, memory_bytes=context.world_size * 1000)


@module(title="Source", category="Tests", summary="Images.", forecast=_source)
def source(parameters: SourceParameters) -> ImageDirectory:
    """Never run here."""
    raise NotImplementedError(parameters)


def _work(
    inputs: Mapping[str, ArtifactForecast], parameters: NoParameters, context: Context
) -> StepForecast:
    assert parameters == NoParameters()
    assert context.world_size == context.node_count * context.process_count_per_node
    images = inputs.get("images", ArtifactForecast())
    return StepForecast(
        {"output": replace(images, labeled=True)},
        images_processed=images.num_images,
        flops_per_image=1e9,
        memory_bytes=context.world_size * 5000,
    )


@module(title="Work", category="Tests", summary="Work.", distributed=True, forecast=_work)
def work(images: Annotated[ImageDirectory, "unseen"]) -> ImageDirectory:
    """Never run here."""
    return images


@module(title="Dark", category="Tests", summary="Without foresight.")
def dark(images: ImageDirectory) -> ImageDirectory:
    """Never run here."""
    return images


CATALOG = Catalog.of((source, work, dark))
RATE = MachineRate(flops_per_second=1e10, images_per_second=1e6)
LINKS = (
    "source.output -> work.images",
    "source.output -> twin.images",
    "work.output -> dark.images",
)


def forecast_run(tmp_path: Path, node: dict[str, Any] | str = "source", **options: Any) -> Any:
    content = cases.pipeline(node, "work", "twin:work", "dark", links=LINKS)
    result = forecast(parse_document(content), CATALOG, Context(tmp_path), rate=RATE, **options)
    written = result.model_dump(mode="json")
    json.dumps(written)
    return written


def test_facts_flow_through_the_graph(tmp_path: Path) -> None:
    result = forecast_run(tmp_path)
    first, second, *_, last = result["nodes"]
    assert (first["images"], first["classes"], first["image_size"]) == (100, 10, [32, 48])
    assert second["outputs"]["output"]["labeled"] is True
    assert second["outputs"]["output"]["transformation"] == [{"operation": "resize"}]
    alone = 10.0 + START_SECONDS
    assert (second["seconds"], second["basis"]) == (pytest.approx(alone), "estimated")
    assert (last["node"], last["images"], last["seconds"]) == ("dark", None, None)
    assert result["totals"] == {
        "seconds": pytest.approx(2 * alone),
        "critical_path_seconds": pytest.approx(alone),
        "memory_bytes": 5000,
        "nodes_unknown": 2,
        "nodes_reused": 0,
        "range_seconds": [alone / 2, 3 * alone],
        "cost": None,
    }


def test_documents_that_are_estimated_together_ask_a_module_once(tmp_path: Path) -> None:
    ASKED.clear()
    cache = EstimateCache()
    fewer = {"id": "source", "module": "source", "parameters": {"count": 7}}
    first, again, other = (
        forecast_run(tmp_path, node, cache=cache) for node in ("source", "source", fewer)
    )
    assert again == first == forecast_run(tmp_path)
    assert other["nodes"][1]["seconds"] == pytest.approx(0.7 + START_SECONDS)
    assert ASKED == [100, 7, 100]
    two = {"id": "work", "module": "work", "run_settings": {"process_count_per_node": 2}}
    content = cases.pipeline("source", two, links=LINKS[:1])
    result = forecast(parse_document(content), CATALOG, Context(tmp_path), cache=cache)
    assert result.nodes[1].memory_bytes == 10_000  # of both processes


def test_reused_and_measured_nodes(tmp_path: Path) -> None:
    result = forecast_run(tmp_path, reused={"source", "twin"}, measured={"work": 90.0, "twin": 5.0})
    by_node = {node["node"]: node for node in result["nodes"]}
    assert (by_node["work"]["minutes"], by_node["work"]["basis"]) == (1.5, "measured")
    assert (by_node["twin"]["seconds"], by_node["twin"]["reused"]) == (0.0, True)
    assert result["totals"]["nodes_reused"] == 2


@pytest.mark.parametrize(
    ("parameters", "says"),
    [
        ({"broken": "dataset"}, "It is gone."),
        ({"broken": "bug"}, "The output of Source cannot be estimated: KeyError"),
        ({"count": -1}, None),
    ],
)
def test_hooks_that_fail_leave_the_rest_foreseen(
    tmp_path: Path, parameters: dict[str, Any], says: str | None
) -> None:
    result = forecast_run(tmp_path, {"id": "source", "module": "source", "parameters": parameters})
    findings = result["nodes"][0]["findings"]
    assert [finding["message"] for finding in findings if says in finding["message"]] == [
        finding["message"] for finding in findings
    ]
    assert bool(findings) == (says is not None)
    assert len(result["nodes"]) == 4


def test_work_grows_with_its_images_over_what_the_step_took_besides() -> None:
    timings = StepTimings(
        (
            PastStep("train", 14.0, "small", num_images=100, work_seconds=10.0),
            PastStep("train", 90.0, "large", num_images=100, work_seconds=80.0),
            PastStep("split", 0.3),
            PastStep("split", 0.5),
            PastStep("split", 9.0),
        )
    )
    foreseen = StepForecast(images_processed=300, work="small")
    assert timings.seconds("train", foreseen) == pytest.approx(34.0)
    assert timings.seconds("train", replace(foreseen, work="unknown")) is None
    assert timings.seconds("train", replace(foreseen, images_processed=None)) is None
    assert timings.seconds("split", StepForecast(images_processed=7)) == 0.5
    assert timings.seconds("other", StepForecast()) is None


def test_opening_images_grows_with_their_number_and_not_with_epochs() -> None:
    done = PastStep("train", 17.0, "small", 400, 10.0, num_opened=100, opening_seconds=2.0)
    held = replace(done, seconds=15.0, opening_seconds=0.0)
    foreseen = StepForecast(images_processed=400, work="small", images_opened=300)
    assert StepTimings((done,)).seconds("train", foreseen) == pytest.approx(5 + 6 + 10)
    assert StepTimings((held,)).seconds("train", foreseen) == pytest.approx(5 + 10)
    silent = replace(foreseen, images_opened=None)
    assert StepTimings((done,)).seconds("train", silent) == pytest.approx(17)


def test_measurements_under_load_estimate_an_idle_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipelines.forecasting.other_work.num_cores", lambda: 2)
    alone = PastStep("train", 17.0, "small", 400, 10.0, num_opened=100, opening_seconds=2.0)
    slow = replace(alone, seconds=5 + 12 * 2**0.5, work_seconds=10 * 2**0.5)
    beside_one = replace(slow, opening_seconds=2 * 2**0.5, busy_share=0.5)
    work = StepForecast(images_processed=400, work="small", images_opened=100)
    for step in (alone, replace(alone, busy_share=0.1), beside_one):
        assert StepTimings((step,)).seconds("train", work) == pytest.approx(17)
        assert StepTimings((step,)).besides("train") == pytest.approx(7)
        scaled = PastWork(step, work).now(replace(work, images_processed=800), 1)
        assert scaled.seconds == step.seconds
        assert scaled.scaled_seconds == pytest.approx(27)
    beside_two = replace(beside_one, busy_share=2 / 3)
    assert on_idle_machine(beside_two).work_seconds == pytest.approx(10 * 2 / 3)


def test_steps_with_torch_take_turns_where_each_takes_all_cores(tmp_path: Path) -> None:
    heavy = Catalog.of((source, replace(work, libraries=("torch",)), dark))
    content = cases.pipeline("source", "work", "twin:work", "dark", links=LINKS)
    document = parse_document(content)

    def seconds(**options: Any) -> float:
        estimate = forecast(document, heavy, Context(tmp_path), rate=RATE, **options)
        return estimate.totals.critical_path_seconds

    alone = 10 + START_SECONDS
    assert seconds() == pytest.approx(alone)
    assert seconds(torch_takes_turns=True) == pytest.approx(2 * alone)
    assert seconds(torch_takes_turns=True, reused={"twin"}) == pytest.approx(alone)


def test_only_what_a_node_needs_is_foreseen(tmp_path: Path) -> None:
    result = forecast_run(tmp_path, to_node="work")
    assert [node["node"] for node in result["nodes"]] == ["source", "work"]


def test_experience_comes_before_an_estimate_and_after_what_is_known(tmp_path: Path) -> None:
    timings = StepTimings((PastStep("work", 4.0), PastStep("dark", 0.25)))
    result = forecast_run(tmp_path, timings=timings, measured={"work": 90.0})
    times = {node["node"]: (node["seconds"], node["basis"]) for node in result["nodes"]}
    assert times["work"] == (90.0, "measured")
    assert times["twin"] == (4.0, "measured")
    assert times["dark"] == (0.25, "measured")
