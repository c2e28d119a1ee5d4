"""Weights included with the designer, for learning and for machines without a network.

They were trained by the designer: the header of each file contains the pipeline. They are stored
without the head, which is for the sample's classes, and in half precision.
"""

from __future__ import annotations

from pathlib import Path

from modules.errors import InvalidModelDirectoryError
from modules.sentences import models as say

PREFIX = "sample:"
FILES = {"shapes": "shapes-shufflenet_v2_x0_5.safetensors"}
"""Name of the sample, and the file; the second half of its name is the network."""
SAMPLE_WEIGHTS = tuple(PREFIX + name for name in FILES)
_FOLDER = Path(__file__).parent / "samples"


def located(text: str) -> Path:
    """Return the file of a parameter *Weights file*: an included one, or the user's.

    Raises ``InvalidModelDirectoryError`` (0159) for an unknown sample.
    """
    name = text.removeprefix(PREFIX)
    if name == text:
        return Path(text).expanduser()
    if name not in FILES:
        raise InvalidModelDirectoryError(
            say.NO_SAMPLE_WEIGHTS, name=name[:80], known=SAMPLE_WEIGHTS, parameter="weights_path"
        )
    return _FOLDER / FILES[name]


def is_sample(text: str) -> bool:
    """Return True if a text names included weights instead of a user's file."""
    return text.startswith(PREFIX)
