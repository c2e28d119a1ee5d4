"""A1: from the bytes of JPEG files to squares of bytes, cut at random as training cuts them."""

from __future__ import annotations

import itertools
from ctypes.util import find_library
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import pictures
from benchmarks.harness import (
    Bound,
    Check,
    Contender,
    DisagreementError,
    Options,
    Report,
    Sample,
    Scenario,
    alternate,
    only,
)
from benchmarks.processes import ScriptFacts, run_ours, run_peer, run_plain

OURS, STOCK, LIMIT = "Pipeline Designer", "torchvision's stock path, threads", "decoding in full"
LOADER = "torchvision's stock path, DataLoader"
PEERS = {"opencv": "OpenCV, areas", "torchcodec": "torchcodec", "spdl": "SPDL"}
PLAIN = {STOCK: "decode_pillow", LOADER: "decode_loader"}
MIN_TIMES_STOCK = {"photographs": Bound(1.7, floor=1.2), "9 megapixels": Bound(3.0, floor=2.2)}
MAX_DIFFERENCE = 2.0
"""Of 255 levels, on average over all files, from Pillow's antialiased resize of a full decode."""
SIZE, THREADS = 224, 2


@dataclass(frozen=True)
class Pictures:
    """Which files are cut, for how long."""

    name: str
    folder: Path
    seconds: float


def measure(options: Options) -> Report:
    """Cut the same boxes of the same files with every contender in turn."""
    report = Report(
        "A1",
        "Decode",
        f"JPEG files in the page cache, a random part of each made a square of {SIZE} pixels, on "
        f"{THREADS} cores: 250 photographs of about 500 x 375 pixels, and 3 of 3,024 x 3,024.",
    )
    for chosen in _pictures(options):
        if options.has(chosen.name):
            _decode(report, chosen, options)
    return report


def _pictures(options: Options) -> list[Pictures]:
    scratch = options.scratch
    if options.small:
        return [Pictures("photographs", pictures.drawn(scratch / "photos", 12, 480), 0.1)]
    return [
        Pictures("photographs", pictures.photos(scratch / "photos", 250), 2.0),
        Pictures("9 megapixels", pictures.large_photos(scratch / "large", 12), 2.0),
    ]


class _Decoding:
    """The files of one name, the boxes of each, and what is right for them."""

    def __init__(self, report: Report, chosen: Pictures) -> None:
        self.report, self.chosen = report, chosen
        self.scratch = chosen.folder.with_suffix(".cut")
        self.scratch.mkdir()
        self.boxes = self.scratch / "boxes.json"
        self.expected: Any = None
        self._numbers = itertools.count()
        # its first round only draws the boxes that all cut
        self._facts(run_ours, "ours_decoding", seconds=0.0)

    def contender(self, name: str, start: Any, script: str) -> Contender:
        """A contender whose squares must be those of Pillow."""

        def cut() -> Sample:
            facts, squares = self._facts(start, script, self.chosen.seconds)
            self.report.note_versions(facts)
            return {"threads": facts["rate"], "difference": self._difference(name, squares)}

        return Contender(name, cut)

    def _facts(self, start: Any, script: str, seconds: float) -> tuple[ScriptFacts, Any]:
        import numpy as np

        path = self.scratch / f"{next(self._numbers)}.npz"
        facts = start(
            *(script, "--images", self.chosen.folder, "--boxes", self.boxes, "--pixels", path),
            *("--size", str(SIZE), "--threads", str(THREADS), "--seconds", str(seconds)),
        )
        with np.load(path) as stored:
            order = np.argsort(stored["names"])
            return facts, stored["pixels"][order].astype(np.int16)

    def _difference(self, name: str, squares: Any) -> float:
        """On average over all pixels; the first contender says what is right."""
        if self.expected is None:
            self.expected = squares
        difference = float(abs(squares - self.expected).mean())
        if not difference < MAX_DIFFERENCE:
            raise DisagreementError(
                name, f"pixels off by {difference:.2f} of 255", f"less than {MAX_DIFFERENCE:g}"
            )
        return difference


def _decode(report: Report, chosen: Pictures, options: Options) -> None:
    decoding = _Decoding(report, chosen)
    contenders = [
        *(decoding.contender(name, run_plain, script) for name, script in PLAIN.items()),
        Contender(LIMIT, lambda: _limit(chosen)),
        decoding.contender(OURS, run_ours, "ours_decoding"),
        *(
            decoding.contender(name, run_peer, f"decode_{peer}")
            for peer, name in PEERS.items()
            if options.wants(peer) and _is_here(peer)
        ),
    ]
    spreads = alternate(contenders, options.rounds, options.earlier(f"{chosen.name}:"))
    rates = only(spreads, "threads")
    report.scenarios += [
        Scenario(f"{chosen.name}: cut", rates, LIMIT, "images/s"),
        Scenario(f"{chosen.name}: pixels", only(spreads, "difference"), LIMIT, "of 255"),
    ]
    times = rates[OURS]["threads"].median / rates[STOCK]["threads"].median
    claim = f"{chosen.name}: times as fast as {STOCK}"
    report.checks.append(Check.at_least(claim, times, MIN_TIMES_STOCK[chosen.name]))


def _is_here(peer: str) -> bool:
    """SPDL decodes with the system's FFmpeg, all others with what they bring."""
    return peer != "spdl" or find_library("avfilter") is not None


def _limit(chosen: Pictures) -> Sample:
    seconds = str(chosen.seconds)
    facts = run_ours("ours_limits", "--images", chosen.folder, "--seconds", seconds)
    return {"threads": facts["decoded"]}
