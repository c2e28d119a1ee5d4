"""Names in archives that would lead to something else on another system."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.other_systems.as_if import environment_of

UNPACKING = """
import sys
from pathlib import Path
from modules.errors import InvalidDatasetError
from modules.files.archives import extract_archive
try:
    print(extract_archive(Path(sys.argv[1]), Path(sys.argv[2])).num_files)
except InvalidDatasetError as error:
    print(error.message)
"""


@pytest.mark.parametrize(
    ("system", "names", "said"),
    [
        ("windows", ("cats/a.png", "cats/a.png:hidden"), "reserved by this operating system"),
        ("windows", ("cats/nul.png",), "reserved by this operating system"),
        ("windows", ("cats. /a.png",), "reserved by this operating system"),
        ("windows", ("Cats/a.png", "cats/b.png"), "not safe"),
        ("macos", ("Cats/a.png", "cats/b.png"), "not safe"),
        ("macos", ("cats/a:b.png", "cats/nul.png"), "2"),
        ("", ("Cats/a.png", "cats/b.png", "cats/nul.png"), "3"),
    ],
)
def test_an_archive_is_unpacked_as_it_is_or_refused(
    system: str, names: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    archive = tmp_path / "images.zip"
    with zipfile.ZipFile(archive, "w") as file:
        for each in names:
            file.writestr(each, b"pixels")
    told = subprocess.check_output(
        [sys.executable, "-c", UNPACKING, str(archive), str(tmp_path / "unpacked")],
        env=environment_of(system),
        text=True,
    )
    assert said in told
