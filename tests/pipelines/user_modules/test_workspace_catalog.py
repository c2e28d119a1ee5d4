"""The catalog of a workspace: users' files and installed packages, read by other processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from modules.catalog import builtin_catalog
from modules.catalog_spec import catalog_spec, module_spec
from modules.context import Context
from pipelines.user_modules.workspace_catalog import CatalogSource, load_catalog
from pipelines.workspace import Workspace
from tests import toy
from tests.json_values import as_json
from tests.modules.user_files import DOUBLE, OLD_IMPORTS, write
from tests.project.source import ROOT

TRACED = """
import pathlib
pathlib.Path({trace!r}).open("a").write("read ")
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace.at(tmp_path / "workspace")


def write_double(workspace: Workspace, times: int = 2, more: str = "") -> Path:
    workspace.modules_dir.mkdir(parents=True, exist_ok=True)
    return write(workspace.modules_dir, "double.py", DOUBLE.format(times=times) + more)


def test_what_is_listed_is_what_the_file_declares(workspace: Workspace) -> None:
    path = toy.install(workspace.modules_dir)
    catalog = load_catalog(workspace)
    listed = {item["id"]: item for item in as_json(catalog_spec(catalog))["modules"]}
    for module in toy.MODULES:
        assert listed[module.id] == as_json(module_spec(module, "file"))
    types = {item["name"]: item for item in as_json(catalog_spec(catalog))["port_types"]}
    assert types["WholeNumber"]["supertypes"] == ["Number", "Artifact"]
    origin = catalog.origin("add")
    assert origin is not None
    assert (origin.location, len(origin.code_hash or "")) == (str(path), 64)


def test_a_file_with_imports_of_earlier_versions_is_listed(workspace: Workspace) -> None:
    workspace.modules_dir.mkdir(parents=True)
    write(workspace.modules_dir, "same.py", OLD_IMPORTS)
    catalog = load_catalog(workspace)
    assert catalog.get("same") is not None
    assert catalog.failures == ()


def test_its_code_is_not_here(workspace: Workspace) -> None:
    write_double(workspace)
    before = set(sys.modules)
    entry = load_catalog(workspace).get("double")
    assert entry is not None
    assert not [name for name in set(sys.modules) - before if name.startswith("_designer_file_")]
    with pytest.raises(TypeError, match="can only run in a module host"):
        entry.run({}, entry.parameters_type(), Context(workspace.root))


def test_a_file_is_read_again_only_when_it_has_changed(workspace: Workspace) -> None:
    trace = workspace.root / "trace"
    more = TRACED.format(trace=str(trace))
    path = write_double(workspace, 2, more)
    for _ in range(3):
        assert load_catalog(workspace).get("double") is not None
    assert trace.read_text() == "read "
    write_double(workspace, 3, more)
    entry = load_catalog(workspace).get("double")
    assert entry is not None
    assert entry.parameters_type().model_dump() == {"times": 3}
    os.utime(path, (1, 1))  # what else it depends on may have changed: touch reads it again
    load_catalog(workspace)
    assert trace.read_text() == "read read read "


def test_a_type_is_the_same_whenever_it_is_listed(workspace: Workspace) -> None:
    toy.install(workspace.modules_dir)
    source = CatalogSource(workspace)
    first = source.load().port_types["Number"]
    write_double(workspace)
    assert source.load().port_types["Number"] is first
    assert issubclass(source.load().port_types["WholeNumber"], first)


@pytest.mark.parametrize("content", ["", "{", "[]", '{"stamp": 1}', '{"described": {"a": 1}}'])
def test_a_damaged_memory_of_files_counts_as_none(workspace: Workspace, content: str) -> None:
    write_double(workspace)
    load_catalog(workspace)
    memory = workspace.cache_dir / "modules.json"
    stamp = json.loads(memory.read_text())["stamp"]
    memory.write_text(content.replace("1", json.dumps(stamp), 1))
    assert load_catalog(workspace).get("double") is not None


def test_a_description_that_is_none_is_asked_for_again(workspace: Workspace) -> None:
    write_double(workspace)
    load_catalog(workspace)
    memory = workspace.cache_dir / "modules.json"
    memory.write_text(memory.read_text().replace('"colour"', '"color"'))
    [failure] = load_catalog(workspace).failures
    assert "cannot be read" in failure.message
    assert load_catalog(workspace).get("double") is not None


def test_a_file_that_takes_a_built_in_id_is_a_failure(workspace: Workspace) -> None:
    path = write_double(workspace)
    path.write_text(path.read_text().replace("def double", "def densenet"))
    catalog = load_catalog(workspace)
    assert catalog.get("densenet") is builtin_catalog().get("densenet")
    [failure] = catalog.failures
    assert "'densenet' is already used by" in failure.message


def test_installed_packages_announce_modules(tmp_path: Path) -> None:
    write(tmp_path, "pebbles.py", DOUBLE.format(times=2) + "\nMODULES = [double]\n")
    info = tmp_path / "pebbles-1.2.dist-info"
    write(info, "METADATA", "Metadata-Version: 2.1\nName: pebbles\nVersion: 1.2\n")
    write(
        info,
        "entry_points.txt",
        "[pipeline_designer.modules]\nall = pebbles:MODULES\nbroken = no_such_package_x\n"
        "wrong = pebbles:DoubleParameters\n",
    )
    program = (
        "import sys\n"
        "from modules.catalog import load_module\n"
        "from modules.catalog_spec import catalog_spec\n"
        "from pipelines.user_modules.workspace_catalog import load_catalog\n"
        "from pipelines.workspace import Workspace\n"
        "for _ in range(2):\n"
        "    catalog = load_catalog(Workspace.at(sys.argv[1]))\n"
        "origin = catalog.origin('double')\n"
        "print('pebbles' in sys.modules)\n"
        "print(origin.kind, origin.location, len(origin.code_hash))\n"
        "print(load_module(origin, 'double').title)\n"
        "print(*sorted(failure.source for failure in catalog.failures))"
    )
    result = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "workspace")],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.stdout.splitlines() == [
        "False",
        "entry_point pebbles:MODULES 64",
        "Double",
        "no_such_package_x pebbles:DoubleParameters",
    ], result.stderr


def test_the_json_of_the_whole_catalog() -> None:
    listed = as_json(catalog_spec(load_catalog(None)))
    assert json.loads(json.dumps(listed)) == listed
    assert listed["format"] == "pipeline-designer-modules/1"
    assert len(listed["modules"]) == len(builtin_catalog().modules)
    assert {"AnyDirectory", "ImageDirectory", "TrainedModel"} <= {
        item["name"] for item in listed["port_types"]
    }


def test_listing_the_catalog_loads_pydantic_and_nothing_heavier(workspace: Workspace) -> None:
    write_double(workspace)
    program = (
        "import json, pathlib, sys\n"
        "before = set(sys.modules)\n"
        "from modules.catalog_spec import catalog_spec\n"
        "from pipelines.user_modules.workspace_catalog import load_catalog\n"
        "from pipelines.workspace import Workspace\n"
        "catalog_spec(load_catalog(Workspace.at(sys.argv[1]))).model_dump_json()\n"
        "print(*{name.partition('.')[0] for name in set(sys.modules) - before})"
    )
    command = [sys.executable, "-c", program, str(workspace.root)]
    ran = subprocess.run(command, check=True, capture_output=True, text=True)
    installed = set(ran.stdout.split()) & set(packages_distributions())
    assert installed <= {
        "annotated_types",
        "modules",
        "pipelines",
        "pydantic",
        "pydantic_core",
        "typing_extensions",
        "typing_inspection",
    }
