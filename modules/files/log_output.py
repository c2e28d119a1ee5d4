"""Output of a step's processes, written directly to a log or through a redacting filter.

Without secrets a log is a file that processes write to directly. With secrets it is a pipe to a
separate process (``log_filter``), which lives until the last writer has ended: killing a host, an
agent or a runner loses no output.
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
"""Maximum wait for output to be written, unless something still prints."""


class LogOutput(NamedTuple):
    """Destination of the output of a process."""

    descriptor: int
    filter_pid: int | None = None
    """Process that writes the log; None if the printing process writes it."""

    def await_written(self) -> None:
        """Wait briefly until the output of an ended process is in the log."""
        deadline = time.monotonic() + DRAIN_SECONDS
        while self.filter_pid is not None and is_log_filter(self.filter_pid):
            if time.monotonic() > deadline:
                return
            time.sleep(POLL_SECONDS)


@contextmanager
def log_output(
    log: Path, values: Collection[str] = (), pipes: Mapping[str, str] | None = None
) -> Iterator[LogOutput]:
    """Yield the destination of the output of processes that are started in the block.

    Args:
        log: File to append to; its folder must exist.
        values: Values of secrets, which are redacted as output arrives.
        pipes: Named pipes for the same filter, and their logs.

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
    """Send all output of this process, C libraries included, to the end of a log."""
    sys.stdout.flush()
    sys.stderr.flush()
    with log_output(path, values) as output:
        os.dup2(output.descriptor, 1)
        os.dup2(output.descriptor, 2)


def release_output(path: Path) -> None:
    """Write directly to the log from now on, so that its filter can end.

    Called at the end of a process; waits briefly for the filter.
    """
    redirect_output(path)
    await_log_filters(DRAIN_SECONDS)


def rank_pipes(folder: Path, logs: Sequence[Path]) -> dict[str, str]:
    """Create a named pipe for each log, under its name; return the pipes and their logs.

    For ranks started by a launcher, which open their logs by path. Empty if the system or the disk
    does not support named pipes: ranks then write to the logs directly.
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


def with_pipes(message: Mapping[str, Any], pipes: Mapping[str, str]) -> dict[str, Any]:
    """Return the message to a bootstrap with the folder of the named pipes of its ranks."""
    return {**message, "pipes": next((str(Path(pipe).parent) for pipe in pipes), None)}


def _filter(
    log: Path, values: Collection[str], pipes: Mapping[str, str]
) -> subprocess.Popen[bytes]:
    os.close(open_private(log))  # its own errors go to this output
    process = subprocess.Popen(
        python_command(LOG_FILTER),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # signals to the step's processes must not reach it
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
                process.stdout.read(1)  # processes that open a named pipe find its reader
    except BrokenPipeError:
        raise OSError(f"{LOG_FILTER} did not start") from None
    _await_name(process)
    return process


def _await_name(process: subprocess.Popen[bytes]) -> None:
    """Wait until a new filter is identified as one, as other children may be ended.

    For a moment after exec a process has no command line. Some systems never show one.
    """
    deadline = time.monotonic() + DRAIN_SECONDS
    while not is_log_filter(process.pid) and process.poll() is None:
        if time.monotonic() > deadline:
            return
        time.sleep(POLL_SECONDS)
