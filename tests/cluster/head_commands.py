"""The command line on the head of simulated machines, whose imports are loaded once.

A command is ``python -m pipelines.cli`` in a process of its own, forked from one that has the
project loaded: loading it takes a second of a core, and tests give some hundred commands.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NoReturn

from modules.operating_system.forking import fork, leave, wait_for_child
from tests.cluster.machines import HEAD, Machines

ROOT = Path(__file__).resolve().parents[2]
MOST_SECONDS = 300.0
"""That a command may take."""


class HeadCommands:
    """Gives the commands, one after the other; ends with the head."""

    def __init__(self, machines: Machines) -> None:
        self._machines = machines
        self._server: subprocess.Popen[str] | None = None

    def run(self, *words: object) -> subprocess.CompletedProcess[str]:
        """What a command has printed, and its exit code."""
        given = [str(word) for word in words]
        with (
            tempfile.NamedTemporaryFile("r", dir=self._machines.folder) as stdout,
            tempfile.NamedTemporaryFile("r", dir=self._machines.folder) as stderr,
        ):
            request = {
                "words": given,
                "environment": self._machines.environment,
                "outputs": [stdout.name, stderr.name],
            }
            code = self._ask(request)
            return subprocess.CompletedProcess(given, code, stdout.read(), stderr.read())

    def _ask(self, request: Mapping[str, object]) -> int:
        server = self._started()
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(json.dumps(request) + "\n")
        server.stdin.flush()
        assert select.select([server.stdout], [], [], MOST_SECONDS)[0], request["words"]
        return int(server.stdout.readline())

    def _started(self) -> subprocess.Popen[str]:
        if self._server is None:
            words = ("env", f"PYTHONPATH={ROOT}", sys.executable, "-m", __name__)
            self._server = self._machines.talk(HEAD, *words)
        return self._server


def serve() -> None:
    """Run the commands that are asked for on stdin; tells their exit codes."""
    import networkx  # noqa: F401 - most commands need it

    import pipelines.forecasting.run_forecast
    import pipelines.session  # noqa: F401 - most commands need it
    from modules.catalog import builtin_catalog
    from pipelines.cli import main

    builtin_catalog()

    def become(words: Sequence[str], environment: Mapping[str, str], files: list[str]) -> NoReturn:
        code = 1
        try:
            os.environ.clear()
            os.environ.update(environment)
            with open(os.devnull, "rb") as nothing:
                os.dup2(nothing.fileno(), 0)
            for descriptor, path in enumerate(files, start=1):
                with open(path, "wb") as file:
                    os.dup2(file.fileno(), descriptor)
            sys.argv = ["designer", *words]
            main()
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
        except BaseException:  # a forked child must never return into its parent's loop
            traceback.print_exc()
        finally:
            leave(code)

    for line in sys.stdin:
        asked = json.loads(line)
        fork(lambda: become(asked["words"], asked["environment"], asked["outputs"]))  # noqa: B023 - at once
        print(wait_for_child()[1], flush=True)


if __name__ == "__main__":
    serve()
