"""Trying a compute target: does a process start there, and what does it find?"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from typing import Any

from pipelines.errors import TargetBrokenError
from pipelines.sentences import refusals
from pipelines.workspace import Workspace

CHECK_SECONDS = 120
PROBE = """
import json, torch
print(json.dumps({
    "torch": torch.__version__,
    "cuda": torch.cuda.is_available(),
    "gpus": [torch.cuda.get_device_name(i) for i in range(torch.cuda.device_count())],
    "gloo": torch.distributed.is_gloo_available(),
    "nccl": torch.distributed.is_nccl_available(),
}))
"""


def check_local(workspace: Workspace) -> dict[str, Any]:
    """What a fresh process of this machine finds, and the seconds until it said so.

    Raises ``OSError`` with the last line of what it said when it cannot start.
    """
    workspace.make()
    started = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", PROBE],
        capture_output=True,
        encoding="utf-8",
        timeout=CHECK_SECONDS,
        check=False,
        cwd=workspace.root,
    )
    if done.returncode:
        said = done.stderr.strip().splitlines()[-1:] or ["nothing"]
        raise TargetBrokenError(refusals.TORCH_DOES_NOT_START, error=said[0])
    found: dict[str, Any] = json.loads(done.stdout)
    return {**found, "seconds": time.perf_counter() - started}
