"""Check of machines by SSH: each separately, then the first two that work together."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from pathlib import Path
from typing import cast

from pipelines.errors import RefusedError
from pipelines.sentences import ssh as say
from pipelines.targets.finding import Finding
from pipelines.targets.machine_lack import answer_of
from pipelines.targets.node_trial import clocks, sum_of_nodes, trial_folder, versions
from pipelines.targets.ssh.commands import SshHosts, of_each
from pipelines.targets.ssh.settings import SshSettings
from pipelines.workers.agent_files import AgentFiles, NodeFacts, Order
from pipelines.workers.agent_keeper import RANK
from pipelines.workers.node_check import SumOfNodes
from pipelines.workers.node_facts import software

TRIAL_TIMEOUT_SECONDS = 150.0


def check_ssh(settings: SshSettings, workspace: Path) -> Iterator[Finding]:
    """Yield findings; stop with a machine when a required check fails."""
    ssh, good = SshHosts(settings), list[str]()
    reached = of_each(settings.names, lambda host: ssh.run(host, ("true",)))
    for host, answer in reached.items():
        if isinstance(answer, RefusedError):
            yield Finding("reachable", False, answer.message, answer.cure)
        else:
            yield Finding.of("reachable", say.HOST_ANSWERS, host=host, user=ssh.user)
            good.append(host)
    with trial_folder(workspace) as folder:
        trial = _Trial(settings, ssh, folder)
        able = yield from trial.each(good)
        wrong = list(clocks(trial.nodes))
        yield from wrong
        if len(able) > 1 and not wrong:
            yield trial.sum_of(able[:2])


class _Trial:
    def __init__(self, settings: SshSettings, ssh: SshHosts, folder: Path) -> None:
        self._settings, self._ssh, self._folder = settings, ssh, folder
        self.nodes: list[NodeFacts] = []
        """Facts of the machines that have reported."""

    def each(self, hosts: Sequence[str]) -> Generator[Finding, None, list[str]]:
        """Run the check on each machine; return those that can work together."""
        able = list[str]()
        folders = {host: self._start(f"{number}") for number, host in enumerate(hosts)}
        answers = of_each(hosts, lambda host: self._run(host, folders[host], 1, 0))
        for host, answer in answers.items():
            findings = list(self._findings(host, folders[host], answer))
            yield from findings
            if all(finding.ok for finding in findings):
                able.append(host)
        return able

    def sum_of(self, hosts: Sequence[str]) -> Finding:
        """Run a sum over machines."""
        files = self._start("sum")
        ranks = {host: rank for rank, host in enumerate(hosts)}
        of_each(hosts, lambda host: self._run(host, files, len(hosts), ranks[host]))
        return sum_of_nodes(cast("SumOfNodes | None", files.read("sum-0.json")))

    def _start(self, name: str) -> AgentFiles:
        (self._folder / name).mkdir()
        files = AgentFiles(self._folder / name)
        files.create(Order(software(), interface=self._settings.interface))
        return files

    def _run(self, host: str, files: AgentFiles, count: int, rank: int) -> str:
        program = (self._settings.python, "-m", "pipelines.workers.node_check")
        words = (*program, str(files.folder.parent), str(count), RANK)
        return self._ssh.run(host, ("env", f"{RANK}={rank}", *words), TRIAL_TIMEOUT_SECONDS)

    def _findings(
        self, host: str, files: AgentFiles, answer: str | RefusedError
    ) -> Iterator[Finding]:
        folder = self._folder.parents[1]
        response = {} if isinstance(answer, RefusedError) else answer_of(answer) or {}
        lack = (
            answer if isinstance(answer, RefusedError) else self._ssh.lack(host, response, folder)
        )
        if lack is not None:
            name = "shared folder" if lack is not answer else "python"
            yield Finding(name, False, lack.message, lack.cure)
            return
        facts = files.node(0)
        if facts is None:
            yield Finding.failed("shared folder", say.FOLDER_DIFFERS, host=host, folder=folder)
            return
        self.nodes.append(facts)
        yield Finding.of("shared folder", say.FOLDER_SEEN, host=host, folder=folder)
        yield versions(facts)
