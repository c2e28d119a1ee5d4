from __future__ import annotations

from pathlib import Path

import pytest

from pipelines.environments.interpreters import (
    all_interpreters,
    designers_own,
    find_interpreter,
    markers_of,
)


@pytest.mark.parametrize("wanted", ["", ">=3.8", "3"])
def test_the_designers_own_is_taken_where_it_fits(wanted: str) -> None:
    assert find_interpreter(wanted) == designers_own()


@pytest.mark.parametrize("wanted", ["2.6", ">4", "no version"])
def test_there_need_not_be_one(wanted: str) -> None:
    assert find_interpreter(wanted) is None


def test_a_program_that_only_is_called_so_is_no_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    false = tmp_path / "python3.99"
    false.write_text("#!/bin/sh\necho CPython 3.99.0\nexit 1\n", encoding="utf-8")
    false.chmod(0o755)
    true = tmp_path / "python3.98"
    true.write_text("#!/bin/sh\necho CPython 3.98.1\n", encoding="utf-8")
    true.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    versions = [interpreter.version for interpreter in all_interpreters()]
    assert "3.98.1" in versions
    assert "3.99.0" not in versions
    assert markers_of("3.98.1")["python_version"] == "3.98"
