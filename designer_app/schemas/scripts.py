"""Scripts, read before they run."""

from __future__ import annotations

from pydantic import Field

from designer_app.schemas.shape import Shape
from pipelines.document.document import PipelineDocument
from pipelines.document.parts import Launcher


class ScriptText(Shape):
    """Text of a script."""

    text: str = Field(max_length=1_000_000)


class ScriptOption(Shape):
    """Command-line option of a script."""

    name: str
    default: str | int | float | bool | None
    is_required: bool
    is_switch: bool = Field(description="The option takes no value.")
    help: str


class ScriptFramework(Shape):
    """Framework that starts a script's processes, and its launcher and environment."""

    title: str
    launcher: Launcher | None = Field(description="Null if the default launcher is suitable.")
    environment: str | None = Field(description="Name of the included environment.")


class ScriptFacts(Shape):
    """Facts read from a script."""

    options: list[ScriptOption]
    arguments: list[str] = Field(description="Arguments with the default values.")
    requirements: list[str] = Field(description="Packages of the script header (PEP 723).")
    framework: ScriptFramework | None = Field(description="Framework, according to the imports.")
    modules: list[str] = Field(
        description="Titles of modules declared with `@module`: such a file is not a script."
    )
    submission: PipelineDocument | None = Field(
        description="One node per ScriptRunConfig of SDK v1: such a file is not a script."
    )
    notes: list[str] = Field(description="Steps required before the submission can run.")
    modules_folder: str = Field(description="Folder of the modules of the workspace.")
