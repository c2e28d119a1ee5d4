"""The benchmarks of the editor run: tiny, judged by what they count and not by their times."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.project.benchmark_runs import measure_small

pytestmark = [pytest.mark.browser, pytest.mark.full]


def test_the_editor_draws_one_node_and_undoes_every_step(browser: Browser, tmp_path: Path) -> None:
    assert browser.is_connected()
    checks = measure_small("E1", tmp_path, rounds=1)["checks"]
    counts = [check["found"] for check in checks if check["claim"].startswith("nodes drawn")]
    assert counts == [1, 1, 1]
    assert checks[-1]["holds"], "every step is undone"


def test_a_run_is_opened(browser: Browser, tmp_path: Path) -> None:
    assert browser.is_connected()
    checks = measure_small("E2", tmp_path, rounds=1)["checks"]
    assert [check["claim"] for check in checks] == [
        "seconds to open the run",
        "megabytes of the page's heap",
        "seconds to open the run on its page",
        "megabytes of the page's heap on its page",
    ]


def test_pages_are_opened_and_runs_watched(browser: Browser, tmp_path: Path) -> None:
    assert browser.is_connected()
    report = measure_small("E3", tmp_path, rounds=1)
    pages, watched = (scenario["contenders"] for scenario in report["scenarios"])
    assert len(pages) == 9
    assert list(watched["the editor"]) == ["after 10"]
    assert report["checks"][-1]["holds"]
