"""The cost of a network is kept: whoever foresees a pipeline again need not load torch."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from modules.errors import InvalidDatasetError
from modules.models.cost_cache import cost_of, keep_cost
from modules.models.efficientnet_lite import VARIANTS
from modules.models.network_cost import num_parameters_and_flops
from modules.models.recipe import Recipe

RESNET = Recipe(family="", architecture="resnet18")
FROZEN = 'freeze="all but the head"'
LITE = Recipe(family="", architecture="efficientnet_lite0", freeze="all but the head")
AGAIN = """
import sys
from pathlib import Path
from modules.models.cost_cache import cost_of, keep_cost
from modules.models.recipe import Recipe
cost = cost_of(Recipe(family="", architecture="resnet18"), 10, 64, 64, Path(sys.argv[1]))
print("torch" in sys.modules, cost.num_parameters)
"""


def test_a_cost_is_measured_once(tmp_path: Path) -> None:
    cost = cost_of(RESNET, 10, 64, 64, tmp_path)
    assert cost == num_parameters_and_flops(RESNET, 10, 64, 64)
    command = [sys.executable, "-c", AGAIN, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.split() == ["False", str(cost.num_parameters)]


def test_the_first_pipeline_for_own_images_is_foreseen_without_torch(tmp_path: Path) -> None:
    cost = cost_of(LITE, 3, 224, 224, None)
    code = AGAIN.replace('architecture="resnet18"', f'architecture="{LITE.architecture}", {FROZEN}')
    command = [sys.executable, "-c", code.replace("10, 64, 64", "3, 224, 224"), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.split() == ["False", str(cost.num_parameters)]


@pytest.mark.parametrize("architecture", VARIANTS)
@pytest.mark.parametrize(("height", "width", "classes"), [(224, 224, 3), (97, 160, 2), (33, 50, 9)])
def test_what_is_computed_is_what_is_measured(
    architecture: str, height: int, width: int, classes: int
) -> None:
    recipe = Recipe(family="", architecture=architecture, freeze="all but the head")
    measured = num_parameters_and_flops(recipe, classes, height, width)
    assert cost_of(recipe, classes, height, width, None) == measured


def test_of_a_network_that_is_trained_more_is_measured(tmp_path: Path) -> None:
    cost_of(LITE.model_copy(update={"freeze": "none"}), 3, 64, 64, tmp_path)
    assert len([*(tmp_path / "costs").iterdir()]) == 1


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"num_parameters": 1, "more": 2}'])
def test_a_damaged_file_is_measured_again(tmp_path: Path, text: str) -> None:
    cost = cost_of(RESNET, 10, 64, 64, tmp_path)
    (path,) = (tmp_path / "costs").iterdir()
    path.write_text(text, encoding="utf-8")
    assert cost_of(RESNET, 10, 64, 64, tmp_path) == cost
    assert path.read_text(encoding="utf-8") != text


def test_what_cannot_be_kept_is_told_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "costs").write_text("no folder", encoding="utf-8")
    assert cost_of(RESNET, 10, 64, 64, tmp_path) == cost_of(RESNET, 10, 64, 64, None)


def test_images_that_are_too_small_are_refused_each_time(tmp_path: Path) -> None:
    inception = Recipe(family="", architecture="inception_v3")
    for _ in range(2):
        with pytest.raises(InvalidDatasetError, match="75 x 75"):
            cost_of(inception, 10, 32, 32, tmp_path)


def test_what_a_step_has_kept_is_what_forecasts_read(tmp_path: Path) -> None:
    keep_cost(RESNET, 10, 64, 64, tmp_path)
    (path,) = (tmp_path / "costs").iterdir()
    cost = num_parameters_and_flops(RESNET, 10, 64, 64)
    assert json.loads(path.read_text(encoding="utf-8")) == cost._asdict()
    path.write_text(json.dumps({**cost._asdict(), "num_parameters": 1}), encoding="utf-8")
    assert cost_of(RESNET, 10, 64, 64, tmp_path).num_parameters == 1
    keep_cost(RESNET, 10, 64, 64, tmp_path)
    assert cost_of(RESNET, 10, 64, 64, tmp_path).num_parameters == 1


def test_a_network_that_cannot_be_measured_does_not_fail_its_step(tmp_path: Path) -> None:
    keep_cost(Recipe(family="", architecture="inception_v3"), 10, 32, 32, tmp_path)
    assert not (tmp_path / "costs").exists()
