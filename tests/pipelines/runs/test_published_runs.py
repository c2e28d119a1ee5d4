"""Published pipelines: frozen, run again with other values, at most once for a key."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import textwrap
from dataclasses import asdict
from typing import Any

import pytest

from modules.operating_system.processes import ProcessIdentity
from pipelines.errors import NotFoundError, RefusedError, TooManyCallsError
from pipelines.problems import PipelineError
from pipelines.registry.models import ModelRegistry
from pipelines.registry.published import PublishedPipelines
from pipelines.runs.published_runs import CallLimits, PublishedRuns
from pipelines.runs.run_service import RunService
from pipelines.store.database.submissions import SubmissionStore
from tests.pipelines.conftest import finish, value
from tests.pipelines.runs.published import with_parameter
from tests.polling import wait_for


@pytest.fixture
def published(runs: RunService) -> PublishedPipelines:
    made = PublishedPipelines(runs.database)
    made.publish("nightly", with_parameter(), runs.checks.problems, description="Toy")
    return made


def test_versions_are_frozen_and_numbers_are_not_used_again(
    runs: RunService, published: PublishedPipelines
) -> None:
    second = published.publish("nightly", with_parameter(5.0), runs.checks.problems)
    assert second.version == 2
    published.delete("nightly", 2)
    assert published.version("nightly").version == 1
    third = published.publish("nightly", with_parameter(7.0), runs.checks.problems)
    assert third.version == 3
    published.delete("nightly")
    assert published.all() == []
    with pytest.raises(NotFoundError):
        published.version("nightly")
    again = published.publish("nightly", with_parameter(), runs.checks.problems)
    assert again.version == 4
    assert published.find("nightly").description == ""


@pytest.mark.parametrize("name", ["", "../x", "a b", "-a", "x" * 101, "a/b"])
def test_names_that_are_refused(runs: RunService, published: PublishedPipelines, name: str) -> None:
    with pytest.raises(RefusedError):
        published.publish(name, with_parameter(), runs.checks.problems)


def test_a_pipeline_that_cannot_run_is_not_published(
    runs: RunService, published: PublishedPipelines
) -> None:
    broken = with_parameter(nodes=[{"id": "number", "module": "no_such_module"}])
    with pytest.raises(PipelineError):
        published.publish("broken", broken, runs.checks.problems)
    assert [entry.name for entry in published.all()] == ["nightly"]


def test_values_of_parameters_reach_the_nodes(
    runs: RunService, published: PublishedPipelines
) -> None:
    assert published.version("nightly").version == 1
    calls = PublishedRuns(runs)
    plain, other = calls.start("nightly"), calls.start("nightly", {"value": 9})
    for submitted, expected in ((plain, 2.0), (other, 9.0)):
        state = finish(runs, submitted.run_id)
        assert state.status == "completed"
        assert value(runs, state, "number") == expected
        record = runs.store.record(submitted.run_id)
        assert record is not None
        assert record.experiment == "nightly"


@pytest.mark.parametrize("values", [{"unknown": 1}, {"value": "text"}, {"value": 1e99}])
def test_values_that_are_refused_start_nothing(
    runs: RunService, published: PublishedPipelines, values: dict[str, Any]
) -> None:
    assert published.all()
    with pytest.raises(PipelineError):
        PublishedRuns(runs).start("nightly", values, idempotency_key="k")
    assert runs.store.newest() == []
    assert PublishedRuns(runs).start("nightly", {}, idempotency_key="k").is_new


def test_a_key_starts_one_run(runs: RunService, published: PublishedPipelines) -> None:
    assert published.all()
    calls = PublishedRuns(runs)
    first = calls.start("nightly", {"value": 3}, idempotency_key="monday")
    again = calls.start("nightly", {"value": 3}, idempotency_key="monday")
    assert first.is_new
    assert again == (first.run_id, False)
    with pytest.raises(RefusedError):
        calls.start("nightly", {"value": 4}, idempotency_key="monday")
    assert calls.start("nightly", {"value": 4}, idempotency_key="tuesday").is_new
    for key in ("", "with space", "\n", "ü", "x" * 201):
        with pytest.raises(RefusedError):
            calls.start("nightly", idempotency_key=key)


def test_rate_and_queue_are_limited(runs: RunService, published: PublishedPipelines) -> None:
    assert published.all()
    calls = PublishedRuns(runs, CallLimits(calls_per_minute=2))
    started = [calls.start("nightly", idempotency_key=f"k{number}") for number in range(2)]
    with pytest.raises(TooManyCallsError) as refused:
        calls.start("nightly")
    assert 1 <= refused.value.seconds <= 61
    # a repeated call costs nothing
    assert calls.start("nightly", idempotency_key="k0").run_id == started[0].run_id
    waiting = PublishedRuns(runs, CallLimits(unfinished_runs=0))
    with pytest.raises(TooManyCallsError):
        waiting.start("nightly")


KILLED = textwrap.dedent(
    """
    import os, signal, sys
    from pipelines.runs import run_service
    from pipelines.runs.published_runs import PublishedRuns
    from pipelines.session import WorkspaceSession
    from pipelines.workspace import Workspace

    where, folder = sys.argv[1:]
    session = WorkspaceSession(Workspace.at(folder))
    create = session.runs.store.create

    def killed(*arguments, **options):
        if where == "after":
            create(*arguments, **options)
        os.kill(os.getpid(), signal.SIGKILL)

    session.runs.store.create = killed
    PublishedRuns(session.runs).start("nightly", {"value": 3}, idempotency_key="k")
    """
)


@pytest.mark.extended
@pytest.mark.parametrize("where", ["before", "after"])
def test_a_caller_killed_while_it_submits_leaves_one_run(
    runs: RunService, published: PublishedPipelines, where: str
) -> None:
    assert published.all()
    done = subprocess.run(
        [sys.executable, "-c", KILLED, where, str(runs.workspace.root)],
        env={**os.environ},
        capture_output=True,
        text=True,
    )
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert len(runs.store.newest()) == (1 if where == "after" else 0)
    again = PublishedRuns(runs).start("nightly", {"value": 3}, idempotency_key="k")
    assert again.is_new == (where == "before")
    assert [record.id for record in runs.store.newest()] == [again.run_id]
    submission = SubmissionStore(runs.database).get("published:nightly", "k")
    assert submission is not None
    assert (submission.run_id, submission.holder) == (again.run_id, None)


def test_a_process_that_submits_for_too_long_is_reported(
    runs: RunService, published: PublishedPipelines
) -> None:
    assert published.all()
    calls = PublishedRuns(runs, CallLimits(other_process_seconds=0.2))
    call: dict[str, object] = {"parameters": {}, "version": None}
    digest = hashlib.sha256(json.dumps(call, sort_keys=True).encode()).hexdigest()
    own = asdict(ProcessIdentity.of())
    assert SubmissionStore(runs.database).claim("published:nightly", "k", digest, own)
    with pytest.raises(RefusedError, match="Another process"):
        calls.start("nightly", idempotency_key="k")
    assert runs.store.newest() == []


SLOW = textwrap.dedent(
    """
    import sys, time
    from pathlib import Path
    from pipelines.runs.published_runs import PublishedRuns
    from pipelines.session import WorkspaceSession
    from pipelines.workspace import Workspace

    folder, number = sys.argv[1:]
    session = WorkspaceSession(Workspace.at(folder))
    create = session.runs.store.create

    def slow(*arguments, **options):
        time.sleep(1)
        return create(*arguments, **options)

    session.runs.store.create = slow
    Path(folder, f"ready-{number}").touch()
    while not Path(folder, "go").exists():
        time.sleep(0.01)
    submitted = PublishedRuns(session.runs).start("nightly", {"value": 3}, idempotency_key="k")
    print(submitted.run_id, submitted.is_new)
    """
)


def test_two_processes_with_one_key_at_once_get_the_same_run(
    runs: RunService, published: PublishedPipelines
) -> None:
    assert published.all()
    root = runs.workspace.root
    callers = [
        subprocess.Popen(
            [sys.executable, "-c", SLOW, str(root), str(number)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for number in range(2)
    ]
    wait_for(lambda: all((root / f"ready-{number}").exists() for number in range(2)))
    (root / "go").touch()
    answers = [caller.communicate(timeout=120) for caller in callers]
    said = [output.split() for output, _ in answers]
    assert sorted(is_new for _, is_new in said) == ["False", "True"], answers
    assert len({run_id for run_id, _ in said}) == 1
    assert [record.id for record in runs.store.newest()] == [said[0][0]]


def test_a_model_that_a_published_pipeline_needs_is_in_use(runs: RunService) -> None:
    node = {"id": "model", "module": "registered_model", "parameters": {"model": "birds@1"}}
    document = with_parameter(nodes=[node], parameters=[])
    published = PublishedPipelines(runs.database)
    published.publish("scores", document, lambda _: [])
    users = [name for name, _ in ModelRegistry(runs.database, runs.artifacts)._documents()]
    assert users == ["scores, version 1 (published)"]
