"""Tiny wheels in a folder that uv is told of as its user would: by ``UV_FIND_LINKS``."""

from __future__ import annotations

import base64
import hashlib
import io
import tarfile
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest


def record_line(name: str, content: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
    return f"{name},sha256={digest},{len(content)}\n"


def make_wheel(
    folder: Path,
    name: str,
    version: str = "1.0",
    *,
    requires: Sequence[str] = (),
    files: Mapping[str, str] | None = None,
    scripts: Sequence[str] = (),
    tag: str = "py3-none-any",
) -> Path:
    """A wheel with one module of its name, unless it is given other files."""
    info = f"{name}-{version}.dist-info"
    needed = "".join(f"Requires-Dist: {require}\n" for require in requires)
    commands = "".join(f"{script}\n" for script in scripts)
    content = {
        **(files or {f"{name}.py": f"version = {version!r}\n"}),
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{needed}",
        f"{info}/WHEEL": f"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: {tag}\n",
        **({f"{info}/entry_points.txt": f"[console_scripts]\n{commands}"} if scripts else {}),
    }
    record = "".join(record_line(path, text.encode()) for path, text in content.items())
    wheel = folder / f"{name}-{version}-{tag}.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for path, text in {**content, f"{info}/RECORD": f"{record}{info}/RECORD,,\n"}.items():
            archive.writestr(zipfile.ZipInfo(path, (2026, 1, 1, 0, 0, 0)), text)
    return wheel


BACKEND = """
import hashlib, base64, zipfile
def build_wheel(folder, settings=None, metadata=None):
    wheel = NAME + "-1.0-py3-none-any.whl"
    info = NAME + "-1.0.dist-info/"
    content = {
        NAME + ".py": "version = 'built'",
        info + "METADATA": "Metadata-Version: 2.1\\nName: " + NAME + "\\nVersion: 1.0\\n",
        info + "WHEEL": "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n",
    }
    with zipfile.ZipFile(folder + "/" + wheel, "w") as archive:
        for path, text in content.items():
            archive.writestr(path, text)
        archive.writestr(info + "RECORD", "".join(path + ",,\\n" for path in content))
    return wheel
"""


def make_source(folder: Path, name: str) -> Path:
    """A package that has no wheel: a little program makes one."""
    project = (
        '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'
        f'[project]\nname = "{name}"\nversion = "1.0"\n'
    )
    content = {
        "pyproject.toml": project,
        "backend.py": f"NAME = {name!r}\n{BACKEND}",
        "PKG-INFO": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n",
    }
    archive = folder / f"{name}-1.0.tar.gz"
    with tarfile.open(archive, "w:gz") as tar:
        for path, text in content.items():
            entry = tarfile.TarInfo(f"{name}-1.0/{path}")
            entry.size = len(text.encode())
            tar.addfile(entry, io.BytesIO(text.encode()))
    return archive


def offer_wheels(folder: Path, patch: pytest.MonkeyPatch) -> Path:
    """The folder with some tiny wheels in it, as all that uv can install from."""
    folder.mkdir()
    make_wheel(folder, "tiny", "1.0")
    make_wheel(folder, "tiny", "2.0")
    make_wheel(folder, "needy", requires=["tiny>=2"], scripts=["needy = needy:main"])
    make_wheel(folder, "old", requires=["tiny<2"])
    patch.setenv("UV_FIND_LINKS", str(folder))
    patch.setenv("UV_NO_INDEX", "1")
    return folder
