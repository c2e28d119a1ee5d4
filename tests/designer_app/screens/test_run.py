"""The page of a run: each run has its own fields, and what is looked at stays what it is."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.testing.v1 import AppTest

from designer_app.application import Application
from designer_app.ui.markdown import plain
from pipelines.events import Event
from pipelines.runs.headline import HeadlineChoice
from pipelines.runs.results import headline_in
from pipelines.store.database.run_options import RunOptions
from tests.designer_app.documents import document, node
from tests.designer_app.http import Server

NODES = [
    {**node("first", "constant"), "title": "First *of* all"},
    {**node("second", "constant"), "title": "Second"},
]
PAIR = document(nodes=NODES, links=[])


@pytest.fixture
def application(quiet: Server, monkeypatch: pytest.MonkeyPatch) -> Application:
    monkeypatch.setattr("designer_app.application._current", quiet.application)
    return quiet.application


def begun(application: Application, name: str, pipeline_id: str | None = None) -> str:
    store, options = application.session.runs.store, RunOptions(pipeline_id=pipeline_id)
    run_id = store.create(PAIR, ["first", "second"], name=name, experiment="E", options=options)
    store.append_to(run_id, [Event("RunStarted")])
    return run_id


def page_of(part: Callable[[], None], run_id: str) -> AppTest:
    page = AppTest.from_function(part, default_timeout=120)
    return turned_to(page, run_id)


def turned_to(page: AppTest, run_id: str) -> AppTest:
    """The same page, shown anew with a run, as a link on it does."""
    page.query_params["run"] = run_id
    return page.run()


def naming() -> None:
    import streamlit as st

    from designer_app.application import current
    from designer_app.screens.run.actions import _naming
    from designer_app.screens.run.run_view import find_run

    subject = find_run(current(), st.query_params["run"])
    assert subject is not None
    _naming(subject)


def test_a_run_is_not_named_as_the_one_that_was_shown_before(application: Application) -> None:
    history = application.session.history
    first, second = begun(application, "First"), begun(application, "Second")
    history.tag(first, ["good"])
    page = page_of(naming, first)
    page.text_input[0].set_value("First of all")
    page.text_area[0].set_value("Seed 7")
    page.button[0].click().run()
    assert (history.row(first).name, history.row(first).note) == ("First of all", "Seed 7")
    turned_to(page, second)
    fields = page.text_input[0].value, page.multiselect[0].value, page.text_area[0].value
    assert fields == ("Second", [], "")
    page.button[0].click().run()
    assert not page.exception
    row = history.row(second)
    assert (row.name, row.tags, row.note) == ("Second", (), "")


def nodes_of_curves() -> None:
    import streamlit as st

    from designer_app.application import current
    from designer_app.screens.run.metrics import _chosen_nodes
    from designer_app.screens.run.run_view import find_run

    subject = find_run(current(), st.query_params["run"])
    assert subject is not None
    _chosen_nodes(subject, list(subject.titles))


def test_the_nodes_whose_curves_are_shown_are_chosen_for_one_run(application: Application) -> None:
    first, second = begun(application, "First"), begun(application, "Second")
    page = page_of(nodes_of_curves, first)
    page.multiselect[0].set_value(["second"]).run()
    turned_to(page, second)
    assert page.multiselect[0].value == ["first", "second"]


def judging() -> None:
    import streamlit as st

    from designer_app.application import current
    from designer_app.screens.run.result import _choice
    from designer_app.screens.run.run_view import find_run
    from pipelines.runs.headline import figures_of
    from pipelines.runs.results import headline_in

    subject = find_run(current(), st.query_params["run"])
    assert subject is not None
    headline, results = headline_in(subject.row), subject.row.results
    assert headline is not None
    assert results is not None
    figures = figures_of(results.metrics)
    _choice(subject, str(subject.row.pipeline_id), headline, figures)


def judged(application: Application, name: str, pipeline_id: str) -> str:
    run_id = begun(application, name, pipeline_id)
    figures = [("first", "size", 7.0), ("second", "Overall_Accuracy", 0.5)]
    logs = [
        Event("MetricLogged", node_id, {"name": metric, "step": 0, "value": value})
        for node_id, metric, value in figures
    ]
    over = Event("RunFinished", data={"status": "completed"})
    application.session.runs.store.append_to(run_id, [*logs, over])
    return run_id


def test_the_runs_of_a_pipeline_are_judged_by_what_was_chosen_for_it(
    application: Application,
) -> None:
    session = application.session
    pipelines = [
        session.pipelines.store.create({**PAIR, "id": each}).pipeline_id for each in ("a", "b")
    ]
    first, other = (judged(application, each, each) for each in pipelines)

    def metric_of(run_id: str) -> tuple[str, bool] | None:
        found = headline_in(session.history.row(run_id))
        return None if found is None else (found.metric, found.is_chosen)

    page = page_of(judging, first)
    page.selectbox[0].select_index(1).run()
    assert not page.exception
    assert metric_of(first) == ("size", True)
    turned_to(page, other)
    assert metric_of(other) == ("Overall_Accuracy", False)
    assert page.selectbox[0].index == 0
    turned_to(page, first)
    assert page.selectbox[0].index == 1
    choice = HeadlineChoice(node="second", metric="Overall_Accuracy")
    session.history.choose_headline(pipelines[0], choice)  # by another page
    assert turned_to(page, first).selectbox[0].index == 2
    assert metric_of(first) == ("Overall_Accuracy", True)


def tab_of_outputs() -> None:
    import streamlit as st

    from designer_app.application import current
    from designer_app.screens.run.outputs import outputs
    from designer_app.screens.run.run_view import find_run

    subject = find_run(current(), st.query_params["run"])
    assert subject is not None
    outputs(subject)


def finish(application: Application, run_id: str, node_id: str) -> None:
    """The node is done: its output is in the store."""
    (application.session.artifacts.root / node_id / "output").mkdir(parents=True)
    done = Event("StepFinished", node_id, {"artifact_id": node_id, "seconds": 0.1})
    application.session.runs.store.append_to(run_id, [done])


def click_row(page: AppTest, *rows: int) -> None:
    """What the browser sends of a table when a row is chosen: AppTest has no click for it."""
    selection = {"selection": {"rows": rows, "columns": [], "cells": []}}
    state = WidgetState(id=page.dataframe[0].proto.id, string_value=json.dumps(selection))
    page._run(WidgetStates(widgets=[state]))


def test_the_output_that_is_looked_at_stays_while_the_rows_move(application: Application) -> None:
    run_id = begun(application, "Live")
    finish(application, run_id, "second")
    page = page_of(tab_of_outputs, run_id)
    assert not page.subheader
    click_row(page, 0)
    assert "Second" in page.subheader[0].value
    finish(application, run_id, "first")
    page.run()
    assert not page.exception
    assert list(page.dataframe[0].value["Node"]) == ["First *of* all", "Second"]
    assert "Second" in page.subheader[0].value
    assert json.loads(page.dataframe[0].proto.selection_state)["selection"]["rows"] == [1]
    click_row(page, 0)
    assert page.subheader[0].value == plain("First *of* all: output")
    click_row(page)
    assert not page.subheader
