"""``from modules import ...``: all that an author needs, loaded when it is asked for."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import modules
import modules.ports
from modules import artifacts, errors, parameters
from modules.loading import from_folder
from tests.modules.user_files import OLD_IMPORTS

ROOT = Path(__file__).resolve().parents[2]
HEAVY = ("torch", "pandas", "numpy", "PIL", "pydantic", "networkx")


@pytest.mark.parametrize("name", modules.__all__)
def test_exported_members(name: str) -> None:
    value = getattr(modules, name)
    home = sys.modules[value.__module__]
    assert getattr(home, name) is value


def test_every_error_and_every_port_type_is_exported() -> None:
    declared = {each.__name__ for each in errors.all_error_types()}
    declared |= {
        name
        for home in (artifacts, parameters)
        for name, value in vars(home).items()
        if isinstance(value, type) and value.__module__ == home.__name__
    }
    assert declared - set(modules.__all__) == {"AttachedTransformation"}


def test_what_is_not_there_is_said() -> None:
    with pytest.raises(AttributeError, match="'modules' has no attribute 'Slab'"):
        _ = modules.Slab


def test_the_package_alone_loads_no_library() -> None:
    code = f"import modules, sys; print(*sorted(set({HEAVY!r}) & set(sys.modules)))"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == ""


def test_the_example_of_the_guide_is_a_module(tmp_path: Path) -> None:
    guide = (ROOT / "docs/how-to/own-modules.md").read_text(encoding="utf-8")
    [example] = re.findall(r"```python\n(from modules import .*?)```", guide, re.DOTALL)
    (tmp_path / "first_images.py").write_text(example, encoding="utf-8")
    [found], failures = from_folder(tmp_path)
    assert failures == []
    assert found.module.title == "First Images"


def test_a_file_with_imports_of_earlier_versions_loads_and_is_told_the_new_ones(
    tmp_path: Path,
) -> None:
    (tmp_path / "same.py").write_text(OLD_IMPORTS, encoding="utf-8")
    with pytest.warns(DeprecationWarning, match="from modules import") as told:
        [found], failures = from_folder(tmp_path)
    assert failures == []
    assert found.module.inputs[0].type is artifacts.ImageDirectory
    assert all(each.filename == str(tmp_path / "same.py") for each in told)
    said = " ".join(str(each.message) for each in told)
    assert "write `from modules import ImageDirectory`" in said
    assert "from modules import ArtifactForecast" in said


def test_the_old_name_has_what_it_had_and_no_more() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Port'"):
        _ = modules.ports.Port
