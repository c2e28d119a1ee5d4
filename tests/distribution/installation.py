"""The wheel and the sdist of this checkout, and an environment that has the wheel installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from dataclasses import dataclass
from pathlib import Path

from tests.project.source import ROOT

BIN = Path(sys.executable).parent
OF_AN_OUTER_MAKE = {"MAKEFLAGS", "MAKELEVEL", "MFLAGS", "MAKEOVERRIDES", "GNUMAKEFLAGS", "ARGS"}
OF_THE_CHECKOUT = frozenset({"PYTHONPATH", "VIRTUAL_ENV", "DESIGNER_WORKSPACE"})
COMMAND_TIMEOUT_SECONDS = 3000


def tracked_files(*folders: str) -> list[str]:
    """Return the files that git tracks, relative to the checkout."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--", *folders], cwd=ROOT, capture_output=True, text=True
    )
    assert listed.returncode == 0, listed.stderr
    return [name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


@dataclass(frozen=True)
class Distribution:
    """A built wheel and the sdist that it was built from."""

    wheel: Path
    sdist: Path


def build(folder: Path) -> Distribution:
    """Run ``make dist`` on a copy of the tracked files: a build leaves folders in its checkout."""
    for name in tracked_files():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, target)
    return make_dist(folder)


def make_dist(checkout: Path) -> Distribution:
    """Run the recipe of ``make dist``, with the tools of the environment that runs the tests."""
    variables = {
        name: text
        for name, text in os.environ.items()
        if name not in OF_AN_OUTER_MAKE | OF_THE_CHECKOUT
    }
    _run(["make", "-o", ".venv/.installed", f"BIN={BIN}", "dist"], checkout, variables)
    [wheel], [sdist] = checkout.glob("dist/*.whl"), checkout.glob("dist/*.tar.gz")
    return Distribution(wheel, sdist)


class Installation:
    """A fresh environment with the wheel, whose commands run in an empty folder.

    The dependencies come from the environment that runs the tests, by a ``.pth`` file. Python
    does not read the ``.pth`` files of a folder that is added by one, so the editable install of
    the checkout stays out.
    """

    def __init__(self, wheel: Path, folder: Path) -> None:
        self.prefix = folder / "environment"
        self.folder = folder / "empty"
        self.folder.mkdir(parents=True)
        venv.create(self.prefix, with_pip=False, symlinks=True)
        self.bin = self.prefix / "bin"
        options = ["--quiet", "--offline", "--no-cache", "--no-index", "--no-deps"]
        command = [BIN / "uv", "pip", "install", *options, "--python", self.bin / "python", wheel]
        _run([str(word) for word in command], self.folder, self.variables)
        paths = {"base": str(self.prefix), "platbase": str(self.prefix)}
        site_packages = Path(sysconfig.get_path("purelib", "venv", vars=paths))
        own = "\n".join(dict.fromkeys(map(sysconfig.get_path, ("purelib", "platlib"))))
        (site_packages / "dependencies.pth").write_text(f"{own}\n", encoding="utf-8")

    @property
    def variables(self) -> dict[str, str]:
        """The environment variables of a user who knows of no checkout."""
        kept = {name: text for name, text in os.environ.items() if name not in OF_THE_CHECKOUT}
        return {**kept, "PATH": f"{self.bin}{os.pathsep}{os.environ['PATH']}"}

    def run(self, *command: str) -> str:
        """Return the output of a command that must succeed."""
        return _run([str(self.bin / command[0]), *command[1:]], self.folder, self.variables)

    def start(self, *command: str, log: Path) -> subprocess.Popen[bytes]:
        """Start a command and write all its output to ``log``."""
        with log.open("wb") as output:
            return subprocess.Popen(
                [str(self.bin / command[0]), *command[1:]],
                cwd=self.folder,
                env=self.variables,
                stdout=output,
                stderr=subprocess.STDOUT,
            )


def _run(command: list[str], folder: Path, variables: dict[str, str]) -> str:
    done = subprocess.run(
        command,
        cwd=folder,
        env=variables,
        capture_output=True,
        text=True,
        timeout=COMMAND_TIMEOUT_SECONDS,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout
