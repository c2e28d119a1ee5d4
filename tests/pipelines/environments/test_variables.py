"""Variables that an environment sets because of what it asks for."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pipelines.environments.curated_environments import curated
from pipelines.environments.definition import EnvironmentDefinition
from pipelines.environments.environment_keys import environment_key
from pipelines.environments.variables import variables_of

LEGACY_KERAS = {"TF_USE_LEGACY_KERAS": "1"}


@pytest.mark.parametrize(
    ("requirements", "variables"),
    [
        (("tensorflow", "tf-keras>=2.20"), LEGACY_KERAS),
        (("TF_Keras",), LEGACY_KERAS),
        (("tensorflow", "keras"), {}),
        ((), {}),
    ],
)
def test_an_environment_that_asks_for_tf_keras_has_tensorflow_use_it(
    requirements: tuple[str, ...], variables: dict[str, str]
) -> None:
    assert variables_of(EnvironmentDefinition(requirements=requirements)) == variables


def test_the_curated_environment_works_with_keras() -> None:
    with_variables = [name for name, item in curated().items() if variables_of(item)]
    assert with_variables == ["tensorflow"]


def test_variables_are_part_of_the_key() -> None:
    plain = EnvironmentDefinition(requirements=("tensorflow",), base="isolated")
    legacy = replace(plain, requirements=("tensorflow", "tf-keras"))
    assert environment_key(plain, "") != environment_key(legacy, "")
    other = replace(plain, requirements=("pillow",))
    assert environment_key(plain, "") == environment_key(other, ""), "the lock decides"
