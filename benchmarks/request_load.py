"""Load on a server of images: keep-alive connections, each with one request at a time."""

from __future__ import annotations

import http.client
import itertools
import json
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

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


def is_ready(port: int) -> bool:
    """True once a server answers that it is ready."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", "/health/ready")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()


BOUNDARY = "image-file"
IMAGE = {"Content-Type": "image/jpeg"}
FORM = {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}


def as_form(content: bytes) -> bytes:
    """The body of a form whose file ``image`` has this content; to be sent as ``FORM``."""
    head = (
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="image"; filename="a.jpg"\r\n'
        "Content-Type: image/jpeg\r\n\r\n"
    )
    return head.encode() + content + f"\r\n--{BOUNDARY}--\r\n".encode()


def send_load(
    port: int,
    pid: int,
    contents: Sequence[bytes],
    requests: int,
    callers: int,
    headers: Mapping[str, str] = IMAGE,
) -> Load:
    """Send so many requests, the bodies in turn, by so many callers at a time."""
    numbers = itertools.count()
    labels = [""] * requests
    times = [0.0] * requests

    def call() -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=TIME_LIMIT_SECONDS)
        while (number := next(numbers)) < requests:
            began = time.perf_counter()
            connection.request("POST", "/score", contents[number % len(contents)], dict(headers))
            response = connection.getresponse()
            answer = json.loads(response.read())
            times[number] = time.perf_counter() - began
            if response.status == 200:
                labels[number] = str(answer["label"])
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
    """CPU seconds of a process and all below it."""
    process = psutil.Process(pid)
    family = [process, *process.children(recursive=True)]
    return sum(sum(member.cpu_times()[:2]) for member in family)
