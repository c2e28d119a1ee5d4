"""Weights from torchvision's addresses (served here from the disk and the loopback) and files."""

from __future__ import annotations

import hashlib
import pickle
import socket
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import save_file

from modules.errors import FailedToDownloadFilesError, InvalidModelDirectoryError
from modules.models.architectures import TORCHVISION_MODELS
from modules.models.build import build_model, seeded_network
from modules.models.included_weights import USE_INCLUDED
from modules.models.pretrained_weights import PUBLISHED, missing_weights
from modules.models.recipe import Recipe
from modules.models.resnet import ResNetParameters
from modules.models.weights import (
    chosen_weights,
    fetch_weights,
    file_name,
    read_weights,
    starting_weights,
)

CONTENT = b"weights" * 1000
NAME = f"small-{hashlib.sha256(CONTENT).hexdigest()[:8]}.pth"


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        """Keep the test's output clean."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    folder = tmp_path / "served"
    folder.mkdir()
    (folder / NAME).write_bytes(CONTENT)
    (folder / "other-00000000.pth").write_bytes(CONTENT)
    handler = partial(QuietHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as served:
        thread = threading.Thread(target=served.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{served.server_port}"
        served.shutdown()
        thread.join()


def resnet18(**settings: Any) -> Recipe:
    return Recipe(family="ResNet", architecture="resnet18", **settings)


def state_dict(num_classes: int = 7) -> dict[str, torch.Tensor]:
    return dict(seeded_network(resnet18(), num_classes, seed=5).state_dict())


def test_a_download_is_kept_and_not_repeated(server: str, tmp_path: Path) -> None:
    folder = tmp_path / "cache" / "weights"
    path = fetch_weights(f"{server}/{NAME}", folder)
    (tmp_path / "served" / NAME).unlink()

    assert fetch_weights(f"{server}/{NAME}", folder) == path
    assert path.read_bytes() == CONTENT
    assert [each.name for each in folder.iterdir()] == [NAME]


def test_a_file_address_is_read_too(server: str, tmp_path: Path) -> None:  # noqa: ARG001
    address = (tmp_path / "served" / NAME).as_uri()

    assert fetch_weights(address, tmp_path / "cache").read_bytes() == CONTENT


def test_a_download_of_something_else_is_refused_and_not_kept(server: str, tmp_path: Path) -> None:
    with pytest.raises(FailedToDownloadFilesError, match="hash"):
        fetch_weights(f"{server}/other-00000000.pth", tmp_path / "cache")

    assert list((tmp_path / "cache").iterdir()) == []


def test_a_damaged_file_in_the_cache_is_noticed(tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(CONTENT[:-1])

    with pytest.raises(FailedToDownloadFilesError, match="damaged"):
        fetch_weights(f"http://127.0.0.1:9/{NAME}", tmp_path)


def test_an_unreachable_server_names_folder_and_file(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed_soon:
        port = closed_soon.getsockname()[1]
    with pytest.raises(FailedToDownloadFilesError) as caught:
        fetch_weights(f"http://127.0.0.1:{port}/{NAME}", tmp_path)

    assert NAME in caught.value.cure
    assert str(tmp_path) in caught.value.cure
    assert caught.value.remedy == USE_INCLUDED
    assert list(tmp_path.iterdir()) == []


def test_a_missing_page_is_an_unreachable_file(server: str, tmp_path: Path) -> None:
    with pytest.raises(FailedToDownloadFilesError, match="404"):
        fetch_weights(f"{server}/none-12345678.pth", tmp_path)


def test_the_published_files_are_those_that_models_start_from() -> None:
    chosen = {name: chosen_weights(name) for name in TORCHVISION_MODELS}
    assert {name: file.name for name, file in PUBLISHED.items()} == {
        name: file_name(weights.url) for name, weights in chosen.items()
    }
    sizes = {name: round(weights.meta["_file_size"]) for name, weights in chosen.items()}
    assert {name: file.megabytes for name, file in PUBLISHED.items()} == sizes


def test_whether_weights_are_here_is_known_without_a_network(tmp_path: Path) -> None:
    pretrained = ResNetParameters(model_name="resnet18")
    missing = missing_weights(pretrained, tmp_path)
    assert missing == PUBLISHED["resnet18"]
    assert missing_weights(ResNetParameters(pretrained=False), tmp_path) is None
    assert missing_weights(ResNetParameters(weights_path="mine.pth"), tmp_path) is None
    (tmp_path / missing.name).write_bytes(b"")
    assert missing_weights(pretrained, tmp_path) is None


def test_the_fix_of_weights_that_cannot_be_downloaded_is_a_network_with_included_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    with pytest.raises(FailedToDownloadFilesError) as caught:
        starting_weights(resnet18(pretrained=True, freeze="all but the head"), tmp_path)
    assert caught.value.remedy == USE_INCLUDED


@pytest.mark.parametrize("num_classes", [7, 3])
@pytest.mark.parametrize("form", ["safetensors", "plain", "wrapped", "parallel"])
def test_a_local_file_is_loaded_and_a_head_of_another_size_left_out(
    tmp_path: Path, form: str, num_classes: int
) -> None:
    stored = state_dict()
    path = tmp_path / ("w.safetensors" if form == "safetensors" else "w.pth")
    if form == "safetensors":
        save_file(stored, path)
    elif form == "parallel":
        torch.save({f"module.{name}": tensor for name, tensor in stored.items()}, path)
    else:
        torch.save({"state_dict": stored} if form == "wrapped" else stored, path)
    model = build_model(resnet18(weights_path=str(path)), num_classes, weights_dir=tmp_path, seed=0)
    loaded = model.state_dict()

    assert torch.equal(loaded["layer4.1.conv2.weight"], stored["layer4.1.conv2.weight"])
    assert loaded["fc.weight"].shape[0] == num_classes
    assert (num_classes == 7) == torch.equal(loaded["fc.bias"], stored["fc.bias"][:num_classes])


def test_the_new_head_is_drawn_from_the_seed(tmp_path: Path) -> None:
    path = tmp_path / "w.pth"
    torch.save(state_dict(), path)
    heads = [
        build_model(resnet18(weights_path=str(path)), 3, weights_dir=None, seed=seed)
        .get_parameter("fc.weight")
        .detach()
        for seed in (1, 1, 2)
    ]

    assert torch.equal(heads[0], heads[1])
    assert not torch.equal(heads[0], heads[2])


def test_published_densenet_names_are_understood(tmp_path: Path) -> None:
    path = tmp_path / "w.pth"
    recipe = Recipe(family="DenseNet", architecture="densenet121", weights_path=str(path))
    new = seeded_network(recipe, 4, seed=3).state_dict()
    old = {
        name.replace("norm1.", "norm.1.").replace("conv1.", "conv.1."): tensor
        for name, tensor in new.items()
        if not name.endswith("num_batches_tracked")
    }
    torch.save(old, path)
    name = "features.denseblock1.denselayer1.conv1.weight"
    model = build_model(recipe, 4, weights_dir=None, seed=0)

    assert name not in old
    assert torch.equal(model.state_dict()[name], new[name])


class Harmful:
    """Would make a file where it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return (Path.touch, (self.path,))


def test_code_in_a_file_is_never_run(tmp_path: Path) -> None:
    trace, path = tmp_path / "trace", tmp_path / "w.pth"
    torch.save({"weight": Harmful(trace)}, path)
    with pytest.raises(InvalidModelDirectoryError, match="cannot be used"):
        read_weights(path)
    path.write_bytes(pickle.dumps(Harmful(trace)))
    with pytest.raises(InvalidModelDirectoryError, match="cannot be used"):
        read_weights(path)

    assert not trace.exists()


@pytest.mark.parametrize("content", [b"", b"hello", b"\x80\x04", b"PK\x03\x04"])
@pytest.mark.parametrize("name", ["w.pth", "w.safetensors"])
def test_what_is_no_weights_file_is_refused(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InvalidModelDirectoryError) as caught:
        starting_weights(resnet18(weights_path=str(tmp_path / name)), None)

    assert caught.value.parameter == "weights_path"


def test_a_file_that_is_gone_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidModelDirectoryError, match="was not found"):
        starting_weights(resnet18(weights_path=str(tmp_path / "gone.pth")), None)


@pytest.mark.parametrize("fault", ["shape", "missing", "unknown", "list"])
def test_weights_of_another_network_are_refused(tmp_path: Path, fault: str) -> None:
    stored: Any = state_dict()
    if fault == "shape":
        stored["conv1.weight"] = stored["conv1.weight"][:32]
    elif fault == "missing":
        del stored["layer1.0.conv1.weight"]
    elif fault == "unknown":
        stored["more.weight"] = torch.zeros(1)
    else:
        stored = [1, 2, 3]
    path = tmp_path / "w.pth"
    torch.save(stored, path)

    with pytest.raises(InvalidModelDirectoryError):
        build_model(resnet18(weights_path=str(path)), 3, weights_dir=None, seed=0)


def test_pretrained_weights_come_from_the_cache(tmp_path: Path) -> None:
    # The published file is not here; a file of its name without its hash shows that it is found.
    (tmp_path / file_name(chosen_weights("resnet18").url)).write_bytes(b"not the file")

    with pytest.raises(FailedToDownloadFilesError, match="damaged"):
        build_model(resnet18(pretrained=True), 3, weights_dir=tmp_path, seed=0)
