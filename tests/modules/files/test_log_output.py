"""What processes print arrives in their logs, redacted, whatever becomes of them."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from modules.files.log_output import log_output, rank_pipes
from modules.operating_system.orphans import end_children, is_log_filter, own_children

VALUE = "hunter2-and-more"
STARS = "*" * len(VALUE)
POSIX = pytest.mark.skipif(os.name != "posix", reason="modes and named pipes are those of Unix")
HALVES = f"""
import os, sys
os.write(1, b"one {VALUE} two {VALUE[:7]}")
sys.stdin.read()
os.write(2, b"{VALUE[7:]} three\\n" + b"line\\n" * 50_000)
os.kill(os.getpid(), 9)
"""


@POSIX
@pytest.mark.parametrize("values", [(), (VALUE,)])
def test_a_log_is_for_its_user_alone(tmp_path: Path, values: tuple[str, ...]) -> None:
    log, others = tmp_path / "log.txt", own_children()
    with log_output(log, values) as output:
        os.write(output.descriptor, b"here\n")
    end_children(keep=others)
    assert (log.read_text(), stat.S_IMODE(log.stat().st_mode)) == ("here\n", 0o600)


@POSIX
def test_a_filter_is_known_as_one_from_its_start(tmp_path: Path) -> None:
    others = own_children()
    known = []
    for _ in range(10):
        with log_output(tmp_path / "log.txt", [VALUE]) as output:
            assert output.filter_pid is not None
            known.append(is_log_filter(output.filter_pid))
        end_children(keep=others)
    assert all(known)


@POSIX
def test_nothing_is_lost_of_a_process_that_was_killed_and_halves_are_redacted(
    tmp_path: Path,
) -> None:
    log, others = tmp_path / "log.txt", own_children()
    with log_output(log, [VALUE]) as output:
        printing = subprocess.Popen(
            [sys.executable, "-c", HALVES],
            stdin=subprocess.PIPE,
            stdout=output.descriptor,
            stderr=output.descriptor,
        )
    printing.communicate(b"go on")
    end_children(keep=others)
    assert log.read_text() == f"one {STARS} two {STARS} three\n" + "line\n" * 50_000
    assert not own_children() - others


@POSIX
def test_what_arrives_in_named_pipes_goes_to_their_logs(tmp_path: Path) -> None:
    others, logs = own_children(), [tmp_path / "rank_0.txt", tmp_path / "rank_1.txt"]
    pipes = rank_pipes(tmp_path / "pipes", logs)
    with log_output(tmp_path / "log.txt", [VALUE], pipes):
        for pipe in pipes:
            for word in ("first", VALUE):  # two processes, one after the other
                with Path(pipe).open("w") as file:
                    file.write(f"{word}\n")
    end_children(keep=others)
    assert [log.read_text() for log in logs] == [f"first\n{STARS}\n"] * 2
    assert not (tmp_path / "pipes").exists()


@POSIX
def test_a_folder_that_a_team_shares_has_logs_for_the_team(tmp_path: Path) -> None:
    tmp_path.chmod(0o2770)
    with log_output(tmp_path / "log.txt"):
        pass
    before = os.umask(0)
    try:
        with log_output(tmp_path / "team.txt"):
            pass
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "team.txt").stat().st_mode) == 0o660
