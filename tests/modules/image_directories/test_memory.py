"""How much memory a conversion keeps resident, whatever the number of files."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.modules.image_directories.pictures import png_bytes

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc of Linux")

FEW, MANY, EDGE = 100, 2_000, 100
MEASURED = """
import sys
from pathlib import Path
from modules.context import Context
from modules.image_directories.convert_to_image_directory import (
    ConvertParameters,
    convert_to_image_directory,
)
from modules.artifacts import AnyDirectory

folder = Path(sys.argv[1])

def peak():
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) * 1024

def convert(name):
    context = Context(folder / "store" / name, threads=2)
    dataset = AnyDirectory.write(context.new_folder(), folder / name)
    output = convert_to_image_directory(dataset, ConvertParameters(), context)
    print(len(output.output_image_directory.images), peak())

convert("few")
convert("many")
"""


def fill(folder: Path, num: int) -> int:
    """So many different files of two classes in noise; gives the bytes of all of them."""
    content = png_bytes(0, (EDGE, EDGE))
    for number in range(num):
        place = folder / "ab"[number % 2] / f"{number}.png"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content + number.to_bytes(4, "big"))
    return num * len(content)


def test_files_pass_through_a_conversion_and_do_not_stay(tmp_path: Path) -> None:
    fill(tmp_path / "few", FEW)
    num_bytes = fill(tmp_path / "many", MANY)
    arguments = [sys.executable, "-c", MEASURED, str(tmp_path)]
    done = subprocess.run(arguments, capture_output=True, text=True, check=True, timeout=300)
    (few, before), (many, after) = (map(int, line.split()) for line in done.stdout.splitlines())
    assert (few, many) == (FEW, MANY)
    # Some portions are under way at once, and a row of a table is kept of each file.
    assert after - before < num_bytes / 2, "neither files nor pixels are held"
