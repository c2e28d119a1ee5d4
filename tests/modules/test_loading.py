"""Users' modules: files of a workspace and installed packages, each loaded on its own."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import pytest

from modules.catalog import Catalog
from modules.context import Context
from modules.loading import ModuleNotLoadedError, ModuleOrigin, from_folder, load_module
from tests import toy
from tests.modules.user_files import DOUBLE, write
from tests.project.source import ROOT


def user_catalog(folder: Path) -> Catalog:
    return Catalog().adding(*from_folder(folder))


def test_a_file_with_several_modules(tmp_path: Path) -> None:
    path = toy.install(tmp_path)
    catalog = user_catalog(tmp_path)
    assert [each.id for each in catalog.modules] == [each.id for each in toy.CATALOG.modules]
    assert catalog.failures == ()
    constant = catalog.get("constant")
    assert constant is not None
    [output] = constant.run({}, constant.parameters_type(), Context(tmp_path)).values()
    assert (output.path / "number.json").read_text() == "1.0\n"
    origin = catalog.origin("constant")
    assert origin is not None
    assert (origin.kind, origin.location) == ("file", str(path))
    assert len(origin.code_hash or "") == 64
    assert catalog.code_hash("add") == origin.code_hash


def test_annotations_of_outputs_are_resolved_in_the_file(tmp_path: Path) -> None:
    write(tmp_path, "double.py", DOUBLE.format(times=2))
    found = user_catalog(tmp_path).get("double")
    assert found is not None
    assert [port.id for port in found.outputs] == ["left", "right"]


def test_a_changed_file_is_loaded_anew(tmp_path: Path) -> None:
    write(tmp_path, "double.py", DOUBLE.format(times=2))
    first = user_catalog(tmp_path)
    assert user_catalog(tmp_path).get("double") is first.get("double")
    write(tmp_path, "double.py", DOUBLE.format(times=3))
    second = user_catalog(tmp_path)
    found = second.get("double")
    assert found is not None
    assert found.parameters_type().model_dump() == {"times": 3}
    assert first.code_hash("double") != second.code_hash("double")
    loaded = [name for name in sys.modules if name.startswith("_designer_file_")]
    paths = [sys.modules[name].__file__ for name in loaded]
    assert len(set(paths)) == len(paths)


@pytest.mark.parametrize(
    ("text", "line", "says", "cure"),
    [
        ("x = (\n", 1, "SyntaxError: '(' was never closed", "Correct the syntax error."),
        ("import sys\nsys.exit(3)\n", 2, "SystemExit: 3", "Remove the call"),
        ("\nimport no_such_library_x\n", 2, "No module named", "Install the missing package"),
        ("raise ValueError('no')\n", 1, "ValueError: no", "Correct the file"),
        ("def f():\n    f()\nf()\n", 2, "RecursionError", "Correct the file"),
        ("x = 1\n", None, "The file declares no module.", "Decorate a function with @module"),
        (
            "from tests.toy import add\n",
            None,
            "The file declares no module.",
            "Decorate a function",
        ),
        (
            "from modules.declare import module\n"
            "@module(title='T', category='C', summary='S')\n"
            "def f(a):\n    pass\n",
            2,
            "f: argument 'a' has no annotation.",
            "Annotate it with a port type, a Parameters class or Context.",
        ),
        ("x = '\0'\n", None, "null bytes", "Correct"),
    ],
)
def test_a_broken_file_breaks_nothing_else(
    tmp_path: Path, text: str, line: int | None, says: str, cure: str
) -> None:
    path = write(tmp_path, "broken.py", text)
    write(tmp_path, "sound.py", DOUBLE.format(times=1))
    catalog = user_catalog(tmp_path)
    assert [each.id for each in catalog.modules] == ["double"]
    [failure] = catalog.failures
    assert failure.source == str(path)
    assert failure.line == line
    assert says in failure.message
    assert cure in failure.cure
    assert failure.line == line


def test_other_files_of_the_folder_are_left_alone(tmp_path: Path) -> None:
    write(tmp_path, "_private.py", "raise ValueError")
    write(tmp_path, ".hidden.py", "raise ValueError")
    write(tmp_path, "notes.txt", "hello")
    (tmp_path / "folder.py").mkdir()
    [failure] = user_catalog(tmp_path).failures
    assert failure.source.endswith("folder.py")
    assert user_catalog(tmp_path / "gone").failures == ()


def test_the_users_own_interrupt_goes_through(tmp_path: Path) -> None:
    write(tmp_path, "stop.py", "raise KeyboardInterrupt")
    with pytest.raises(KeyboardInterrupt):
        user_catalog(tmp_path)


def test_what_a_file_prints_stays_out_of_standard_output(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, "loud.py", "print('hello')\n")
    user_catalog(tmp_path)
    assert capsys.readouterr().out == ""


def test_a_module_is_loaded_again_in_another_process(tmp_path: Path) -> None:
    toy.install(tmp_path)
    program = (
        "import json, sys\n"
        "from modules.loading import ModuleOrigin, load_module\n"
        "print(load_module(ModuleOrigin(**json.loads(sys.argv[1])), 'add').title)"
    )
    for origin in (user_catalog(tmp_path).origin("add"), toy.CATALOG.origin("add")):
        assert origin is not None
        text = json.dumps(asdict(origin))
        result = subprocess.run(
            [sys.executable, "-c", program, text],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
        assert result.stdout == "Add\n"


def test_a_module_that_changed_or_went_is_not_loaded(tmp_path: Path) -> None:
    path = write(tmp_path, "double.py", DOUBLE.format(times=2))
    origin = user_catalog(tmp_path).origin("double")
    assert origin is not None
    assert load_module(origin, "double").id == "double"
    with pytest.raises(ModuleNotLoadedError, match=r"no longer declares 'triple'"):
        load_module(origin, "triple")
    write(tmp_path, "double.py", DOUBLE.format(times=3))
    with pytest.raises(ModuleNotLoadedError, match=r"changed after the run started"):
        load_module(origin, "double")
    path.unlink()
    with pytest.raises(ModuleNotLoadedError, match=r"FileNotFoundError"):
        load_module(origin, "double")
    with pytest.raises(ModuleNotLoadedError, match=r"no longer declares"):
        load_module(ModuleOrigin("entry_point", "gone:module"), "double")
