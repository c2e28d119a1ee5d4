"""Runs side by side: matched nodes, differing parameters, deltas, graphs and flipped images."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from modules.artifacts import Artifact, ImageDirectory, ScoredImages
from modules.files.hashing import stat_fingerprint
from pipelines.document.document import PipelineDocument, parse_document
from pipelines.document.node_matching import match_nodes
from pipelines.events import Event
from pipelines.runs.compared_runs import ComparedRuns
from pipelines.runs.comparison import compare
from pipelines.runs.prediction_changes import flips
from pipelines.runs.run_service import RunService
from pipelines.store.artifacts.manifest import seal
from pipelines.store.database.pipelines import Commit, PipelineStore
from pipelines.store.database.run_options import RunOptions

pytestmark = pytest.mark.own_runner

CLASSES = ("cat", "dog")


def pipeline(epochs: int, **ids: str) -> PipelineDocument:
    """Import, split, ResNet, train and score; the nodes may be called otherwise."""
    modules = {
        "images": "convert_to_image_directory",
        "train": "train_pytorch_model",
        "score": "score_image_model",
    }
    names = {item: ids.get(item, item) for item in modules}
    nodes: list[dict[str, Any]] = [
        {"id": names[item], "module": module} for item, module in modules.items()
    ]
    nodes[1]["parameters"] = {"epochs": epochs}
    link = {
        "from": {"node": names["images"], "port": "output_image_directory"},
        "to": {"node": names["score"], "port": "dataset"},
    }
    content = {"format": "pipeline-designer/2", "id": "birds", "nodes": nodes, "links": [link]}
    return parse_document(content)


def ended(
    runs: RunService,
    document: PipelineDocument,
    losses: Sequence[float],
    labels: Sequence[str] = (),
    pipeline_id: str | None = None,
) -> str:
    """A run that ended, with a curve at its second node and scored images at its third."""
    images, train, score = (node.id for node in document.nodes)
    run_id = runs.store.create(
        document.to_json(),
        [images, train, score],
        name="run",
        experiment="E",
        options=RunOptions(pipeline_id=pipeline_id),
    )
    events = [Event("RunStarted")]
    events += [
        Event("MetricLogged", train, {"name": "loss", "step": step, "value": value})
        for step, value in enumerate(losses, start=1)
    ]
    if labels:
        for node, port, artifact_id in entered(runs, run_id, images, score, labels):
            assert (runs.artifacts.root / artifact_id / port).is_dir()
            events.append(Event("StepFinished", node, {"artifact_id": artifact_id, "seconds": 1.0}))
    runs.store.append_to(run_id, [*events, Event("RunFinished", data={"status": "completed"})])
    return run_id


def entered(
    runs: RunService, run_id: str, images: str, score: str, labels: Sequence[str]
) -> list[tuple[str, str, str]]:
    """Put the images and what was predicted of them into the store: node, port, artifact id."""
    import numpy as np
    import pandas as pd

    from modules.scoring.score_table import scored_table

    # the same files lie in another folder, and in another order, in every run
    paths = [f"{run_id[-4:]}/{place}.png" for place in range(len(labels))]
    manifest = pd.DataFrame(
        {
            "path": paths,
            "label": ["cat"] * len(paths),
            "width": 8,
            "height": 8,
            "num_bytes": 100,
            "sha256": [f"{place:064x}" for place in range(len(paths))],
            "source": "",
        }
    )
    order = list(range(len(paths)))[:: 1 if len(set(labels)) == 1 else -1]
    sure = np.array([[0.9, 0.1] if labels[i] == "cat" else [0.2, 0.8] for i in order], np.float32)
    table = scored_table(
        [paths[place] for place in order], ["cat"] * len(paths), CLASSES, sure, -np.log(sure[:, 0])
    )
    results = []
    for node, port in ((images, "output_image_directory"), (score, "scored_dataset")):
        staging = runs.artifacts.staging_dir(run_id, node, 1)
        folder = staging / port
        folder.mkdir(parents=True)
        artifact: Artifact = (
            ImageDirectory.write(folder, manifest, CLASSES)
            if node == images
            else ScoredImages.write(folder, table)
        )
        seal(folder, artifact, {"key": "k", "run_id": run_id, "node": node})
        kept = runs.artifacts.commit(staging, "k" * 64, run_id, node, stat_fingerprint(staging))
        results.append((node, port, kept))
    return results


def test_nodes_are_matched_by_id_then_title_then_module() -> None:
    rows = match_nodes([pipeline(5), pipeline(5, train="learn"), pipeline(5)])
    assert [row.id for row in rows] == ["images", "train", "score"]
    assert [node.id if node else None for node in rows[1].nodes] == ["train", "learn", "train"]
    two = pipeline(5).model_copy(
        update={"nodes": (*pipeline(5).nodes, *pipeline(5, train="learn").nodes[1:2])}
    )
    rows = match_nodes([pipeline(5), two])
    assert [[node and node.id for node in row.nodes] for row in rows][-1] == [None, "learn"]
    assert len(rows) == 4


def test_parameters_metrics_and_graphs_are_compared(runs: RunService) -> None:
    first = ended(runs, pipeline(5), [0.9, 0.2, 0.4])
    second = ended(runs, pipeline(8, train="learn"), [0.8, 0.1])
    comparison = compare(runs, [first, second])
    (epochs,) = comparison.parameters
    assert (epochs.node, epochs.parameter, epochs.values) == ("train", "epochs", [5, 8])
    (loss,) = comparison.metrics
    assert loss.values == [0.2, 0.1]  # as on their pages, not those of the last epoch
    assert loss.deltas == [0.0, pytest.approx(-0.1)]
    assert (loss.lowest, loss.highest) == ([0.2, 0.1], [0.9, 0.8])
    (curve,) = comparison.curves
    assert [[point.value for point in own] for own in curve.points] == [[0.9, 0.2, 0.4], [0.8, 0.1]]
    assert comparison.graphs[0].summary == "nothing changed"
    assert comparison.graphs[1].changed == {"train": ["Epochs: 5 → 8"]}
    assert (comparison.graphs[1].added, comparison.graphs[1].removed) == ([], [])
    assert [node.ids for node in comparison.nodes][1] == ["train", "learn"]


def test_runs_are_told_by_the_names_of_their_versions(runs: RunService) -> None:
    store = PipelineStore(runs.database)
    made = store.create({**pipeline(5).to_json(), "id": "mine"})
    moved = pipeline(8).model_copy(update={"id": "mine", "name": "Another name"})
    store.commit("mine", Commit(moved.to_json(), made.revision))
    store.set_name("mine", 1, "baseline")
    documents = (pipeline(5), pipeline(8), pipeline(9))
    ids = [ended(runs, document, [0.9], pipeline_id="mine") for document in documents]
    names = [run.version for run in compare(runs, ids).runs]
    assert names == ["baseline", None, None]
    store.set_name("mine", 2, "slower")
    names = [run.version for run in compare(runs, ids).runs]
    assert names == ["baseline", "slower", None], "what a pipeline is called does not count"
    store.set_deleted("mine", True)
    assert [run.version for run in compare(runs, ids).runs] == names, "they were of these"


def test_a_node_more_is_told(runs: RunService) -> None:
    shorter = pipeline(5)
    shorter = shorter.model_copy(update={"nodes": shorter.nodes[:2], "links": ()})
    more = runs.store.create(pipeline(5).to_json(), [], name="n", experiment="E")
    less = runs.store.create(shorter.to_json(), [], name="n", experiment="E")
    graph = compare(runs, [more, less]).graphs[1]
    assert (graph.removed, graph.added, graph.links) == (["score"], [], [])
    assert compare(runs, [less, more]).graphs[1].added == ["score"]


def test_flipped_images_are_found_by_their_files(runs: RunService) -> None:
    first = ended(runs, pipeline(5), [0.4], ["cat", "cat", "cat", "dog"])
    second = ended(runs, pipeline(5), [0.3], ["cat", "dog", "cat", "cat"])
    (flip,) = compare(runs, [first, second]).flips
    assert (flip.node, flip.scored, flip.shared, flip.flipped) == ("score", [4, 4], 4, 2)
    assert (flip.fixed, flip.broken) == ([0, 1], [0, 1])
    assert flip.same_files
    page = flips(ComparedRuns(runs, [first, second]), "score")
    said = {image.path.split("/")[1]: image for image in page.images}
    assert page.total == 2
    assert set(said) == {"1.png", "3.png"}
    assert [prediction and prediction.label for prediction in said["1.png"].predictions] == [
        "cat",
        "dog",
    ]
    fixed = said["3.png"].predictions[1]
    assert fixed is not None
    assert fixed.is_right
    assert fixed.probabilities == pytest.approx({"cat": 0.9, "dog": 0.1})
    artifact, file = said["1.png"].artifact, said["1.png"].file
    assert artifact is not None
    assert (runs.artifacts.root / artifact).is_dir()
    assert Path(str(file)).name == "1.png"
    rest = flips(ComparedRuns(runs, [first, second]), "score", offset=1, limit=5)
    assert [image.path for image in rest.images] == [page.images[1].path]
    with pytest.raises(LookupError):
        flips(ComparedRuns(runs, [first, second]), "train")


def test_swept_outputs_and_odd_numbers_of_runs(runs: RunService) -> None:
    first = ended(runs, pipeline(5), [0.4], ["cat", "dog"])
    second = ended(runs, pipeline(5), [0.4])
    assert compare(runs, [first, second]).flips == []
    for refused in ([first], [first, first], []):
        with pytest.raises(ValueError, match="2 to 8"):
            compare(runs, refused)
    with pytest.raises(LookupError):
        compare(runs, [first, "20200101-000000-ffff"])
