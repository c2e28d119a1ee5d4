"""Whether podman or docker really runs a container here; images are no base of environments.

Both answer on machines where nothing can be run, so one is run: an image of one file, made on the
spot, without a network.
"""

from __future__ import annotations

import io
import platform
import shutil
import struct
import subprocess
import tarfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache

PROGRAMS = ("podman", "docker")
PROBE_SECONDS = 20
EXIT_STATUS = 42
"""No failure of podman or docker ends with it: only the program inside the container does."""
MACHINE_CODE = {
    "x86_64": (62, bytes.fromhex("b83c000000bf2a0000000f05")),
    "aarch64": (183, bytes.fromhex("a80b80d2400580d2010000d4")),
}
"""What ends with that status on Linux, and the number by which ELF knows the processor."""
OTHER_NAMES = {"AMD64": "x86_64", "arm64": "aarch64"}


@dataclass(frozen=True)
class ContainerProgram:
    """podman or docker, as it was found here; ``why`` it runs nothing is empty where it does."""

    name: str
    why: str = ""

    @property
    def runs(self) -> bool:
        """Whether a container ran, and ended as it should."""
        return not self.why

    def __str__(self) -> str:
        return f"{self.name} runs containers" if self.runs else f"{self.name} runs none: {self.why}"


@cache
def container_programs() -> tuple[ContainerProgram, ...]:
    """Those that are installed, each tried once in this process."""
    return tuple(
        ContainerProgram(name, _why_none_runs(name)) for name in PROGRAMS if shutil.which(name)
    )


def describe_containers() -> str:
    """What was found: which program runs containers, which runs none, or that none is here."""
    return "; ".join(map(str, container_programs())) or "neither podman nor docker is here"


def _why_none_runs(program: str) -> str:
    code = MACHINE_CODE.get(OTHER_NAMES.get(platform.machine(), platform.machine()))
    if code is None:
        return f"not tried on {platform.machine()}"
    try:
        made = _run([program, "import", "-"], _image(*code))
        if made.returncode:
            return _complaint(made)
        image = made.stdout.decode().split()[-1]
        try:
            done = _run([program, "run", "--rm", "--network", "none", image, "/probe"])
        finally:
            with suppress(OSError, subprocess.SubprocessError):
                _run([program, "rmi", "--force", image])
    except subprocess.TimeoutExpired:
        return f"it did not end within {PROBE_SECONDS} seconds"
    except (OSError, IndexError) as error:
        return f"it cannot be started ({error})"
    return "" if done.returncode == EXIT_STATUS else _complaint(done)


def _run(command: Sequence[str], given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        command, input=given, capture_output=True, timeout=PROBE_SECONDS, check=False
    )


def _complaint(done: subprocess.CompletedProcess[bytes]) -> str:
    """The last line of what it said: the first ones tell of images and signatures."""
    lines = done.stderr.decode(errors="replace").strip().splitlines()
    said = lines[-1].removeprefix("Error: ")[:200].rstrip(".") if lines else ""
    return said or f"it ended with status {done.returncode}"


def _image(processor: int, code: bytes) -> bytes:
    """A tar archive with one program, as ``import`` takes it."""
    program = _elf(processor, code)
    entry = tarfile.TarInfo("probe")
    entry.size, entry.mode = len(program), 0o755
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        tar.addfile(entry, io.BytesIO(program))
    return archive.getvalue()


def _elf(processor: int, code: bytes) -> bytes:
    """The smallest 64-bit Linux program: its header, that of its only segment, and the code."""
    base, headers = 0x400000, 64 + 56
    magic, size = b"\x7fELF\x02\x01\x01", headers + len(code)
    file_header = (magic, 2, processor, 1, base + headers, 64, 0, 0, 64, 56, 1, 0, 0, 0)
    segment = (1, 5, 0, base, base, size, size, 0x10000)
    packed = struct.pack("<16sHHIQQQIHHHHHH", *file_header), struct.pack("<IIQQQQQQ", *segment)
    return b"".join((*packed, code))
