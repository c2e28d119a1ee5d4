"""What a script imports says how it is started and with which packages."""

from __future__ import annotations

import pytest

from modules.scripts.frameworks import FRAMEWORKS, framework_of
from modules.scripts.launchers import LAUNCHERS
from pipelines.environments.curated_environments import curated


@pytest.mark.parametrize(
    ("source", "title", "launcher", "environment"),
    [
        ("import lightning as L", "Lightning", "pytorch_node", "pytorch-lightning"),
        (
            "def main():\n from pytorch_lightning.cli import LightningCLI\nimport transformers",
            "Lightning",
            "pytorch_node",
            "pytorch-lightning",
        ),
        (
            "from transformers import Trainer\nimport accelerate",
            "Transformers",
            None,
            "transformers",
        ),
        ("import deepspeed, transformers", "DeepSpeed", None, "transformers"),
        ("import accelerate", "accelerate", None, "transformers"),
        ("import horovod.torch as hvd\nimport torch", "Horovod", None, None),
        ("import tensorflow as tf, horovod.tensorflow", "Horovod", None, "tensorflow"),
        ("import tensorflow.keras", "TensorFlow", "tensorflow", "tensorflow"),
        ("try:\n from mpi4py import MPI\nexcept ImportError: ...", "mpi4py", "mpi", "mpi"),
    ],
)
def test_the_framework_that_starts_a_script_is_told(
    source: str, title: str, launcher: str | None, environment: str | None
) -> None:
    found = framework_of(source)
    assert found is not None
    assert (found.title, found.launcher, found.environment) == (title, launcher, environment)


@pytest.mark.parametrize(
    "source",
    [
        "import torch",
        "from .lightning import own",
        "from . import mpi4py",
        "def",
        "\0",
        "(" * 20_000,
    ],
)
def test_a_script_without_one_has_none(source: str) -> None:
    assert framework_of(source) is None


def test_what_suits_a_framework_is_there() -> None:
    assert {each.launcher for each in FRAMEWORKS} - {None} <= set(LAUNCHERS)
    assert {each.environment for each in FRAMEWORKS} - {None} <= set(curated())
