"""What is told of a process that failed: its lines, without what only a wide window shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from modules.errors import FailedToEvaluateScriptError
from modules.scripts.launchers.process_description import ProcessDescription
from modules.scripts.outcome import Launched
from modules.scripts.supervisor import ProcessEnd, Start


def told_of(log: Path, printed: str) -> str:
    log.write_text(printed)
    process = ProcessDescription("rank 0", node=0, argv=())
    start = Start(process, ["python"], {}, log.parent, log)
    end = ProcessEnd(process, code=1, was_ended=False, time=0.0)
    with pytest.raises(FailedToEvaluateScriptError) as caught:
        Launched([start], [end], [], {}).require_success()
    return caught.value.message


def test_carets_below_code_are_left_out_but_where_the_syntax_is_wrong(tmp_path: Path) -> None:
    said = told_of(tmp_path / "log", "  x = f(1)\n      ~^^^\n[rank1]:     ^^^^\nValueError: a ^ b")
    assert said.endswith("Last lines of its output:\n  x = f(1)\nValueError: a ^ b")
    said = told_of(tmp_path / "log", "    if x ==\n            ^\nSyntaxError: invalid syntax")
    assert "\n            ^\n" in said
