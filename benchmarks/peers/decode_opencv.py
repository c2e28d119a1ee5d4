"""OpenCV: decoded whole, cut, made smaller by areas."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from benchmarks.peers.decoding import Box, measure


def cut(content: bytes, box: Box, size: int) -> Any:
    """The square; areas for making smaller, lines for making larger."""
    top, left, height, width = box
    pixels = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR_RGB)
    part = pixels[top : top + height, left : left + width]
    way = cv2.INTER_AREA if min(height, width) > size else cv2.INTER_LINEAR
    return cv2.resize(part, (size, size), interpolation=way)


if __name__ == "__main__":
    cv2.setNumThreads(1)
    measure(cut, "opencv-python-headless")
