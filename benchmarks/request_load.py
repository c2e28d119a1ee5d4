"""Load on a server of images: keep-alive connections, each with one request at a time."""

from __future__ import annotations

import base64
import contextlib
import http.client
import itertools
import json
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import psutil

TIME_LIMIT_SECONDS = 120


@dataclass(frozen=True)
class Load:
    """What came of some requests."""

    rate: float
    """Requests a second."""
    cpu_ms: float
    """CPU milliseconds of the server a request."""
    p99_ms: float
    labels: list[str]
    failed: int


@dataclass(frozen=True)
class RequestForm:
    """How a server accepts an image, and where its answer has the label."""

    content_type: str
    encode: Callable[[bytes], bytes]
    """From the content of an image file to the body of a request."""
    read_label: Callable[[Any], str] = lambda answer: str(answer["label"])
    """From the JSON of an answer."""
    path: str = "/score"
    ready_path: str = "/health/ready"


def has_runtime(port: int) -> bool:
    """True once an endpoint of ours has chosen the runtime that computes."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", "/status")
        runtime = json.loads(connection.getresponse().read())["runtime"]
        return runtime is not None and bool(runtime["settled"])
    except OSError:
        return False
    finally:
        connection.close()


BOUNDARY = "image-file"


def _as_form(content: bytes) -> bytes:
    """A form whose file ``image`` has this content."""
    head = (
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="image"; filename="a.jpg"\r\n'
        "Content-Type: image/jpeg\r\n\r\n"
    )
    return head.encode() + content + f"\r\n--{BOUNDARY}--\r\n".encode()


def _as_v2(content: bytes) -> bytes:
    """A request of the V2 inference protocol with one image in base64."""
    image = {
        "name": "image",
        "shape": [1],
        "datatype": "BYTES",
        "parameters": {"content_type": "base64"},
        "data": [base64.b64encode(content).decode()],
    }
    return json.dumps({"inputs": [image]}).encode()


def _label_of_v2(answer: Any) -> str:
    outputs = {output["name"]: output["data"] for output in answer["outputs"]}
    return str(outputs["label"][0])


BARE_IMAGE = RequestForm("image/jpeg", bytes)
IMAGE_FORM = RequestForm(f"multipart/form-data; boundary={BOUNDARY}", _as_form)
V2_IMAGE = RequestForm(
    "application/json", _as_v2, _label_of_v2, "/v2/models/net/infer", "/v2/models/net/ready"
)


def is_ready(port: int, path: str) -> bool:
    """True once a server answers that it is ready."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", path)
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def is_idle(pid: int) -> bool:
    """True if the server used less than a tenth of a core during half a second."""
    before = _cpu_seconds(pid)
    time.sleep(0.5)
    # Less than before: a process has ended meanwhile, so that it is still starting.
    return 0 <= _cpu_seconds(pid) - before < 0.05


def send_load(
    port: int,
    pid: int,
    contents: Sequence[bytes],
    requests: int,
    callers: int,
    form: RequestForm,
) -> Load:
    """Send the contents in turn, by several callers at a time.

    Args:
        port: The port of the server on this machine.
        pid: Its process; the CPU time of all processes below it counts.
        contents: Image files.
        requests: How many requests are sent.
        callers: How many of them at a time, each by its own keep-alive connection.
        form: How the server accepts an image. Bodies are encoded before the first is sent.

    Returns:
        Rate, CPU time and labels of all requests.
    """
    bodies = [form.encode(content) for content in contents]
    headers = {"Content-Type": form.content_type}
    numbers = itertools.count()
    labels = [""] * requests
    times = [0.0] * requests

    def call() -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=TIME_LIMIT_SECONDS)
        while (number := next(numbers)) < requests:
            began = time.perf_counter()
            connection.request("POST", form.path, bodies[number % len(bodies)], headers)
            response = connection.getresponse()
            answer = json.loads(response.read())
            times[number] = time.perf_counter() - began
            if response.status == 200:
                labels[number] = form.read_label(answer)
        connection.close()

    before, began = _cpu_seconds(pid), time.perf_counter()
    threads = [threading.Thread(target=call) for _ in range(callers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seconds, cpu = time.perf_counter() - began, _cpu_seconds(pid) - before
    slowest = sorted(times)[min(requests - 1, int(0.99 * requests))]
    return Load(requests / seconds, 1000 * cpu / requests, 1000 * slowest, labels, labels.count(""))


def _cpu_seconds(pid: int) -> float:
    """CPU seconds of a process and all below it that still run."""
    process = psutil.Process(pid)
    seconds = 0.0
    for member in (process, *process.children(recursive=True)):
        with contextlib.suppress(psutil.NoSuchProcess):
            seconds += sum(member.cpu_times()[:2])
    return seconds
