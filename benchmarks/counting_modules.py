"""Two modules that do as good as nothing, as a user would write them: a number, and one more.

``ours_graph`` puts this file into a workspace's ``modules/`` folder.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, NamedTuple, Self

from modules import (
    Artifact,
    Context,
    Field,
    Parameters,
    PortDoc,
    module,
    read_json,
    write_json,
)

CATEGORY = "Benchmarks"


class Count(Artifact):
    """``count.json``: a whole number."""

    @classmethod
    def write(cls, folder: Path, value: int) -> Self:
        write_json(folder / "count.json", value)
        return cls(folder)

    @property
    def value(self) -> int:
        return int(read_json(self.path / "count.json"))


class CountOutputs(NamedTuple):
    number: Annotated[Count, PortDoc("The number.")]


class StartCountParameters(Parameters):
    attempt: int = Field(0, title="Attempt", description="A new one makes all nodes run anew.")


@module(title="Start Count", category=CATEGORY, summary="Give one.")
def start_count(parameters: StartCountParameters, context: Context) -> CountOutputs:  # noqa: ARG001
    """Give one; the parameter is there to change the node's key."""
    return CountOutputs(Count.write(context.new_folder(), 1))


class IncrementParameters(Parameters):
    place: int = Field(0, title="Place", description="Its own number, so that no two are alike.")


@module(title="Increment", category=CATEGORY, summary="Add one.")
def increment(
    value: Annotated[Count, PortDoc("A number.")],
    parameters: IncrementParameters,  # noqa: ARG001
    context: Context,
) -> CountOutputs:
    """Give one more than what came in."""
    return CountOutputs(Count.write(context.new_folder(), value.value + 1))
