"""Texts from outside cannot control the terminal of a command."""

from __future__ import annotations

import pytest

from pipelines.cli.output import console, print_table
from pipelines.cli.safe_console import SHOWN

HOSTILE = "a\x1b[31mred\x07\r\x9b2Jb\tc"


def test_control_characters_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    console().print(HOSTILE, markup=False)
    print_table(["Name"], [[HOSTILE]], "")
    console(error=True).print(f"[red]{HOSTILE}", style="red")
    written = "".join(capsys.readouterr())
    assert written.count("a\\x1b[31mred\\x07\\x0d\\x9b2Jb") == 3
    assert not {chr(code) for code in SHOWN} & set(written)
    console().print("červená žluť 图")
    assert "červená žluť 图" in capsys.readouterr().out
