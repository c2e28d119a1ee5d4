"""Collection of the metrics of a running script that does not know the designer."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Self

from modules.scripts.intake.designer_lines import LoggedTexts, model_to_register, take_line
from modules.scripts.intake.event_folders import EventFolders
from modules.scripts.intake.line_tail import LineTail
from modules.scripts.intake.log_patterns import LogPattern, PatternReader
from modules.scripts.intake.metric_points import MetricPoints, MetricSource, PlottedPoint
from modules.scripts.intake.tracking_server import TrackingServer
from modules.scripts.shims import SHIMS
from modules.sentences.sentence import Statement

Record = Callable[[str, float, int], None]
"""Callback with a metric's name, its value and its step, like ``Context.metric``."""
Warn = Callable[[Statement], None]
MOST_BYTES = 2**18
"""Maximum bytes of each file in one poll: some thousand points."""
OUTPUTS = "outputs"
ADDRESS = ("MLFLOW_TRACKING_URI", "MLFLOW_RUN_ID")
"""Variables that lead a client of MLflow to this address; the run is unknown elsewhere."""
DRAIN_SECONDS = 20.0
"""Maximum wait at the end of a step for points that were logged faster than they are read."""


def _discard(statement: Statement) -> None:
    """Discard a warning."""


class Intake:
    """Collector of the metrics of one step.

    Sources are MLflow's address, TensorBoard's files, ``designer_log`` and the shims, and patterns
    for the lines of a log. Call ``start``, then ``poll`` some times a second while the script runs,
    then ``stop`` (or use ``with``); all in one thread, in which ``record`` and ``warn`` are called.
    """

    def __init__(
        self,
        folders: Sequence[Path],
        logs: Sequence[Path],
        patterns: Sequence[LogPattern],
        record: Record,
        *,
        warn: Warn = _discard,
    ) -> None:
        """Create the collector.

        Args:
            folders: The working folders of the script's processes, the first rank's first: clients
                of MLflow write their files to its ``outputs``.
            logs: Logs of the first rank; the files may be created later.
        """
        self._folders, self._record, self._warn = list(folders), record, warn
        self._points = MetricPoints(warn)
        self._texts = LoggedTexts()
        self._logs = [LineTail(log) for log in logs]
        for tail in self._logs:  # output of an earlier attempt has already been read
            tail.pass_over()
        self._patterns = PatternReader(patterns, self._points, warn)
        self._own = tempfile.TemporaryDirectory(prefix="designer-metrics-")
        self._metrics_path = Path(self._own.name) / "metrics.jsonl"
        self._lines = LineTail(self._metrics_path)
        self._models: set[str] = set()
        self._server: TrackingServer | None = None
        self.variables: dict[str, str] = {}
        self._events = EventFolders(self._folders, warn)

    def start(self) -> dict[str, str]:
        """Open the address; return the variables that the script's processes need.

        ``PYTHONPATH`` must be appended to theirs.
        """
        self._server = TrackingServer(self._folders[0].absolute() / OUTPUTS, self._take_tracked)
        self._metrics_path.touch(mode=0o600)
        self.variables = {
            "MLFLOW_TRACKING_URI": self._server.address,
            "MLFLOW_RUN_ID": self._server.run_id,
            "MLFLOW_DISABLE_TELEMETRY": "true",
            "DESIGNER_METRICS": str(self._metrics_path),
            "PYTHONPATH": str(SHIMS),
        }
        return self.variables

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def poll(self) -> None:
        """Record new points; takes a few milliseconds at any load."""
        self._read(is_last=False)
        self._tell(self._points.take())

    def stop(self) -> None:
        """Close the address and record all remaining points."""
        if self._server is not None:
            self._server.stop()
            self._server = None
        until = time.monotonic() + DRAIN_SECONDS
        while self._read(is_last=True) and time.monotonic() < until:
            self._tell(self._points.take())
        self._tell(self._points.finish())
        self._texts.warn(self._warn)
        self._own.cleanup()

    def _read(self, *, is_last: bool) -> int:
        """Read a part of every file; return the number of points."""
        num_events = self._events.read(self._points, MOST_BYTES, is_last=is_last)
        lines = self._lines.read(MOST_BYTES, is_last=is_last)
        for line in lines:
            take_line(self._points, self._texts, line)
            self._warn_of_model(line)
        printed = [line for log in self._logs for line in log.read(MOST_BYTES, is_last=is_last)]
        self._patterns.read(printed)
        return num_events + len(lines) + len(printed)

    def _warn_of_model(self, line: str) -> None:
        """Warn once of a model that the script could not register itself."""
        warning = model_to_register(line)
        if warning is not None and str(warning) not in self._models:
            self._models.add(str(warning))
            self._warn(warning)

    def _take_tracked(self, run: str, name: str, value: float, step: int | None) -> None:
        self._points.add(MetricSource("tracking", run), name, value, step)

    def _tell(self, points: Iterable[PlottedPoint]) -> None:
        for point in points:
            self._record(point.name, point.value, point.step)
