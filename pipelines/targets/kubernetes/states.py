"""State of a step's job in Kubernetes, from the job and its pods."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from modules.errors import ModuleOutOfMemoryError
from modules.sentences.sentence import Statement
from pipelines.events import ProblemData
from pipelines.problems import NODE_LOST, TARGET_REFUSED, TIME_LIMIT_REACHED, Kind, Problem
from pipelines.sentences import kubernetes as say
from pipelines.sentences import steps
from pipelines.targets.base import machines_lacking
from pipelines.targets.engine import Job
from pipelines.targets.kubernetes.api import KubernetesObject, rows, table

NO_PULL = frozenset({"ErrImagePull", "ImagePullBackOff"})
NO_SUCH_IMAGE = re.compile(
    r"not found|denied|unauthorized|manifest unknown|does not exist|no match for platform", re.I
)
NEVER = frozenset(
    {
        *("InvalidImageName", "ErrImageNeverPull", "ImageInspectError"),
        *("CreateContainerConfigError", "CreateContainerError", "RunContainerError"),
    }
)
"""Reasons of waiting containers that will never start."""
NO_CLAIM = re.compile(r'persistentvolumeclaim "[^"]*" not found')
NO_START = frozenset({"StartError", "ContainerCannotRun"})
Pod = KubernetesObject


def job_state(
    job: Pod, pods: Sequence[Pod], facts: Mapping[str, Any], why_none: Callable[[], str]
) -> Job:
    """Return the state of a job; ``facts`` are the target's, for messages."""
    end = _condition(job, "Complete") or _condition(job, "Failed")
    if end:
        if end["type"] == "Complete":
            return Job("ended")
        reason = _status_of_end(pods) or str(end.get("reason") or end["type"])
        return Job("ended", reason, _problem_of_end(pods, facts))
    if table(job, "spec").get("suspend"):
        return Job("waiting", f"its turn in the queue {facts['queue']}")
    if not pods:
        return Job("waiting", why_none() or "Kubernetes to make its pods")
    waiting = [pod for pod in pods if table(pod, "status").get("phase") == "Pending"]
    if not waiting:
        return Job("running")
    waits = [_wait_of(pod, facts) for pod in waiting]
    why, problem = next((wait for wait in waits if wait[1] is not None), waits[0])
    count = int(table(job, "spec").get("completions") or len(pods))
    return Job("waiting", f"{machines_lacking(len(waiting), count)} ({why})", problem)


def _wait_of(pod: Pod, facts: Mapping[str, Any]) -> tuple[str, ProblemData | None]:
    """Return what a pod waits for, and the problem if it waits in vain."""
    scheduled = _condition(pod, "PodScheduled", status="False")
    if scheduled:
        why = _words(scheduled)
        is_claim = NO_CLAIM.search(why) is not None
        return why, _problem(say.NO_CLAIM.about(facts)) if is_claim else None
    state = _state(pod, "waiting")
    reason, why = str(state.get("reason") or ""), _words(state)
    if reason in NO_PULL and NO_SUCH_IMAGE.search(why):
        return why, _problem(say.NO_IMAGE.about({**facts, "why": why}))
    if reason in NEVER:
        return why, _problem(say.CANNOT_START.about({**facts, "why": why}))
    return why or "its image", None


def _problem_of_end(pods: Sequence[Pod], facts: Mapping[str, Any]) -> ProblemData | None:
    """Return why a job failed if its agents could not report it."""
    problems = (_problem_of(pod, facts) for pod in pods)
    return next((problem for problem in problems if problem is not None), None)


def _status_of_end(pods: Sequence[Pod]) -> str:
    """Return how the first failed pod ended, and its last output."""
    for state in (_state(pod, "terminated") for pod in pods):
        if code := state.get("exitCode"):
            last = _last_line(str(state.get("message") or ""))
            return f"a pod ended with status {code}" + (f": {last}" if last else "")
    return ""


def _problem_of(pod: Pod, facts: Mapping[str, Any]) -> ProblemData | None:
    status = table(pod, "status")
    if status.get("reason") == "DeadlineExceeded":
        return _problem(say.TIME_LIMIT.about(facts), TIME_LIMIT_REACHED)
    disruption = _condition(pod, "DisruptionTarget")
    if disruption or (status.get("phase") == "Failed" and status.get("reason")):
        return _problem(say.POD_TAKEN.about({"why": _words(disruption or status)}), NODE_LOST)
    state = _state(pod, "terminated")
    if state.get("reason") == "OOMKilled":
        return Problem.of(ModuleOutOfMemoryError, steps.MEMORY_OUT).to_json()
    statement = _of_start(str(state.get("reason")), str(state.get("message") or ""), facts)
    return _problem(statement) if statement else None


def _of_start(reason: str, printed: str, facts: Mapping[str, Any]) -> Statement | None:
    """Return why an agent did not report, from its last output."""
    last = _last_line(printed)
    more = {**facts, "why": last}
    if reason in NO_START:
        return say.PYTHON_ABSENT.about(more)
    if "No module named" in last:
        return say.CODE_ABSENT.about(more)
    if last.startswith("FileNotFoundError"):
        return say.FOLDER_ABSENT.about(more)
    if last.startswith("PermissionError"):
        return say.FOLDER_CLOSED.about(more)
    return None


def _last_line(printed: str) -> str:
    lines = [line.strip() for line in printed.splitlines() if line.strip()]
    return lines[-1][-300:].rstrip(".") if lines else ""


def _problem(statement: Statement, kind: Kind = TARGET_REFUSED) -> ProblemData:
    return Problem.of(kind, statement).to_json()


def _condition(pod: Pod, kind: str, status: str = "True") -> Pod:
    """Return the condition of that type if it is true."""
    matches = (
        row
        for row in rows(pod, "status", "conditions")
        if (row.get("type"), row.get("status")) == (kind, status)
    )
    return next(matches, {})


def _state(pod: Pod, kind: str) -> Pod:
    """Return the state of its single container if it has that kind."""
    containers = rows(pod, "status", "containerStatuses")
    return table(containers[0], "state", kind) if containers else {}


def _words(status: Pod) -> str:
    """Return a reason with its message."""
    reason, message = str(status.get("reason") or ""), str(status.get("message") or "")
    words = f"{reason}: {message}" if reason and message else message or reason
    return " ".join(words.split())[:400].rstrip(".")
