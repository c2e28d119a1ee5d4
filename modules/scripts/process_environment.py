"""The environment variables of a script's processes: built from nothing, never inherited.

The designer's own ranks, allocator settings and secrets mean nothing to a script, or the wrong
thing: a launcher inside it would wait for ranks that nobody starts.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from modules.operating_system.orphans import MARK

PASSED_ON = (
    *("HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TERM"),
    *("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY"),
    *("http_proxy", "https_proxy", "no_proxy", "all_proxy"),
    *("SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"),
    *("LD_LIBRARY_PATH", "SYSTEMROOT", "SystemDrive", "COMSPEC", "PATHEXT", "APPDATA"),
    MARK,
)
LOOPBACK = {"linux": "lo", "darwin": "lo0"}.get(sys.platform)


@dataclass(frozen=True)
class ProcessEnvironment:
    """What all processes of a step share; ``of`` adds what else one of them has."""

    bin_dir: Path
    """Of the environment: first on the ``PATH``."""
    threads: int
    extensions_dir: Path
    """Where torch compiles extensions to."""

    def of(self, own: Mapping[str, str]) -> dict[str, str]:
        """The variables of one process; its launcher's own come before all others."""
        return {**self._surroundings(), **self._settings(), **own}

    def _surroundings(self) -> dict[str, str]:
        given = os.environ
        kept = {
            name: value
            for name, value in given.items()
            if name in PASSED_ON or name.startswith("LC_")
        }
        path = os.pathsep.join((str(self.bin_dir), given.get("PATH", os.defpath)))
        return {**kept, "PATH": path, "TMPDIR": tempfile.gettempdir()}

    def _settings(self) -> dict[str, str]:
        interface = {} if LOOPBACK is None else {"GLOO_SOCKET_IFNAME": LOOPBACK}
        return {
            "PYTHONUNBUFFERED": "1",
            "OMP_NUM_THREADS": str(self.threads),
            # Threads that wait for each other spin briefly: long spins slow down the neighbours
            # (``modules.compute.openmp_spin``).
            "GOMP_SPINCOUNT": "1000",
            "KMP_BLOCKTIME": "1",
            "NCCL_SOCKET_IFNAME": LOOPBACK or "lo",
            "TORCH_EXTENSIONS_DIR": str(self.extensions_dir),
            "MLFLOW_DISABLE_TELEMETRY": "true",
            **interface,
        }


def gpus_of(node: int, processes_per_node: int) -> dict[str, str]:
    """The share of a node in the GPUs that the step was given; empty where nothing is said."""
    visible = os.environ.get("CUDA_VISIBLE_DEVICES")
    if visible is None:
        return {}
    gpus = [each for each in visible.split(",") if each.strip()]
    own = gpus[node * processes_per_node :][:processes_per_node] or gpus
    return {"CUDA_VISIBLE_DEVICES": ",".join(own)}
