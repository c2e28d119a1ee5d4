"""What a Ray cluster is asked by HTTP, what its answers come to, and whom the token is shown."""

from __future__ import annotations

import json
import shlex
import threading
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from pipelines.errors import RefusedError
from pipelines.targets.engine import EngineSilentError
from pipelines.targets.ray.check import check_ray
from pipelines.targets.ray.job import job_state, prepared, report_in, submit_stored
from pipelines.targets.ray.jobs import RayJobs, read_token
from pipelines.targets.ray.settings import RaySettings
from pipelines.targets.ray.target import Ray
from pipelines.workers.agent_files import AgentFiles, Order
from pipelines.workers.secret_store import SecretStore
from pipelines.workers.step_spec import StepSpec
from pipelines.workspace import Workspace
from tests.pipelines.targets.conftest import SPEC

TOKEN = "ab" * 16
VERSION = {"ray_version": "2.60.0"}


class Dashboard(HTTPServer):
    """Answers what it is told to, and keeps what it was asked."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answer: tuple[int, Any] = (200, VERSION)
        self.asked: list[tuple[str, str, str | None, Any]] = []
        self.kept: dict[str, Any] = {}
        self.refuses_jobs = False

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class Handler(BaseHTTPRequestHandler):
    server: Dashboard

    def do_GET(self) -> None:
        size = int(self.headers.get("Content-Length") or 0)
        body = json.loads(self.rfile.read(size)) if size else None
        entry = self.headers.get("Authorization")
        self.server.asked.append((self.command, self.path, entry, body))
        status, content = self.server.answer
        if self.command == "PUT":
            self.server.kept[self.path] = body
        elif self.path == "/api/jobs/" and self.server.refuses_jobs:
            status, content = 400, "ValueError: no such option.\n"
        said = content if isinstance(content, str) else json.dumps(content)
        self.send_response(status)
        if status == 302:
            self.send_header("Location", self.server.address + "/elsewhere")
        self.end_headers()
        self.wfile.write(said.encode())

    def do_PUT(self) -> None:
        self.do_GET()

    def do_POST(self) -> None:
        self.do_GET()

    def log_message(self, *_: object) -> None:
        """Nothing is printed."""


@pytest.fixture
def dashboard() -> Iterator[Dashboard]:
    server = Dashboard()
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def token_file(tmp_path: Path) -> Path:
    path = tmp_path / "token"
    path.touch(0o600)
    path.write_text(f"{TOKEN}\n")
    return path


@pytest.fixture
def jobs(dashboard: Dashboard, token_file: Path) -> RayJobs:
    return RayJobs(dashboard.address, str(token_file))


def test_a_job_is_submitted_under_its_name_with_the_token(
    dashboard: Dashboard, jobs: RayJobs
) -> None:
    dashboard.answer = (200, {"submission_id": "designer-a-1"})
    jobs.submit("designer-a-1", "exec true")
    body = {"submission_id": "designer-a-1", "entrypoint": "exec true"}
    assert dashboard.asked == [("POST", "/api/jobs/", f"Bearer {TOKEN}", body)]


def test_a_job_that_is_there_already_is_that_one(dashboard: Dashboard, jobs: RayJobs) -> None:
    dashboard.answer = (500, "ValueError: Job with submission_id designer-a-1 already exists.")
    jobs.submit("designer-a-1", "exec true")


def test_a_head_without_an_agent_yet_is_asked_again(dashboard: Dashboard, jobs: RayJobs) -> None:
    dashboard.answer = (500, "No available agent to submit job, please try again later.")
    with pytest.raises(EngineSilentError):
        jobs.submit("designer-a-1", "exec true")


def test_what_ray_does_not_know_is_none_and_what_it_refuses_is_told(
    dashboard: Dashboard, jobs: RayJobs
) -> None:
    dashboard.answer = (404, "Job a does not exist")
    assert jobs.find("a") is None
    jobs.stop("a")
    dashboard.answer = (400, "Traceback\nValueError: no such option.\n")
    with pytest.raises(RefusedError, match="no such option"):
        jobs.submit("a", "exec true")


@pytest.mark.parametrize("answer", [(302, ""), (200, "<html>"), (200, []), (404, {}), (200, {})])
def test_what_is_not_ray_is_told_and_no_redirect_followed(
    dashboard: Dashboard, jobs: RayJobs, answer: tuple[int, Any]
) -> None:
    dashboard.answer = answer
    with pytest.raises(RefusedError, match="is not Ray's Jobs API"):
        jobs.version()
    assert [item[1] for item in dashboard.asked] == ["/api/version"]


def test_a_dashboard_in_trouble_is_no_verdict(dashboard: Dashboard, jobs: RayJobs) -> None:
    dashboard.answer = (503, "")
    with pytest.raises(EngineSilentError):
        jobs.find("a")


@pytest.mark.parametrize("status", [401, 403])
def test_a_token_that_is_refused_or_missing_is_told_with_its_cure(
    dashboard: Dashboard, jobs: RayJobs, token_file: Path, status: int
) -> None:
    dashboard.answer = (status, "Unauthorized")
    with pytest.raises(RefusedError) as refused:
        jobs.find("a")
    assert str(token_file) in refused.value.message
    with pytest.raises(RefusedError, match="requires a token"):
        RayJobs(dashboard.address, None).find("a")
    assert dashboard.asked[-1][2] is None


@pytest.mark.parametrize(
    ("mode", "content", "word"),
    [(0o640, TOKEN, "chmod 600"), (0o600, "", "one word"), (0o600, "two words", "one word")],
)
def test_a_token_is_read_only_from_a_file_of_its_own(
    token_file: Path, mode: int, content: str, word: str
) -> None:
    token_file.write_text(content)
    token_file.chmod(mode)
    with pytest.raises(RefusedError) as refused:
        read_token(str(token_file))
    assert word in refused.value.message + refused.value.cure
    assert content not in refused.value.message or not content
    token_file.unlink()
    with pytest.raises(RefusedError, match="No such file"):
        read_token(str(token_file))


def test_nobody_there_is_a_finding_and_a_name_that_is_none_a_refusal(
    dashboard: Dashboard, tmp_path: Path
) -> None:
    closed = RaySettings.parse({"address": "http://127.0.0.1:1"})
    for settings, words in (
        (closed, "No response"),
        (RaySettings.parse({"address": "http://no-such-host.invalid:8265"}), "not found"),
    ):
        [result] = check_ray(settings, RayJobs(settings.address, None), Workspace(tmp_path))
        assert (result.name, result.ok) == ("reachable", False)
        # where no resolver answers, nobody can say that there is no such machine
        assert words in result.message or "No response" in result.message
        assert result.cure
    assert dashboard.asked == []


def test_the_driver_lies_with_its_plan_and_is_run_by_words(tmp_path: Path) -> None:
    folder = tmp_path / "it's $(touch x)"
    folder.mkdir()
    exec_, python, driver, plan = shlex.split(prepared(folder, {"count": 2}))
    assert (exec_, python) == ("exec", "python3")
    assert "import ray" in Path(driver).read_text()
    assert json.loads(Path(plan).read_text())["folder"] == str(folder)


def test_what_is_reserved_follows_from_the_step() -> None:
    settings = {"address": "https://ray.example.org/cluster/", "gpus_per_process": "2"}
    ray = RaySettings.parse({**settings, "processes_per_node": "4", "cpus_per_process": "3"})
    assert ray.address == "https://ray.example.org/cluster"
    assert ray.bundle(SPEC) == {"CPU": 8, "GPU": 8}  # the step's own cores come first
    assert ray.offer("ray").gpus == 8
    assert ray.bundle(replace(SPEC, steps_per_gpu=2)) == ray.bundle(SPEC)  # of several, whole ones


@pytest.mark.parametrize("steps", range(1, 17))
def test_steps_that_share_a_gpu_fit_it_in_ray(steps: int) -> None:
    ray = RaySettings.parse({"address": "https://ray.example.org", "gpus_per_process": "1"})
    spec = replace(SPEC, process_count_per_node=1, steps_per_gpu=steps)
    units = ray.bundle(spec)["GPU"] * 10_000  # the precision with which Ray counts
    assert units == pytest.approx(round(units))
    assert steps * round(units) <= 10_000 < (steps + 1) * round(units)


@pytest.mark.parametrize(
    ("facts", "said", "state", "words"),
    [
        ({"status": "PENDING"}, None, "waiting", "driver"),
        ({"status": "RUNNING"}, None, "waiting", "driver"),
        ({"status": "RUNNING"}, {"waits_for": "1 of 2 machines"}, "waiting", "1 of 2 machines"),
        ({"status": "RUNNING"}, {"waits_for": ""}, "running", ""),
        ({"status": "SUCCEEDED"}, {"waits_for": ""}, "ended", ""),
        ({"status": "STOPPED"}, {"waits_for": ""}, "ended", "was stopped in Ray"),
        ({"status": "FAILED", "message": "a\nRuntimeError: b"}, None, "ended", "RuntimeError: b"),
        (
            {"status": "FAILED", "message": "python3: can't open file '/x': [Errno 2]"},
            None,
            "ended",
            "head node cannot access",
        ),
        (
            {"status": "FAILED", "message": "No module named 'ray'"},
            None,
            "ended",
            "Ray is not installed",
        ),
    ],
)
def test_a_job_is_told_of_by_ray_and_its_driver(
    tmp_path: Path, facts: dict[str, Any], said: Any, state: str, words: str
) -> None:
    job = job_of(tmp_path, facts, said)
    assert job.state == state
    assert words in job.reason or (job.problem and words in job.problem["message"])


@pytest.mark.parametrize(
    ("lack", "words"),
    [
        ({"missing": "folder", "why": "it is not there"}, "m2 cannot access"),
        ({"missing": "writing", "why": "Read-only file system"}, "Read-only file system"),
        (
            {"missing": "python", "python": "/python", "why": "No such file"},
            "Python was not found on m2",
        ),
        ({"missing": "node", "why": "ActorDiedError"}, "lost m2 (machine 1)"),
        ({"code": -9, "why": ""}, "lost m2 (machine 1)"),
        ({"code": 1, "why": "No module named 'pipelines'"}, "Pipeline Designer is not installed"),
        ({"code": 1, "why": "OSError: odd"}, "OSError: odd"),
    ],
)
def test_what_a_machine_lacks_is_the_problem(
    tmp_path: Path, lack: dict[str, Any], words: str
) -> None:
    files = AgentFiles(tmp_path)
    files.folder.mkdir()
    said = {"waits_for": "", "lack": {"host": "m2", "rank": 1, **lack}}
    problem = job_of(tmp_path, {"status": "FAILED"}, said).problem
    assert problem is not None
    assert words in problem["message"]
    assert problem["cure"]


def unshared(
    tmp_path: Path, dashboard: Dashboard, keep_warm: int = 0, **facts: Any
) -> tuple[Ray, StepSpec]:
    """A cluster whose machines share no folder, and a step that is ordered there."""
    values = {"shared_folder": "none", "keep_warm": keep_warm}
    settings = RaySettings.parse({"address": dashboard.address, **values})
    spec = replace(SPEC, node_dir=str(tmp_path / "runs" / "run" / "node"), target="ray", **facts)
    spec.attempt_dir.mkdir(parents=True)
    AgentFiles(spec.attempt_dir).create(Order({}, secrets=["TOKEN"]))
    return Ray(settings, Workspace(tmp_path)), spec


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        (
            {"launches": True, "parameters": {"outputs_of": "all processes together"}},
            "need one working folder",
        ),
        ({}, "keeps its outputs in a local folder"),
    ],
)
def test_what_needs_a_shared_folder_is_refused_without_one(
    tmp_path: Path, dashboard: Dashboard, facts: dict[str, Any], words: str
) -> None:
    ray, spec = unshared(tmp_path, dashboard, **facts)
    with pytest.raises(RefusedError, match=words) as refused:
        ray.submit("designer-a-1", spec)
    assert refused.value.cure
    assert dashboard.asked == []


def test_secrets_are_kept_by_ray_for_a_job_that_does_not_name_them(
    tmp_path: Path, dashboard: Dashboard
) -> None:
    ray, spec = unshared(tmp_path, dashboard)
    (tmp_path / "designer.toml").write_text('artifacts = "s3://bucket"\n')
    SecretStore(Workspace(tmp_path)).set("TOKEN", "hush-hush")
    SecretStore(Workspace(tmp_path)).set("ANOTHER", "not asked for")
    ray.submit("designer-a-1", spec)
    (put, *_, kept), (_, _, _, job) = dashboard.asked
    assert (put, kept["secrets"]) == ("PUT", {"TOKEN": "hush-hush"})
    results = {name: value for name, value in kept.items() if name != "secrets"}
    assert "hush-hush" not in str(results) + str(job)


def test_machines_that_share_no_folder_are_kept_warm_too(
    tmp_path: Path, dashboard: Dashboard
) -> None:
    ray, spec = unshared(tmp_path, dashboard, keep_warm=5)
    (tmp_path / "designer.toml").write_text('artifacts = "s3://bucket"\n')
    ray.submit("designer-a-1", spec)
    (*_, kept), _ = dashboard.asked
    assert kept["warm"]["command"][1:] == ["-m", "pipelines.workers.warm_agents", "5", "s3"]
    assert kept["spec"] == "designer-a-1"
    assert kept["place"]["address"] == "s3://bucket"
    assert ray.lease_seconds > 0


def test_a_job_without_a_folder_is_kept_by_ray_and_names_no_right_to_the_store(
    dashboard: Dashboard, jobs: RayJobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "kein-Wort-davon")
    monkeypatch.setenv("AWS_CONFIG_FILE", "/here")
    submit_stored(jobs, "designer-a-1", {"count": 1})
    (put, *_, kept), (_, _, _, job) = dashboard.asked
    assert put == "PUT"
    assert kept["variables"]["AWS_SECRET_ACCESS_KEY"] == "kein-Wort-davon"
    assert "AWS_CONFIG_FILE" not in kept["variables"]
    assert "kein-Wort-davon" not in str(job)
    assert "gcs://_ray_pkg_designer-a-1.zip" in job["entrypoint"]


def test_nothing_is_kept_for_a_job_that_ray_refuses(dashboard: Dashboard, jobs: RayJobs) -> None:
    dashboard.refuses_jobs = True
    with pytest.raises(RefusedError, match="no such option"):
        submit_stored(jobs, "designer-a-1", {"count": 1})
    assert dashboard.kept == {"/api/packages/gcs/_ray_pkg_designer-a-1.zip": None}


@pytest.mark.parametrize("way", ["cancelled", "ended before its driver took it", "tried"])
def test_what_ray_kept_for_a_job_that_did_not_take_it_is_forgotten(
    tmp_path: Path, dashboard: Dashboard, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    ray, spec = unshared(tmp_path, dashboard)
    (tmp_path / "designer.toml").write_text(f'artifacts = "file://{tmp_path}/store"\n')
    if way == "tried":
        monkeypatch.setattr("pipelines.targets.ray.check.TRIAL_TIMEOUT_SECONDS", 0.0)
        monkeypatch.setattr("pipelines.targets.ray.check.STOP_TIMEOUT_SECONDS", 0.0)
        assert not all(item.ok for item in ray.check(str(tmp_path)))
    else:
        ray.submit("designer-a-1", spec)
        dashboard.answer = (200, {"status": "PENDING"})
        ray.jobs({"designer-a-1": spec})
        assert all(dashboard.kept.values())
        if way == "cancelled":
            ray.cancel("designer-a-1")
        else:
            dashboard.answer = (200, {"status": "FAILED", "message": "no room"})
            ray.jobs({"designer-a-1": spec})
    assert [*dashboard.kept.values()] == [None]


def test_what_the_driver_printed_last_counts() -> None:
    log = 'a word\n{"told": {"waits_for": "x"}}\n{"told": {"waits_for": ""}}\nTraceback {}\n'
    assert report_in(log) == {"waits_for": ""}
    assert report_in("nothing\n[1]\n{}") is None


def job_of(folder: Path, facts: dict[str, Any], said: dict[str, Any] | None) -> Any:
    files = AgentFiles(folder)
    files.folder.mkdir(exist_ok=True)
    return job_state("designer-a-1", facts, files, said)
