"""Results on Home: those of completed runs, not of one that still trains."""

from __future__ import annotations

from designer_app.screens.recent_runs import newest_headlines
from pipelines.events import Event
from pipelines.store.database.run_options import RunOptions
from tests.designer_app.documents import document
from tests.designer_app.http import Server


def written(server: Server, accuracy: float, status: str | None) -> None:
    store = server.application.session.runs.store
    options = RunOptions(pipeline_id="toy")
    run_id = store.create(document(), ["two", "whole"], name="", experiment="e", options=options)
    logged = {"name": "Overall_Accuracy", "step": 0, "value": accuracy}
    events = [Event("RunStarted"), Event("MetricLogged", "whole", logged)]
    ended = [] if status is None else [Event("RunFinished", data={"status": status})]
    store.append_to(run_id, [*events, *ended])


def test_the_result_is_that_of_the_newest_completed_run(quiet: Server) -> None:
    for accuracy, status in ((0.7, "completed"), (0.9, "completed"), (0.5, "cancelled")):
        written(quiet, accuracy, status)
    written(quiet, 0.1, None)
    headlines = newest_headlines(quiet.application)
    assert {pipeline: headline.text for pipeline, headline in headlines.items()} == {
        "toy": "90.0 %"
    }
