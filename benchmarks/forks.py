"""Scripts run in forks of this process, which holds torch: tiny runs need not load it each time."""

from __future__ import annotations

import os
import runpy
import sys
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

from benchmarks.harness import BenchmarkError
from pipelines.workers.preloads import TORCH_ENVIRONMENT


def run_forked(module: str, arguments: Sequence[str | Path], environment: Mapping[str, str]) -> str:
    """What ``python -m module`` prints. Nothing in this process may have computed with torch."""
    # GNU OpenMP reads how its threads wait once, when torch is loaded.
    os.environ.update(TORCH_ENVIRONMENT)
    import torchvision  # noqa: F401 - so that forks have it

    sys.stdout.flush()
    with TemporaryFile("w+") as output:
        child = os.fork()
        if child == 0:
            _become(module, [str(each) for each in arguments], environment, output)
        _, status = os.waitpid(child, 0)
        output.seek(0)
        text = output.read()
    if status != 0:
        raise BenchmarkError(f"{module} failed:\n{text[-2000:]}\nRun it by hand.")
    return text


def _become(
    module: str, arguments: list[str], environment: Mapping[str, str], output: IO[str]
) -> None:
    """Run the module and end this process."""
    code = 1
    try:
        os.dup2(output.fileno(), 1)
        os.dup2(output.fileno(), 2)
        os.environ.update(environment)
        sys.argv = [module, *arguments]
        sys.modules.pop(module, None)
        runpy.run_module(module, run_name="__main__")
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
