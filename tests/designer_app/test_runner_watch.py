"""A crash is not the user's work: while the app is open, runs that nobody watches go on."""

from __future__ import annotations

import signal

import pytest

from pipelines.execution.runner_lock import current_runner
from tests.designer_app.api.runs import submit
from tests.designer_app.documents import slow
from tests.designer_app.http import Client, Server
from tests.polling import wait_for


@pytest.mark.extended
def test_a_run_goes_on_after_its_runner_died_though_nobody_watches(
    server: Server, client: Client
) -> None:
    server.application.runner_watch.start()
    store = server.application.session.runs.store
    run_id = submit(client, slow(4.0))
    wait_for(lambda: store.state(run_id).steps["nap"].status == "running")
    info = current_runner(server.application.session.runs.workspace)
    assert info is not None
    info.identity.signal(signal.SIGKILL)
    wait_for(lambda: store.state(run_id).is_finished)
    state = store.state(run_id)
    assert (state.status, state.steps["nap"].attempt) == ("completed", 2)
