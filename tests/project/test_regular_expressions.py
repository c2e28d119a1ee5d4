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

from tests.project.expressions import KNOWN_AT_CALL, Expression, expressions, fault
from tests.project.source import ROOT

pytestmark = pytest.mark.extended

TIMEOUT_SECONDS = 900.0
"""Of a child that usually takes half a minute of a processor; a slow expression ends it sooner."""
SLOW = (
    r"<metadata>(.*?)</metadata>",
    r"\s+$",
    r"a*c",
    r"\d+x",
    pytest.param(r"x(?:/.+)?/b(?:/.+)?/c", marks=pytest.mark.full),  # it takes half a minute
)


@pytest.mark.parametrize("pattern", SLOW)
def test_the_attacks_find_what_takes_quadratic_time(pattern: str) -> None:
    assert fault(Expression("here", "SLOW", re.compile(pattern, re.DOTALL), ("search",)))


def test_no_text_keeps_an_expression_of_the_product_busy() -> None:
    command = [sys.executable, "-m", "tests.project.expressions"]
    try:
        child = subprocess.run(
            command, cwd=ROOT, capture_output=True, timeout=TIMEOUT_SECONDS, check=False, text=True
        )
        lines, error = child.stdout.splitlines(), child.stderr if child.returncode else ""
    except subprocess.TimeoutExpired as expired:
        lines, error = (expired.stdout or b"").decode().splitlines(), "It did not end."
    found = [json.loads(line) for line in lines]
    faults = [f"{each['expression']}: {each['fault']}" for each in found if each.get("fault")]
    assert not error, (error, found[-1:])
    assert len(found) > 100
    assert not faults, "\n".join(faults)


def test_every_expression_is_known_before_a_call() -> None:
    unknown = {each.name for each in expressions() if each.pattern.pattern == ""}
    assert unknown == KNOWN_AT_CALL, "Name the pattern in a constant of its module."
