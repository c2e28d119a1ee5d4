"""Counters of an endpoint, its log of requests without pictures, and drift from the training."""

from __future__ import annotations

import time
from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pipelines.store.database.endpoints import Counters, DriftReport

LATENCY_BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
"""Upper bounds of the latency histogram in seconds, those of Prometheus' clients and 30 and 60."""
LOG_ENTRIES = 1000
DRIFT_PICTURES = 50
"""Fewest predictions that are compared with the training data."""
DRIFT_SHARE = 0.2
"""Total variation distance from which the classes count as different from the training data."""


@dataclass(frozen=True)
class RequestRecord:
    """One request; no picture is kept."""

    time: float
    status: int
    milliseconds: float
    pictures: int
    num_bytes: int
    model: str | None = None
    labels: tuple[str, ...] = ()
    confidence: float | None = None
    error: str | None = None


@dataclass
class Statistics:
    """Counters since the start of the process."""

    started: float = field(default_factory=time.time)
    statuses: Counter[int] = field(default_factory=Counter)
    labels: Counter[str] = field(default_factory=Counter)
    latencies: Counter[int] = field(default_factory=Counter)
    log: deque[RequestRecord] = field(default_factory=lambda: deque(maxlen=LOG_ENTRIES))
    request_seconds: float = 0.0
    compute_seconds: float = 0.0
    num_pictures: int = 0
    num_batches: int = 0
    num_swaps: int = 0
    num_left: int = 0
    """Callers that left before their answer."""

    def add_request(self, entry: RequestRecord) -> None:
        """Count a request and its predictions."""
        seconds = entry.milliseconds / 1000
        self.statuses[entry.status] += 1
        self.latencies[bisect_left(LATENCY_BOUNDS, seconds)] += 1
        self.request_seconds += seconds
        self.labels.update(entry.labels)
        self.log.append(entry)

    def add_batch(self, num_pictures: int, seconds: float) -> None:
        """Count a computed batch."""
        self.num_batches += 1
        self.num_pictures += num_pictures
        self.compute_seconds += seconds

    def latency(self, share: float) -> float | None:
        """Return the bound in seconds below which this share of recent requests were answered."""
        times = sorted(entry.milliseconds for entry in self.log if entry.status == 200)
        return times[min(len(times) - 1, int(share * len(times)))] / 1000 if times else None

    @property
    def counters(self) -> Counters:
        """Return the counters for pages and programs."""
        return {
            "started": self.started,
            "requests": self.statuses.total(),
            "errors": sum(count for status, count in self.statuses.items() if status >= 400),
            "pictures": self.num_pictures,
            "batches": self.num_batches,
            "swaps": self.num_swaps,
            "callers_left": self.num_left,
            "median_seconds": self.latency(0.5),
            "p99_seconds": self.latency(0.99),
            "labels": dict(self.labels),
        }

    def newest_log(self, limit: int) -> list[Mapping[str, object]]:
        """Return the newest requests, newest first."""
        return [asdict(entry) for entry in list(self.log)[::-1][:limit]]


def drift(predicted: Mapping[str, int], trained: Mapping[str, int]) -> DriftReport:
    """Compare the predicted classes with the classes of the training images.

    Its figures are None if there are too few predictions or no counts.
    """
    num_predicted, num_trained = sum(predicted.values()), sum(trained.values())
    if num_predicted < DRIFT_PICTURES or not num_trained:
        return {"distance": None, "verdict": "unknown", "most": None}
    differences = {
        label: predicted.get(label, 0) / num_predicted - trained.get(label, 0) / num_trained
        for label in {*predicted, *trained}
    }
    distance = sum(map(abs, differences.values())) / 2
    most = max(sorted(differences), key=lambda label: abs(differences[label]))
    verdict = "different" if distance >= DRIFT_SHARE else "similar"
    return {"distance": round(distance, 4), "verdict": verdict, "most": most}


def prometheus_text(
    statistics: Statistics, queued: int, served: str | None, runtime: str | None, is_ready: bool
) -> str:
    """Return the counters in the text format of Prometheus, version 0.0.4.

    Args:
        statistics: Counters of the endpoint.
        queued: Pictures that are decoded, wait or are scored.
        served: Reference of the served version; None if there is none.
        runtime: Name of the runtime that computes; None without a version.
        is_ready: True if requests are answered.
    """
    lines: list[str] = []

    def add(name: str, kind: str, samples: Sequence[tuple[str, float]]) -> None:
        lines.append(f"# TYPE designer_{name} {kind}")
        # repr: six digits would round counters beyond a million
        lines.extend(f"designer_{name}{labels} {value!r}" for labels, value in samples)

    statuses = sorted(statistics.statuses.items())
    add("requests_total", "counter", [(f'{{status="{code}"}}', n) for code, n in statuses])
    add("request_seconds", "histogram", [])
    below = 0
    for index, bound in enumerate(LATENCY_BOUNDS):
        below += statistics.latencies[index]
        lines.append(f'designer_request_seconds_bucket{{le="{bound:g}"}} {below}')
    total = statistics.statuses.total()
    lines.append(f'designer_request_seconds_bucket{{le="+Inf"}} {total}')
    lines.append(f"designer_request_seconds_sum {statistics.request_seconds:.6f}")
    lines.append(f"designer_request_seconds_count {total}")
    add("pictures_total", "counter", [("", statistics.num_pictures)])
    add("batches_total", "counter", [("", statistics.num_batches)])
    add("compute_seconds_total", "counter", [("", statistics.compute_seconds)])
    add("queue_pictures", "gauge", [("", queued)])
    add("callers_left_total", "counter", [("", statistics.num_left)])
    add("swaps_total", "counter", [("", statistics.num_swaps)])
    add("ready", "gauge", [("", int(is_ready))])
    add("model_info", "gauge", [(f'{{model="{_escaped(served)}"}}', 1)] if served else [])
    add("runtime_info", "gauge", [(f'{{runtime="{_escaped(runtime)}"}}', 1)] if runtime else [])
    labels = sorted(statistics.labels.items())
    add("predictions_total", "counter", [(f'{{label="{_escaped(x)}"}}', n) for x, n in labels])
    return "\n".join(lines) + "\n"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
