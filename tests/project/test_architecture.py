"""The rules of the house that a machine can check: who imports what, names, sizes, addresses."""

from __future__ import annotations

import re
import statistics
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from tests.project import source
from tests.project.source import ROOT

HEAVY = frozenset({"torch", "torchvision", "pandas", "pyarrow", "sklearn", "scipy", "PIL"})
"""Libraries that cost tenths of a second to import: a palette or a command must not wait."""

ONE_PLACE = {
    "networkx": ("pipelines/document/checks/graph.py",),
    "streamlit": ("designer_app/",),
    "starlette": ("designer_app/",),
    "sqlalchemy": ("pipelines/store/database",),
    "alembic": ("pipelines/store/database",),
    "typer": ("pipelines/cli", "designer_app/command.py", "designer_app/serve_command.py"),
    "uvicorn": ("designer_app/",),
    "ray": ("pipelines/targets/",),
    "kubernetes": ("pipelines/targets/kubernetes/api.py",),
}
"""An outside library, and the one place of the product that may know it."""

MAX_LINES = 600
"""Above 400 lines, look for a second idea that deserves its own file."""
MAX_ROOMS, MAX_LEVELS = 20, 11
MAX_MEDIAN_LINES = 250
VAGUE_NAME = re.compile(r"(^|_)(utils?|common|helpers?|base|managers?|misc)$")
NAMED_BY_DESIGN = {Path("pipelines/targets/base.py")}
SAME_NAME = {"Node", "Run", "RunOutput", "Workspace"}
"""The Python API, and the script's side of Azure ML, name their classes by what they stand for."""
TEST_IMPORT = re.compile(r"(?m)^ *(from|import) (tests|(?=\.))[\w.]*(\.| import \(?\s*)test_")
MACHINE_PATH = re.compile(r"(?<![\w.:])/(work|farm|root)/")
REGISTRY_ADDRESS = re.compile(
    r"(pypi|pythonhosted|npmjs)\.(org|com)|(index|registry)[-_ ]?(url)? *[=:] *\"?http"
    r"|\"resolved\": *\"http"
)


def test_pipelines_has_few_rooms_on_few_levels() -> None:
    """A room is a package; its levels are those of the contract, which names every one of them."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    [layers] = [each["layers"] for each in contracts if each["name"] == "pipelines"]
    rooms = {path.parts[1] for path in source.python_files("pipelines") if len(path.parts) > 2}
    assert len(rooms) <= MAX_ROOMS
    assert len(layers) <= MAX_LEVELS


def test_heavy_libraries_are_imported_inside_functions() -> None:
    found = {
        str(path): heavy
        for path in source.python_files("modules", "pipelines")
        if (heavy := source.libraries_imported_at_once(path) & HEAVY)
    }
    assert found == {}, "Move these imports into the functions that use them."


def test_users_code_is_loaded_by_the_processes_that_are_there_for_it() -> None:
    loads = re.compile(r"\b(load_module|from_file|from_folder)\(|import .*\bload\b")
    found = {
        str(path)
        for path in source.python_files("pipelines", "designer_app")
        if loads.search((ROOT / path).read_text(encoding="utf-8"))
    }
    assert found == {"pipelines/workers/step_host.py", "pipelines/user_modules/answers.py"}, (
        "Ask pipelines.user_modules.client."
    )


@pytest.mark.parametrize("package", ["modules", "pipelines"])
def test_importing_every_file_loads_no_heavy_library(package: str) -> None:
    names = [
        ".".join(path.with_suffix("").parts).removesuffix(".__init__")
        for path in source.python_files(package)
        if not {"versions", "env.py", "ray_driver.py"} & set(path.parts)  # run by alembic and Ray
    ]
    program = (
        "import importlib, sys\n"
        f"for name in {names!r}: importlib.import_module(name)\n"
        f"print(*sorted({set(HEAVY)!r} & set(sys.modules)))"
    )
    result = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout.split() == []


@pytest.mark.parametrize("library", sorted(ONE_PLACE))
def test_an_outside_library_has_one_place(library: str) -> None:
    strays = [
        str(path)
        for path in source.python_files("designer_app", "modules", "pipelines")
        if library in source.imported_libraries(path)
        and not str(path).startswith(ONE_PLACE[library])
    ]
    assert strays == []


def test_nothing_is_imported_from_a_test_file() -> None:
    found = [
        str(path)
        for path in source.python_files("tests", "benchmarks")
        if TEST_IMPORT.search((ROOT / path).read_text(encoding="utf-8"))
    ]
    assert found == [], "Move these helpers into a conftest.py or a module that holds no tests."


def test_files_are_short() -> None:
    lines = {
        str(path): len((ROOT / path).read_text(encoding="utf-8").splitlines())
        for path in source.text_files()
        if path.suffix in {".py", ".ts", ".tsx", ".css"} and ".gen" not in path.suffixes
    }
    too_long = {path: count for path, count in lines.items() if count > MAX_LINES}
    assert too_long == {}, "Move the second idea of each file into its own file."
    written = [count for count in lines.values() if count]
    assert statistics.median(written) < MAX_MEDIAN_LINES


def test_file_names_say_what_is_inside() -> None:
    vague = {
        path
        for path in source.text_files()
        if path.suffix in {".py", ".ts", ".tsx"} and VAGUE_NAME.search(path.stem)
    }
    assert vague <= NAMED_BY_DESIGN


def test_no_two_public_classes_have_the_same_name() -> None:
    files = source.python_files(*source.PRODUCT)
    names = Counter(name for path in files for name in source.public_classes(path))
    assert {name for name, count in names.items() if count > 1} == SAME_NAME


@pytest.mark.parametrize("pattern", [MACHINE_PATH, REGISTRY_ADDRESS], ids=["machine", "registry"])
def test_no_file_names_a_machine_or_a_registry(pattern: re.Pattern[str]) -> None:
    found = [
        f"{path}:{number}: {line.strip()[:100]}"
        for path in source.text_files()
        for number, line in enumerate((ROOT / path).read_text("utf-8").splitlines(), start=1)
        if pattern.search(line)
    ]
    assert found == []


def test_the_scan_sees_what_it_should() -> None:
    files = set(source.text_files())
    expected = {"Makefile", "pyproject.toml", "modules/errors.py", ".ci/run", "tests/conftest.py"}
    assert {Path(name) for name in expected} <= files
    assert MACHINE_PATH.search("open('/" + "work/x')")
    assert REGISTRY_ADDRESS.search("--index-" + "url=https://example.org/simple")
    for imported in ("tests.a.test_b import c", "tests.a import test_b", ".test_b import c"):
        assert TEST_IMPORT.search(f"    from {imported}")
    assert "subprocess" in source.libraries_imported_at_once(Path("tests/project/test_setup.py"))
