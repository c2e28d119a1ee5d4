"""Lines for cron and systemd that start a workspace's runner after a restart of the machine."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path


def start_lines(workspace: Path) -> dict[str, str]:
    """Return the lines by the name of the program they are for."""
    program = [sys.executable, "-m", "designer_app.command", "runner", "start"]
    start = shlex.join([*program, "--workspace", str(workspace)])
    return {"cron": f"* * * * * {start} >/dev/null 2>&1", "systemd": _units(start)}


def _units(start: str) -> str:
    return (
        "# ~/.config/systemd/user/designer-runner.service\n"
        "[Unit]\nDescription=Runner of Pipeline Designer\n"
        # the runner detaches: it must outlive the command that starts it
        f"[Service]\nType=oneshot\nKillMode=process\nExecStart={start}\n"
        "# ~/.config/systemd/user/designer-runner.timer\n"
        "[Timer]\nOnStartupSec=1min\nOnUnitInactiveSec=1min\n"
        "[Install]\nWantedBy=timers.target\n"
        "# systemctl --user enable --now designer-runner.timer\n"
    )
