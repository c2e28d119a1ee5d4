"""Settings and limits of an endpoint."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from designer_app.settings import ConnectionLimits
from pipelines.workspace import Workspace

LOOPBACK = "127.0.0.1"
DEFAULT_PORT = 8600


@dataclass(frozen=True)
class ServingLimits:
    """Limits that protect an endpoint from its callers."""

    queue_pictures: int = 256
    """Pictures that are decoded, wait or are scored; further requests get 503."""
    request_pictures: int = 64
    body_bytes: int = 32 * 2**20
    buffered_bytes: int = 256 * 2**20
    """Bytes of all request bodies together; above it, requests get 503."""
    max_pixels: int = 64_000_000
    """Pixels of a picture. Decoding needs four bytes for each, in several threads."""
    deadline_seconds: float = 60.0
    retry_after_seconds: int = 1
    kept_seconds: float = 60.0
    """Time that a replaced version stays in memory, for a fast return to it."""


@dataclass(frozen=True)
class EndpointSettings:
    """Settings of one endpoint process."""

    workspace: Workspace
    reference: str
    """``NAME@VERSION``, or ``NAME@ALIAS`` or ``NAME``, which follow the registry."""
    name: str
    """Name of the endpoint, whose keys it accepts."""
    host: str = LOOPBACK
    port: int = DEFAULT_PORT
    key_digests: tuple[str, ...] = ()
    """Hashes of keys from the command line, besides the stored ones."""
    golden: Path | None = None
    """Folder of known images, one folder for each class, that a new version must pass."""
    is_deployed: bool = False
    """True if the workspace stores what it serves, and reads what it reports."""
    certificate: Path | None = None
    private_key: Path | None = None
    limits: ServingLimits = field(default_factory=ServingLimits)
    connection_limits: ConnectionLimits = field(default_factory=ConnectionLimits)

    @property
    def is_local(self) -> bool:
        """Return True if only this machine can connect."""
        return self.host in ("127.0.0.1", "localhost", "::1")

    @property
    def key_owner(self) -> str:
        """Return the owner of the stored keys."""
        return f"endpoint:{self.name}"

    @property
    def address(self) -> str:
        """Return the address that callers use."""
        scheme = "https" if self.certificate else "http"
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{scheme}://{host}:{self.port}"
