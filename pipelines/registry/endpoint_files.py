"""Files that run an endpoint elsewhere: a Dockerfile and a systemd unit, written on request."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from pipelines.registry.endpoints import DeployedEndpoint


def systemd_unit(endpoint: DeployedEndpoint, workspace: Path) -> str:
    """Return a unit that serves an endpoint of this workspace without the runner."""
    command = [sys.executable, "-m", "designer_app.command", "serve", endpoint.settings.model]
    options = ["--name", endpoint.name, "--port", str(endpoint.settings.port)]
    if endpoint.settings.golden:
        options += ["--golden", endpoint.settings.golden]
    start = shlex.join([*command, *options, "--workspace", str(workspace)])
    return (
        f"# ~/.config/systemd/user/designer-{endpoint.name}.service\n"
        f"# First: designer endpoints stop {endpoint.name}\n"
        "[Unit]\n"
        f"Description=Endpoint {endpoint.name} of Pipeline Designer\n"
        "After=network.target\n\n"
        "[Service]\n"
        f"ExecStart={start}\n"
        "Restart=always\nRestartSec=2\nNice=10\nNoNewPrivileges=yes\nPrivateTmp=yes\n\n"
        "[Install]\nWantedBy=default.target\n"
    )


def dockerfile(endpoint: DeployedEndpoint, version: str) -> str:
    """Return a Dockerfile whose image serves the model of a workspace mounted at /workspace.

    Args:
        endpoint: The endpoint.
        version: Version of this program, which the image installs.
    """
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    serve = ["designer", "serve", endpoint.settings.model, "--name", endpoint.name]
    command = ", ".join(f'"{word}"' for word in [*serve, "--port", "8600"])
    return (
        "# docker build -t endpoint .\n"
        "# The endpoint listens on this machine only, so it shares the host's network:\n"
        "# docker run --network host -v WORKSPACE:/workspace endpoint\n"
        f"FROM python:{python}-slim\n"
        f"RUN pip install --no-cache-dir pipeline-designer=={version}\n"
        "RUN useradd --create-home designer\n"
        "USER designer\n"
        "ENV DESIGNER_WORKSPACE=/workspace\n"
        "HEALTHCHECK --interval=10s --start-period=60s CMD python -c "
        "\"import urllib.request as r; r.urlopen('http://127.0.0.1:8600/health/ready')\"\n"
        f"CMD [{command}]\n"
    )
