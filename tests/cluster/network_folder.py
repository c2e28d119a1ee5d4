"""A folder of the head's that workers mount over their network, by sshfs, with caches as of NFS.

What a machine has looked at, or in vain for, it believes for some seconds; reading a folder makes
it look anew. Where the cable is pulled, whoever reads there waits until it is back.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.cluster.machines import HEAD, wait_for
from tests.cluster.ssh import SshServers

SSHFS = "sshfs"
CACHE_SECONDS = 3
"""What NFS begins with (``acregmin``)."""


@contextmanager
def mounted(servers: SshServers, folder: Path) -> Iterator[None]:
    """With the folder mounted on every worker."""
    machines = servers.machines
    servers.serve_workers()
    caches = [f"{each}_timeout={CACHE_SECONDS}" for each in ("attr", "entry", "negative")]
    options = ",".join(["dir_cache=no", *caches])
    for name in machines.workers:
        words = (SSHFS, "-f", "-o", options, f"{HEAD}:{folder}", folder)
        machines.serve(name, *words, log=f"sshfs-{name}")
        wait_for(lambda: _is_mounted(servers, name, folder), f"{name} to mount it")  # noqa: B023 - called at once
    try:
        yield
    finally:
        for name in machines.workers:
            machines.on(name, "umount", "--lazy", folder)


def _is_mounted(servers: SshServers, name: str, folder: Path) -> bool:
    said = servers.machines.on(name, "stat", "--file-system", "--format=%T", folder, check=False)
    return said.stdout.startswith("fuse")
