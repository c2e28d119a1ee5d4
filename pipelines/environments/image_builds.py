"""Environments from images: their files, exported once, and the Python in them."""

from __future__ import annotations

import hashlib
import json
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from modules.context import ContainerImage
from modules.errors import EnvironmentNotMadeError
from modules.operating_system.wall import can_wall, wall_of_image
from modules.sentences import scripts as scripts_say
from pipelines.environments.containers import Image, export_files, find_image, present_id
from pipelines.environments.definition import EnvironmentRecord
from pipelines.environments.image_tree import TREE, unpack_image
from pipelines.environments.lock_lines import locked_image
from pipelines.environments.uv_command import Report
from pipelines.sentences import environments as say

PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
"""Search path of an image that sets none."""
PROBE = (
    "import json, platform, sys;"
    "print(json.dumps([sys.executable, platform.python_version(), sys.version_info[0]]))"
)
PROBE_TIMEOUT_SECONDS = 60
SHORT = 12
ARCHIVE = "image.tar"


@dataclass(frozen=True)
class BuiltImage:
    """Facts of an image whose files were exported, whether it still exists or not."""

    python: str
    """Path of its Python inside."""
    version: str
    variables: Mapping[str, str]

    def files(self, folder: Path) -> ContainerImage:
        """Return its files in the folder of its environment."""
        return ContainerImage(folder / TREE, self.variables)


def build_image(record: EnvironmentRecord, staging: Path, report: Report) -> BuiltImage:
    """Export the files of the locked image. Raises ``EnvironmentNotMadeError``."""
    if not can_wall(network=True):
        raise EnvironmentNotMadeError(scripts_say.NO_WALL_FOR_IMAGE, parameter="environment")
    image = _locked(record)
    facts = {"image": record.image, "id": image.id[:SHORT], "environment": record.reference}
    report(say.TAKING_IMAGE.about(facts).message)
    name = hashlib.sha256(str(staging.absolute()).encode()).hexdigest()[:24]
    staging.mkdir()
    export_files(image, f"designer-{name}", staging / ARCHIVE)
    with (staging / ARCHIVE).open("rb") as archive:
        unpack_image(image, archive, staging)
    (staging / ARCHIVE).unlink()
    variables = {"PATH": PATH, **image.variables}
    return _with_python(image, ContainerImage(staging / TREE, variables))


def _locked(record: EnvironmentRecord) -> Image:
    """Return the image by its id, wherever the reference leads now."""
    image_id = locked_image(record.lock)
    try:
        return replace(find_image(image_id), reference=record.image)
    except EnvironmentNotMadeError as error:
        if error.reason != say.NO_SUCH_IMAGE.key:
            raise
        raise EnvironmentNotMadeError(
            say.IMAGE_GONE,
            environment=record.reference,
            id=image_id[:SHORT],
            image=record.image,
            parameter="environment",
        ) from None


def _with_python(image: Image, files: ContainerImage) -> BuiltImage:
    reason = ""
    for name in ("python3", "python"):
        done = _probed(name, files)
        try:
            path, version, major = json.loads(done.stdout)
        except (ValueError, TypeError):
            reason = reason or " ".join(done.stderr.split())[-300:].removeprefix("bwrap: ")
        else:
            if major == 3:
                return BuiltImage(path, version, files.variables)
            reason = f"Python {version}"
    reported = reason or "no message"
    raise EnvironmentNotMadeError(
        say.NO_PYTHON_IN_IMAGE, image=image.reference, reported=reported, parameter="environment"
    )


def _probed(name: str, files: ContainerImage) -> subprocess.CompletedProcess[str]:
    variables = {
        variable: value for variable, value in files.variables.items() if variable[:3] != "LD_"
    }
    loaded = {
        variable: value for variable, value in files.variables.items() if variable[:3] == "LD_"
    }
    command = wall_of_image([name, "-I", "-c", PROBE], files.tree, loaded=loaded, network=False)
    try:
        return subprocess.run(
            command,
            env=variables,
            capture_output=True,
            timeout=PROBE_TIMEOUT_SECONDS,
            check=False,
            text=True,
            stdin=subprocess.DEVNULL,
            errors="replace",
        )
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(
            command, 1, "", f"timeout after {PROBE_TIMEOUT_SECONDS} seconds"
        )


def is_moved(record: EnvironmentRecord) -> bool:
    """Return whether the reference leads to another image than the locked one, if known."""
    return present_id(record.image) not in (None, locked_image(record.lock))
