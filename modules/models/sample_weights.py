"""Weights that come with the designer, for learning and for machines without a network.

They were trained by the designer itself: the header of each file holds the pipeline that made it.
They are kept without the head, which is for the sample's classes, and in half precision.
"""

from __future__ import annotations

from pathlib import Path

from modules.errors import InvalidModelDirectoryError
from modules.sentences import models as say

PREFIX = "sample:"
FILES = {"shapes": "shapes-shufflenet_v2_x0_5.safetensors"}
"""Name of the sample, and the file; its second half is the network that takes it."""
SAMPLE_WEIGHTS = tuple(PREFIX + name for name in FILES)
_FOLDER = Path(__file__).parent / "samples"


def located(text: str) -> Path:
    """The file that a parameter *Weights file* means: one of these, or one of the user's own.

    Raises ``InvalidModelDirectoryError`` (0159) for a sample that there is not.
    """
    name = text.removeprefix(PREFIX)
    if name == text:
        return Path(text).expanduser()
    if name not in FILES:
        raise InvalidModelDirectoryError(
            say.NO_SAMPLE_WEIGHTS,
            name=name[:80],
            known=SAMPLE_WEIGHTS,
            parameter="weights_path",
        )
    return _FOLDER / FILES[name]


def is_sample(text: str) -> bool:
    """True where a text names such weights, and no file of the user's."""
    return text.startswith(PREFIX)
