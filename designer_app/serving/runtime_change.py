"""Change of a served version from torch to the fastest runtime, while it answers requests.

Another process compares the runtimes once (``modules.scoring.runtime_trial``); later starts read
its choice from the cache. The thread that computes changes to the runtime between two batches.

If other work disturbed a comparison that chose torch, it is repeated once the machine is quiet.
"""

from __future__ import annotations

import asyncio
import logging
import os
import subprocess
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from modules.operating_system.machine import is_quiet
from modules.operating_system.signals import is_requested_end
from modules.operating_system.spawning import python_command
from modules.scoring.kept_runtimes import RETRY_SECONDS, TORCH, KeptRuntime, RuntimeCache
from modules.scoring.runtime_trial import NOT_STORED
from modules.sentences import scoring as say

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor
    from pathlib import Path

    from modules.artifacts import TrainedModel
    from modules.scoring.picture_scoring import PictureScorer
    from pipelines.store.database.endpoints import RuntimeReport

logger = logging.getLogger(__name__)

PROGRAM = "modules.scoring.runtime_trial"
LOOK_SECONDS = 0.2
"""Interval in which the process is checked."""
TRIAL_SECONDS = 1800.0
"""Time that the process has; its low priority makes it slow next to other work."""
END_SECONDS = 5.0
PAUSE_SECONDS = 60.0
"""Minimum time before a disturbed comparison is repeated; quadrupled before each later one."""
QUIET_LOOK_SECONDS = 10.0
"""Interval in which a busy machine is looked at."""


class RuntimeChange:
    """The runtime of one version; all methods are called in the event loop."""

    def __init__(self, model: TrainedModel, scorer: PictureScorer) -> None:
        self._model = model
        self._scorer = scorer
        self._is_settled = False
        self._reason: str | None = None
        self._task: asyncio.Task[None] | None = None
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def report(self) -> RuntimeReport:
        """Return the state for pages and programs."""
        name, failure = self._scorer.runtime
        reason = self._reason if failure is None else str(failure)
        return {"name": name, "settled": self._is_settled, "reason": reason}

    def start(self, thread: ThreadPoolExecutor, cache_dir: Path) -> None:
        """Start in the background; ``thread`` is the one that computes."""
        self._task = asyncio.create_task(self._run(thread, cache_dir))

    def stop(self) -> None:
        """Stop, and end the process that compares runtimes."""
        if self._task is not None:
            self._task.cancel()
        self._end_process()

    async def _run(self, thread: ThreadPoolExecutor, cache_dir: Path) -> None:
        try:
            await self._change(thread, cache_dir)
        except Exception as error:  # requests are answered by torch, whatever fails here
            logger.exception("The runtime of %s could not be changed", self._model.path)
            self._reason = f"{type(error).__name__}: {str(error)[:200]}"
        finally:
            self._end_process()
            self._is_settled = True

    async def _change(self, thread: ThreadPoolExecutor, cache_dir: Path) -> None:
        """Change to the chosen runtime, also to that of a repeated comparison."""
        why = self._scorer.why_torch
        if why is not None:
            self._reason = str(why)
            return
        key = await asyncio.to_thread(self._scorer.runtime_key, self._model)
        cache = RuntimeCache(cache_dir, key)
        kept = await asyncio.to_thread(cache.find) or await self._tried(cache)
        await self._use(kept, thread)
        while kept.may_repeat and await self._is_quiet_after(_pause(kept.num_disturbed)):
            num = kept.num_disturbed
            stored = await asyncio.to_thread(cache.find)
            if stored is None or stored.num_disturbed == num:  # else by another endpoint
                self._is_settled = False
                stored = await self._tried(cache, num)
            kept = stored
            await self._use(kept, thread)

    async def _use(self, kept: KeptRuntime, thread: ThreadPoolExecutor) -> None:
        """Let a runtime answer."""
        self._reason = kept.reason
        if kept.content is not None:
            runtime = await asyncio.to_thread(self._scorer.open_runtime, kept)
            loop = asyncio.get_running_loop()
            await loop.run_in_executor(thread, self._scorer.change_runtime, runtime)
            logger.info("%s computes", self._scorer.runtime[0])
        self._is_settled = True

    async def _is_quiet_after(self, pause: float) -> bool:
        """Wait until the machine is quiet, at least ``pause`` seconds; False if it stays busy."""
        deadline = time.monotonic() + RETRY_SECONDS
        await asyncio.sleep(pause)
        while not is_quiet():
            if time.monotonic() > deadline:
                return False
            await asyncio.sleep(QUIET_LOOK_SECONDS)
        return True

    async def _tried(self, cache: RuntimeCache, num_disturbed: int = 0) -> KeptRuntime:
        """Compare the runtimes in another process and return its choice."""
        code = await self._exit_code(cache, num_disturbed)
        kept = await asyncio.to_thread(cache.find)
        if kept is not None and not 0 < kept.num_disturbed <= num_disturbed:
            return kept  # else the process has ended without another choice
        if code in (0, NOT_STORED):
            return KeptRuntime(TORCH, reason=str(say.RUNTIME_NOT_STORED.about({})))
        if code is None:
            why = say.RUNTIME_TRIAL_TIMED_OUT.about({"minutes": TRIAL_SECONDS / 60})
        else:
            why = say.RUNTIME_TRIAL_ENDED.about({"code": code})
        failed = KeptRuntime(TORCH, reason=str(why), is_final=False)
        if code is None or not is_requested_end(code):  # a request says nothing about the model
            with suppress(OSError):
                await asyncio.to_thread(cache.keep, failed)
        return failed

    async def _exit_code(self, cache: RuntimeCache, num_disturbed: int) -> int | None:
        """Run the process; return its exit code, None if it takes too long."""
        place = (self._model.path, cache.cache_dir, cache.key)
        arguments = map(str, (*place, self._scorer.num_threads, num_disturbed, os.getpid()))
        # started by this thread, which lives as long as the process: the child ends with it
        self._process = subprocess.Popen(
            python_command(PROGRAM, *arguments),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        deadline = time.monotonic() + TRIAL_SECONDS
        while (code := self._process.poll()) is None and time.monotonic() < deadline:
            await asyncio.sleep(LOOK_SECONDS)
        return code

    def _end_process(self) -> None:
        process, self._process = self._process, None
        if process is not None and process.poll() is None:
            process.kill()
            with suppress(subprocess.TimeoutExpired):  # it reads from a disk that is away
                process.wait(END_SECONDS)


def _pause(num_disturbed: int) -> float:
    return PAUSE_SECONDS * 4.0 ** (num_disturbed - 1)
