"""A PostgreSQL of a test's own, on a socket in a folder of its own, not on the network."""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

PORT = 5432
SETTINGS = {
    "listen_addresses": "",
    "fsync": "off",
    "shared_buffers": "16MB",
    "max_connections": "60",
    "autovacuum": "off",
    "jit": "off",
}
START_SECONDS = 120.0


def programs() -> Path | None:
    """The folder with ``initdb`` and ``postgres``, the newest; None where there is none."""
    found = sorted(
        Path("/usr/lib/postgresql").glob("*/bin"), key=lambda each: int(each.parent.name)
    )
    named = shutil.which("postgres")
    return found[-1] if found else Path(named).resolve().parent if named else None


def lacks() -> str | None:
    """What is missing to start one; None where nothing is."""
    if sys.platform == "win32" or programs() is None:
        return "needs PostgreSQL (Debian: apt install postgresql)"
    if os.geteuid() == 0 and not shutil.which("setpriv"):
        return "needs setpriv, for PostgreSQL refuses root"
    return None if find_spec("psycopg") else "needs the extra postgres"


class Server:
    """One server, several databases; its folder goes with it."""

    def __init__(self, folder: Path, before: Sequence[str] = ()) -> None:
        self.folder = folder
        self.port = PORT
        self._data = folder / "data"
        self._process: subprocess.Popen[bytes] | None = None
        self._who = [*before]
        if os.geteuid() == 0:  # it refuses to be root
            self._who += ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
            shutil.chown(folder, "postgres", "postgres")
        folder.chmod(0o755)
        found = programs()
        assert found is not None
        self._programs = found

    def make(self) -> None:
        """Make its files."""
        words = ("-U", "designer", "--auth=trust", "-E", "UTF8", "--no-sync", "--locale=C.UTF-8")
        command: list[str | Path] = [
            *self._who,
            self._programs / "initdb",
            "-D",
            self._data,
            *words,
        ]
        subprocess.run(command, check=True, capture_output=True, cwd=self.folder)

    def start(self, **more: str) -> None:
        """Start it, with more settings perhaps, and wait until it answers."""
        settings = {**SETTINGS, "port": str(self.port), **more}
        options = [word for name in settings.items() for word in ("-c", "=".join(name))]
        command: list[str | Path] = [
            *self._who,
            self._programs / "postgres",
            "-D",
            self._data,
            "-k",
            self.folder,
        ]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [*command, *options], stdout=log, stderr=log, cwd=self.folder
            )
        deadline = time.monotonic() + START_SECONDS
        while self._ask("SELECT 1").returncode:
            assert time.monotonic() < deadline, (self.folder / "log").read_text()
            time.sleep(0.05)

    def stop(self) -> None:
        """End it at once, as a machine does that goes down in order."""
        if self._process is not None:
            how = ("-D", str(self._data), "-m", "fast", "-w", "stop")
            command = [*self._who, str(self._programs / "pg_ctl"), *how]
            subprocess.run(command, check=True, capture_output=True, cwd=self.folder)
            self._process.wait(120)
            self._process = None

    def database(self) -> str:
        """The address of a new, empty database."""
        name = f"d{secrets.token_hex(6)}"
        self.say(f"CREATE DATABASE {name} TEMPLATE template0")
        return self.address(name)

    def address(self, name: str) -> str:
        """Of a database of this name."""
        return f"postgresql+psycopg://designer:geheim@/{name}?host={self.folder}&port={self.port}"

    def say(self, statement: str) -> str:
        """What the server answers."""
        done = self._ask(statement)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def _ask(self, statement: str) -> subprocess.CompletedProcess[str]:
        command: list[str | Path] = [
            self._programs / "psql",
            "-h",
            self.folder,
            "-p",
            str(self.port),
            "-U",
            "designer",
        ]
        return subprocess.run(
            [*command, "-d", "postgres", "-qAtc", statement],
            capture_output=True,
            text=True,
            check=False,
        )


@contextmanager
def running(before: Sequence[str] = ()) -> Iterator[Server]:
    """A server as long as the block; ``before``: what its commands begin with."""
    with tempfile.TemporaryDirectory(prefix="pg-", ignore_cleanup_errors=True) as folder:
        server = Server(Path(folder), before)
        server.make()
        server.start()
        try:
            yield server
        finally:
            server.stop()
