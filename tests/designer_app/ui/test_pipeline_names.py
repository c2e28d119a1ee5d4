"""Pipelines in a sentence or a list: those of one name are told apart."""

from __future__ import annotations

from designer_app.ui.pipeline_names import labels_in_runs, names_of
from pipelines.store.database.history import RunRow
from pipelines.store.database.pipelines import PipelineRow
from pipelines.store.database.run_options import RunOptions


def row(pipeline_id: str, name: str) -> PipelineRow:
    return PipelineRow(pipeline_id, name, created=0.0, revision=1, updated=0.0, num_nodes=2)


TWINS = [row("digits", "Digits"), row("shapes", "Shapes"), row("digits-2", "Digits")]


def run_of(pipeline_id: str | None, name: str | None) -> RunRow:
    options = RunOptions()
    return RunRow("r", "", "e", "completed", 0.0, None, None, None, "", pipeline_id, name, options)


def test_runs_of_one_name_are_told_apart_although_only_one_is_in_the_list() -> None:
    runs = [run_of("digits", "Digits"), run_of("shapes", "Shapes"), run_of(None, "Digits")]
    assert labels_in_runs(runs, TWINS) == {"digits": "Digits (digits)", "shapes": "Shapes"}


def test_a_run_of_a_deleted_pipeline_is_not_taken_for_one_of_its_namesake() -> None:
    assert labels_in_runs([run_of("old", "Shapes")], TWINS) == {"old": "Shapes (old)"}
    assert labels_in_runs([run_of("gone", None)], TWINS) == {"gone": "gone"}


def test_a_sentence_tells_them_apart_too() -> None:
    assert names_of(TWINS) == "Digits (digits), Shapes, Digits (digits-2)"


def test_a_sentence_about_one_of_them_has_its_id() -> None:
    assert names_of(TWINS[:1]) == "Digits"
    assert names_of(TWINS[:1], TWINS) == "Digits (digits)"


def test_a_sentence_has_the_first_few_and_how_many_more() -> None:
    assert names_of(TWINS, most=1) == "Digits (digits) and 2 more"
    assert names_of(TWINS[:2], most=1) == "Digits and 1 more"
