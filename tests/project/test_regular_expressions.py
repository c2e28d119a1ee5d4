"""No text from outside may keep a regular expression busy: ``re`` holds the interpreter meanwhile.

The expressions are attacked in a process of their own, which ends with its time. Processor time
counts, not the clock: other processes may be busy.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest

from tests.project.expressions import KNOWN_AT_CALL, Expression, fault
from tests.project.source import ROOT

pytestmark = pytest.mark.extended

TIMEOUT_SECONDS = 900.0
"""Of a child that usually takes half a minute of a processor; a slow expression ends it sooner."""
SLOW = (
    r"<a>(.*?)</a>",
    r"\s+$",
    r"a*c",
    pytest.param(r"\d+x", marks=pytest.mark.full),  # as a*c
    pytest.param(r"x(?:/.+)?/b(?:/.+)?/c", marks=pytest.mark.full),  # it takes half a minute
)


@pytest.mark.parametrize("pattern", SLOW)
def test_the_attacks_find_what_takes_quadratic_time(pattern: str) -> None:
    assert fault(Expression("here", "SLOW", re.compile(pattern, re.DOTALL), ("search",)))


@pytest.fixture(scope="module")
def attacked() -> list[dict[str, str]]:
    """What the child found about each expression of the product."""
    command = [sys.executable, "-m", "tests.project.expressions"]
    try:
        child = subprocess.run(
            command, cwd=ROOT, capture_output=True, timeout=TIMEOUT_SECONDS, check=False, text=True
        )
        lines, error = child.stdout.splitlines(), child.stderr if child.returncode else ""
    except subprocess.TimeoutExpired as expired:
        lines, error = (expired.stdout or b"").decode().splitlines(), "It did not end."
    found = [json.loads(line) for line in lines]
    assert not error, (error, found[-1:])
    return found


def test_no_text_keeps_an_expression_of_the_product_busy(attacked: list[dict[str, str]]) -> None:
    faults = [f"{each['expression']}: {each['fault']}" for each in attacked if each.get("fault")]
    assert len(attacked) > 100
    assert not faults, "\n".join(faults)


def test_every_expression_is_known_before_a_call(attacked: list[dict[str, str]]) -> None:
    unknown = {each["name"] for each in attacked if each["pattern"] == ""}
    assert unknown == KNOWN_AT_CALL, "Name the pattern in a constant of its module."
