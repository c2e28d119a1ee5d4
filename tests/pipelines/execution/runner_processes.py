"""The processes of a runner: its fork servers and the hosts of its steps."""

from __future__ import annotations

import psutil

from modules.operating_system.process_table import descendant_facts, process_facts
from modules.operating_system.processes import ProcessIdentity, descendants
from pipelines.execution.runner_lock import current_runner
from pipelines.runs.run_service import RunService
from tests.polling import wait_for


def family(runs: RunService) -> tuple[ProcessIdentity, set[ProcessIdentity]]:
    """Return the runner's process and all its descendants."""
    info = current_runner(runs.workspace)
    assert info is not None
    return info.identity, descendants(info.pid)


def has_ended(pid: int) -> bool:
    """Return whether a process has ended; zombies count as ended."""
    facts = process_facts(pid)
    return facts is None or not facts.is_alive


def children_of(pid: int) -> list[int]:
    """Return the living children of a process, the oldest first: pids are reused."""
    results = {item: facts for item, facts in descendant_facts(pid).items() if facts.parent == pid}
    return sorted(results, key=lambda item: results[item].started)


def fork_server_of(runs: RunService, preload: str = "nothing") -> ProcessIdentity:
    """Return the fork server with this preload; earlier tests may have left others."""
    runner, _ = family(runs)
    servers = (item for item in children_of(runner.pid) if loads(item, preload))
    return ProcessIdentity.of(next(servers))


def loads(pid: int, preload: str) -> bool:
    try:
        return preload in psutil.Process(pid).cmdline()
    except psutil.Error:  # it has just ended
        return False


def host_of(runs: RunService) -> ProcessIdentity:
    """Return the host of the running step; the spare host next to it has no log yet."""
    server = fork_server_of(runs)
    wait_for(lambda: any(map(has_log, children_of(server.pid))))
    return ProcessIdentity.of(next(filter(has_log, children_of(server.pid))))


def has_log(pid: int) -> bool:
    try:
        return any("/70_" in file.path for file in psutil.Process(pid).open_files())
    except psutil.Error:  # it has just ended
        return False
