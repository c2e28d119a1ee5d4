"""Weights to start from: torchvision's, kept in a folder by file name, or a local file."""

from __future__ import annotations

import hashlib
import pickle
import re
import shutil
import urllib.request
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from modules.errors import FailedToDownloadFilesError, InvalidModelDirectoryError, evidence
from modules.files.whole_files import replacing
from modules.models.recipe import Recipe
from modules.sentences import models as say
from modules.sentences.sentence import Sentence, Statement

if TYPE_CHECKING:
    import torch

TIMEOUT_SECONDS = 8.0
"""How long a server may keep silent; a machine without a network must not wait for long."""

PICKLE_START = b"\x80"
"""What ``torch.save`` began its files with before they were zip archives."""

_FIXED_IMAGE_SIZE = 224


def random_start(freeze: str) -> dict[str, dict[str, bool | str]]:
    """The cure, for a button, of weights that cannot be had: random ones, and none kept so."""
    return {"set": {"pretrained": False, **({} if freeze == "none" else {"freeze": "none"})}}


def chosen_weights(architecture: str) -> Any:
    """The entry of torchvision's weights enum that a model starts from.

    Its best one that was trained on images of the size our networks are built for: the best
    weights of ViT-H/14 are for 518 pixels.
    """
    import torchvision

    entries = torchvision.models.get_model_weights(architecture)
    best = entries.DEFAULT
    if architecture.startswith("vit_") and best.meta["min_size"][0] != _FIXED_IMAGE_SIZE:
        return next(each for each in entries if each.meta["min_size"][0] == _FIXED_IMAGE_SIZE)
    return best


def weights_folder(weights_dir: Path | None) -> Path:
    """Where weights are kept; None stands for torch's own cache."""
    import torch

    return weights_dir or Path(torch.hub.get_dir()) / "checkpoints"


def starting_weights(recipe: Recipe, weights_dir: Path | None) -> dict[str, torch.Tensor] | None:
    """The tensors a model starts from by name; None where it starts from random ones."""
    if recipe.weights_file is not None:
        return read_weights(recipe.weights_file)
    if not recipe.pretrained:
        return None
    url = chosen_weights(recipe.architecture).url
    try:
        path = fetch_weights(url, weights_folder(weights_dir))
    except FailedToDownloadFilesError as error:
        if error.remedy is not None:
            error.remedy = random_start(recipe.freeze)
        raise
    return read_weights(path)


def file_name(url: str) -> str:
    """The last part of an address: ``resnet18-f37072fd.pth``."""
    return url.rpartition("/")[2]


def fetch_weights(url: str, folder: Path) -> Path:
    """The file of that address in the folder, downloaded if it is not there.

    The hexadecimal part of its name is the beginning of its SHA-256, which is checked either way.
    Raises ``FailedToDownloadFilesError`` (0162).
    """
    path = folder / file_name(url)
    if not path.is_file():
        try:
            _download(url, path)
        except OSError as error:
            if isinstance(error, FailedToDownloadFilesError):
                raise
            raise FailedToDownloadFilesError(
                say.WEIGHTS_NOT_DOWNLOADED,
                url=url,
                error=error,
                file=path.name,
                folder=folder,
                parameter="pretrained",
                remedy={"set": {"pretrained": False}},
                details=evidence(
                    "weights", "What is missing", [("File", path.name), ("Folder", folder)]
                ),
            ) from error
    elif not _has_named_hash(path, path.name):
        raise FailedToDownloadFilesError(say.WEIGHTS_DAMAGED, file=path, parameter="pretrained")
    return path


def _download(url: str, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path, durably=True) as partial:
        with (
            partial.open("wb") as target,
            urllib.request.urlopen(url, timeout=TIMEOUT_SECONDS) as response,
        ):
            shutil.copyfileobj(response, target, 1 << 20)
        if not _has_named_hash(partial, path.name):
            raise FailedToDownloadFilesError(
                say.OTHER_WEIGHTS,
                url=url,
                file=path.name,
                folder=path.parent,
                parameter="pretrained",
            )


def _has_named_hash(path: Path, name: str) -> bool:
    expected = re.search(r"-([0-9a-f]{8,64})\.[a-z]+$", name)
    if expected is None:
        return True
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest().startswith(expected[1])


def read_weights(
    path: Path,
    refusal: Sentence = say.UNUSABLE_WEIGHTS,
    parameter: str = "weights_path",
    shown: str | None = None,
) -> dict[str, torch.Tensor]:
    """The tensors of a safetensors file or a PyTorch state dict; 0159 where it is neither.

    No code in the file is ever run. ``refusal`` tells of ``file`` (as ``shown``) and ``why``.
    """

    def unreadable(why: Statement | str) -> InvalidModelDirectoryError:
        return InvalidModelDirectoryError(refusal, file=shown or path, why=why, parameter=parameter)

    if not path.is_file():
        raise unreadable(say.FILE_NOT_THERE.about({}))
    try:
        stored = _parsed(path)
    except (MemoryError, KeyboardInterrupt):
        raise
    except Exception as error:
        # Parsers of foreign files raise whatever they meet; all of it means the same to a user.
        raise unreadable(_reason(error)) from error
    weights = _state_dict_in(stored)
    if weights is None:
        raise unreadable(say.NO_TENSORS.about({}))
    return weights


def check_form(path: Path) -> None:
    """Raise 0159 where a file's ends show that it holds no weights; loads no torch."""
    if path.suffix == ".safetensors":
        from safetensors import SafetensorError, safe_open

        try:
            with safe_open(path, framework="numpy"):
                return
        except (SafetensorError, OSError) as error:
            raise _unreadable(path, _reason(error)) from error
    with path.open("rb") as file:
        if not zipfile.is_zipfile(file) and (file.seek(0), file.read(1))[1] != PICKLE_START:
            raise _unreadable(path, say.NO_WEIGHTS.about({}))


def _reason(error: Exception) -> Statement | str:
    if isinstance(error, pickle.UnpicklingError):  # torch's own words tell how to run its code
        named = re.search(r"GLOBAL ([\w.]{1,200})", str(error))
        if named is None:
            return say.MORE_THAN_TENSORS.about({})
        return say.PICKLED_OBJECT.about({"kind": named[1]})
    return (str(error).strip() or type(error).__name__).splitlines()[0][:200]


def _parsed(path: Path) -> object:
    if path.suffix == ".safetensors":
        from safetensors.torch import load_file

        return load_file(path)
    import torch

    return torch.load(path, map_location="cpu", weights_only=True)


def _state_dict_in(stored: object) -> dict[str, torch.Tensor] | None:
    """The tensors by name, also where a training script wrapped them once more."""
    import torch

    if not isinstance(stored, Mapping) or not stored:
        return None
    for wrapper in ("state_dict", "model", "model_state_dict"):
        if isinstance(stored.get(wrapper), Mapping):
            return _state_dict_in(stored[wrapper])
    if not all(isinstance(each, torch.Tensor) for each in stored.values()):
        return None
    return {_plain_name(str(name)): tensor for name, tensor in stored.items()}


def _plain_name(name: str) -> str:
    """A tensor's name as torchvision's networks have it today."""
    name = name.removeprefix("module.").removeprefix("_orig_mod.")
    # DenseNet's published files are older than the ban on dots in names: norm.1 is norm1 now.
    return re.sub(r"(denselayer\d+\.(?:norm|relu|conv))\.([12]\.)", r"\1\2", name)


def _unreadable(path: Path, why: Statement | str) -> InvalidModelDirectoryError:
    return InvalidModelDirectoryError(
        say.UNUSABLE_WEIGHTS, file=path, why=why, parameter="weights_path"
    )
