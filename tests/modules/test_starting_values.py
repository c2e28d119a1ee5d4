"""What a new node is placed with where there is no GPU, and what ports say they are for."""

from __future__ import annotations

import pytest

from modules import spec
from modules.catalog import builtin_catalog
from modules.catalog_spec import module_spec, port_spec


def _module(module_id: str) -> spec.Module:
    found = builtin_catalog().get(module_id)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("module_id", "network"), [("resnet", "resnet18"), ("densenet", "densenet121")]
)
def test_networks_are_small_where_there_is_no_gpu(
    module_id: str, network: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = _module(module_id)
    monkeypatch.setattr(spec, "gpu_names", lambda: ())
    assert module_spec(module).starts_with == {"model_name": network}
    assert module.parameters_type().model_dump()["model_name"] != network, "Azure's default stays"
    monkeypatch.setattr(spec, "gpu_names", lambda: ("0",))
    assert module_spec(module).starts_with == {}


def test_starting_values_are_values_that_their_modules_take() -> None:
    for module in builtin_catalog().modules:
        module.parameters_type(**module.without_gpu)


def test_a_split_says_which_part_leaves_where() -> None:
    first, second = (
        port_spec(port).model_dump() for port in _module("split_image_directory").outputs
    )
    name = "fraction_of_images_in_the_first_output"
    assert (first["label"], first["share"]) == ("first part", {"parameter": name, "is_rest": False})
    assert (second["label"], second["share"]) == (
        "second part",
        {"parameter": name, "is_rest": True},
    )


def test_ports_are_called_what_they_are_for() -> None:
    convert, train = _module("convert_to_image_directory"), _module("train_pytorch_model")
    assert [port.label for port in convert.outputs] == ["images"]
    split = _module("split_image_directory")
    assert [port.name for port in split.outputs] == ["First part", "Second part"]
    assert [port.label for port in train.outputs] == ["trained model"]
