"""Files of users' modules, as text."""

from __future__ import annotations

from pathlib import Path

MODULE_HEAD = '''
from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from modules.context import Context
from modules.declare import module
from modules.errors import ModuleError
from modules.artifacts import AnyDirectory, Table


@module(title="Bad", category="Bad", summary="Behave badly.")
def {name}(context: Context) -> AnyDirectory:
    """Behave badly."""
'''
"""The imports and the signature of a module; its body follows."""
DOUBLE = '''
from __future__ import annotations

from typing import NamedTuple

from pydantic import Field

from modules.context import Context
from modules.declare import module
from modules.parameters import Parameters
from modules.artifacts import Artifact


class Pebble(Artifact):
    """A pebble."""


class DoubleParameters(Parameters):
    times: int = Field({times}, ge=1, title="Times", description="How often.")


class DoubleOutputs(NamedTuple):
    left: Pebble
    right: Pebble


@module(title="Double", category="Mine", summary="Make two of one.")
def double(stone: Pebble, parameters: DoubleParameters, context: Context) -> DoubleOutputs:
    """Two."""
    return DoubleOutputs(stone, stone)
'''
"""A module with two outputs and one parameter."""
OLD_IMPORTS = """
from pydantic import Field

from modules.context import Context
from modules.declare import module
from modules.forecast import Foreseen, StepForecast
from modules.parameters import Parameters
from modules.ports import ImageDirectory, read_json
from modules.spec import ParameterFinding, PortDoc


@module(title="Same", category="Mine", summary="Give the same images.")
def same(images: ImageDirectory) -> ImageDirectory:
    \"\"\"The same.\"\"\"
    return images
"""
"""A module with the imports of earlier versions."""


def write(folder: Path, name: str, text: str) -> Path:
    """Write a file into a folder, which is created if it is missing."""
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path
