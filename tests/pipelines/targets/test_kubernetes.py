"""Steps in pods: what a cluster is given by its official client, what its answers come to, and
whom the token is shown. The API is simulated (``kubernetes_cluster.py``), the agents are real."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from modules.catalog import builtin_catalog
from modules.operating_system.process_table import IS_LINUX
from pipelines.errors import RefusedError
from pipelines.targets.agent_step import AgentStep
from pipelines.targets.base import StepEnd
from pipelines.targets.engine import EngineSilentError
from pipelines.targets.kubernetes.api import KubernetesApi
from pipelines.targets.kubernetes.manifest import example_manifests, object_name
from pipelines.targets.kubernetes.settings import KubernetesSettings
from pipelines.targets.kubernetes.target import Kubernetes, kubernetes_target
from pipelines.targets.remote import RemoteTarget, job_name
from pipelines.workers.step_spec import StepSpec
from pipelines.workspace import Workspace
from tests.pipelines.conftest import contents
from tests.pipelines.targets.conftest import SPEC
from tests.pipelines.targets.kubernetes_cluster import (
    CORE,
    JOBS,
    TOKEN,
    Cluster,
    container,
    refusal,
    settings_of,
    unschedulable,
)
from tests.polling import wait_for

pytest.importorskip("kubernetes", reason="needs the extra kubernetes")
pytestmark = pytest.mark.skipif(not IS_LINUX, reason="agents run on machines with Linux")
SAYS_WHO_IT_IS = """\
import os
with open(f"outputs/rank-{os.environ['RANK']}.txt", "w") as file:
    file.write("here")
print(os.environ["RANK"], "of", os.environ["WORLD_SIZE"])
"""
FULL = "0/3 nodes are available: 3 Insufficient nvidia.com/gpu."


def target_of(cluster: Cluster, tmp_path: Path, **more: Any) -> RemoteTarget:
    settings = settings_of(cluster, **more)
    return kubernetes_target("pods", settings, Workspace(tmp_path / "workspace").make())


@pytest.fixture
def target(cluster: Cluster, tmp_path: Path) -> Iterator[RemoteTarget]:
    made = target_of(cluster, tmp_path)
    yield made
    made.close()


def end_of(step: AgentStep) -> StepEnd:
    wait_for(lambda: step.poll() is not None)
    end = step.poll()
    assert end is not None
    return end


def waits_for(step: AgentStep, words: str) -> None:
    wait_for(lambda: step.phase is not None and words in step.phase.waits_for)


def problem_of(step: AgentStep) -> dict[str, Any]:
    problem = end_of(step).problem
    assert problem is not None
    assert problem["cure"]
    return dict(problem)


# steps


@pytest.mark.extended
def test_a_step_runs_in_a_pod_and_the_token_stays_in_its_file(
    cluster: Cluster, target: RemoteTarget, spec: StepSpec, tmp_path: Path
) -> None:
    step = target.submit(spec, "nothing")
    assert end_of(step).ok
    hours = step.files.order().report_seconds / 3600
    assert hours > 1, "the first pod waits for a node for the last one"
    [job] = cluster.jobs()
    service = cluster.objects[f"{CORE}/services/{job['metadata']['name']}"]
    wait_for(lambda: "ownerReferences" in service["metadata"])
    assert service["metadata"]["ownerReferences"][0]["uid"] == job["metadata"]["uid"]
    assert TOKEN not in str([cluster.objects, cluster.asked, target.offer])
    [[agent]] = cluster.processes.values()
    agent.wait(120)  # it writes files until then
    holders = [path for path, text in contents(tmp_path).items() if TOKEN.encode() in text]
    assert holders == [cluster.kubeconfig]


def test_a_script_runs_in_as_many_pods_as_it_has_machines(
    cluster: Cluster, target: RemoteTarget, spec: StepSpec
) -> None:
    origin = builtin_catalog().origin("run_training_script")
    assert origin is not None
    script = replace(
        spec,
        module_id="run_training_script",
        origin=asdict(origin),
        parameters={
            "typed_script": SAYS_WHO_IT_IS,
            "model_file": None,
            "outputs_of": "every process",
        },
        inputs={},
        node_count=2,
        launches=True,
        launcher="pytorch_process",
    )
    assert end_of(target.submit(script, "nothing")).ok
    assert [job["spec"]["completions"] for job in cluster.jobs()] == [2]
    said = [script.log_path(rank).read_text().split() for rank in range(2)]
    assert said == [["0", "of", "2"], ["1", "of", "2"]]
    written = Path(script.staging_dir).rglob("rank-*.txt")
    assert sorted(item.name for item in written) == ["rank-0.txt", "rank-1.txt"]


def test_a_step_outlives_its_runner_and_is_found_by_its_name(
    cluster: Cluster, target: RemoteTarget, spec: StepSpec, tmp_path: Path
) -> None:
    long = replace(spec, parameters={"seconds": 3.0})
    first = target.submit(long, "nothing")
    wait_for(lambda: first.phase is not None and first.phase.name == "running")
    target.close()
    successor = target_of(cluster, tmp_path)
    end = end_of(successor.adopt(StepSpec.read(long.spec_path)))
    successor.close()
    assert (end.ok, end.was_lost) == (True, False)
    assert [method for method, path in cluster.asked if path == JOBS].count("POST") == 1


def test_a_cancelled_step_leaves_nothing(
    cluster: Cluster, target: RemoteTarget, spec: StepSpec
) -> None:
    step = target.submit(replace(spec, parameters={"seconds": 600.0}), "nothing")
    wait_for(lambda: step.phase is not None and step.phase.name == "running")
    [processes] = cluster.processes.values()
    step.cancel()
    assert not end_of(step).ok
    wait_for(lambda: not cluster.jobs())
    assert [process.poll() is None for process in processes] == [False]
    assert not [path for path in cluster.objects if "services" in path]


def test_what_keeps_a_step_from_a_node_is_what_it_waits_for(
    cluster: Cluster, target: RemoteTarget, spec: StepSpec
) -> None:
    cluster.status = unschedulable(FULL)
    step = target.submit(spec, "nothing")
    waits_for(step, "3 Insufficient nvidia.com/gpu")
    cluster.status = container("waiting", reason="ContainerCreating")
    waits_for(step, "ContainerCreating")
    cluster.answer = refusal(503, "etcd has no leader")
    waits_for(step, "a response from Kubernetes")
    assert step.poll() is None
    cluster.answer = None
    cluster.status = container(
        "waiting", reason="ErrImagePull", message='reading "designer:1": manifest unknown'
    )
    assert "Cannot pull the image designer:1" in problem_of(step)["message"]
    wait_for(lambda: not cluster.jobs())


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (refusal(401, "Unauthorized"), "rejected the credentials"),
        (refusal(403, 'jobs is forbidden: User "ann" cannot create'), 'User "ann" cannot create'),
        (refusal(404, 'namespaces "team" not found'), "Namespace 'team' not found"),
        (refusal(422, 'Job "x" is invalid: spec.completions'), "spec.completions"),
        ((302, ""), "is not a Kubernetes API server"),
        ((200, "<html>"), "is not a Kubernetes API server"),
        ((404, "<html>"), "is not a Kubernetes API server"),
    ],
)
def test_what_the_cluster_refuses_is_told_with_its_cure(
    cluster: Cluster, tmp_path: Path, answer: tuple[int, Any], words: str
) -> None:
    engine = Kubernetes(settings_of(cluster), tmp_path)
    cluster.answer = answer
    with pytest.raises(RefusedError) as refused:
        engine.submit("designer-a", SPEC)
    assert words in refused.value.message
    assert refused.value.cure
    assert len(cluster.asked) == 1, "nothing is asked twice, no redirect followed"


def test_a_job_over_the_quota_is_told_and_leaves_no_service(
    cluster: Cluster, tmp_path: Path
) -> None:
    cluster.quota = "exceeded quota: small, used: count/jobs.batch=1"
    with pytest.raises(RefusedError, match="does not allow the step") as refused:
        Kubernetes(settings_of(cluster), tmp_path).submit("designer-a", SPEC)
    assert "exceeded quota: small" in refused.value.message
    assert not [path for path in cluster.objects if "services" in path]


def test_who_logs_in_again_is_known_again(cluster: Cluster) -> None:
    api = KubernetesApi(settings_of(cluster))
    cluster.token = "another"
    with pytest.raises(RefusedError, match="have expired"):
        api.version()
    written = cluster.kubeconfig.read_text()
    cluster.kubeconfig.write_text(written.replace(TOKEN, "another"))
    assert api.version() == "v1.33.1"


def test_a_cluster_that_is_away_is_no_verdict(cluster: Cluster) -> None:
    api = KubernetesApi(settings_of(cluster))
    for status in (500, 503, 429):
        cluster.answer = refusal(status, "etcdserver: request timed out")
        with pytest.raises(EngineSilentError, match="timed out"):
            api.jobs("a=b")
    cluster.close()
    with pytest.raises(EngineSilentError):
        api.jobs("a=b")


def test_a_job_that_is_there_already_is_that_one(cluster: Cluster, tmp_path: Path) -> None:
    engine = Kubernetes(settings_of(cluster), tmp_path)
    cluster.status = unschedulable(FULL)
    engine.submit("designer-a", SPEC)
    engine.submit("designer-a", SPEC)
    assert len(cluster.jobs()) == 1
    assert set(engine.jobs({"designer-a": SPEC, "designer-b": SPEC})) == {"designer-a"}
    engine.cancel("designer-a")
    engine.cancel("designer-a")
    assert engine.jobs({"designer-a": SPEC}) == {}


# what is told of them


@pytest.mark.parametrize(
    ("status", "reason", "words"),
    [
        ({"phase": "Running"}, None, ""),
        (unschedulable(FULL), f"3 of 3 machines (Unschedulable: {FULL[:-1]})", ""),
        (
            unschedulable('persistentvolumeclaim "workspace" not found'),
            "workspace",
            "claim 'workspace' not found",
        ),
        (container("waiting", reason="ImagePullBackOff"), "ImagePullBackOff", ""),
        (
            container("waiting", reason="ErrImagePull", message="i/o timeout"),
            "3 of 3 machines (ErrImagePull: i/o timeout)",
            "",
        ),
        (container("waiting", reason="InvalidImageName"), "Invalid", "cannot start"),
        ({"phase": "Pending", "containerStatuses": "odd", "conditions": [1]}, "its image", ""),
    ],
)
def test_pods_tell_how_far_a_job_is(
    cluster: Cluster, tmp_path: Path, status: Any, reason: str | None, words: str
) -> None:
    engine = Kubernetes(settings_of(cluster), tmp_path)
    cluster.status = status
    engine.submit("designer-a", SPEC)
    job = engine.jobs({"designer-a": SPEC})["designer-a"]
    assert job.state == ("running" if reason is None else "waiting")
    assert (reason or "") in job.reason
    assert words in (job.problem or {"message": ""})["message"]
    assert bool(job.problem) == bool(words)


@pytest.mark.parametrize(
    ("status", "name", "words"),
    [
        ({"phase": "Failed", "reason": "Evicted", "message": "full"}, "MachineLost", "Evicted"),
        ({"phase": "Failed", "reason": "DeadlineExceeded"}, "TimeLimitReached", "time limit"),
        (
            container("terminated", reason="OOMKilled", exitCode=137),
            "ModuleOutOfMemory",
            "ran out of memory",
        ),
        (
            container("terminated", reason="StartError", message='exec: "python9": not found'),
            "",
            "cannot start",
        ),
        (
            container("terminated", reason="Error", message="x\nNo module named 'pipelines'"),
            "",
            "Pipeline Designer is not installed",
        ),
        (
            container("terminated", reason="Error", message="FileNotFoundError: '/w/step.json'"),
            "",
            "is missing from the claim",
        ),
        (
            container("terminated", reason="Error", message="PermissionError: no"),
            "",
            "cannot access",
        ),
    ],
)
def test_pods_tell_why_a_job_failed(
    cluster: Cluster, tmp_path: Path, status: Any, name: str, words: str
) -> None:
    engine = Kubernetes(settings_of(cluster), tmp_path)
    cluster.status = status
    engine.submit("designer-a", SPEC)
    [job] = cluster.jobs()
    job["status"] = {"conditions": [{"type": "Failed", "status": "True", "reason": "X"}]}
    message = engine.jobs({"designer-a": SPEC})["designer-a"]
    assert message.state == "ended"
    assert message.problem is not None
    assert words in message.problem["message"]
    assert message.problem["cure"]
    assert message.problem["name"] == (name or "ComputeTargetRefused")


def test_a_queue_and_a_quota_are_what_a_job_waits_for(cluster: Cluster, tmp_path: Path) -> None:
    queued = Kubernetes(settings_of(cluster, queue="team-a"), tmp_path)
    queued.submit("designer-a", SPEC)
    assert queued.jobs({"designer-a": SPEC})["designer-a"].reason == "its turn in the queue team-a"
    [job] = cluster.jobs()
    assert job["metadata"]["labels"]["kueue.x-k8s.io/queue-name"] == "team-a"
    job["spec"]["suspend"] = False
    cluster.status = {}
    said = 'pods "x" is forbidden: exceeded quota: small'
    cluster.objects[f"{CORE}/events"] = {"items": [{"message": said}]}
    assert queued.jobs({"designer-a": SPEC})["designer-a"].reason == said


# what is given


def test_a_job_is_what_the_step_and_the_settings_ask_for(cluster: Cluster, tmp_path: Path) -> None:
    settings = settings_of(
        cluster,
        gpus_per_process="1",
        memory="32Gi",
        pull_secret="mine",
        node_selector="accelerator=a100, zone=b",
    )
    cluster.status = {"phase": "Running"}
    long_name = job_name(replace(SPEC, node="a very long name of a node that says it all"))
    Kubernetes(settings, tmp_path).submit(long_name, replace(SPEC, time_limit_minutes=30.0))
    [job] = cluster.jobs()
    value, pod = job["spec"], job["spec"]["template"]["spec"]
    [one] = pod["containers"]
    assert (value["completions"], value["parallelism"], value["backoffLimit"]) == (3, 3, 0)
    assert value["completionMode"] == "Indexed"
    assert "suspend" not in value
    assert one["resources"]["limits"] == {"cpu": "8", "memory": "32Gi", "nvidia.com/gpu": "4"}
    assert one["command"][1:] == [
        *("-m", "pipelines.workers.agent", str(SPEC.spec_path)),
        *("--rank-from", "JOB_COMPLETION_INDEX"),
    ]
    assert pod["activeDeadlineSeconds"] == 30 * 60 + 120
    assert pod["securityContext"] == {"runAsNonRoot": True, "runAsUser": 1000}
    assert pod["automountServiceAccountToken"] is False
    assert pod["nodeSelector"] == {"accelerator": "a100", "zone": "b"}
    assert pod["imagePullSecrets"] == [{"name": "mine"}]
    assert one["volumeMounts"][0]["mountPath"] == str(tmp_path)
    assert len(f"{job['metadata']['name']}-9999") <= 63
    assert pod["subdomain"] == job["metadata"]["name"] == object_name(long_name)


def test_pods_are_never_roots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = KubernetesSettings.parse({"image": "designer:1", "claim": "workspace"})
    monkeypatch.setattr("os.getuid", lambda: 0)
    with pytest.raises(RefusedError, match="runs as root"):
        example_manifests(settings, tmp_path)
    monkeypatch.setattr("os.getuid", lambda: 7)
    monkeypatch.setattr("os.getgid", lambda: 8)
    job, service = example_manifests(settings, tmp_path)
    user = job["spec"]["template"]["spec"]["securityContext"]
    assert user == {"runAsNonRoot": True, "runAsUser": 7, "runAsGroup": 8}
    assert service["spec"]["clusterIP"] == "None"
