"""The program of the parameters and the linked inputs, with all placeholders replaced."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from modules.artifacts import AnyDirectory, Artifact, ImageDirectory
from modules.context import Context
from modules.foreign_model import ForeignModel
from modules.scripts.argument_paths import require_paths_allowed
from modules.scripts.arguments import (
    Placeholder,
    PlaceValues,
    command_words,
    places_in,
    with_variables,
)
from modules.scripts.image_folders import classes_with_images, write_image_folder
from modules.scripts.launchers.program import Program
from modules.scripts.parameters import ScriptParameters
from modules.scripts.source import script_in
from modules.scripts.source_snapshot import SourceSnapshot
from modules.scripts.work_folder import OUTPUTS, WorkFolder
from modules.sentences import scripts as say

IMAGES, MORE_IMAGES = "images", "more_images"
TRAIN, VALIDATION = "train", "val"


@dataclass(frozen=True)
class ProgramMaker:
    """Creator of the program, which also puts the inputs at their paths."""

    parameters: ScriptParameters
    context: Context
    snapshot: SourceSnapshot
    work: WorkFolder
    inputs: Mapping[str, Artifact]
    """Inputs of linked ports."""

    def program(self) -> Program:
        """Return the script or the command, with its arguments."""
        environment = self.context.environment
        python = str(environment.python if environment else sys.executable)
        self._require_paths_allowed()
        arguments = self._values.fill(self.parameters.arguments)
        if self.parameters.command:
            words = self._values.fill(command_words(self.parameters.command))
            return Program.of_command(python, [*words, *arguments])
        script = script_in(self.snapshot.root, self.parameters.script)
        return Program.of_script(python, script, arguments)

    def _require_paths_allowed(self) -> None:
        """Raise for a path that the run may not use; the step's own folders are exempt."""
        current = self._values
        inputs, outputs = dict.fromkeys(current.inputs, "."), dict.fromkeys(current.outputs, ".")
        values = PlaceValues(inputs, outputs, current.parameters)
        asked, context = self.parameters, self.context
        words = command_words(asked.command)[1:] if asked.command else []
        for parameter, texts in (("arguments", asked.arguments), ("command", words)):
            filled = [with_variables(text, context.variables) for text in values.fill(texts)]
            require_paths_allowed(filled, context.allowed_roots, parameter)

    def variables(self) -> dict[str, str]:
        """Return inputs and outputs by the names of their variables for scripts."""
        values, seed = self._values, self.parameters.random_seed
        return {
            **{f"DESIGNER_INPUT_{name.upper()}": path for name, path in values.inputs.items()},
            **{f"DESIGNER_OUTPUT_{name.upper()}": path for name, path in values.outputs.items()},
            **({} if seed is None else {"PYTHONHASHSEED": str(seed)}),
            "AZUREML_RUN_ID": "-".join(self.work.root.parent.parts[-3:]),
        }

    @cached_property
    def _named(self) -> set[Placeholder]:
        return places_in([*self.parameters.arguments, self.parameters.command or ""])

    @cached_property
    def _values(self) -> PlaceValues:
        home = self.work.home
        outputs = {OUTPUTS: str(home / OUTPUTS)}
        if self.parameters.model_file:
            outputs["model"] = str(home / self.parameters.model_file)
        own = {
            name: str(value)
            for name, value in self.parameters.model_dump().items()
            if isinstance(value, str | int | float)
        }
        parameters = {name: str(value) for name, value in self.context.pipeline_parameters.items()}
        return PlaceValues(self._input_paths(), outputs, {**own, **parameters})

    def _input_paths(self) -> dict[str, str]:
        """Return the path of each linked input; images become folders of links first."""
        places = {name: str(self._path_of(artifact)) for name, artifact in self.inputs.items()}
        joint = self.work.inputs / IMAGES if self._is_joint else None
        classes = self._classes_with_images()
        for name, artifact in self.inputs.items():
            if isinstance(artifact, ImageDirectory):
                part = TRAIN if name == IMAGES else VALIDATION
                place = joint / part if joint else self.work.inputs / name
                write_image_folder(artifact, place, classes)
                self._warn_of_empty_classes(name, artifact, classes)
                places[name] = str(place)
        if joint:
            places[IMAGES] = str(joint)
        return places

    def _classes_with_images(self) -> set[str]:
        """Return the classes with images in any input."""
        directories = [
            images for images in self.inputs.values() if isinstance(images, ImageDirectory)
        ]
        return {name for directory in directories for name in classes_with_images(directory)}

    def _warn_of_empty_classes(
        self, name: str, images: ImageDirectory, with_images: set[str]
    ) -> None:
        """Warn of classes without images, as ``ImageFolder`` numbers only existing ones.

        If another input has images of one, its empty folder stays, so that numbers do not change.
        """
        if not images.is_labeled or not self.context.is_first_rank:
            return
        own = classes_with_images(images)
        missing = [name for name in images.classes if name not in with_images]
        if missing:
            self.context.warn(say.NO_CLASS_FOLDER, input=name, classes=missing)
        empty = [name for name in images.classes if name in with_images - own]
        if empty:
            self.context.warn(say.EMPTY_CLASS_FOLDER, input=name, classes=empty)

    @property
    def _is_joint(self) -> bool:
        """Return True if the script uses one folder with train and val in it."""
        names = {place.name for place in self._named if place.kind == "inputs"}
        return {IMAGES, MORE_IMAGES} <= self.inputs.keys() and (
            IMAGES in names and MORE_IMAGES not in names
        )

    def _path_of(self, artifact: Artifact) -> Path:
        """Return the path of the data: the file of a foreign model, otherwise the folder."""
        if isinstance(artifact, AnyDirectory):
            return artifact.location.absolute()
        if isinstance(artifact, ForeignModel):
            return artifact.main_path.absolute()
        return artifact.path.absolute()
