"""The decoding that every peer does: JPEG bytes in memory, a box of each made a square of bytes.

A peer calls ``measure`` with a function from bytes and box to pixels. The boxes are given, so that
all cut the same. Shape letters: N images, S size of the square.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.peers.telling import tell, versions_of

Box = Sequence[int]
"""Top, left, height and width in pixels of the whole image."""

Cut = Callable[[bytes, Box, int], Any]
"""From a file's bytes, a box and a size to an array (S, S, 3) of uint8."""


@dataclass(frozen=True)
class Work:
    """Which files are cut how, and for how long."""

    images: Path
    boxes: Path
    """JSON: by the name of a file in ``images`` its box."""
    pixels: Path
    """Where the squares are written."""
    size: int
    seconds: float
    threads: int

    def read_boxes(self) -> dict[str, Box]:
        """The box of each file, in order."""
        found: dict[str, Box] = json.loads(self.boxes.read_text())
        return dict(sorted(found.items()))


def read_work() -> Work:
    """The work that the command line asks for."""
    parser = argparse.ArgumentParser()
    for name in ("images", "boxes", "pixels"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    for name in ("size", "threads"):
        parser.add_argument(f"--{name}", type=int, required=True)
    parser.add_argument("--seconds", type=float, required=True)
    return Work(**vars(parser.parse_args()))


def measure(cut: Cut, *packages: str) -> None:
    """Cut all squares again and again, in threads."""
    work = read_work()
    boxes = work.read_boxes()
    given = [((work.images / name).read_bytes(), box) for name, box in boxes.items()]
    with ThreadPoolExecutor(work.threads) as pool:

        def cut_all() -> list[Any]:
            return list(pool.map(lambda each: cut(each[0], each[1], work.size), given))

        save_squares(work, list(boxes), cut_all())
        rate = images_per_second(cut_all, work.seconds)
        tell({"rate": rate, "versions": versions_of(*packages)})


def images_per_second(cut_all: Callable[[], Sequence[Any]], seconds: float) -> float:
    """The rate of a function that was called once before."""
    done, started = 0, time.perf_counter()
    while time.perf_counter() - started < seconds:
        done += len(cut_all())
    return done / (time.perf_counter() - started)


def save_squares(work: Work, names: Sequence[str], squares: Sequence[Any]) -> None:
    """Keep the squares under the names of the files."""
    import numpy as np

    np.savez(
        work.pixels, names=list(names), pixels=np.stack([np.asarray(each) for each in squares])
    )
