"""Runs a script of Execute Python Script with another Python than the designer's.

    python bootstrap.py designer_worker.py    in a folder with told.json

It uses only the standard library, possibly of Python 3.6, for which annotations are quoted: pandas,
pyarrow and torch are imported if a script's values need them. ``told.json`` contains the code and
the inputs; the result or the error is written to ``result.json``, and events to ``events.jsonl``.
"""

import contextlib
import inspect
import json
import linecache
import os
import sys
import traceback
import types
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from modules.scripts.environment_files import (
        ScriptFailure,
        ScriptInput,
        ScriptOutput,
        StoredRows,
    )

NAME = "designer_script"
OUTPUTS = ("images", "table", "model")
MAX_LINES = 60
MAX_PRECISION = 15
"""Maximum digits that pandas writes."""


class Refused(Exception):
    """A rejected result of the script: the name of a sentence, and its facts."""

    def __init__(self, sentence: str, **facts: Any) -> None:
        super().__init__(sentence)
        self.sentence, self.facts = sentence, facts


class Images:
    """Rows of images, the classes in their order, and the location of the files."""

    def __init__(self, port: str, description: "ScriptInput") -> None:
        self.port = port
        self.path = description["path"]
        self.classes = tuple(description["classes"])
        self.images = read_rows(description["rows"])
        self._files = description["files"]

    @property
    def labels(self) -> "list[str | None]":
        """Return one label per row; None if there is none."""
        if isinstance(self.images, list):
            return [row["label"] for row in self.images]
        return [label if isinstance(label, str) else None for label in self.images["label"]]

    def file_paths(self) -> "list[str]":
        """Return the files, in the order of the rows."""
        return list(self._files)


class ScriptModel:
    """An input model: its folder, its description, and its main file."""

    def __init__(self, description: "ScriptInput") -> None:
        self.path, self.main_path = description["path"], description["main"]
        self.description = description["description"]


class ScriptContext:
    """Reporting methods, as in the designer's own Python."""

    def metric(self, name: str, value: float, step: int = 0) -> None:
        """Report one point of a curve."""
        self._tell("metric", name=str(name), value=float(value), step=int(step))

    def warn(self, text: str) -> None:
        """Report a warning that does not stop the script."""
        self._tell("warning", text=str(text))

    def _tell(self, kind: str, **facts: Any) -> None:
        with open("events.jsonl", "a", encoding="utf-8") as file:
            file.write(json.dumps({"kind": kind, **facts}) + "\n")


def main() -> int:
    """Run the script, and write its result; return the exit code."""
    with open("told.json", encoding="utf-8") as file:
        request = json.load(file)
    try:
        result = _ran(request["code"], request["inputs"])
    except Refused as error:
        result = {"refused": error.sentence, "facts": error.facts}
    except SystemExit as error:
        result = {"exit": str(error.code), **_place(error, request["code"])}
    except BaseException as error:
        result = {"error": _told_of(error), **_place(error, request["code"])}
    with open("result.json.new", "w", encoding="utf-8") as file:
        json.dump(result, file)
    os.replace("result.json.new", "result.json")
    return 1 if "error" in result else 0


def _ran(code: str, inputs: "Mapping[str, ScriptInput | None]") -> "dict[str, object]":
    values = {
        name: None if description is None else _opened(name, description)
        for name, description in inputs.items()
    }
    file_name = NAME + ".py"
    # Tracebacks show its lines although the file does not exist.
    lines = code.splitlines(True)
    linecache.cache[file_name] = (len(code), None, lines, file_name)
    script = types.ModuleType(NAME)
    script.__file__ = file_name
    sys.modules[NAME] = script
    exec(compile(code, file_name, "exec", dont_inherit=True), vars(script))  # noqa: S102 - what this is for
    return _called(script, values)


def _opened(name: str, description: "ScriptInput") -> Any:
    if description["kind"] == "images":
        return Images(name, description)
    return (
        read_table(description["rows"])
        if description["kind"] == "table"
        else ScriptModel(description)
    )


def _called(script: "types.ModuleType", values: "Mapping[str, Any]") -> "dict[str, object]":
    function = getattr(script, "designer_main", None)
    if function is not None:
        return _outputs(function(**_taken(function, {**values, "context": ScriptContext()})))
    function = getattr(script, "azureml_main", None)
    if function is None:
        raise Refused("NO_MAIN")
    value = function(values["table1"], values["table2"])
    tables = value if isinstance(value, (tuple, list)) else (value,)
    outputs = _outputs({"table": tables[0] if tables else None})
    return {**outputs, "second_table": len(tables) > 1 and tables[1] is not None}


def _taken(function: Any, values: "Mapping[str, Any]") -> "Mapping[str, Any]":
    """Return the arguments that the function accepts."""
    arguments = inspect.signature(function).parameters
    if any(argument.kind is argument.VAR_KEYWORD for argument in arguments.values()):
        return values
    return {name: value for name, value in values.items() if name in arguments}


def _outputs(value: Any) -> "dict[str, object]":
    """Return the result by output, with its data in files."""
    writers = {"images": _images, "table": _table, "model": _model}
    return {
        name: writers[name](result)
        for name, result in _by_output(value).items()
        if result is not None
    }


def _by_output(value: Any) -> "Mapping[str, Any]":
    if isinstance(value, dict):
        unknown = [str(name)[:80] for name in value if name not in OUTPUTS]
        if unknown:
            raise Refused("UNKNOWN_OUTPUTS", names=unknown, known=list(OUTPUTS))
        return value
    by_output: dict[str, Any] = {}
    for result in value if isinstance(value, (tuple, list)) else (value,):
        if result is None:
            continue
        output = _output_for(result)
        if output in by_output:
            raise Refused("TWO_OF_A_KIND", output=output)
        by_output[output] = result
    return by_output


def _output_for(value: Any) -> str:
    if _is_table(value):
        return "table"
    if isinstance(value, Images):
        return "images"
    if isinstance(value, (ScriptModel, os.PathLike)) or hasattr(value, "state_dict"):
        return "model"
    raise Refused("NO_RESULT_TYPE", type=type(value).__name__)


def _images(value: Any) -> "ScriptOutput":
    if isinstance(value, Images):
        value = value.images
    if not _is_table(value) and not _is_rows(value):
        raise _no_type("images", value)
    return {"rows": write_rows("images", value)}


def _table(value: Any) -> "ScriptOutput":
    if not _is_table(value) and not _is_rows(value):
        raise _no_type("table", value)
    return {"rows": write_rows("table", value)}


def _model(value: Any) -> "ScriptOutput":
    if isinstance(value, ScriptModel):
        return {"is_input": True}
    if isinstance(value, (str, os.PathLike)) and os.path.isfile(value):
        return {"file": os.path.abspath(value)}
    tensors = value.state_dict() if hasattr(value, "state_dict") else value
    if not isinstance(tensors, dict) or not tensors or not _are_tensors(tensors.values()):
        raise _no_type("model", value)
    import torch

    torch.save({str(name): tensor.detach().cpu() for name, tensor in tensors.items()}, "model.pt")
    return {"file": os.path.abspath("model.pt")}


def _are_tensors(values: Any) -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and all(torch.is_tensor(item) for item in values)


def _is_table(value: Any) -> bool:
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(value, pandas.DataFrame)


def _is_rows(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, dict) for item in value)


def _no_type(output: str, value: Any) -> Refused:
    return Refused("NO_OUTPUT_TYPE", output=output, type=type(value).__name__)


def read_rows(path: str) -> Any:
    """Return a table if there is pandas, else a list with one mapping per row."""
    try:
        return read_table(path)
    except ImportError:
        with open(path, encoding="utf-8") as file:
            content = json.load(file)
        return [dict(zip(content["columns"], row)) for row in content["data"]]


def read_table(path: str) -> Any:
    """Return a DataFrame; raise ImportError without pandas."""
    import pandas

    if path.endswith(".parquet"):
        return pandas.read_parquet(path)
    with open(path, encoding="utf-8") as file:
        content = json.load(file)
    # Types are not guessed if they are known: integers next to a missing one would become rounded
    # floats.
    kind = object if content["types"] else None
    rows = pandas.DataFrame(content["data"], columns=content["columns"], dtype=kind)
    return typed(rows, content["types"])


def write_rows(name: str, rows: Any) -> str:
    """Write rows to a file: Parquet if it is supported here, else JSON."""
    if isinstance(rows, list):
        columns = list(dict.fromkeys(str(key) for row in rows for key in row))
        data = [[row.get(column) for column in columns] for row in rows]
        return _write_json(name, {"columns": columns, "data": data, "types": {}})
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        return _write_json(name, as_json(rows))
    path = os.path.abspath(name + ".out.parquet")
    try:
        rows.to_parquet(path, index=False)
    except (ValueError, TypeError, NotImplementedError) as error:
        raise Refused("NO_COLUMN_TYPE", error=" ".join(str(error).split())[:300]) from error
    return path


def _write_json(name: str, content: "StoredRows") -> str:
    path = os.path.abspath(name + ".out.json")
    try:
        with open(path, "w", encoding="utf-8") as file:
            json.dump(content, file)
    except (TypeError, ValueError) as error:
        raise Refused("NO_COLUMN_TYPE", error=str(error)[:300]) from error
    return path


def as_json(rows: Any) -> "StoredRows":
    """Return a DataFrame as columns, data and the types of the columns; numbers are exact."""
    written = rows.to_json(
        orient="split", date_format="iso", date_unit="ns", double_precision=MAX_PRECISION
    )
    data = json.loads(written)["data"]
    for number in range(len(rows.columns)):
        for row, value in zip(data, rows.iloc[:, number].tolist()):
            row[number] = _exact(value, row[number])
    types_of = {str(name): str(kind) for name, kind in zip(rows.columns, rows.dtypes)}
    return {"columns": [*map(str, rows.columns)], "data": data, "types": types_of}


def _exact(value: Any, written: Any) -> Any:
    """Return a number exactly, which pandas rounds or treats as missing, or pandas's text."""
    if isinstance(value, (int, float)) and value == value:  # not equal to itself: a missing value
        return value
    if isinstance(written, list):
        return [_exact(*pair) for pair in zip(value, written)]
    return written


def typed(rows: Any, types_of: "dict[str, str]") -> Any:
    """Return the rows with columns of these types, as far as this pandas supports them.

    Types that would convert missing values are skipped: "None" for a label, for example.
    """
    for name, kind in types_of.items():
        with contextlib.suppress(Exception):  # a type of another pandas, or of a missing package
            column = rows[name].astype(kind)
            if column.isna().equals(rows[name].isna()):
                rows[name] = column
    return rows


def _told_of(error: BaseException) -> "ScriptFailure":
    """Print an exception like Python, without the frames above the script's own."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename != NAME + ".py":
        trace = trace.tb_next
    lines = "".join(traceback.format_exception(type(error), error, trace or error.__traceback__))
    sys.stderr.write(lines)
    said = " ".join("".join(traceback.format_exception_only(type(error), error)).split())
    return {
        "type": type(error).__name__,
        "message": said[:500],
        "name": getattr(error, "name", None) if isinstance(error, ImportError) else None,
        "lines": lines.rstrip().splitlines()[-MAX_LINES:],
    }


def _place(error: BaseException, code: str) -> "dict[str, int]":
    """Return line and columns, from 1, of the innermost line of the script that was running."""
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename == NAME + ".py" and frame.lineno
    ]
    if not frames:
        return {"line": getattr(error, "lineno", None) or 1, "column": 1, "end_column": 1}
    frame: Any = frames[-1]
    line = (code.splitlines() or [""])[frame.lineno - 1]
    begin, end = getattr(frame, "colno", None), getattr(frame, "end_colno", None)
    if begin is None:  # Python before 3.11 provides only the line
        begin, end = len(line) - len(line.lstrip()), len(line.encode())
    elif end is None or frame.end_lineno != frame.lineno:
        end = len(line.encode())
    return {
        "line": frame.lineno,
        "column": _character(line, begin),
        "end_column": _character(line, end),
    }


def _character(line: str, offset: int) -> int:
    """Return the column of a byte of the line; Python counts bytes of UTF-8."""
    return len(line.encode()[:offset].decode(errors="replace")) + 1


if __name__ == "__main__":
    sys.exit(main())
