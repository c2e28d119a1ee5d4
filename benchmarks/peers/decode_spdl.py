"""SPDL: FFmpeg decodes the whole file, its filters cut the box and scale it."""

from __future__ import annotations

from typing import Any

import spdl.io

from benchmarks.peers.decoding import Box, measure

FLAGS = "bilinear+accurate_rnd+full_chroma_int"


def cut(content: bytes, box: Box, size: int) -> Any:
    """The square as FFmpeg's scaler makes it."""
    top, left, height, width = box
    filters = (
        f"crop={width}:{height}:{left}:{top}:exact=1,scale={size}:{size}:flags={FLAGS},format=rgb24"
    )
    return spdl.io.to_numpy(spdl.io.load_image(content, filter_desc=filters))


if __name__ == "__main__":
    measure(cut, "spdl_io")
