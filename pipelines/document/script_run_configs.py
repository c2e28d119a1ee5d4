"""Pipelines from files that submit a training with SDK v1 of Azure Machine Learning.

Each ``ScriptRunConfig`` of the file becomes a node *Run Training Script* with its environment,
arguments, launcher and counts. The file is read, never run.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from modules.files.regular_files import read_regular_text
from modules.scripts.frameworks import framework_of
from modules.scripts.starters import STARTERS_ON_ONE_NODE, TORCH_STARTERS
from modules.sentences.sentence import Sentence, Statement
from pipelines.document.document import Node, PipelineDocument, Position, RunSettings
from pipelines.document.python_values import PythonFile, PythonObject, UnknownValue, texts_of
from pipelines.errors import RefusedError
from pipelines.sentences import sdk_files as say

MODULE = "run_training_script"
MAX_BYTES = 2_000_000
MAX_NODES = 100
NODE_HEIGHT = 200
NOT_IN_ID = re.compile(r"[^a-z0-9]+")
NOT_IN_ENVIRONMENT = re.compile(r"[^a-z0-9._-]+")
PROCESSES = re.compile(r"--nproc[_-]per[_-]node[= ](\d+)")
AS_DATA = re.compile(r"\.as_(mount|download|named_input|input|hdfs)\b")
CURATED_PREFIX = "azureml-"
CURATED = (("lightning", "pytorch-lightning"), ("tensorflow", "tensorflow"))
"""Azure's curated environments, by a part of the name, and their replacements here."""
FOLDER_INPUT = "{{inputs.folder}}"


@dataclass(frozen=True)
class ImportedPipeline:
    """Document, and the steps required before it can run."""

    document: PipelineDocument
    notes: list[Statement]


def read_submission(path: Path) -> ImportedPipeline:
    """Return the pipeline of a file that submits trainings.

    Raises ``RefusedError`` for a file that cannot be read or submits nothing.
    """
    imported = _imported(_read(path), path.stem, path.absolute().parent)
    if imported is None:
        raise RefusedError(say.NO_RUN_CONFIG, file=path)
    return imported


def submission_in(text: str) -> ImportedPipeline | None:
    """Return the pipeline of a file's text; None for a text that submits nothing.

    Folders relative to the file are unknown: they are left to the user.

    Raises ``SyntaxError`` for a text that is not Python.
    """
    return _imported(PythonFile(text), "imported", None)


def _imported(file: PythonFile, stem: str, folder: Path | None) -> ImportedPipeline | None:
    configs = file.made_of("ScriptRunConfig")[:MAX_NODES]
    if not configs:
        return None
    notes: list[Statement] = []
    nodes = tuple(
        _Reader(config, file, folder, notes).node(number) for number, config in enumerate(configs)
    )
    document = PipelineDocument(id=_id_of(stem), name=_name(file, stem), nodes=nodes)
    return ImportedPipeline(document, notes)


def _read(path: Path) -> PythonFile:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise RefusedError(say.FILE_TOO_LARGE, file=path, most=MAX_BYTES)
        return PythonFile(read_regular_text(path, "utf-8-sig"))
    except SyntaxError as error:
        facts = {"file": path, "line": error.lineno or 1, "error": error.msg}
        raise RefusedError(say.NOT_PYTHON, **facts) from None
    except (OSError, ValueError, RecursionError, MemoryError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise RefusedError(say.FILE_UNREADABLE, file=path, error=reason) from None


def _name(file: PythonFile, stem: str) -> str:
    """Return the name of the experiment, otherwise of the file."""
    for experiment in file.made_of("Experiment"):
        name = experiment.argument("name", 1)
        if isinstance(name, str) and name:
            return name[:200]
    return stem[:200]


def _id_of(name: str) -> str:
    return NOT_IN_ID.sub("-", name.lower()).strip("-")[:60] or "imported"


@dataclass
class _Launch:
    """Launcher and number of processes."""

    launcher: str
    node_count: int = 1
    processes_per_node: int = 1
    parameter_servers: int = 0


@dataclass
class _Reader:
    """Converter of one ``ScriptRunConfig`` to a node; unsupported parts are noted."""

    config: PythonObject
    file: PythonFile
    folder: Path | None
    """Folder of the file, the base of relative paths; None if unknown."""
    notes: list[Statement]
    _command: list[str] = field(default_factory=list)

    def node(self, number: int) -> Node:
        """Return the node, the number-th of its pipeline."""
        source = self._source_folder()
        script = self._text("script", 1)
        arguments = self._words("arguments", 2)
        self._command = self._command_words()
        launch = self._launch()
        if launch.launcher == "pytorch_node" and not self._command and script:
            # the script starts its processes itself; torchrun would start them again
            self._command, script, arguments = ["python", script, *arguments], None, []
        parameters: dict[str, Any] = {
            "source_folder": None if source is None else str(source),
            "script": None if self._command else script,
            "arguments": arguments,
            "command": _joined(self._command) or None,
            "model_file": self._registered_file(),
        }
        filled_in = {
            name: value for name, value in parameters.items() if value or name == "model_file"
        }
        if filled_in["model_file"] == "outputs/model.pt":
            del filled_in["model_file"]  # the default
        return Node(
            id="train" if number == 0 else f"train_{number + 1}",
            module=MODULE,
            position=Position(y=number * NODE_HEIGHT),
            parameters=filled_in,
            run_settings=self._run_settings(launch),
        )

    def _run_settings(self, launch: _Launch) -> RunSettings:
        settings: dict[str, Any] = {
            "launcher": launch.launcher,
            "node_count": launch.node_count,
            "process_count_per_node": launch.processes_per_node,
        }
        environment = self._environment()
        target = self._target()
        if target:
            self._note(say.TARGET_LEFT_OUT, target=target)
        optional = {
            "parameter_server_count": launch.parameter_servers,
            "environment": environment,
            "variables": self._variables(),
            "time_limit_minutes": self._minutes(),
        }
        settings |= {name: value for name, value in optional.items() if value}
        return RunSettings(**settings)

    def _note(self, sentence: Sentence, **facts: Any) -> None:
        statement = sentence.about(facts)
        if str(statement) not in map(str, self.notes):
            self.notes.append(statement)

    def _own(self, name: str, position: int | None = None) -> Any:
        """Return an argument of the configuration, or the value assigned to its ``run_config``."""
        own = self.config
        if f"run_config.{name}" in own.attributes:
            return own.attributes[f"run_config.{name}"]
        value = own.argument(name, position)
        run_config = own.argument("run_config", 3)
        if value is None and isinstance(run_config, PythonObject):
            return run_config.attributes.get(name)
        return value

    def _text(self, name: str, position: int | None = None) -> str | None:
        value = self._own(name, position)
        if isinstance(value, UnknownValue):
            self._note(say.UNKNOWN_VALUE, name=name, text=value.text)
        return value if isinstance(value, str) and value else None

    def _source_folder(self) -> Path | None:
        text = self._text("source_directory", 0)
        folder = Path(text or ".").expanduser()
        if self.folder is None and not folder.is_absolute():
            self._note(say.SOURCE_FOLDER_UNKNOWN, folder=text or ".")
            return None
        return folder if folder.is_absolute() else Path(self.folder or ".", folder).resolve()

    def _words(self, name: str, position: int | None = None) -> list[str]:
        value = self._own(name, position)
        if value is None:
            return []
        if isinstance(value, UnknownValue):
            self._note(say.UNKNOWN_VALUE, name=name, text=value.text)
            return []
        words = value if isinstance(value, list) else shlex.split(str(value))
        return [self._word(word) for word in words]

    def _word(self, value: Any) -> str:
        """Return an argument as text; data of a workspace becomes the folder input."""
        if isinstance(value, UnknownValue) and AS_DATA.search(value.text):
            self._note(say.DATA_ARGUMENT, text=value.text)
            return FOLDER_INPUT
        if isinstance(value, str | int | float):
            return str(value)
        is_unknown = isinstance(value, UnknownValue)
        text = (value.name or value.text) if is_unknown else type(value).__name__
        name = NOT_IN_ID.sub("_", text.lower()).strip("_")[:40] or "value"
        name = f"value_{name}" if name[0].isdigit() else name
        self._note(say.UNKNOWN_ARGUMENT, text=text, name=name)
        return f"{{{{parameters.{name}}}}}"

    def _command_words(self) -> list[str]:
        try:
            return self._words("command")
        except ValueError as error:
            raise RefusedError(say.COMMAND_UNREADABLE, error=str(error)) from None

    def _launch(self) -> _Launch:
        configuration = self._own("distributed_job_config", 7)
        if isinstance(configuration, UnknownValue):
            self._note(say.UNKNOWN_VALUE, name="distributed_job_config", text=configuration.text)
        if not isinstance(configuration, PythonObject):
            return _Launch("none")
        if configuration.class_name == "MpiConfiguration":
            per_node = self._count(configuration, "process_count_per_node", 0, 1)
            return _Launch("mpi", self._count(configuration, "node_count", 1, 1), per_node)
        if configuration.class_name == "TensorflowConfiguration":
            workers = self._count(configuration, "worker_count", 0, 1)
            servers = self._count(configuration, "parameter_server_count", 1, 1)
            if servers:
                self._note(say.CHIEF_ADDED, workers=workers, servers=servers)
            return _Launch("tensorflow", workers, parameter_servers=servers)
        if configuration.class_name == "PyTorchConfiguration":
            return self._pytorch(configuration)
        self._note(say.UNKNOWN_LAUNCH, name=configuration.class_name)
        return _Launch("pytorch_process")

    def _pytorch(self, configuration: PythonObject) -> _Launch:
        """Return how ranks are started: by the command or script of each machine, or one by one."""
        nodes = self._count(configuration, "node_count", 2, 1)
        total = self._count(configuration, "process_count", 1, 0)
        if _is_starter(self._command):
            of_command = PROCESSES.search(_joined(self._command))
            return _Launch("pytorch_node", nodes, int(of_command[1]) if of_command else 1)
        if not total:
            starts_others = self._framework_launcher() == "pytorch_node"
            return _Launch("pytorch_node" if starts_others else "pytorch_process", nodes)
        if total % nodes:
            self._note(say.UNEVEN_PROCESSES, count=total, nodes=nodes)
        return _Launch("pytorch_process", nodes, max(1, total // nodes))

    def _framework_launcher(self) -> str | None:
        """Return the launcher of the script's framework, if the script can be read."""
        script, folder = self._text("script", 1), self._source_folder()
        if folder is None:
            return None
        try:
            text = read_regular_text(folder / (script or ""), "utf-8")
        except (OSError, ValueError):
            return None
        framework = framework_of(text)
        return framework.launcher if framework else None

    def _count(self, owner: PythonObject, name: str, position: int, default: int) -> int:
        value = owner.argument(name, position, default)
        if value is None:
            return default
        if isinstance(value, int) and 0 <= value <= 10_000:
            return value
        text = value.text if isinstance(value, UnknownValue) else str(value)
        self._note(say.UNKNOWN_VALUE, name=name, text=text)
        return default

    def _target(self) -> str | None:
        value = self._own("compute_target", 5) or self._own("target")
        if isinstance(value, PythonObject):
            value = value.argument("name", 1)
        return value if isinstance(value, str) and value != "local" else None

    def _minutes(self) -> float:
        seconds = self._own("max_run_duration_seconds", 9)
        return seconds / 60 if isinstance(seconds, int | float) and seconds > 0 else 0

    def _variables(self) -> dict[str, str]:
        environment = self._own("environment", 6)
        of_environment = (
            environment.attributes.get("environment_variables")
            if isinstance(environment, PythonObject)
            else None
        )
        variables: dict[str, str] = {}
        for source in (of_environment, self._own("environment_variables")):
            variables |= texts_of(source) if isinstance(source, dict) else {}
        return variables

    def _environment(self) -> str | None:
        """Return the environment of the node, and note how to build it."""
        environment = self._own("environment", 6)
        if isinstance(environment, UnknownValue):
            self._note(say.UNKNOWN_ENVIRONMENT, text=environment.text)
        if not isinstance(environment, PythonObject):
            return None
        written = environment.argument("name", 1 if environment.method == "get" else 0)
        name = NOT_IN_ENVIRONMENT.sub("-", str(written).lower()).strip("-._")[:64]
        if name.startswith(CURATED_PREFIX):
            return self._curated(str(written), name)
        options = " ".join(_requirements(environment, self.folder))
        if environment.method == "get" or not options:
            self._note(say.ENVIRONMENT_OF_AZURE, environment=name)
        else:
            self._note(say.ENVIRONMENT_TO_BUILD, environment=name, options=options)
        image = environment.attributes.get("docker.base_image")
        if isinstance(image, str):
            self._note(say.IMAGE_LEFT_OUT, image=image)
        return name

    def _curated(self, written: str, name: str) -> str | None:
        """Return the replacement of one of Azure's curated environments."""
        replacement = next((ours for theirs, ours in CURATED if theirs in name), None)
        self._note(say.CURATED_REPLACED, written=written, environment=replacement or "designer")
        return replacement

    def _registered_file(self) -> str | None:
        """Return the file that the submission registers as a model; None if there is none."""
        for method, positional, named in self.file.methods:
            path = named.get("model_path", next(iter(positional[1:2]), None))
            if method == "register_model" and isinstance(path, str):
                return path
        return None


def _requirements(environment: PythonObject, folder: Path | None) -> Iterator[str]:
    """Yield the options of ``designer environments build`` for an environment."""
    is_image = "image" in environment.method
    path = environment.argument("file_path", None if is_image else 1)
    if isinstance(path, str):
        requirements_path = Path(folder or ".", path)
        yield f"--requirements {shlex.quote(str(requirements_path))}"
    image = environment.argument("image", 1) if is_image else None
    if isinstance(image, str):
        yield f"--image {shlex.quote(image)}"
    dependencies = environment.attributes.get("python.conda_dependencies")
    if isinstance(dependencies, PythonObject):
        packages = dependencies.argument("pip_packages", 0) or []
        more = [
            arguments[0]
            for name, arguments in dependencies.calls
            if "pip_package" in name and arguments
        ]
        named = [package for package in [*packages, *more] if isinstance(package, str)]
        yield from (f"--package {shlex.quote(package)}" for package in named)


def _is_starter(words: list[str]) -> bool:
    return any(word in STARTERS_ON_ONE_NODE | TORCH_STARTERS for word in words[:4])


def _joined(words: list[str]) -> str:
    """Return words as a command, with unchanged variables and placeholders."""
    plain = re.compile(r"[\w@%+=:,./${}-]+")
    return " ".join(word if plain.fullmatch(word) else shlex.quote(word) for word in words)
