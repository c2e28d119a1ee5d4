"""The page of a run with a thousand nodes and two hundred thousand points stays light."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.browser.designer import SOON
from tests.browser.large_run import CURVES, NODES, STEPS, large_run
from tests.browser.served import Served

pytestmark = pytest.mark.browser

MAX_BYTES = 200 * 2**20
MAX_SENT = 12 * 2**20
"""Of everything that the page loads: the points alone would be more."""


@pytest.mark.full  # a measurement
def test_a_large_run_opens_light(first_visit: BrowserContext, served: Served) -> None:
    run_id = large_run(served.runs)
    assert len(served.runs.store.metrics(run_id)) == NODES * STEPS * len(CURVES)
    page = first_visit.new_page()
    devtools = first_visit.new_cdp_session(page)
    devtools.send("Network.enable")
    sent: list[float] = []
    devtools.on("Network.loadingFinished", lambda each: sent.append(each["encodedDataLength"]))
    page.goto(f"{served.address}/run?run={run_id}")
    expect(page.get_by_test_id("run-pane")).to_contain_text("1,000", timeout=SOON)
    expect(page.get_by_test_id("canvas").locator(".react-flow__node").first).to_be_attached()
    page.wait_for_function("performance.getEntriesByName('run-shown').length > 0")
    page.wait_for_timeout(500)
    devtools.send("HeapProfiler.collectGarbage")
    used = devtools.send("Runtime.getHeapUsage")["usedSize"]
    took = page.evaluate("performance.getEntriesByName('run-shown')[0]?.startTime ?? -1")
    print(f"shown after {took:.0f} ms, {used / 2**20:.0f} MiB, {sum(sent) / 2**20:.1f} MiB sent")
    assert took > 0
    assert used < MAX_BYTES
    assert sum(sent) < MAX_SENT
    longest = page.locator(".pd-run-longest button")
    expect(longest).to_have_text([re.compile(r" \d+$")] * 5)  # twins are told apart
