"""Running a peer's script in the peers' environment, and this project's command in its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.forks import run_forked
from benchmarks.harness import BenchmarkError
from benchmarks.peers.telling import is_small
from pipelines.workers.preloads import TORCH_ENVIRONMENT

ROOT = Path(__file__).resolve().parents[1]
PEER_PYTHON = Path(
    os.environ.get("BENCHMARKS_PEER_PYTHON") or ROOT / ".venv-bench" / "bin" / "python"
)
"""What runs the peers; the variable names another Python that has them installed."""
SERVING_PYTHON = Path(
    os.environ.get("BENCHMARKS_SERVING_PYTHON") or ROOT / ".venv-serving" / "bin" / "python"
)
"""What runs the servers of A8 whose requirements do not fit those of the other peers."""
ScriptFacts = Mapping[str, Any]
"""What a script prints as its last line: numbers and versions by name."""
DESIGNER = Path(sys.executable).with_name("designer")
TIME_LIMIT_SECONDS = 900


def run_peer(
    script: str,
    *arguments: str | Path,
    environment: Mapping[str, str] | None = None,
    python: Path = PEER_PYTHON,
) -> ScriptFacts:
    """The facts that a script of ``benchmarks.peers`` prints, with its own ``cold_seconds``."""
    if not python.exists():
        raise BenchmarkError("The peers are not installed. Run: make bench")
    return _run([python, "-m", f"benchmarks.peers.{script}", *arguments], environment or {})


def run_plain(
    script: str, *arguments: str | Path, environment: Mapping[str, str] | None = None
) -> ScriptFacts:
    """The same for a peer that needs no more than torch and torchvision: it runs in ``.venv``."""
    return _run_here(f"benchmarks.peers.{script}", arguments, environment or {})


def run_ours(
    script: str, *arguments: str | Path, environment: Mapping[str, str] = TORCH_ENVIRONMENT
) -> ScriptFacts:
    """The facts that one of this project's scripts prints, in what surrounds its steps."""
    return _run_here(f"benchmarks.{script}", arguments, environment)


def _run_here(
    module: str, arguments: Sequence[str | Path], environment: Mapping[str, str]
) -> ScriptFacts:
    if is_small():
        return _facts(run_forked(module, arguments, environment), 0.0)
    return _run([sys.executable, "-m", module, *arguments], environment)


def _run(command: Sequence[str | Path], environment: Mapping[str, str]) -> ScriptFacts:
    return _facts(*timed(command, environment))


def _facts(output: str, seconds: float) -> ScriptFacts:
    return {**json.loads(output.strip().splitlines()[-1]), "cold_seconds": seconds}


def time_designer(*arguments: str | Path) -> float:
    """The seconds of a ``designer`` command from start to exit."""
    return timed([DESIGNER, *arguments])[1]


def timed(
    command: Sequence[str | Path], environment: Mapping[str, str] | None = None
) -> tuple[str, float]:
    """A command's output and its seconds from start to exit."""
    started = time.perf_counter()
    try:
        result = subprocess.run(
            command,
            cwd=ROOT,
            env={**os.environ, **(environment or {})},
            capture_output=True,
            text=True,
            timeout=TIME_LIMIT_SECONDS,
        )
    except subprocess.TimeoutExpired as error:
        raise BenchmarkError(
            f"{_name(command)} took more than {TIME_LIMIT_SECONDS} s. Leave it out with --peers."
        ) from error
    seconds = time.perf_counter() - started
    if result.returncode != 0:
        tail = "\n".join((result.stderr or result.stdout).strip().splitlines()[-15:])
        raise BenchmarkError(
            f"{_name(command)} ended with {result.returncode}:\n{tail}\n"
            "Run it by hand, or leave it out with --peers."
        )
    return result.stdout, seconds


def _name(command: Sequence[str | Path]) -> str:
    return " ".join(str(word) for word in command[1:4])
