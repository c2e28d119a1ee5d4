"""Execute Python Script with the Python of an environment, in a separate process."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from modules.artifacts import ImageDirectory, Model, write_json
from modules.context import Context, ScriptEnvironment
from modules.errors import FailedToEvaluateScriptError
from modules.files.json_files import read_if_valid
from modules.files.shard_member import StoredFile
from modules.foreign_model import ForeignModel
from modules.image_loading.image_files import ImageFiles
from modules.operating_system.machine import num_cores
from modules.scripts import script_worker
from modules.scripts.environment_files import ScriptInput
from modules.scripts.image_wall import ImageWall, folders_of, require_image_wall
from modules.scripts.launchers.process_description import ProcessDescription
from modules.scripts.launchers.program import Program
from modules.scripts.log_tail import size_of
from modules.scripts.missing_packages import distribution_of
from modules.scripts.outcome import Launched
from modules.scripts.process_environment import ProcessEnvironment
from modules.scripts.script_inputs import file_for_script
from modules.scripts.script_outputs import ReturnedOutputs
from modules.scripts.supervisor import Start, Supervisor
from modules.sentences import own_python as say
from modules.typed_code import sentence_of

if TYPE_CHECKING:
    import pandas as pd

WORKER = "designer_worker.py"
PARQUET_PROBE = "import pandas, pyarrow"
REFUSALS = (
    say.NO_MAIN,
    say.UNKNOWN_OUTPUTS,
    say.NO_OUTPUT_TYPE,
    say.NO_RESULT_TYPE,
    say.TWO_OF_A_KIND,
    say.NO_COLUMN_TYPE,
)
NAMED = {name: sentence for name, sentence in vars(say).items() if sentence in REFUSALS}


@dataclass(frozen=True)
class EnvironmentScript:
    """A script, ready to be run with the packages of an environment."""

    code: str
    environment: ScriptEnvironment
    context: Context

    def run(self, folder: Path, values: Mapping[str, Any]) -> ReturnedOutputs:
        """Run it and return its result, read from an empty folder that may contain its files.

        Raises 0085 like a script in this process, and if a package is missing.
        """
        shutil.copyfile(script_worker.__file__, folder / WORKER)
        writer = _Exchange(folder, self._takes_parquet())
        inputs = writer.inputs(values)
        write_json(folder / "told.json", {"code": self.code, "inputs": inputs})
        launched = self._launch(folder, _paths_in(inputs))
        result = read_if_valid(folder / "result.json")
        if result is None:
            launched.require_success()
            raise FailedToEvaluateScriptError(say.LEFT_NO_RESULT, parameter="code")
        self._require_result(result, launched)
        if result.get("second_table"):
            self.context.warn(say.SECOND_TABLE_LEFT_OUT)
        return writer.outputs(result, values)

    def _takes_parquet(self) -> bool:
        command = self._walled([str(self.environment.python), "-c", PARQUET_PROBE], [])
        return subprocess.run(command, capture_output=True, check=False).returncode == 0

    @property
    def _extensions_dir(self) -> Path:
        context = self.context
        folder = (context.cache_dir or context.staging_dir) / "torch_extensions"
        return folder / self.environment.key[:16]

    def _walled(
        self, argv: Sequence[str], writable: Sequence[Path], inputs: Iterable[Path] = ()
    ) -> Sequence[str]:
        """Return the command inside of the image of the environment, if it is an image."""
        image = self.environment.image
        if image is None:
            return argv
        require_image_wall()
        return ImageWall(image, writable, folders_of(inputs)).around(argv, self.context.variables)

    def _launch(self, folder: Path, inputs: Iterable[Path]) -> Launched:
        log = self.context.log_path(0)
        program = Program.of_script(str(self.environment.python), WORKER, ())
        argv = self._walled(program.argv, [folder, self._extensions_dir], inputs)
        variables = self._variables()
        variables["DESIGNER_BOOTSTRAP"] = json.dumps({"parent": os.getpid()})
        description = ProcessDescription("script", 0, program.argv, rank=0, log_number=0)
        start = Start(description, argv, variables, folder, log)
        size = size_of(log)
        events = _ScriptEvents(folder / "events.jsonl", self.context)
        supervisor = Supervisor([start], events.poll, lambda: self.context.stop_requested)
        supervisor.run()
        events.poll()
        return Launched([start], supervisor.ends, [], {"script": size}, self.environment.name)

    def _variables(self) -> dict[str, str]:
        context = self.context
        threads = context.cores_per_process or context.threads or num_cores()
        own = ProcessEnvironment(
            self.environment.bin_dir,
            threads,
            self._extensions_dir,
            image=self.environment.image,
            variables=self.environment.variables,
        )
        return own.of(context.variables)

    def _require_result(self, result: Mapping[str, Any], launched: Launched) -> None:
        """Raise the error that the script was rejected for, or failed with."""
        place = {key: result.get(key, 1) for key in ("line", "column", "end_column")}
        if "refused" in result:
            said = NAMED[result["refused"]].about(result["facts"])
            raise FailedToEvaluateScriptError(said, parameter="code")
        if "exit" in result:
            said = say.ENDED_ITSELF.about({**place, "code": result["exit"]})
            raise FailedToEvaluateScriptError(said, parameter="code")
        error = result.get("error")
        if error is None:
            return
        if error["name"] and distribution_of(str(error["name"])):
            report = {"rank": None, "code": 1, "time": time.time(), "error": error}
            known = Launched(
                launched.starts, launched.ends, [report], launched.log_sizes, launched.environment
            )
            known.require_success()
        said = say.RAISED.about({**place, "error": sentence_of(error["message"])})
        raise FailedToEvaluateScriptError(said, parameter="code")


def _paths_in(inputs: Mapping[str, ScriptInput | None]) -> list[Path]:
    """Return the files and folders that the worker reads."""
    paths = [
        path
        for entry in inputs.values()
        if entry is not None
        for path in (entry.get("path"), entry.get("main"), *entry.get("files", ()))
    ]
    return [Path(path) for path in paths if path is not None]


@dataclass(frozen=True)
class _Exchange:
    """Values as files, for a Python without the designer's packages."""

    folder: Path
    takes_parquet: bool

    def inputs(self, values: Mapping[str, Any]) -> Mapping[str, ScriptInput | None]:
        """Return the description of each input for the worker; None if it is not connected."""
        return {
            name: None if value is None else self._input(name, value)
            for name, value in values.items()
        }

    def _input(self, name: str, value: Any) -> ScriptInput:
        if isinstance(value, ImageDirectory):
            return {
                "kind": "images",
                "path": str(value.path.absolute()),
                "classes": list(value.classes),
                "rows": self._rows(name, value.images),
                "files": [self._file(name, *pair) for pair in enumerate(ImageFiles(value))],
            }
        if isinstance(value, Model):
            main = value.main_path if isinstance(value, ForeignModel) else value.path
            return {
                "kind": "model",
                "path": str(value.path.absolute()),
                "main": str(main.absolute()),
                "description": value.description,
            }
        return {"kind": "table", "rows": self._rows(name, value)}

    def _file(self, name: str, row: int, file: StoredFile) -> str:
        """Return the path of an image for the script; files in shards are written for it."""
        return str(file_for_script(self.folder / f"{name}.files" / str(row), file).absolute())

    def _rows(self, name: str, rows: pd.DataFrame) -> str:
        path = self.folder.absolute() / f"{name}.{'parquet' if self.takes_parquet else 'json'}"
        if self.takes_parquet:
            rows.to_parquet(path, index=False)
        else:
            path.write_text(json.dumps(script_worker.as_json(rows)), encoding="utf-8")
        return str(path)

    def outputs(self, result: Mapping[str, Any], values: Mapping[str, Any]) -> ReturnedOutputs:
        """Return the values by output; None if an output was not returned."""
        rows = {
            name: script_worker.read_table(result[name]["rows"])
            for name in ("images", "table")
            if name in result
        }
        model = result.get("model")
        if model is None or "file" not in model:
            return ReturnedOutputs(**rows, model=values["model"] if model else None)
        return ReturnedOutputs(**rows, model=Path(model["file"]))


@dataclass
class _ScriptEvents:
    """Events that the script reports while it runs."""

    path: Path
    context: Context
    position: int = 0

    def poll(self) -> None:
        """Report new events."""
        if not self.path.is_file():
            return
        with self.path.open("rb") as file:
            file.seek(self.position)
            for line in file:
                if not line.endswith(b"\n"):
                    return
                self.position += len(line)
                self._report(json.loads(line))

    def _report(self, event: Mapping[str, Any]) -> None:
        if event["kind"] == "metric":
            self.context.metric(event["name"], event["value"], event["step"])
        else:
            self.context.warn(event["text"])
