"""Points logged by a script in any way, as bounded curves with clean names."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from modules.metric_limits import MAX_NAME, bounded_step, clean_name
from modules.sentences import script_metrics as say
from modules.sentences.sentence import Sentence, Statement

MAX_CURVES = 500
MAX_UNTHINNED = 10_000
"""Maximum points of a curve; then every tenth is kept, after ten times as many every hundredth."""
MAX_POINTS = 200_000
"""Maximum points of all curves together."""


class MetricSource(NamedTuple):
    """The origin of a point: the way it was logged, and the script's run."""

    way: str
    run: str = ""


class PlottedPoint(NamedTuple):
    """One point of a curve, ready to be recorded."""

    name: str
    value: float
    step: int


@dataclass
class _Curve:
    """The state of a curve."""

    name: str
    num_points: int = 0
    last: PlottedPoint | None = None
    is_last_kept: bool = True

    def next_step(self) -> int:
        return 0 if self.last is None else bounded_step(self.last.step + 1)


class MetricPoints:
    """Thread-safe collection of points to be recorded.

    A metric that was logged in two ways counts once: the first way to log it owns it. If several
    runs of one way have the same name, names of later ones are prefixed with their run.
    """

    def __init__(self, warn: Callable[[Statement], None]) -> None:
        """Create the collection; ``warn`` is called once for each kind of excess."""
        self._warn = warn
        self._lock = threading.Lock()
        self._curves: dict[tuple[MetricSource, str], _Curve | None] = {}
        self._ways: dict[str, str] = {}
        self._points: deque[PlottedPoint] = deque()
        self._num_kept = 0
        self._excesses: dict[str, Statement] = {}
        self._told: set[str] = set()

    def add(self, source: MetricSource, name: str, value: float, step: int | None = None) -> None:
        """Log a point; without ``step`` it follows the last one of its curve."""
        with self._lock:
            curve = self._curve(source, name)
            if curve is None:
                return
            at = curve.next_step() if step is None else bounded_step(int(step))
            curve.num_points += 1
            curve.last = PlottedPoint(curve.name, float(value), at)
            curve.is_last_kept = self._is_kept(curve)
            if curve.is_last_kept:
                self._keep(curve.last)

    def take(self) -> list[PlottedPoint]:
        """Return the points since the last call, in order; warn of excesses."""
        with self._lock:
            points, excesses = list(self._points), self._excesses
            self._points.clear()
            self._excesses = {}
        for statement in excesses.values():
            self._warn(statement)
        return points

    def finish(self) -> list[PlottedPoint]:
        """Return the same as ``take``, and the last point of each curve that was not kept."""
        with self._lock:
            for curve in self._curves.values():
                if curve and curve.last and not curve.is_last_kept:
                    self._keep(curve.last)
                    curve.is_last_kept = True
        return self.take()

    def _keep(self, point: PlottedPoint) -> None:
        self._num_kept += 1
        self._points.append(point)

    def _is_kept(self, curve: _Curve) -> bool:
        if self._num_kept >= MAX_POINTS:
            self._exceed(say.TOO_MANY_POINTS, say.TOO_MANY_POINTS.about({"most": MAX_POINTS}))
            return False
        if curve.num_points <= MAX_UNTHINNED:
            return True
        thinned = say.CURVE_THINNED.about({"name": curve.name, "most": MAX_UNTHINNED})
        self._exceed(say.CURVE_THINNED, thinned)
        return curve.num_points % every(curve.num_points) == 0

    def _curve(self, source: MetricSource, raw: str) -> _Curve | None:
        """Return the curve of a name; None if it is ignored."""
        key = source, raw[: 2 * MAX_NAME]
        if key not in self._curves and len(self._curves) < 4 * MAX_CURVES:
            self._curves[key] = self._new_curve(source, clean_name(raw))
        return self._curves.get(key)

    def _new_curve(self, source: MetricSource, name: str) -> _Curve | None:
        if self._ways.get(name, source.way) != source.way:
            return None
        if name in self._ways and source.run:
            name = clean_name(f"{source.run}/{name}")
        if name not in self._ways and len(self._ways) == MAX_CURVES:
            excess = say.TOO_MANY_CURVES.about({"most": MAX_CURVES, "name": name})
            self._exceed(say.TOO_MANY_CURVES, excess)
            return None
        self._ways.setdefault(name, source.way)
        return _Curve(name)

    def _exceed(self, kind: Sentence, statement: Statement) -> None:
        if kind.key not in self._told:
            self._told.add(kind.key)
            self._excesses[kind.key] = statement


def every(num_points: int) -> int:
    """Return the interval of points kept at this length: 1, then 10, 100, ..."""
    stride = 1
    while num_points > MAX_UNTHINNED * stride:
        stride *= 10
    return stride
