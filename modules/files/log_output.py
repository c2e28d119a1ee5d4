"""Where processes of a step print: straight into a log, or through a filter that redacts secrets.

Without secrets a log is a file that processes write to directly. With secrets it is a pipe to a
process of its own (``log_filter``), which lives until the last writer has gone: killing a host, an
agent or a runner loses nothing that was printed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from modules.operating_system.files import open_private
from modules.operating_system.orphans import (
    LOG_FILTER,
    POLL_SECONDS,
    await_log_filters,
    is_log_filter,
)
from modules.operating_system.pipes import can_make_named_pipes, enlarge_pipe, make_named_pipe
from modules.operating_system.spawning import python_command

DRAIN_SECONDS = 5.0
"""How long output is waited for to be written, unless something still prints."""


class LogOutput(NamedTuple):
    """Where a process prints."""

    descriptor: int
    filter_pid: int | None = None
    """The process that writes the log; None if that is the printing one itself."""

    def await_written(self) -> None:
        """Wait a moment until what was printed is in the log, once its process has ended."""
        deadline = time.monotonic() + DRAIN_SECONDS
        while self.filter_pid is not None and is_log_filter(self.filter_pid):
            if time.monotonic() > deadline:
                return
            time.sleep(POLL_SECONDS)


@contextmanager
def log_output(
    log: Path, values: Collection[str] = (), pipes: Mapping[str, str] | None = None
) -> Iterator[LogOutput]:
    """Yield where processes print that are started in the block.

    Args:
        log: The file, appended to; its folder must exist.
        values: Of the secrets that are redacted as output arrives.
        pipes: Named pipes, read by the same filter, and the logs of what arrives there.

    Raises:
        OSError: The log cannot be opened, or no filter can be started.
    """
    if not values:
        descriptor = open_private(log)
        try:
            yield LogOutput(descriptor)
        finally:
            os.close(descriptor)
        return
    process = _filter(log, values, pipes or {})
    assert process.stdin is not None
    try:
        yield LogOutput(process.stdin.fileno(), process.pid)
    finally:
        process.stdin.close()
        process.returncode = 0  # it is reaped with the other children of the step


def redirect_output(path: Path, values: Collection[str] = ()) -> None:
    """Send everything this process prints, C libraries included, to the end of a log."""
    sys.stdout.flush()
    sys.stderr.flush()
    with log_output(path, values) as output:
        os.dup2(output.descriptor, 1)
        os.dup2(output.descriptor, 2)


def release_output(path: Path) -> None:
    """At the end of a process: print straight into the log, so that its filter can end, and wait a
    moment for that."""
    redirect_output(path)
    await_log_filters(DRAIN_SECONDS)


def rank_pipes(folder: Path, logs: Sequence[Path]) -> dict[str, str]:
    """Make a named pipe for each log, under its name; return the pipes and their logs.

    For ranks that a launcher starts, which open their logs by path. Empty if the system or the
    disk has no named pipes: ranks write to the logs themselves then.
    """
    made: dict[str, str] = {}
    if not can_make_named_pipes():
        return made
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        for log in logs:
            pipe = folder / log.name
            make_named_pipe(pipe)
            made[str(pipe.absolute())] = str(log.absolute())
    except OSError:
        for path in made:
            Path(path).unlink(missing_ok=True)
        return {}
    return made


def with_pipes(told: Mapping[str, Any], pipes: Mapping[str, str]) -> dict[str, Any]:
    """Return what a bootstrap is told, with the folder of the named pipes of its ranks."""
    return {**told, "pipes": next((str(Path(pipe).parent) for pipe in pipes), None)}


def _filter(
    log: Path, values: Collection[str], pipes: Mapping[str, str]
) -> subprocess.Popen[bytes]:
    os.close(open_private(log))  # what is wrong with it is told here
    process = subprocess.Popen(
        python_command(LOG_FILTER),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # no signal to the step's processes is for it
    )
    assert process.stdin is not None
    assert process.stdout is not None
    header = {"values": list(values), "log": str(log.absolute()), "pipes": dict(pipes)}
    enlarge_pipe(process.stdin.fileno())
    try:
        process.stdin.write(json.dumps(header).encode() + b"\n")
        process.stdin.flush()
        with process.stdout:
            if pipes:
                process.stdout.read(1)  # who opens a named pipe finds its reader
    except BrokenPipeError:
        raise OSError(f"{LOG_FILTER} does not start") from None
    _await_name(process)
    return process


def _await_name(process: subprocess.Popen[bytes]) -> None:
    """Wait until a new filter is known as one; it would be ended like any other child before.

    For a moment after exec a process has no command line. Some systems never show one.
    """
    deadline = time.monotonic() + DRAIN_SECONDS
    while not is_log_filter(process.pid) and process.poll() is None:
        if time.monotonic() > deadline:
            return
        time.sleep(POLL_SECONDS)
