"""This machine as compute target: one real node or several simulated ones."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial

from modules.operating_system.orphans import is_log_filter
from modules.operating_system.processes import ProcessIdentity, descendants, kill_all
from modules.sentences.sentence import Statement
from modules.spec import Preload
from pipelines.document.target_offer import TargetOffer
from pipelines.targets.base import PREPARING, StepEnd, TargetPhase
from pipelines.targets.finding import Finding
from pipelines.targets.settings import TargetSettings
from pipelines.workers.fork_server_client import ForkServerPool, HostMessage
from pipelines.workers.fork_server_protocol import HostEnded, StartHost
from pipelines.workers.step_spec import StepSpec
from pipelines.workspace import Workspace

CANCEL_GRACE_SECONDS = 10.0
FAMILY_INTERVAL_SECONDS = 1.0
START_TIMEOUT_SECONDS = 300.0
"""Time after which a requested host that never reported counts as lost."""


@dataclass
class LocalStep:
    """Step on this machine: one host per node, each created by a fork server.

    If a host fails, or on ``cancel``, all hosts get SIGTERM; what remains after a grace period is
    killed, including ranks and modules' processes. The step has ended when all hosts have.
    """

    spec: StepSpec
    codes: dict[int, int | None] = field(default_factory=dict)
    """Exit codes of ended hosts by node rank."""
    hosts: dict[int, ProcessIdentity] = field(default_factory=dict)
    """Started hosts by node rank."""
    _family: set[ProcessIdentity] = field(default_factory=set)
    """Known descendants of the hosts: they cannot be found after the hosts have ended."""
    _family_updated: float = field(default_factory=time.monotonic)
    _kill_at: float | None = None
    _requested: float = field(default_factory=time.monotonic)

    @property
    def phase(self) -> TargetPhase:
        """Return no state: a step has its slot before it starts, and its ranks report the rest."""
        return PREPARING

    def new_warnings(self) -> list[Statement]:
        """Return no warnings: no engine is involved."""
        return []

    def poll(self) -> StepEnd | None:
        """Return how it ended, once every host and all descendants are gone."""
        now = time.monotonic()
        if now - self._requested > START_TIMEOUT_SECONDS:
            for node_rank in set(range(self.spec.host_count)) - set(self.hosts):  # never started
                self.codes.setdefault(node_rank, None)
        if len(self.codes) == self.spec.host_count:
            kill_all(self._family)
            return StepEnd(tuple(self.codes[rank] for rank in sorted(self.codes)))
        if any(code != 0 for code in self.codes.values()) and self._kill_at is None:
            self.cancel()  # one node has failed: the others would wait for it
        if self._kill_at is not None and now > self._kill_at:
            self._update_family()
            kill_all(self._family | set(self.hosts.values()))
        elif now - self._family_updated > FAMILY_INTERVAL_SECONDS:
            self._update_family()
        return None

    def cancel(self) -> None:
        """End it with SIGTERM; kill it ten seconds later."""
        if self._kill_at is None:
            self._kill_at = time.monotonic() + CANCEL_GRACE_SECONDS
        self._update_family()
        for host in self.hosts.values():
            host.signal(signal.SIGTERM)

    def receive(self, node_rank: int, message: HostMessage) -> None:
        """Process a report of the fork server about one of the hosts."""
        if isinstance(message, HostEnded):
            self.codes[node_rank] = message.code
            return
        host = ProcessIdentity.find(message.pid)
        if host is not None:
            self.hosts[node_rank] = host
            if self._kill_at is not None:  # it was cancelled before it had started
                host.signal(signal.SIGTERM)

    def _update_family(self) -> None:
        self._family_updated = time.monotonic()
        for host in self.hosts.values():
            # Log filters end automatically after the last output is written.
            processes = descendants(host.pid)
            self._family |= {process for process in processes if not is_log_filter(process.pid)}


class LocalTarget:
    """Target that starts steps on this machine; several offers share its processes."""

    shares_folder = True

    def __init__(self, offer: TargetOffer, fork_servers: ForkServerPool | None) -> None:
        self.offer = offer
        self._known_fork_servers = fork_servers

    @property
    def _fork_servers(self) -> ForkServerPool:
        assert self._known_fork_servers is not None  # it was created only to be checked
        return self._known_fork_servers

    def prepare(self, preload: Preload) -> None:
        """Start the fork server for a step's hosts."""
        self._fork_servers.get(preload)

    def submit(
        self, spec: StepSpec, preload: Preload, secrets: Mapping[str, str] | None = None
    ) -> LocalStep:
        """Start the step's hosts."""
        spec.write()
        step = LocalStep(spec)
        # The process that forks ranks must not have loaded a user's code, which may start threads.
        origin = spec.origin if spec.world_size == 1 else None
        for node_rank in range(spec.host_count):
            token = f"{spec.run_id}/{spec.node}/{spec.attempt}/{node_rank}"
            request = StartHost(
                token, str(spec.spec_path), node_rank, origin, spec.module_id, dict(secrets or {})
            )
            self._fork_servers.start_host(preload, request, partial(step.receive, node_rank))
        return step

    def adopt(self, spec: StepSpec) -> None:  # noqa: ARG002
        """Return None: steps of this machine end with their runner."""
        return

    def poll(self) -> None:
        """Process reports about the hosts of all targets' steps."""
        self._fork_servers.poll()

    def check(self) -> Iterator[Finding]:
        """Start a process and wait for its report."""
        from pipelines.targets.local.check import check_local

        yield from check_local()

    def close(self) -> None:
        """Do nothing: the fork servers belong to the runner."""


def local_target(
    name: str,
    settings: TargetSettings,
    workspace: Workspace,  # noqa: ARG001 - every kind is made from the same four
    fork_servers: ForkServerPool | None,
) -> LocalTarget:
    """Return the target of that name; without fork servers it can only be checked."""
    return LocalTarget(settings.offer(name), fork_servers)
