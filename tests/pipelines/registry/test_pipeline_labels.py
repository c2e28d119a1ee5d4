"""Labels of pipelines: those of one name are distinguished by their ids."""

from __future__ import annotations

from pipelines.registry.pipeline_labels import labels_of
from pipelines.store.database.pipelines import PipelineRow


def row(pipeline_id: str, name: str) -> PipelineRow:
    return PipelineRow(pipeline_id, name, created=0.0, revision=1, updated=0.0, num_nodes=2)


TWINS = [row("digits", "Digits"), row("shapes", "Shapes"), row("digits-2", "Digits")]


def test_the_id_stands_where_several_have_a_name() -> None:
    told_apart = {"digits": "Digits (digits)", "shapes": "Shapes", "digits-2": "Digits (digits-2)"}
    assert labels_of(TWINS) == told_apart


def test_a_pipeline_without_a_name_has_its_id() -> None:
    assert labels_of([row("one", ""), row("two", "")]) == {"one": "one", "two": "two"}
