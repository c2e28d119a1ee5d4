"""Measuring contenders in alternation, and saying what came out against what was to be reached."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NotRequired, TypedDict

Sample = Mapping[str, float]
"""What one measurement found: seconds (or another number) by name."""

Samples = dict[str, dict[str, list[float]]]
"""What several measurements found, by contender, then by name."""

Measure = Callable[[], Sample]


class StoredSpread(TypedDict):
    """A spread in a file of results."""

    median: float
    low: float
    high: float
    samples: list[float]


class StoredScenario(TypedDict):
    """A scenario in a file of results; spreads by contender, then by measurement."""

    name: str
    unit: str
    denominator: str
    contenders: dict[str, dict[str, StoredSpread]]


class StoredCheck(TypedDict):
    """A check in a file of results; older ones have no verdict."""

    claim: str
    found: float
    bound: float
    holds: bool
    floor: float | None
    verdict: NotRequired[str]


class StoredReport(TypedDict):
    """A report in a file of results."""

    id: str
    title: str
    work: str
    versions: dict[str, str]
    scenarios: list[StoredScenario]
    checks: list[StoredCheck]


class BenchmarkError(Exception):
    """A benchmark cannot give a result; the message ends in what to do."""


class DisagreementError(BenchmarkError):
    """Contenders did not do the same work, so that their times say nothing."""

    def __init__(self, name: str, found: object, expected: object) -> None:
        super().__init__(
            f"{name} gave {found} where {expected} is right. Its times are void: mend its script."
        )


@dataclass(frozen=True)
class Options:
    """How to measure. ``small`` shrinks the work so that a run shows only that all works."""

    rounds: int = 5
    small: bool = False
    peers: tuple[str, ...] | None = None
    """Names of the peers to measure; None: all."""
    scratch: Path = Path("workspace/benchmarks")
    parts: Sequence[StoredScenario] = ()
    """The scenarios of an earlier part of the same run, as they were kept."""

    first_round: int = 0
    """How many rounds the earlier parts had."""
    part: str = ""
    """Only work whose name holds this, where a benchmark has several."""

    def earlier(self, start: str) -> Samples:
        """What an earlier part found in the scenarios whose name starts so."""
        found: Samples = {}
        for scenario in self.parts:
            if scenario["name"].startswith(start):
                for name, spreads in scenario["contenders"].items():
                    for measurement, spread in spreads.items():
                        found.setdefault(name, {})[measurement] = list(spread["samples"])
        return found

    def has(self, work: str) -> bool:
        """True when that work belongs to the part that is asked for."""
        return self.part in work

    def wants(self, peer: str) -> bool:
        """True when that peer is to be measured."""
        return self.peers is None or peer in self.peers


@dataclass(frozen=True)
class Contender:
    """A name in the table and a function that does the work once and tells how long it took."""

    name: str
    measure: Measure


@dataclass(frozen=True)
class Spread:
    """The median of several samples, with their extremes."""

    median: float
    low: float
    high: float
    samples: tuple[float, ...]

    @classmethod
    def of(cls, samples: Sequence[float]) -> Spread:
        """The spread of at least one sample."""
        return cls(statistics.median(samples), min(samples), max(samples), tuple(samples))

    @property
    def stored(self) -> StoredSpread:
        return {
            "median": self.median,
            "low": self.low,
            "high": self.high,
            "samples": list(self.samples),
        }


Spreads = dict[str, dict[str, Spread]]
"""By contender, then by measurement."""


def alternate(
    contenders: Sequence[Contender], rounds: int, earlier: Samples | None = None
) -> Spreads:
    """Every contender once a round, round after round, so that all meet the same machine.

    What ``earlier`` parts of the run found counts too.
    """
    samples: Samples = {each.name: {} for each in contenders} | (earlier or {})
    for _ in range(rounds):
        for contender in contenders:
            for measurement, value in contender.measure().items():
                samples[contender.name].setdefault(measurement, []).append(value)
    return {
        name: {measurement: Spread.of(values) for measurement, values in found.items()}
        for name, found in samples.items()
    }


def only(spreads: Spreads, *measurements: str) -> Spreads:
    """These measurements, of the contenders that have any of them."""
    chosen = {
        name: {each: found[each] for each in measurements if each in found}
        for name, found in spreads.items()
    }
    return {name: found for name, found in chosen.items() if found}


@dataclass(frozen=True)
class Bound:
    """What is to be reached, and the floor that fails a benchmark when it is missed."""

    reach: float
    floor: float


@dataclass(frozen=True)
class Check:
    """Something that was to be reached, what was found, and whether it is enough."""

    claim: str
    found: float
    bound: float
    holds: bool
    floor: float | None = None
    """None for a time that another machine would not give: it is told, and fails nothing."""
    stands: bool = True
    """False below the floor."""

    @classmethod
    def at_most(
        cls, claim: str, found: float, bound: Bound | float, *, is_gate: bool = True
    ) -> Check:
        reach, floor = _both(bound)
        stands = found <= floor or not is_gate
        return cls(claim, found, reach, found <= reach, floor if is_gate else None, stands)

    @classmethod
    def at_least(
        cls, claim: str, found: float, bound: Bound | float, *, is_gate: bool = True
    ) -> Check:
        reach, floor = _both(bound)
        stands = found >= floor or not is_gate
        return cls(claim, found, reach, found >= reach, floor if is_gate else None, stands)

    @property
    def verdict(self) -> str:
        """In a few words."""
        if not self.stands:
            return f"below the floor of {self.floor:g}"
        return "reached" if self.holds else "not reached"

    @property
    def stored(self) -> StoredCheck:
        return {
            "claim": self.claim,
            "found": self.found,
            "bound": self.bound,
            "holds": self.holds,
            "floor": self.floor,
            "verdict": self.verdict,
        }


def _both(bound: Bound | float) -> tuple[float, float]:
    return (bound.reach, bound.floor) if isinstance(bound, Bound) else (bound, bound)


@dataclass
class Scenario:
    """One piece of work: what each contender took for it, in ``unit``s."""

    name: str
    spreads: Spreads
    denominator: str
    """The contender that shows what the machine allows."""
    unit: str = "seconds"

    @property
    def stored(self) -> StoredScenario:
        return {
            "name": self.name,
            "unit": self.unit,
            "denominator": self.denominator,
            "contenders": {
                name: {measurement: spread.stored for measurement, spread in found.items()}
                for name, found in self.spreads.items()
            },
        }


@dataclass
class Report:
    """All that one benchmark found."""

    id: str
    title: str
    work: str
    scenarios: list[Scenario] = field(default_factory=list)
    checks: list[Check] = field(default_factory=list)
    versions: dict[str, str] = field(default_factory=dict)

    def note_versions(self, facts: Mapping[str, Any]) -> None:
        """Keep the versions that a script tells of, by package."""
        self.versions.update(facts.get("versions", {}))

    @property
    def num_rounds(self) -> int:
        """How often what was measured most was measured; denominators are in every part."""
        return max(
            (
                len(spread.samples)
                for scenario in self.scenarios
                for name, found in scenario.spreads.items()
                for spread in found.values()
                if name != scenario.denominator
            ),
            default=0,
        )

    @property
    def stored(self) -> StoredReport:
        return {
            "id": self.id,
            "title": self.title,
            "work": self.work,
            "versions": dict(sorted(self.versions.items())),
            "scenarios": [scenario.stored for scenario in self.scenarios],
            "checks": [check.stored for check in self.checks],
        }
