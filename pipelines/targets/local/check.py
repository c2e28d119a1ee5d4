"""Check of this machine as compute target."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator

from modules.files.json_files import JsonObject
from modules.formatting import format_seconds
from pipelines.sentences import targets as say
from pipelines.targets.finding import Finding

CHECK_TIMEOUT_SECONDS = 120
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


def check_local() -> Iterator[Finding]:
    """Check whether a new process on this machine can compute, and with what."""
    started = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", PROBE],
        capture_output=True,
        encoding="utf-8",
        timeout=CHECK_TIMEOUT_SECONDS,
        check=False,
    )
    if done.returncode:
        output = done.stderr.strip().splitlines()[-1:] or ["nothing"]
        yield Finding.failed("torch", say.TORCH_DOES_NOT_START, error=output[0])
        return
    report: JsonObject = json.loads(done.stdout)
    time_text = format_seconds(time.perf_counter() - started)
    facts = {"version": report["torch"], "time": time_text}
    yield Finding.of("torch", say.TORCH_STARTS, **facts)
    if report["gpus"]:
        yield Finding.of("GPUs", say.GPUS_FOUND, gpus=report["gpus"])
