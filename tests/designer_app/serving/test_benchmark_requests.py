"""Requests of benchmark A8, which an endpoint accepts in the forms of all its peers."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace

import pytest

from benchmarks.request_load import (
    BARE_IMAGE,
    IMAGE_FORM,
    V2_IMAGE,
    RequestForm,
    is_idle,
    is_ready,
    send_load,
)
from tests.designer_app.serving.endpoints import CLASSES, Caller, picture

NUM_REQUESTS = 7


@pytest.mark.parametrize(
    "form",
    [BARE_IMAGE, IMAGE_FORM, replace(V2_IMAGE, path="/v2/models/m/infer")],
    ids=["image", "form", "V2"],
)
def test_each_form_of_a_request_gets_the_label_of_its_image(
    caller: Caller, form: RequestForm
) -> None:
    contents = [picture(seed) for seed in range(3)]
    expected = [caller.score(content).json["label"] for content in contents]
    assert is_ready(caller.port, form.ready_path)
    load = send_load(caller.port, os.getpid(), contents, NUM_REQUESTS, 2, form)
    assert load.failed == 0
    assert set(load.labels) <= set(CLASSES)
    assert load.labels == [expected[number % 3] for number in range(NUM_REQUESTS)]
    assert min(load.rate, load.cpu_ms, load.p99_ms) > 0


def test_refused_requests_are_counted_as_failed(caller: Caller) -> None:
    load = send_load(caller.port, os.getpid(), [b"no image"], 3, 2, BARE_IMAGE)
    assert (load.failed, load.labels) == (3, ["", "", ""])
    assert not is_ready(caller.port, "/no/such/page")


def test_a_process_that_computes_is_not_idle() -> None:
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as process:
        try:
            assert not is_idle(process.pid)
        finally:
            process.kill()
