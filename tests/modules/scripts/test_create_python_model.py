"""Create Python Model: a network of one's own is checked, trained and scored like any other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from modules.artifacts import ImageDirectory, UntrainedModel
from modules.errors import (
    FailedToEvaluateScriptError,
    InvalidModelDirectoryError,
    ModuleError,
    SourceNotAllowedError,
)
from modules.explain.grad_cam import explain
from modules.explain.layers import network_facts
from modules.models.cost_cache import cost_of
from modules.models.own_network import own_recipe
from modules.models.recipe import checked_recipe
from modules.models.serialization import load_trained
from modules.scoring.score_image_model import score_image_model
from modules.scripts.create_python_model import (
    DEFAULT,
    CreatePythonModelParameters,
    create_python_model,
)
from tests.modules.conftest import Workplace
from tests.modules.training.noise import noise_squares
from tests.modules.training.trainings import train

SIZE = {"class_count": 3, "image_width": 32, "image_height": 32}
HEAD = """
import torch
from torch import nn
"""
RESHAPING = f"""{HEAD}
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.convolution = nn.Conv2d(3, 8, 3, padding=1)
        self.head = nn.Linear(8 * 32 * 32, 3)

    def forward(self, images):
        features = self.convolution(images).relu()
        return self.head(features.view(len(images), -1))
"""


def create(workplace: Workplace, code: str, **settings: Any) -> UntrainedModel:
    parameters = CreatePythonModelParameters(code=code, **{**SIZE, **settings})
    made = create_python_model(parameters, workplace.context())
    assert isinstance(made.untrained_model, UntrainedModel)
    return made.untrained_model


def refusal(workplace: Workplace, code: str, **settings: Any) -> ModuleError:
    with pytest.raises(ModuleError) as caught:
        create(workplace, code, **settings)
    return caught.value


@pytest.fixture
def squares_of_three(tmp_path: Path) -> ImageDirectory:
    return noise_squares(tmp_path / "store/squares/out", per_class=16)


def test_it_is_trained_scored_and_explained_with_its_own_code(
    workplace: Workplace, tmp_path: Path, squares_of_three: ImageDirectory
) -> None:
    made = create(workplace, DEFAULT)
    assert workplace.summary == "Network, 19,779 parameters, 3 classes, 32 x 32 pixels"
    trained = train(tmp_path / "t", squares_of_three, squares_of_three, made, epochs=3)

    assert trained.recipe["code"] == DEFAULT
    assert checked_recipe(trained.recipe).shown_name == "Network"
    scored = score_image_model(trained, squares_of_three, workplace.context()).scored_dataset
    rows = scored.rows
    assert (rows["Scored Labels"] == rows["category"]).mean() > 0.9
    explanation = explain(trained, squares_of_three, 0, None)
    assert explanation.overlay is not None
    named = explanation.probabilities
    first = rows.iloc[0]
    assert max(named, key=named.__getitem__) == first["Scored Labels"]


def test_a_network_that_gives_its_logits_in_an_object_is_explained(
    workplace: Workplace, tmp_path: Path, squares_of_three: ImageDirectory
) -> None:
    code = "from types import SimpleNamespace\n" + DEFAULT.replace(
        "return self.head(self.features(images))",
        "return SimpleNamespace(logits=self.head(self.features(images)))",
    )
    made = create(workplace, code)
    trained = train(tmp_path / "t", squares_of_three, squares_of_three, made, epochs=3)
    scored = score_image_model(trained, squares_of_three, workplace.context()).scored_dataset
    explanation = explain(trained, squares_of_three, 0, None)
    assert explanation.explained == scored.rows["Scored Labels"][0]
    assert explanation.overlay is not None
    assert not (explanation.overlay == explanation.seen).all()


def test_code_that_reshapes_by_view_trains_and_scores(
    workplace: Workplace, tmp_path: Path, squares_of_three: ImageDirectory
) -> None:
    made = create(workplace, RESHAPING)
    trained = train(tmp_path / "t", squares_of_three, squares_of_three, made, epochs=1)
    scored = score_image_model(trained, squares_of_three, workplace.context()).scored_dataset
    assert len(scored.rows) == 48
    assert load_trained(trained).get_parameter("head.weight").shape == (3, 8 * 32 * 32)


def test_a_network_for_a_fixed_number_of_classes_is_refused_for_others(
    workplace: Workplace, tmp_path: Path
) -> None:
    error = refusal(workplace, RESHAPING, class_count=4)
    assert isinstance(error, InvalidModelDirectoryError)
    assert "Net returns (2, 3) for 2 images of 32 x 32 pixels" in error.message
    assert "(2, 4)" in error.message
    assert "num_classes" in error.cure

    four = noise_squares(tmp_path / "store/four/out", ["a", "b", "c", "d"])
    made = create(workplace, RESHAPING)
    with pytest.raises(InvalidModelDirectoryError, match="one score for each of 4 classes"):
        train(tmp_path / "t", four, four, made)


def test_images_of_another_size_are_told_with_the_line(
    workplace: Workplace, tmp_path: Path
) -> None:
    made = create(workplace, RESHAPING)
    large = noise_squares(tmp_path / "store/large/out", size=(40, 32))
    with pytest.raises(FailedToEvaluateScriptError, match="fails on images of 40 x 32") as caught:
        train(tmp_path / "t", large, large, made)
    assert "Line 13 raised RuntimeError" in caught.value.message
    assert caught.value.parameter is None


REFUSED = {
    "no network": ("x = 1\n", "The code defines no network"),
    "several": (RESHAPING + "\nclass Other(Net):\n    pass\n", "several networks: Net, Other"),
    "lazy": (RESHAPING.replace("nn.Linear(8 * 32 * 32, 3)", "nn.LazyLinear(3)"), "lazy layers"),
    "no weights": (
        f"{HEAD}\nclass Net(nn.Module):\n    def forward(self, images):\n        return images\n",
        "no trainable weights",
    ),
    "more than tensors": (
        RESHAPING + "\n    def get_extra_state(self):\n        return {'a': 1}\n",
        "contains more than tensors: _extra_state",
    ),
    "a buffer that is not kept": (
        RESHAPING.replace(
            "self.head =",
            "self.register_buffer('noise', torch.randn(8, 1, 1), persistent=False)\n"
            "        self.head =",
        ).replace("(images).relu()", "(images) * self.noise"),
        "draws random numbers in __init__ that are not in its state dict",
    ),
    "layers in a list, before a head of zeros": (
        RESHAPING.replace(
            "self.convolution =", "self.parts = [nn.Conv2d(3, 3, 1)]\n        self.convolution ="
        )
        .replace("self.convolution(images)", "self.convolution(self.parts[0](images))")
        .replace("\n\n    def", "\n        nn.init.zeros_(self.head.weight)\n\n    def"),
        "draws random numbers in __init__ that are not in its state dict",
    ),
    "raises": (RESHAPING.replace("nn.Conv2d(3, 8,", "nn.Conv2d(3, 8 / 0,"), "ZeroDivisionError"),
    "import": ("import no_such_package\n", "No module named 'no_such_package'"),
}


@pytest.mark.parametrize("case", sorted(REFUSED))
def test_what_cannot_be_trained_is_refused_where_it_is_made(
    workplace: Workplace, case: str
) -> None:
    code, message = REFUSED[case]
    error = refusal(workplace, code)
    assert message in error.message
    assert error.parameter in ("code", "network")


KEPT = {
    "a buffer": ("self.register_buffer('noise', torch.randn(8, 1, 1))", " * self.noise"),
    "a seeded generator": (
        "self.noise = torch.randn(8, 1, 1, generator=torch.Generator().manual_seed(1))",
        " * self.noise",
    ),
    "drawn at every image": ("pass", " * torch.randn(8, 1, 1)"),
    "drawn by another generator": ("pass", " * __import__('random').random()"),
    "not used in inference": ("self.noise = torch.randn(1)", " + self.noise * self.training"),
}


@pytest.mark.parametrize("case", sorted(KEPT))
def test_what_is_random_and_not_lost_is_no_fault(workplace: Workplace, case: str) -> None:
    made, used = KEPT[case]
    code = RESHAPING.replace("self.head =", f"{made}\n        self.head =")
    create(workplace, code.replace("(images).relu()", f"(images){used}"))


def test_what_an_older_own_network_drew_is_drawn_the_same_where_it_scores(
    workplace: Workplace, tmp_path: Path, squares_of_three: ImageDirectory
) -> None:
    code, _ = REFUSED["a buffer that is not kept"]
    (tmp_path / "old").mkdir()
    old = UntrainedModel.write(tmp_path / "old", own_recipe(code, None).to_json())
    squares = squares_of_three
    trained = train(tmp_path / "t", squares, squares, old, epochs=3, precision="fp32")
    scored = score_image_model(trained, squares, workplace.context()).scored_dataset
    loss = trained.description["metrics"]["Valid loss"]
    assert scored.rows["loss"].mean() == pytest.approx(loss, rel=1e-2)


def test_a_network_is_chosen_by_name_or_made_by_a_function(workplace: Workplace) -> None:
    several = (
        RESHAPING
        + "\nclass Block(nn.Linear):\n    pass\n"
        + "\ndef make(num_classes):\n    net = Net()\n"
        + "    net.head = nn.Linear(8 * 32 * 32, num_classes)\n    return net\n"
    )
    assert create(workplace, several, network="Net").recipe["architecture"] == "own:Net"
    create(workplace, several, network="make", class_count=7)
    assert workplace.summary.startswith("make, ")
    assert "It defines: Block, Net" in refusal(workplace, several, network="Nets").message


def test_a_file_is_read_and_its_change_is_noticed(workplace: Workplace, tmp_path: Path) -> None:
    path = tmp_path / "network.py"
    path.write_text(RESHAPING, encoding="utf-8")
    chosen: dict[str, Any] = {"source": "a file", "file": str(path), **SIZE}
    parameters = CreatePythonModelParameters(**chosen)
    assert create_python_model.fingerprint is not None
    before = create_python_model.fingerprint(parameters, workplace.context())
    context = workplace.context()
    context.fingerprint = before
    made = create_python_model(parameters, context).untrained_model
    assert made.recipe["code"] == RESHAPING
    assert not context.cut_short

    path.write_text(RESHAPING + "# changed\n", encoding="utf-8")
    assert create_python_model.fingerprint(parameters, workplace.context()) != before
    create_python_model(parameters, context)
    assert context.cut_short
    assert "changed after the run was planned" in workplace.warnings[-1]


def test_files_that_cannot_be_read_are_told_before_the_run(
    workplace: Workplace, tmp_path: Path
) -> None:
    (tmp_path / "picture.py").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "large.py").write_text("#" * 70_000, encoding="utf-8")
    assert create_python_model.forecast is not None
    for name, message in (
        ("gone.py", "was not found"),
        ("picture.py", "cannot be read as text"),
        ("large.py", "longer than 64,000 characters"),
    ):
        parameters = CreatePythonModelParameters(source="a file", file=str(tmp_path / name))
        foreseen = create_python_model.forecast({}, parameters, workplace.context())
        [finding] = foreseen.findings
        assert finding.parameter == "file"
        assert message in finding.message

    outside = CreatePythonModelParameters(source="a file", file="/etc/hostname")
    with pytest.raises(SourceNotAllowedError):
        create_python_model(outside, workplace.context((tmp_path,)))


def test_only_the_processes_that_are_there_for_it_run_the_code(
    workplace: Workplace, tmp_path: Path
) -> None:
    ran = tmp_path / "ran"
    code = DEFAULT + f"\nopen({str(ran)!r}, 'a').close()\n"
    parameters = CreatePythonModelParameters(code=code)
    assert create_python_model.check is not None
    assert list(create_python_model.check(parameters)) == []
    assert create_python_model.forecast is not None
    create_python_model.forecast({}, parameters, workplace.context())
    recipe = {"family": "Create Python Model", "architecture": "own:Network", "code": code}
    with pytest.raises(InvalidModelDirectoryError, match="cannot be estimated"):
        cost_of(recipe, 10, 32, 32, None)
    assert not ran.exists()


def test_its_layers_are_shown(workplace: Workplace) -> None:
    facts = network_facts(create(workplace, DEFAULT).recipe, 3, 32, 32)
    assert facts["num_parameters"] == 19_779
    assert [each["kind"] for each in facts["layers"]][-1] == "Linear"


@pytest.mark.parametrize(
    "recipe",
    [
        {"family": "", "architecture": "own:Network"},
        {"family": "", "architecture": "resnet18", "code": "x = 1"},
    ],
)
def test_a_recipe_has_its_own_network_whole_or_not_at_all(recipe: dict[str, Any]) -> None:
    with pytest.raises(InvalidModelDirectoryError):
        checked_recipe(recipe)
