"""Images made on the spot of this machine's own Python, kept by podman for as long as a test."""

from __future__ import annotations

import io
import re
import subprocess
import tarfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import pytest

from modules.operating_system.wall import can_wall
from pipelines.environments.containers import container_programs, describe_containers

PYTHON = Path("/usr/bin/python3")
ONLY_THERE = "etc/only-in-the-image"
LEFT_OUT = re.compile(r"__pycache__|/(config-[^/]*|test|tests|idlelib|tkinter|ensurepip|lib2to3)/")


def program_with_images() -> str:
    """podman or docker; the test is skipped where neither gives images or nothing runs in them."""
    programs = [program.name for program in container_programs() if program.runs]
    if not programs:
        pytest.skip(describe_containers())
    if not can_wall(network=True):
        pytest.skip("bubblewrap does not run here")
    if not PYTHON.exists():
        pytest.skip("this system has no Python to make an image of")
    return programs[0]


@contextmanager
def image_of(archive: bytes, *changes: str) -> Iterator[str]:
    """The reference of an image of this tar archive; ``changes`` as of a Containerfile."""
    reference = f"localhost/designer-test-{uuid4().hex}:1"
    import_image(archive, reference, *changes)
    try:
        yield reference
    finally:
        remove_image(reference)


def import_image(archive: bytes, reference: str, *changes: str) -> None:
    """Have a reference lead to a new image."""
    words = [word for change in changes for word in ("--change", change)]
    command = [program_with_images(), "import", *words, "-", reference]
    subprocess.run(command, input=archive, check=True, capture_output=True)


def remove_image(reference: str) -> None:
    """Take an image away."""
    command = [program_with_images(), "rmi", "--force", reference]
    subprocess.run(command, capture_output=True, check=False)


def python_archive() -> bytes:
    """The system's Python with its library and all that it loads, and a file of its own."""
    files = [PYTHON.resolve(), *_library()]
    archive = tar_of({ONLY_THERE: b"here\n"})
    with tarfile.open(fileobj=(content := io.BytesIO(archive)), mode="a", dereference=True) as tar:
        for path in dict.fromkeys([*files, *_loaded(files)]):
            tar.add(path, str(path).lstrip("/"), recursive=False)
        link = tarfile.TarInfo("usr/bin/python3")
        link.type, link.linkname = tarfile.SYMTYPE, str(PYTHON.resolve())
        tar.addfile(link)
    return content.getvalue()


def tar_of(files: Mapping[str, bytes], *others: tarfile.TarInfo) -> bytes:
    """A tar archive of these files, and of entries without content."""
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w") as tar:
        for name, text in files.items():
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = len(text), 0o755
            tar.addfile(entry, io.BytesIO(text))
        for other in others:
            tar.addfile(other)
    return content.getvalue()


def _library() -> list[Path]:
    asked = "import sysconfig; print(sysconfig.get_path('stdlib'))"
    command = [str(PYTHON), "-I", "-c", asked]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    paths = sorted(Path(done.stdout.strip()).rglob("*"))
    return [path for path in paths if path.is_file() and not LEFT_OUT.search(str(path))]


def _loaded(files: Iterable[Path]) -> list[Path]:
    """The shared libraries that programs and modules need, by the names that they load."""
    binaries = [file for file in files if file == PYTHON.resolve() or file.suffix == ".so"]
    done = subprocess.run(["ldd", *map(str, binaries)], capture_output=True, text=True, check=False)
    matches = re.findall(r"(?:=>|^\s)\s*(/\S+) \(0x", done.stdout, re.MULTILINE)
    return [Path(fromkey) for fromkey in dict.fromkeys(matches)]
