"""Scripts as they are read before they run."""

from __future__ import annotations

from pydantic import Field

from designer_app.schemas.shape import Shape
from pipelines.documents.document import PipelineDocument
from pipelines.documents.parts import Launcher


class ScriptText(Shape):
    """A script."""

    text: str = Field(max_length=1_000_000)


class ScriptOption(Shape):
    """What a script can be called with."""

    name: str
    default: str | int | float | bool | None
    is_required: bool
    is_switch: bool = Field(description="It takes no value.")
    help: str


class ScriptFramework(Shape):
    """A framework that starts a script's processes, and what suits it."""

    title: str
    launcher: Launcher | None = Field(description="None where the usual one suits it.")
    environment: str | None = Field(description="The one that comes with the designer.")


class ScriptFacts(Shape):
    """What a script says of itself."""

    options: list[ScriptOption]
    arguments: list[str] = Field(description="A call that names what it has defaults for.")
    requirements: list[str] = Field(description="Of its header (PEP 723).")
    framework: ScriptFramework | None = Field(description="By what it imports.")
    modules: list[str] = Field(
        description="Titles of what it declares with `@module`: such a file is no script."
    )
    submission: PipelineDocument | None = Field(
        description="A node for each ScriptRunConfig of SDK v1: such a file is no script."
    )
    notes: list[str] = Field(description="What must be done before the submission can run.")
    modules_folder: str = Field(description="Where the workspace has its own modules.")
