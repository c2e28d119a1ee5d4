"""Images of podman or docker: detection of a working program, and the files of an image.

Both respond on machines where they cannot work, so an image with one file is created as a test.
Containers are never run: only the files of an image are used.
"""

from __future__ import annotations

import errno
import io
import json
import os
import re
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from uuid import uuid4

from modules.errors import EnvironmentNotMadeError
from modules.files.json_files import JsonObject
from modules.sentences.sentence import Facts
from pipelines.errors import RefusedError
from pipelines.sentences import environments as say

PROGRAMS = ("podman", "docker")
TRIAL_TIMEOUT_SECONDS = 20
INSPECT_TIMEOUT_SECONDS = 120
EXPORT_TIMEOUT_SECONDS = 3600
REFERENCE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/@-]{0,254}")
"""Neither an option of a program nor special to a shell."""
PROBE_FILE = "probe"


@dataclass(frozen=True)
class ContainerProgram:
    """Detected podman or docker; ``why`` it cannot provide images is empty if it can."""

    name: str
    why: str = ""

    @property
    def runs(self) -> bool:
        """Return whether it imported and exported the test image."""
        return not self.why

    def __str__(self) -> str:
        return f"{self.name} works" if self.runs else f"{self.name} does not work: {self.why}"


@dataclass(frozen=True)
class Image:
    """Image on this machine."""

    reference: str
    id: str
    """Hash of its content, without the name of the algorithm."""
    program: str
    variables: dict[str, str] = field(default_factory=dict)
    """Its environment variables."""


@cache
def container_programs() -> tuple[ContainerProgram, ...]:
    """Return the installed programs, each tested once in this process."""
    return tuple(ContainerProgram(name, _why_none(name)) for name in PROGRAMS if shutil.which(name))


def describe_containers() -> str:
    """Describe which program provides images, which does not, or that none is installed."""
    return "; ".join(map(str, container_programs())) or "podman and docker are not installed"


def find_image(reference: str) -> Image:
    """Return the image of a reference or id; none is pulled.

    Raises ``RefusedError`` for an invalid reference, ``EnvironmentNotMadeError`` if no program has
    images, or not this one.
    """
    if REFERENCE.fullmatch(reference) is None:
        raise RefusedError(say.NO_REFERENCE, text=reference[:80])
    programs = [program.name for program in container_programs() if program.runs]
    facts: Facts = {"image": reference, "parameter": "environment"}
    if not programs:
        description = describe_containers()
        container_programs.cache_clear()  # programs installed meanwhile count
        raise EnvironmentNotMadeError(say.NO_CONTAINERS, found=description, **facts)
    for program in programs:
        image = _inspected(program, reference)
        if image is not None:
            return image
    raise EnvironmentNotMadeError(say.NO_SUCH_IMAGE, program=programs[0], **facts)


def present_id(reference: str) -> str | None:
    """Return the id of an image without testing programs; None if it is unknown."""
    installed = (program for program in PROGRAMS if shutil.which(program))
    images = (_inspected(program, reference) for program in installed)
    return next((image.id for image in images if image is not None), None)


def _inspected(program: str, reference: str) -> Image | None:
    try:
        done = _run([program, "image", "inspect", reference], seconds=INSPECT_TIMEOUT_SECONDS)
        content: JsonObject = json.loads(done.stdout)[0] if not done.returncode else {}
    except (OSError, subprocess.SubprocessError, ValueError, LookupError):
        return None
    if not content:
        return None
    lines = (content.get("Config") or {}).get("Env") or []
    variables = dict(line.split("=", 1) for line in lines if "=" in line)
    return Image(reference, str(content["Id"]).removeprefix("sha256:"), program, variables)


def export_files(
    image: Image, container: str, archive: Path, seconds: float = EXPORT_TIMEOUT_SECONDS
) -> None:
    """Write its files as a tar archive, through a container of that name that is never run.

    To a file: podman waits forever, holding its locks, when its reader stops. Raises
    ``EnvironmentNotMadeError`` if it fails, ``OSError`` if the disk is full.
    """
    program = image.program
    _remove(program, container)  # an interrupted export left it
    try:
        for words in (
            ["create", "--name", container, image.id, "-"],
            ["export", "--output", str(archive), container],
        ):
            done = _run([program, *words], seconds=seconds)
            if b"no space left" in done.stderr.lower():
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(archive))
            if done.returncode:
                raise _not_exported(image, done.stderr)
    except subprocess.TimeoutExpired:
        raise _not_exported(image, f"timeout after {seconds} seconds".encode()) from None
    finally:
        _remove(program, container)


def _not_exported(image: Image, output: bytes) -> EnvironmentNotMadeError:
    reported = _last_line(output) or f"no message from {image.program}"
    return EnvironmentNotMadeError(
        say.IMAGE_NOT_EXPORTED, image=image.reference, reported=reported, parameter="environment"
    )


def _remove(program: str, container: str) -> None:
    with suppress(OSError, subprocess.SubprocessError):
        _run([program, "rm", "--force", container], seconds=INSPECT_TIMEOUT_SECONDS)


def _why_none(program: str) -> str:
    """Import and export the test image; return an empty text if both succeed."""
    try:
        imported = _run([program, "import", "-"], _tiny_image())
        if imported.returncode:
            return _last_line(imported.stderr) or f"exit status {imported.returncode}"
        image = Image(
            PROBE_FILE, imported.stdout.decode().split()[-1].removeprefix("sha256:"), program
        )
        try:
            return _why_not_exported(image)
        finally:
            with suppress(OSError, subprocess.SubprocessError):
                _run([program, "rmi", "--force", image.id])
    except subprocess.TimeoutExpired:
        return f"timeout after {TRIAL_TIMEOUT_SECONDS} seconds"
    except (OSError, IndexError) as error:
        return f"cannot be started ({error})"


def _why_not_exported(image: Image) -> str:
    try:
        with tempfile.TemporaryDirectory() as folder:
            archive = Path(folder, "image.tar")
            export_files(image, f"designer-{uuid4().hex}", archive, TRIAL_TIMEOUT_SECONDS)
            with tarfile.open(archive) as content:
                names = {name.removeprefix("./") for name in content.getnames()}
    except EnvironmentNotMadeError as error:
        return str(error.facts.get("reported", error))
    except tarfile.TarError as error:
        return str(error)
    return "" if PROBE_FILE in names else "it exports other files than it imports"


def _run(
    command: Sequence[str], stdin: bytes = b"", *, seconds: float | None = None
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        command,
        input=stdin,
        capture_output=True,
        timeout=seconds or TRIAL_TIMEOUT_SECONDS,
        check=False,
    )


def _last_line(output: bytes) -> str:
    """Return the last line of its output: the first ones are about images and signatures."""
    lines = output.decode(errors="replace").strip().splitlines()
    return lines[-1].removeprefix("Error: ")[:200].rstrip(".") if lines else ""


def _tiny_image() -> bytes:
    """Return a tar archive with one file in the form that ``import`` accepts."""
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        tar.addfile(tarfile.TarInfo(PROBE_FILE))
    return archive.getvalue()
