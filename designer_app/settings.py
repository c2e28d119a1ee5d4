"""Settings of the app: workspace, address, readable folders."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from pipelines.workspace import Workspace

LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")
DEFAULT_PORT = 8501
DOCUMENTATION_PATH = "/docs"
"""Address of the built documentation."""
DATA_ROOTS_VARIABLE = "DESIGNER_DATA_ROOTS"
ALLOWED_HOSTS_VARIABLE = "DESIGNER_ALLOWED_HOSTS"
MAX_UPLOAD_VARIABLE = "DESIGNER_MAX_UPLOAD_BYTES"


def _data_roots() -> tuple[Path, ...]:
    listed = os.environ.get(DATA_ROOTS_VARIABLE, "").split(os.pathsep)
    return tuple(Path(folder).expanduser().resolve() for folder in listed if folder)


def _more_hosts() -> tuple[str, ...]:
    listed = os.environ.get(ALLOWED_HOSTS_VARIABLE, "").split(",")
    return tuple(host.strip().lower() for host in listed if host.strip())


def _max_upload_bytes() -> int:
    return int(os.environ.get(MAX_UPLOAD_VARIABLE, 8 * 10**9))


@dataclass(frozen=True)
class ConnectionLimits:
    """Timeouts for data that a client sends; the total time is not limited."""

    head_seconds: float = 10.0
    """From the first byte of a request, or from the connection, to the end of its headers; also for
    the rest of a body whose request was already answered."""
    body_idle_seconds: float = 30.0
    """Between two parts of a body."""
    body_window_seconds: float = 60.0
    """Window in which a body must arrive at ``min_body_bytes_per_second`` on average."""
    min_body_bytes_per_second: float = 500.0
    """Same as Apache's mod_reqtimeout: a phone with one bar of signal is faster."""
    check_seconds: float = 1.0
    """Interval of the checks of an incomplete body."""


@dataclass(frozen=True)
class ServerSettings:
    """Settings of one server; defaults come from the environment."""

    workspace: Workspace
    port: int = DEFAULT_PORT
    data_roots: tuple[Path, ...] = field(default_factory=_data_roots)
    """Folders with data besides the home folder and the workspace."""
    more_hosts: tuple[str, ...] = field(default_factory=_more_hosts)
    """Hosts that a proxy in front of the app sends, such as ``lab.example:443``."""
    max_upload_bytes: int = field(default_factory=_max_upload_bytes)
    connection_limits: ConnectionLimits = field(default_factory=ConnectionLimits)

    @property
    def allowed_hosts(self) -> frozenset[str]:
        """Return the accepted values of the Host header; others are another site's."""
        return frozenset((*(f"{name}:{self.port}" for name in LOOPBACK_NAMES), *self.more_hosts))

    @property
    def allowed_roots(self) -> tuple[Path, ...]:
        """Return the folders that pipelines may read from; never the whole disk."""
        roots = (Path.home().resolve(), self.workspace.root, *self.data_roots)
        return tuple(root for root in dict.fromkeys(roots) if root != Path(root.anchor))
