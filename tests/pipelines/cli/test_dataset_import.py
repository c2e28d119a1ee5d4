"""``designer dataset import``: the names that datasets get by default."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path

from pipelines.runs.run_service import RunService
from tests.modules.image_directories.pictures import png_bytes
from tests.pipelines.cli.commands import designer


def _imported(runs: RunService, *arguments: str | Path) -> str:
    """The source that Import Images is to read."""
    done = designer(runs, "dataset", "import", *arguments, "--json")
    assert done.exit_code == 0, done.stderr
    return str(json.loads(done.stdout)["source"])


def _archive(path: Path, seed: int) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("cat/1.png", png_bytes(seed))
    return path


def test_each_file_is_a_dataset_of_its_own_name(runs: RunService, tmp_path: Path) -> None:
    names = {"my.data.v2.zip": "my.data.v2", "my.other.zip": "my.other", "データ.zip": "データ"}
    for seed, (file, name) in enumerate(names.items()):
        assert _imported(runs, _archive(tmp_path / file, seed)) == f"dataset:{name}@1"


def test_a_twin_gets_a_new_name_and_a_named_one_a_version(runs: RunService, tmp_path: Path) -> None:
    first = _archive(tmp_path / "my.zip", 1)
    assert _imported(runs, first) == "dataset:my@1"
    (tmp_path / "other").mkdir()
    twin = Path(shutil.copy(first, tmp_path / "other"))
    done = designer(runs, "dataset", "import", twin)
    assert done.exit_code == 0
    assert "dataset:my-2@1" in done.stdout
    assert "named my already exists" in done.stderr
    assert _imported(runs, twin, "--name", "my") == "dataset:my@2"
