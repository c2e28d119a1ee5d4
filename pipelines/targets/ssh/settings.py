"""Settings of a target that is a list of machines reached by SSH."""

from __future__ import annotations

import re
import sys
from typing import Annotated

from pydantic import Field, StringConstraints, field_validator

from pipelines.document.target_offer import TargetOffer
from pipelines.targets.settings import Program, TargetSettings

HOST = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,252}")
MOST_HOSTS = 256
Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$")]


class SshSettings(TargetSettings):
    """Machines by their names in ssh."""

    hosts: str = Field(description="Host names, separated by commas.")
    user: Name | None = Field(None, description="User on the machines. Default: that of ssh.")
    shared_folder: str | None = Field(
        None, description="Shared folder that contains the workspace."
    )
    python: Program = Field(sys.executable, description="Python on the machines.")
    interface: Name | None = Field(None, description="Network interface. Default: detected.")
    processes_per_node: int = Field(1, ge=1, le=1024)

    @field_validator("hosts")
    @classmethod
    def _are_names(cls, text: str) -> str:
        names = re.split(r"[,\s]+", text.strip(" ,\n\t"))
        wrong = next((name for name in names if HOST.fullmatch(name) is None), None)
        if wrong is not None:
            raise ValueError(f"{wrong!r} is not a host name; write names such as gpu1, gpu2")
        if len(set(names)) < len(names) or len(names) > MOST_HOSTS:
            raise ValueError(f"name each machine once, and at most {MOST_HOSTS}")
        return ", ".join(names)

    @property
    def names(self) -> tuple[str, ...]:
        """Return the machines in order of preference."""
        return tuple(self.hosts.split(", "))

    def login(self, host: str) -> str:
        """Return the destination as written after ``ssh``."""
        return f"{self.user}@{host}" if self.user else host

    def offer(self, name: str) -> TargetOffer:
        """Return the limits of run settings."""
        return TargetOffer(
            name=name,
            kind="ssh",
            max_nodes=len(self.names),
            processes_per_node=self.processes_per_node,
        )
