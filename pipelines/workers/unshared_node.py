"""Node without access to the workspace: its files are transferred through the object store.

``python -m pipelines.workers.unshared_node FOLDER PLACE --rank-from VARIABLE [--parent PID]``

PLACE is the JSON of ``StepLocation``. The node has a local folder in place of the workspace: the
paths in the step's specification lead there, inputs are downloaded and stay for the next step, and
the step's own files are mirrored to the runner. The values of secrets are read from stdin, as JSON,
and are in no file. The engine's process on the machine creates FOLDER, which gets
``end-<rank>.json`` when the runner can know how the node ended. Exit code ``NO_STORE``: the store
did not respond.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path

from modules.operating_system.forking import leave
from modules.operating_system.orphans import adopt_orphans
from modules.operating_system.parent_death import die_with_parent
from pipelines.errors import ObjectDamagedError, ObjectStoreAwayError, ObjectStoreError
from pipelines.problems import INPUT_LOST, OBJECT_STORE_UNUSABLE, Problem
from pipelines.workers.agent import FAILED, POLL_SECONDS, Agent
from pipelines.workers.agent_files import Lease
from pipelines.workers.node_check import try_node
from pipelines.workers.node_folder import (
    END_REPORT_TIMEOUT_SECONDS,
    STARTUP_POLL_SECONDS,
    NodeFolder,
    StepLocation,
)
from pipelines.workers.rank_errors import leave_error, report_failure

NO_STORE = 75
SYNC_INTERVAL_SECONDS = 0.5
CHECKPOINT_INTERVAL_SECONDS = 2.0


class Mirroring:
    """Thread that keeps a mirrored folder up to date."""

    def __init__(
        self, work: Callable[[], object], seconds: float, hurries: Callable[[], bool] = bool
    ) -> None:
        self._work, self._seconds, self._hurries = work, seconds, hurries
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop after the current pass."""
        self._closed.set()
        self._thread.join()

    def _serve(self) -> None:
        while not self._closed.wait(STARTUP_POLL_SECONDS if self._hurries() else self._seconds):
            with suppress(ObjectStoreError, OSError):  # the next pass tries again
                self._work()


class UnsharedAgent(Agent):
    """Agent with a local folder that ends with the process that started it."""

    def __init__(self, node: NodeFolder) -> None:
        super().__init__(node.spec_path, node.rank, node.secrets)
        self.lease = Lease(self.files, 0)
        self._node = node
        self._threads = ThreadPoolExecutor(1)
        self.files.is_unreachable = lambda: node.mirror.is_unreachable

    def _prepare(self) -> bool:
        """Download the inputs of the step, and wait until all nodes have theirs."""
        if not self.spec.contents:
            return True
        if self._worked(partial(self._node.fetch_inputs, self.spec)) is not True:
            return False
        self.files.write(f"fetched-{self.node_rank}.json", {})
        everyone = {f"fetched-{rank}.json" for rank in range(self.spec.host_count)}
        if self.node_rank == 0:
            if not self._seen(everyone):
                return False
            self.files.write("fetched.json", {})
        return self._seen({"fetched.json"})

    def _seen(self, names: set[str]) -> bool:
        while not names <= self.files.names():
            if self._must_end():
                return False
            time.sleep(POLL_SECONDS)
        return True

    def _finish(self, code: int) -> int:
        if code:
            self._put_checkpoint()
        elif self.node_rank == 0:
            return 0 if self._worked(partial(self._node.store_outputs, self.spec)) else FAILED
        return code

    def _worked(self, work: Callable[[], None]) -> bool:
        """Return whether a task succeeded; send heartbeats meanwhile.

        Retry while the store does not respond; other failures are the step's problem.
        """
        while True:
            doing = self._threads.submit(work)
            while not _is_done(doing):
                if self._must_end():
                    return False
            try:
                doing.result()
            except ObjectStoreAwayError:
                time.sleep(POLL_SECONDS)
            except ObjectDamagedError as error:
                return self._fail(Problem.relayed(INPUT_LOST, error, node=self.spec.node))
            except ObjectStoreError as error:
                return self._fail(
                    Problem.relayed(OBJECT_STORE_UNUSABLE, error, node=self.spec.node)
                )
            except OSError as error:
                report_failure(error, self.spec, 0)
                return False
            else:
                return True

    def _fail(self, problem: Problem) -> bool:
        leave_error(self.spec.error_path(0), problem.to_json())
        return False

    def _put_checkpoint(self) -> None:
        """Upload the checkpoint that another attempt may resume from, as far as time allows."""
        doing = self._threads.submit(self._node.put_checkpoints)
        deadline = time.monotonic() + END_REPORT_TIMEOUT_SECONDS
        while not _is_done(doing) and time.monotonic() < deadline:
            self.files.beat(self.node_rank)


def _is_done(doing: Future[None]) -> bool:
    with suppress(TimeoutError):
        return doing.exception(POLL_SECONDS) is None or True
    return False


def run_step(node: NodeFolder, agent: Callable[[NodeFolder], Agent] = UnsharedAgent) -> int:
    """Run this node's share of a step; return the exit code."""
    loops = [
        Mirroring(node.sync, SYNC_INTERVAL_SECONDS, lambda: node.is_starting),
        Mirroring(node.put_checkpoints, CHECKPOINT_INTERVAL_SECONDS),
    ]
    try:
        return agent(node).run()
    finally:
        for loop in reversed(loops):
            loop.stop()
        try:
            node.end()
        finally:
            node.clear()


def run_trial(node: NodeFolder) -> int:
    """Report the facts of this node and sum numbers with the others."""
    loop = Mirroring(node.sync, STARTUP_POLL_SECONDS)
    try:
        try_node(node.folder, node.location.count, node.rank)
    finally:
        loop.stop()
        try:
            node.end()
        finally:
            node.clear()
    return 0


def run_node(
    folder: Path,
    location: StepLocation,
    rank: int,
    secrets: Mapping[str, str],
    run: Callable[[NodeFolder], int],
) -> int:
    """Run the task of a node's folder, report its end in another, return the exit code."""
    try:
        node = NodeFolder(location, rank, secrets)
        node.start()
        code = run(node)
        (folder / f"end-{rank}.json").touch()
    except ObjectStoreError as error:
        print(error, flush=True)
        return NO_STORE
    return code


def main() -> None:
    """Run a node."""
    parser = argparse.ArgumentParser(prog="pipelines.workers.unshared_node")
    parser.add_argument("folder", type=Path)
    parser.add_argument("place", type=json.loads)
    parser.add_argument(
        "--rank-from", required=True, help="variable that contains the rank of the machine"
    )
    parser.add_argument(
        "--parent", type=int, help="process ID; the agent ends when this process ends"
    )
    arguments = parser.parse_args()
    if arguments.parent:
        die_with_parent(arguments.parent, signal.SIGTERM)
    adopt_orphans()
    rank = int(os.environ[arguments.rank_from])
    location = StepLocation(**arguments.place)
    secrets = json.loads(sys.stdin.read() or "{}")
    run = run_trial if location.is_trial else run_step
    leave(run_node(arguments.folder, location, rank, secrets, run))


if __name__ == "__main__":
    main()
