"""The API of a Kubernetes cluster on this machine's loopback, with a node that runs pods as
processes.

It keeps what it is given, tells of it as a cluster does (jobs from their pods, pods from their
processes), and can be away, full, without the image, or ask for another token.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from pipelines.targets.kubernetes.settings import KubernetesSettings

TOKEN = "eyJhbGciOi" * 8
NAMESPACE = "team"
JOBS = f"/apis/batch/v1/namespaces/{NAMESPACE}/jobs"
CORE = f"/api/v1/namespaces/{NAMESPACE}"
CLAIM = {"spec": {"accessModes": ["ReadWriteMany"]}}
QUEUES = f"/apis/kueue.x-k8s.io/v1beta1/namespaces/{NAMESPACE}/localqueues"
KUEUE = {"name": "kueue.x-k8s.io", "preferredVersion": {"version": "v1beta1"}}
VERSION = {"gitVersion": "v1.33.1"}
Object = dict[str, Any]


def unschedulable(words: str) -> Object:
    """The status of a pod that no node takes."""
    condition = {"type": "PodScheduled", "status": "False", "reason": "Unschedulable"}
    return {"phase": "Pending", "conditions": [{**condition, "message": words}]}


def container(kind: str, **state: Any) -> Object:
    """The status of a pod whose container waits or has terminated."""
    phase = "Pending" if kind == "waiting" else "Failed"
    return {"phase": phase, "containerStatuses": [{"name": "agent", "state": {kind: state}}]}


class Cluster(ThreadingHTTPServer):
    """Its pods are processes of this machine, unless ``status`` says what is told of them."""

    daemon_threads = True

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.token = TOKEN
        self.objects: dict[str, Object] = {f"{CORE}/persistentvolumeclaims/workspace": CLAIM}
        self.processes: dict[str, list[subprocess.Popen[bytes]]] = {}
        self.status: Object | None = None
        self.answer: tuple[int, Any] | None = None
        self.quota: str | None = None
        self.asked: list[tuple[str, str]] = []
        self.patches: list[str | None] = []
        self._folder = folder
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self.serve_forever, args=(0.01,))
        self._thread.start()
        self.kubeconfig = folder / "kubeconfig"
        self.kubeconfig.touch(0o600)
        self.kubeconfig.write_text(json.dumps(self._config()))

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def settings(self, **more: Any) -> Object:
        """Those of a target there."""
        known = {"image": "designer:1", "claim": "workspace", "namespace": NAMESPACE}
        return {**known, "kubeconfig": str(self.kubeconfig), "user": 1000, **more}

    def jobs(self) -> list[Object]:
        return [item for path, item in self.objects.items() if path.startswith(JOBS)]

    def close(self) -> None:
        self.shutdown()
        self._thread.join()
        self.server_close()
        for name in list(self.processes):
            self._end(name)

    def _config(self) -> Object:
        context = {"cluster": "here", "user": "ann"}
        return {
            "apiVersion": "v1",
            "kind": "Config",
            "current-context": "here",
            "contexts": [{"name": "here", "context": context}],
            "clusters": [{"name": "here", "cluster": {"server": self.address}}],
            "users": [{"name": "ann", "user": {"token": TOKEN}}],
        }

    # what is asked

    def respond(self, method: str, address: str, token: str | None, body: Any) -> tuple[int, Any]:
        with self._lock:
            self.asked.append((method, address))
            if self.answer is not None:
                return self.answer
            if token != f"Bearer {self.token}":
                return refusal(401, "Unauthorized")
            parts = urlsplit(address)
            return self._respond(method, parts.path.rstrip("/"), parse_qs(parts.query), body)

    def _respond(self, method: str, path: str, query: Any, body: Any) -> tuple[int, Any]:
        match method, path:
            case "GET", "/version":
                return 200, VERSION
            case "GET", "/apis":
                return 200, {"groups": [KUEUE] if any("kueue" in p for p in self.objects) else []}
            case "GET", _ if path in (JOBS, f"{CORE}/pods", f"{CORE}/events"):
                return 200, {"items": self._listed(path, query)}
            case "GET", _ if path in self.objects:
                return 200, self._reported(self.objects[path])
            case "POST", _ if path in (JOBS, f"{CORE}/services"):
                return self._create(path, body)
            case "POST", _:
                other = path.split("/")[-2]
                return refusal(404, f'namespaces "{other}" not found')
            case "PATCH", _ if self.patches[-1] != "application/merge-patch+json":
                return refusal(400, "a patch of that type is a list of operations")
            case "PATCH", _ if path in self.objects:
                self.objects[path]["metadata"] |= body["metadata"]
                return 200, self.objects[path]
            case "DELETE", _ if path in self.objects:
                if path.startswith(JOBS):
                    self._end(self.objects[path]["metadata"]["name"])
                del self.objects[path]
                return 200, {"kind": "Status", "status": "Success"}
        return refusal(404, f'"{path}" not found')

    def _listed(self, path: str, query: Any) -> list[Object]:
        key, _, value = query.get("labelSelector", ["="])[0].partition("=")
        chosen = [job for job in self.jobs() if job["metadata"]["labels"].get(key) == value]
        if path == JOBS:
            return [self._reported(item) for item in chosen]
        if path.endswith("/pods"):
            return [pod for item in chosen for pod in self._pods(item)]
        return list(self.objects.get(path, {}).get("items", ()))

    def _create(self, path: str, body: Object) -> tuple[int, Any]:
        name = body["metadata"]["name"]
        if f"{path}/{name}" in self.objects:
            return refusal(409, f'"{name}" already exists')
        if path == JOBS and self.quota is not None:
            return refusal(403, f'jobs.batch "{name}" is forbidden: {self.quota}')
        body["metadata"]["uid"] = f"uid-of-{name}"
        self.objects[f"{path}/{name}"] = body
        if path == JOBS and self.status is None and not body["spec"].get("suspend"):
            count = body["spec"]["completions"]
            self.processes[name] = [self._start(name, body, index) for index in range(count)]
        return 201, body

    # its node

    def _start(self, name: str, job: Object, index: int) -> subprocess.Popen[bytes]:
        [one] = job["spec"]["template"]["spec"]["containers"]
        results = {item["name"]: item["value"] for item in one["env"]}
        with (self._folder / f"{name}-{index}.log").open("wb") as log:
            environment = {**os.environ, **results, "JOB_COMPLETION_INDEX": str(index)}
            return subprocess.Popen(one["command"], stdout=log, stderr=log, env=environment)

    def _end(self, name: str) -> None:
        """Its pods go with a job, and so does what belongs to it."""
        for item in self.processes.pop(name, ()):
            item.terminate()
            item.wait(120)
        for path, result in list(self.objects.items()):
            owners = result.get("metadata", {}).get("ownerReferences", ())
            if any(owner["uid"] == f"uid-of-{name}" for owner in owners):
                del self.objects[path]

    def _reported(self, result: Object) -> Object:
        """A job with what has become of it."""
        codes = [
            item.poll() for item in self.processes.get(result.get("metadata", {}).get("name"), ())
        ]
        kind = "Failed" if any(codes) else "Complete" if codes and None not in codes else ""
        conditions = [{"type": kind, "status": "True"}] if kind else []
        return {"status": {"conditions": conditions}, **result}

    def _pods(self, job: Object) -> list[Object]:
        name, labels = job["metadata"]["name"], job["spec"]["template"]["metadata"]["labels"]
        count = 0 if job["spec"].get("suspend") else job["spec"]["completions"]
        numbers = [self._pod_status(name, number) for number in range(count)]
        return [{"metadata": {"labels": labels}, "status": item} for item in numbers if item]

    def _pod_status(self, name: str, index: int) -> Object:
        if self.status is not None:
            return self.status
        code = self.processes[name][index].poll()
        if not code:
            return {"phase": "Running" if code is None else "Succeeded"}
        printed = (self._folder / f"{name}-{index}.log").read_text()
        return container("terminated", reason="Error", exitCode=code, message=printed[-2048:])


def settings_of(cluster: Cluster, **more: Any) -> KubernetesSettings:
    return KubernetesSettings.parse(cluster.settings(**{"python": sys.executable, **more}))


def refusal(status: int, message: str) -> tuple[int, Object]:
    return status, {"kind": "Status", "status": "Failure", "code": status, "message": message}


class Handler(BaseHTTPRequestHandler):
    server: Cluster

    def do_GET(self) -> None:
        size = int(self.headers.get("Content-Length") or 0)
        body = json.loads(self.rfile.read(size) or "null")
        token = self.headers.get("Authorization")
        status, content = self.server.respond(self.command, self.path, token, body)
        said = content if isinstance(content, str) else json.dumps(content)
        self.send_response(status)
        if status == 302:
            self.send_header("Location", self.server.address + "/elsewhere")
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(said.encode())))
        self.end_headers()
        self.wfile.write(said.encode())

    def do_POST(self) -> None:
        self.do_GET()

    def do_PATCH(self) -> None:
        self.server.patches.append(self.headers.get("Content-Type"))
        self.do_GET()

    def do_DELETE(self) -> None:
        self.do_GET()

    def log_message(self, *_: object) -> None:
        """Nothing is printed."""
