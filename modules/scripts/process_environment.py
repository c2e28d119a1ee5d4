"""Environment variables of a script's processes: built from scratch, never inherited.

The designer's own ranks, allocator settings and secrets would confuse a script: a launcher inside
it would wait for ranks that nobody starts.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from modules.context import ContainerImage, Context
from modules.operating_system.machine import num_cores
from modules.operating_system.orphans import MARK

PASSED_ON = (
    *("HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TERM"),
    *("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY"),
    *("http_proxy", "https_proxy", "no_proxy", "all_proxy"),
    *("SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"),
    *("LD_LIBRARY_PATH", "SYSTEMROOT", "SystemDrive", "COMSPEC", "PATHEXT", "APPDATA"),
    MARK,
)
PASSED_INTO_IMAGES = tuple(
    name
    for name in PASSED_ON
    if not name.startswith(("HOME", "SHELL", "LANG", "SSL_", "REQUESTS_", "CURL_", "LD_"))
)
"""Variables without files and languages of this machine."""
LOADER = "LD_"
MODULES = "PYTHONPATH"
LOOPBACK = {"linux": "lo", "darwin": "lo0"}.get(sys.platform)


def environment_of(context: Context, num_processes: int) -> ProcessEnvironment:
    """Return the environment of the step's processes, for the number it starts itself."""
    environment = context.environment
    return ProcessEnvironment(
        bin_dir=environment.bin_dir if environment else Path(sys.executable).parent,
        threads=_threads(context, num_processes),
        extensions_dir=extensions_dir_of(context),
        interface=context.machine.interface if context.machine else LOOPBACK,
        image=environment.image if environment else None,
        variables=environment.variables if environment else {},
    )


def extensions_dir_of(context: Context) -> Path:
    """Return the folder in which torch compiles extensions, for this environment."""
    name = context.environment.key[:16] if context.environment else "designer"
    return (context.cache_dir or context.staging_dir) / "torch_extensions" / name


def _threads(context: Context, num_processes: int) -> int:
    """Return the threads of each rank, from its share of the step's cores."""
    num_ranks = max(num_processes, context.node_count * context.process_count_per_node)
    share = context.threads or max(1, num_cores() // num_ranks)
    return context.cores_per_process or share


@dataclass(frozen=True)
class ProcessEnvironment:
    """The common environment of all processes of a step; ``of`` adds those of one process."""

    bin_dir: Path
    """First folder of the ``PATH``, of the environment."""
    threads: int
    extensions_dir: Path
    """Folder in which torch compiles extensions; in an image also the home folder."""
    interface: str | None = LOOPBACK
    """Network interface in which ranks reach each other."""
    image: ContainerImage | None = None
    variables: Mapping[str, str] = field(default_factory=dict)
    """Variables of the environment that scripts run with."""

    def of(self, own: Mapping[str, str]) -> dict[str, str]:
        """Return the variables of one process; its launcher's own have precedence."""
        return {
            **self._surroundings(),
            **self._settings(),
            **self.variables,
            **own,
            **self._joined(own),
        }

    def _joined(self, own: Mapping[str, str]) -> dict[str, str]:
        """Join module paths of an image and a process; those of the process come last."""
        both = [(self.image.variables if self.image else {}).get(MODULES), own.get(MODULES)]
        return {MODULES: ":".join(filter(None, both))} if all(both) else {}

    def _surroundings(self) -> dict[str, str]:
        inherited = os.environ
        if self.image is not None:
            of_image = self.image.variables.items()
            own = {name: value for name, value in of_image if not name.startswith(LOADER)}
            passed = {name: inherited[name] for name in PASSED_INTO_IMAGES if name in inherited}
            return {**passed, "TMPDIR": "/tmp", "HOME": str(self.extensions_dir), **own}
        kept = {
            name: value
            for name, value in inherited.items()
            if name in PASSED_ON or name.startswith("LC_")
        }
        path = os.pathsep.join((str(self.bin_dir), inherited.get("PATH", os.defpath)))
        return {**kept, "PATH": path, "TMPDIR": tempfile.gettempdir()}

    def _settings(self) -> dict[str, str]:
        interface = {} if self.interface is None else {"GLOO_SOCKET_IFNAME": self.interface}
        return {
            "PYTHONUNBUFFERED": "1",
            "OMP_NUM_THREADS": str(self.threads),
            # Threads that wait for each other spin briefly, as long spins slow down other processes
            # (``modules.compute.openmp_spin``).
            "GOMP_SPINCOUNT": "1000",
            "KMP_BLOCKTIME": "1",
            "NCCL_SOCKET_IFNAME": self.interface or "lo",
            "TORCH_EXTENSIONS_DIR": str(self.extensions_dir),
            "MLFLOW_DISABLE_TELEMETRY": "true",
            **interface,
        }


def gpus_of(node: int, processes_per_node: int) -> dict[str, str]:
    """Return a node's share of the step's GPUs; empty if none are specified."""
    visible = os.environ.get("CUDA_VISIBLE_DEVICES")
    if visible is None:
        return {}
    gpus = [gpu for gpu in visible.split(",") if gpu.strip()]
    own = gpus[node * processes_per_node :][:processes_per_node] or gpus
    return {"CUDA_VISIBLE_DEVICES": ",".join(own)}
