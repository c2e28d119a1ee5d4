"""The weights that come with the designer: small, whole, and said to be what they are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch

from modules.catalog import builtin_catalog
from modules.context import Context
from modules.errors import InvalidModelDirectoryError, SourceNotAllowedError
from modules.models.build import build_model, normalisation
from modules.models.image_model import ImageModelParameters, image_model
from modules.models.origin import PIPELINE_KEY
from modules.models.recipe import recipe_of
from modules.models.sample_weights import FILES, SAMPLE_WEIGHTS, located
from modules.models.weights_header import read_texts
from pipelines.document.document import parse_document
from pipelines.document.local_paths import with_absolute_paths

PARAMETERS = ImageModelParameters(
    model_name="shufflenet_v2_x0_5",
    pretrained=False,
    weights_path="sample:shapes",
    freeze="all but the head",
)


@pytest.mark.parametrize("text", SAMPLE_WEIGHTS)
def test_they_are_small_and_hold_the_pipeline_that_made_them(text: str) -> None:
    path = located(text)
    assert path.stat().st_size < 1_000_000
    document = parse_document(json.loads(read_texts(path)[PIPELINE_KEY]))
    sources = [node.parameters.get("source", "") for node in document.nodes]
    assert any(str(each).startswith(text) for each in sources)


def test_a_network_starts_from_them_with_their_normalisation(tmp_path: Path) -> None:
    context = Context(tmp_path, allowed_roots=())  # no file of the user's is read
    model = image_model(PARAMETERS, context).untrained_model
    recipe = recipe_of(model)
    assert recipe.weights_path == "sample:shapes"  # the same on every machine
    ours = normalisation(recipe)
    assert ours is not None
    assert ours[0] != (0.485, 0.456, 0.406)
    network = build_model(recipe, 10, weights_dir=None, seed=1)
    other = build_model(recipe, 10, weights_dir=None, seed=2)
    assert all(each.dtype.is_floating_point or each.ndim == 0 for each in network.buffers())
    assert {each.dtype for each in network.parameters()} == {torch.float32}
    differs = {
        name
        for name, tensor in network.state_dict().items()
        if not torch.equal(tensor, other.state_dict()[name])
    }
    assert differs == {"fc.weight", "fc.bias"}


def test_other_networks_and_other_names_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidModelDirectoryError):
        image_model(PARAMETERS.model_copy(update={"model_name": "vgg11"}), Context(tmp_path))
    for name in ("birds", "../../etc/passwd", ""):
        with pytest.raises(InvalidModelDirectoryError, match="Unknown sample weights"):
            located(f"sample:{name}")
    changed = PARAMETERS.model_copy(update={"weights_path": str(located("sample:shapes"))})
    with pytest.raises(SourceNotAllowedError):
        image_model(changed, Context(tmp_path, allowed_roots=()))


def test_they_are_no_path_that_a_command_makes_absolute(tmp_path: Path) -> None:
    node = {"id": "net", "module": "image_model"}
    texts = {"sample:shapes": "sample:shapes", "own.pth": str(tmp_path / "own.pth")}
    for given, expected in texts.items():
        parameters = {"weights_path": given}
        document = parse_document(
            {
                "format": "pipeline-designer/1",
                "id": "x",
                "nodes": [{**node, **{"parameters": parameters}}],
            }
        )
        made = with_absolute_paths(document, builtin_catalog(), tmp_path)
        assert made.nodes[0].parameters["weights_path"] == expected
    assert set(FILES) == {"shapes"}
