"""The stream of a run: snapshot, deltas, taken up again, the same however late one joins."""

from __future__ import annotations

import asyncio
import signal
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from designer_app.api import events
from pipelines.events import Event, RunState, StepState, apply, fold
from pipelines.execution.runner_lock import current_runner
from pipelines.workspace import Workspace
from tests.designer_app.api.runs import FINISHED, ended, new_run, submit
from tests.designer_app.documents import slow
from tests.designer_app.http import Client, Message, Server
from tests.json_values import as_json
from tests.pipelines.store.database.event_strategies import step_events
from tests.polling import wait_for

unfinished = st.lists(step_events.filter(lambda event: event.kind != "RunFinished"), max_size=12)


def folded(messages: list[Message]) -> Any:
    """What a page knows after the messages: a snapshot, then events."""
    state = RunState()
    for each in messages:
        if each.kind == "snapshot":
            given = dict(each.data["state"])
            steps = {name: StepState(**step) for name, step in given.pop("steps").items()}
            state = RunState(**given, steps=steps)
        elif each.kind == "events":
            for event in each.data:
                apply(state, Event(**event))
    return as_json(state)


def read(client: Client, run_id: str, query: str = "", **headers: str) -> list[Message]:
    with client.stream(f"/api/runs/{run_id}/events{query}", **headers) as messages:
        return list(messages)


def test_a_run_is_told_from_its_beginning_to_its_end(client: Client) -> None:
    run_id = submit(client, slow(0.3), pipeline_id="slow")
    messages = read(client, run_id)
    first, curves = messages[:2]
    assert [first.kind, curves.kind] == ["snapshot", "curves"]
    assert (first.data["run_id"], first.data["document_id"]) == (run_id, "slow")
    assert (first.id, curves.id) == (None, first.data["last_event_id"])
    assert {each.kind for each in messages[2:]} == {"events"}
    ids = ids_in(messages)
    assert ids == sorted(set(ids))
    assert messages[-1].data[-1]["kind"] == "RunFinished"
    assert folded(messages) == ended(client, run_id)["state"]


def test_a_finished_run_is_a_snapshot_and_its_curves(quiet: Server) -> None:
    client = quiet.client
    store, run_id = new_run(quiet)
    logged = [{"name": "loss", "step": step, "value": 1 / step} for step in range(1, 4)]
    store.append_to(run_id, [*(Event("MetricLogged", "a", each) for each in logged), FINISHED])
    snapshot, curves = read(client, run_id)
    assert (snapshot.kind, snapshot.data["state"]["status"]) == ("snapshot", "completed")
    [told] = curves.data["metrics"]["a"].values()
    assert [(point["step"], point["value"]) for point in told] == [(1, 1), (2, 1 / 2), (3, 1 / 3)]
    assert read(client, run_id, f"?after={curves.id}") == []


def test_a_stream_is_taken_up_where_it_broke(quiet: Server) -> None:
    client = quiet.client
    store, run_id = new_run(quiet)
    store.append_to(run_id, [Event("RunStarted"), Event("StepStarted", "a", {"attempt": 1})])
    store.append_to(run_id, [FINISHED])
    ids = [event.id or 0 for event in store.events_after(run_id)]
    for headers, query in (({"Last_Event_ID": str(ids[0])}, ""), ({}, f"?after={ids[0]}")):
        messages = read(client, run_id, query, **headers)
        assert ids_in(messages) == ids[1:]
    for unheard_of in ("?after=99999999", "?after=0"):
        assert folded(read(client, run_id, unheard_of))["status"] == "completed"


def test_at_most_twenty_messages_a_second(quiet: Server) -> None:
    client = quiet.client
    store, run_id = new_run(quiet)

    def chatter() -> None:
        for _ in range(60):
            store.append_to(run_id, [Event("StepProgress", "a", {"done": 1, "total": 2})])
            time.sleep(0.004)
        store.append_to(run_id, [FINISHED])

    thread = threading.Thread(target=chatter)
    began = time.monotonic()
    thread.start()
    messages = read(client, run_id)
    took = time.monotonic() - began
    thread.join()
    assert len(messages) <= 20 * took + 4
    written, heard = [event.id for event in store.events_after(run_id)], ids_in(messages)
    assert heard == written[len(written) - len(heard) :], "the first ones are in the snapshot"


def test_an_event_is_heard_soon(quiet: Server) -> None:
    client = quiet.client
    store, run_id = new_run(quiet)
    delays = []
    with client.stream(f"/api/runs/{run_id}/events") as messages:
        assert [next(messages).kind, next(messages).kind] == ["snapshot", "curves"]
        for _ in range(5):
            time.sleep(0.12)
            store.append_to(run_id, [Event("StepProgress", "a", {"done": 1, "total": 2})])
            heard = next(messages)
            delays.append(time.time() - heard.data[-1]["time"])
    store.append_to(run_id, [FINISHED])
    assert sorted(delays)[2] < 0.15


def test_a_headline_is_told_although_nothing_follows(quiet: Server) -> None:
    store, run_id = new_run(quiet)
    with quiet.client.stream(f"/api/runs/{run_id}/events") as messages:
        assert [next(messages).kind, next(messages).kind] == ["snapshot", "curves"]
        for value in (0.1, 0.2):  # the second one within a second of the first
            logged = {"name": "Overall_Accuracy", "step": 0, "value": value}
            store.append_to(run_id, [Event("MetricLogged", "two", logged)])
            heard = next(messages)
            while heard.kind != "headline":
                heard = next(messages)
            assert heard.data["headline"]["value"] == value
    store.append_to(run_id, [FINISHED])


def test_a_stream_with_nothing_to_say_is_kept_open(
    quiet: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events, "HEARTBEAT_SECONDS", 0.0)
    _store, run_id = new_run(quiet)

    async def beginning() -> list[bytes]:
        found = []
        async for each in events.messages(quiet.application, run_id, None):
            found.append(each)
            if len(found) == 4:
                break
        return found

    snapshot, curves, *beats = asyncio.run(beginning())
    assert snapshot.startswith(b"event: snapshot")
    assert curves.startswith(b"event: curves")
    assert beats == [b": still here\n\n"] * 2  # a comment, which no listener hears


def test_a_frozen_runner_is_told_and_that_it_works_again(client: Client, server: Server) -> None:
    run_id = submit(client, slow(5.0))
    wait_for(lambda: client.get(f"/api/runs/{run_id}").json["nodes"]["nap"]["status"] == "running")
    info = current_runner(server.application.settings.workspace)
    assert info is not None
    with client.stream(f"/api/runs/{run_id}/events") as messages:
        reports = (each.data["problem"] for each in messages if each.kind == "runner")
        info.identity.signal(signal.SIGSTOP)
        try:
            frozen = next(each for each in reports if each is not None)
            assert f"kill -CONT {info.pid}" in frozen
            assert client.get(f"/api/runs/{run_id}").json["runner_problem"] == frozen
        finally:
            info.identity.signal(signal.SIGCONT)
        assert next(reports, None) is None
    assert ended(client, run_id)["status"] == "completed"
    assert client.get(f"/api/runs/{run_id}").json["runner_problem"] is None


def ids_in(messages: list[Message]) -> list[int]:
    return [event["id"] for each in messages if each.kind == "events" for event in each.data]


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(events=unfinished, where=st.floats(0, 1), data=st.data())
def test_who_joins_late_or_comes_back_knows_the_same(
    quiet: Server, events: list[Event], where: float, data: st.DataObject
) -> None:
    """Whatever came, whenever one joined or was cut off: each event once, and the same end."""
    client = quiet.client
    store, run_id = new_run(quiet)
    cut = round(where * len(events))
    if cut:
        store.append_to(run_id, events[:cut])
    with client.stream(f"/api/runs/{run_id}/events") as early:
        seen = [next(early)]
        store.append_to(run_id, [*events[cut:], FINISHED])
        seen += list(early)
    told = store.events_after(run_id)
    ids = [event.id or 0 for event in told]
    expected = as_json(store.state(run_id))
    assert ids_in(seen) == [each for each in ids if each > seen[0].data["last_event_id"]]
    assert folded(seen) == folded(read(client, run_id)) == as_json(fold(told)) == expected

    known = data.draw(st.sampled_from([0, *ids, ids[-1] + 1]))
    rest = read(client, run_id, f"?after={known}")
    if known > ids[-1]:  # of another workspace, as it were: all is told anew
        assert folded(rest) == expected
        return
    assert ids_in(rest) == [each for each in ids if each > known]
    before = [event for event in told if (event.id or 0) <= known]
    after = [Event(**event) for message in rest for event in message.data]
    assert as_json(fold([*before, *after])) == expected


def test_the_run_goes_on_while_the_server_is_away() -> None:
    with tempfile.TemporaryDirectory(prefix="designer-") as folder:
        from tests import toy

        workspace = Workspace.at(Path(folder) / "workspace").make()
        toy.install(workspace.modules_dir)
        first = Server(workspace, data_roots=())
        run_id = submit(first.client, slow(1.0))
        with first.client.stream(f"/api/runs/{run_id}/events") as messages:
            heard = [next(messages), next(messages)]
            first.stop()
        second = Server(workspace, data_roots=())
        assert second.client.token == first.client.token, "pages that are open stay signed in"
        last = heard[-1].id
        heard += read(second.client, run_id, Last_Event_ID=str(last))
        assert folded(heard) == ended(second.client, run_id)["state"]
        assert folded(heard)["status"] == "completed"
        second.application.session.runner.stop()
        second.stop()


@pytest.mark.extended
def test_a_run_goes_on_after_its_runner_died(client: Client, server: Server) -> None:
    server.application.runner_watch.start()
    run_id = submit(client, slow(4.0))
    wait_for(lambda: client.get(f"/api/runs/{run_id}").json["nodes"]["nap"]["status"] == "running")
    with client.stream(f"/api/runs/{run_id}/events") as messages:
        seen = [next(messages)]
        info = current_runner(server.application.session.runs.workspace)
        assert info is not None
        info.identity.signal(signal.SIGKILL)
        seen += list(messages)
    assert folded(seen)["status"] == "completed"
    assert folded(seen)["steps"]["nap"]["attempt"] == 2
