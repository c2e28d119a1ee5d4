"""Starting weights: included ones, torchvision's stored in a folder, or a local file."""

from __future__ import annotations

import hashlib
import pickle
import re
import shutil
import urllib.request
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from modules.errors import FailedToDownloadFilesError, InvalidModelDirectoryError, evidence
from modules.files.whole_files import replacing
from modules.models.included_weights import INCLUDED, USE_INCLUDED, read_included
from modules.models.recipe import Recipe
from modules.models.tensor_names import NamedWeights
from modules.models.weights_file import foreign_kind, is_safetensors
from modules.sentences import models as say
from modules.sentences.sentence import Sentence, Statement

if TYPE_CHECKING:
    import torch

TIMEOUT_SECONDS = 8.0
"""Maximum silence of a server; a machine without a network must not wait for long."""

TAKEN_SETS = (
    *("state_dict", "model", "model_state_dict", "model_state", "net", "network", "weights"),
    *("module", "params", "backbone"),
)
"""Keys of checkpoints with the network's tensors, the most common first."""

_FIXED_IMAGE_SIZE = 224


def random_start(freeze: str) -> dict[str, dict[str, bool | str]]:
    """Return the fix for a button if included weights are damaged: random ones, none frozen."""
    return {"set": {"pretrained": False, **({} if freeze == "none" else {"freeze": "none"})}}


def chosen_weights(architecture: str) -> Any:
    """Return the entry of torchvision's weights enum that a model starts from.

    The best one that was trained on images of the size the networks are built for: the best weights
    of ViT-H/14 are for 518 pixels.
    """
    import torchvision

    entries = torchvision.models.get_model_weights(architecture)
    best = entries.DEFAULT
    if architecture.startswith("vit_") and best.meta["min_size"][0] != _FIXED_IMAGE_SIZE:
        return next(entry for entry in entries if entry.meta["min_size"][0] == _FIXED_IMAGE_SIZE)
    return best


def weights_folder(weights_dir: Path | None) -> Path:
    """Return the folder of weights; None means torch's own cache."""
    import torch

    return weights_dir or Path(torch.hub.get_dir()) / "checkpoints"


def starting_weights(recipe: Recipe, weights_dir: Path | None) -> dict[str, torch.Tensor] | None:
    """Return the tensors that a model starts from by name; None for random ones."""
    if recipe.weights_file is not None:
        return read_stored(recipe.weights_file, wanted=recipe.weights_set).tensors
    if not recipe.pretrained:
        return None
    if recipe.architecture in INCLUDED:
        return _included_weights(recipe)
    url = chosen_weights(recipe.architecture).url
    return read_weights(fetch_weights(url, weights_folder(weights_dir)))


def _included_weights(recipe: Recipe) -> dict[str, torch.Tensor]:
    from modules.models.efficientnet_lite import renamed

    try:
        return renamed(recipe.architecture, read_included(recipe.architecture))
    except FailedToDownloadFilesError as error:
        error.remedy = random_start(recipe.freeze)
        raise


def file_name(url: str) -> str:
    """Return the last part of an address: ``resnet18-f37072fd.pth``."""
    return url.rpartition("/")[2]


def fetch_weights(url: str, folder: Path) -> Path:
    """Return the file of that address in the folder, downloaded if it does not exist.

    The hexadecimal part of its name is the start of its SHA-256, which is always checked. Raises
    ``FailedToDownloadFilesError`` (0162).
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
                remedy=USE_INCLUDED,
                details=evidence(
                    "weights", "Missing file", [("File", path.name), ("Folder", folder)]
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


class StoredWeights(NamedTuple):
    """Tensors by name, and the key of the checkpoint that they were stored under."""

    tensors: dict[str, torch.Tensor]
    taken: str = ""
    """Empty if the file contains nothing else."""
    others: tuple[str, ...] = ()
    """Keys of further sets of tensors, such as a running average of the weights."""


def read_weights(
    path: Path,
    refusal: Sentence = say.UNUSABLE_WEIGHTS,
    parameter: str = "weights_path",
    shown: str | None = None,
) -> dict[str, torch.Tensor]:
    """Return only the tensors; parameters and errors like ``read_stored``."""
    return read_stored(path, refusal, parameter, shown).tensors


def read_stored(
    path: Path,
    refusal: Sentence = say.UNUSABLE_WEIGHTS,
    parameter: str = "weights_path",
    shown: str | None = None,
    wanted: str = "",
) -> StoredWeights:
    """Return the tensors of a safetensors file or a PyTorch checkpoint, whatever its extension.

    No code in the file is ever run.

    Args:
        path: The file.
        refusal: A sentence about ``file`` and ``why``.
        parameter: The parameter of the file.
        shown: The name of the file in messages; None for its path.
        wanted: The set of tensors to return, of a file with several; empty for the default one.

    Raises:
        InvalidModelDirectoryError: The file is neither (0159).
    """

    def unreadable(why: Statement | str) -> InvalidModelDirectoryError:
        return InvalidModelDirectoryError(refusal, file=shown or path, why=why, parameter=parameter)

    if not path.is_file():
        raise unreadable(say.FILE_NOT_THERE.about({}))
    kind = foreign_kind(path)
    if kind is not None:
        raise unreadable(kind.about({}))
    try:
        weights = _tensors_in(_parsed(path), wanted)
    except (MemoryError, KeyboardInterrupt):
        raise
    except Exception as error:
        # Parsers can raise any exception for foreign files; all of them mean the same to a user.
        raise unreadable(_reason(error)) from error
    if isinstance(weights, Statement):
        raise unreadable(weights)
    return weights


def check_form(path: Path) -> None:
    """Raise 0159 if a file's start or end shows that it contains no weights; loads no torch."""
    kind = foreign_kind(path)
    if kind is not None:
        raise _unreadable(path, kind.about({}))
    if is_safetensors(path):
        from safetensors import SafetensorError, safe_open

        try:
            with safe_open(path, framework="numpy"):
                return
        except (SafetensorError, OSError) as error:
            raise _unreadable(path, _reason(error)) from error


def warn_of_unused(
    stored: StoredWeights, named: NamedWeights, file: str, warn: Callable[[Statement], None]
) -> None:
    """Warn of further sets of tensors in a file, and of tensors outside of the network."""
    if stored.others:
        facts = {"file": file, "taken": stored.taken, "others": list(stored.others)}
        warn(say.ONE_OF_SEVERAL_SETS.about({**facts, "other": stored.others[0]}))
    if named.left_out:
        names = list(named.left_out)
        warn(say.TENSORS_LEFT_OUT.about({"file": file, "count": len(names), "names": names}))


def _reason(error: Exception) -> Statement | str:
    from safetensors import SafetensorError

    if isinstance(error, SafetensorError):
        return say.DAMAGED_SAFETENSORS.about({"error": _first_line(error)})
    if isinstance(error, EOFError):
        return say.CUT_OFF.about({})
    # torch's own message explains how to run its code
    if isinstance(error, pickle.UnpicklingError):
        named = re.search(r"GLOBAL ([\w.]{1,200})", str(error))
        if named is None:
            return say.MORE_THAN_TENSORS.about({})
        return say.PICKLED_OBJECT.about({"kind": named[1]})
    return _first_line(error)


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0][:200]


def _parsed(path: Path) -> object:
    if is_safetensors(path):
        from safetensors.torch import load_file

        return load_file(path)
    import argparse
    import pathlib

    import torch

    # Scripts put their arguments into checkpoints. These classes do nothing when they are created.
    harmless: list[Any] = [argparse.Namespace, pathlib.PosixPath, pathlib.PurePosixPath]
    # A file object instead of its path: torch relies on the extension.
    with torch.serialization.safe_globals(harmless), path.open("rb") as file:
        return torch.load(file, map_location="cpu", weights_only=True)


def _tensors_in(stored: object, wanted: str = "") -> StoredWeights | Statement:
    """Return the network's tensors in a file or checkpoint, or why there are none."""
    if not isinstance(stored, Mapping) or not stored:
        return say.NO_TENSORS.about({})
    sets = {str(key): value for key, value in stored.items() if _num_tensors(value)}
    most = max(map(_num_tensors, sets.values()), default=0)
    sets = {key: value for key, value in sets.items() if 2 * _num_tensors(value) >= most}
    if wanted:
        return _set_in(sets, wanted)
    own = _own_tensors(stored)
    if sets and len(own) <= most:
        named = [key for key in TAKEN_SETS if key in sets]
        if not named and len(sets) > 1:
            return say.SEVERAL_SETS.about({"names": list(sets)})
        taken = (named or list(sets))[0]
        others = tuple(key for key in sets if key != taken)
        return StoredWeights(_flat(sets[taken]), taken, others)
    return StoredWeights(own) if own else say.NO_TENSORS.about({})


def _set_in(sets: Mapping[str, Any], wanted: str) -> StoredWeights | Statement:
    if wanted not in sets:
        return say.NO_SUCH_SET.about({"wanted": wanted, "names": list(sets) or ["none"]})
    return StoredWeights(_flat(sets[wanted]), wanted)


def _num_tensors(stored: object) -> int:
    return len(_flat(stored)) if isinstance(stored, Mapping) else 0


def _flat(stored: Mapping[Any, Any]) -> dict[str, torch.Tensor]:
    """Return the tensors of a mapping, or of the one that it wraps."""
    for wrapper in TAKEN_SETS:
        if isinstance(stored.get(wrapper), Mapping):
            return _flat(stored[wrapper])
    return _own_tensors(stored)


def _own_tensors(stored: Mapping[Any, Any]) -> dict[str, torch.Tensor]:
    """Return the tensors by name, without the numbers and texts that scripts add."""
    import torch

    return {
        str(name): tensor for name, tensor in stored.items() if isinstance(tensor, torch.Tensor)
    }


def _unreadable(path: Path, why: Statement | str) -> InvalidModelDirectoryError:
    return InvalidModelDirectoryError(
        say.UNUSABLE_WEIGHTS, file=path, why=why, parameter="weights_path"
    )
