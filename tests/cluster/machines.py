"""Simulated machines: a head and workers on a network of their own, all gone with who made them.

Each has network, process, mount, host-name and IPC namespaces; those of the workers' processes lie
within the head's, whose first process ends when the pipe to the test closes. The designer's folder
for what need not last is each machine's own: locks of machines of the same name lie there. Nothing
listens outside of them. Linux, and root.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pipelines.workers.machine_lock import own_folder

NETWORK = "10.77.0"
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 0.2
"""Between two looks, in seconds: most of them start a process on a machine."""
HEAD = "m0"
FIRST = """
import os, select, sys
open(sys.argv[2], "w").close()
reads = [0] if sys.argv[1] == "ends-with-its-pipe" else []
while True:
    try:
        while os.waitpid(-1, os.WNOHANG) != (0, 0):
            pass  # of processes whose parents are gone
    except ChildProcessError:
        pass
    if select.select(reads, [], [], 0.2)[0] and not os.read(0, 1):
        break
"""
"""What a machine's first process does."""
UNSHARED = ("--net", "--pid", "--mount", "--uts", "--ipc", "--fork", "--kill-child", "--mount-proc")


def lacks(*commands: str, needs_fuse: bool = False) -> str | None:
    """What is missing for machines that have these commands; None where nothing is."""
    if needs_fuse and not os.access("/dev/fuse", os.W_OK):
        return "needs /dev/fuse"
    if sys.platform != "linux" or os.geteuid() != 0:
        return "needs root on Linux, for namespaces"
    wanted = ("unshare", "nsenter", "ip", "mount", *commands)
    missing = [each for each in wanted if shutil.which(each, path=PATH) is None]
    if missing:
        return f"needs {', '.join(missing)}"
    tried = subprocess.run(("unshare", *UNSHARED, "true"), capture_output=True, check=False)
    return None if tried.returncode == 0 else "needs namespaces, which are not allowed here"


PATH = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"


class Machines:
    """The head ``m0`` and workers ``m1``, ``m2`` ...; names and addresses are in its hosts file."""

    def __init__(self, folder: Path, workers: int) -> None:
        self.folder = folder
        self.workers = [f"m{number + 1}" for number in range(workers)]
        self.environment = {**os.environ, "PATH": PATH}
        self._served: list[subprocess.Popen[Any]] = []
        self._pids: dict[str, int] = {}

    def address(self, name: str) -> str:
        return f"{NETWORK}.{10 + int(name[1:])}"

    def start(self) -> None:
        names = [HEAD, *self.workers]
        lines = ["127.0.0.1 localhost", *(f"{self.address(name)} {name}" for name in names)]
        (self.folder / "hosts").write_text("\n".join([*lines, ""]))
        self._begin(HEAD, [], "ends-with-its-pipe", stdin=subprocess.PIPE)
        self._ip("link", "set", "lo", "up")
        self._ip("link", "add", "switch", "type", "bridge")
        self._ip("addr", "add", f"{self.address(HEAD)}/24", "dev", "switch")
        self._ip("link", "set", "switch", "up")
        for name in self.workers:
            self.boot(name)

    def boot(self, name: str) -> None:
        """Switch a worker on; its interface is named unlike others' on purpose, and its card is
        the one it had: the head would look for another one for a minute."""
        pid = self._begin(name, self.words(HEAD), "waits", stdin=subprocess.DEVNULL)
        near, far = f"to-{name}", f"eth{name[1:]}"
        card = ("address", f"02:00:00:00:00:{int(name[1:]):02x}")
        self._ip("link", "add", near, "type", "veth", "peer", "name", far, *card, "netns", str(pid))
        self._ip("link", "set", near, "master", "switch", "up")
        inside = ("nsenter", "-t", str(pid), "-n", "ip")
        check(*inside, "addr", "add", f"{self.address(name)}/24", "dev", far)
        for link in ("lo", far):
            check(*inside, "link", "set", link, "up")

    def off(self, name: str) -> None:
        """Its power fails: the kernel kills all that runs there."""
        os.kill(self._pids.pop(name), signal.SIGKILL)
        subprocess.run(
            ("nsenter", "-t", str(self._pids[HEAD]), "-n", "ip", "link", "del", f"to-{name}"),
            capture_output=True,
            check=False,
        )

    def cut(self, name: str) -> None:
        """Pull its cable."""
        self._ip("link", "set", f"to-{name}", "down")

    def join(self, name: str) -> None:
        """Plug it in again."""
        self._ip("link", "set", f"to-{name}", "up")

    def on(
        self, name: str, *words: object, check: bool = True, seconds: float = 300, **more: Any
    ) -> subprocess.CompletedProcess[str]:
        """Run a command on a machine."""
        return subprocess.run(
            [*self.words(name), *map(str, words)],
            capture_output=True,
            text=True,
            check=check,
            env=self.environment,
            timeout=seconds,
            **more,
        )

    def serve(self, name: str, *words: object, log: str) -> None:
        """Start a daemon on a machine, which ends with it."""
        with (self.folder / f"{log}.log").open("ab") as file:
            process = subprocess.Popen(
                [*self.words(name), *map(str, words)],
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=file,
                start_new_session=True,
                env=self.environment,
            )
        self._served.append(process)

    def talk(self, name: str, *words: object) -> subprocess.Popen[str]:
        """Start a program on a machine that is spoken to by its pipes, and ends with it."""
        pipe = subprocess.PIPE
        command = [*self.words(name), *map(str, words)]
        process = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, text=True, env=self.environment
        )
        self._served.append(process)
        return process

    def commands(self, name: str) -> list[tuple[int, str]]:
        """The processes of a machine by what they were started with; pids are those there."""
        said = self.on(name, "ps", "-wweo", "pid=,args=").stdout.splitlines()
        rows = (line.strip().partition(" ") for line in said)
        return [(int(pid), command) for pid, _, command in rows]

    def kill(self, name: str, pid: int) -> None:
        """End a process at once, unless it has ended meanwhile."""
        done = self.on(name, "kill", "-9", pid, check=False)
        assert done.returncode == 0 or "No such process" in done.stderr, done.stderr

    def stop(self) -> None:
        """End all of them, by closing the pipe to the head."""
        for process in self._served:
            process.send_signal(signal.SIGCONT)  # nsenter stops where what it has started does
            if process.stdin is not None:
                process.stdin.close()
        for process in self._served:
            try:
                process.wait(60)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            if process.stdout is not None:
                process.stdout.close()

    def _begin(self, name: str, before: Sequence[str], way: str, **more: Any) -> int:
        ready = self.folder / f"ready-{name}"
        ready.unlink(missing_ok=True)
        script = (
            'hostname "$1"; mount --make-rprivate /; mount --bind "$2/hosts" /etc/hosts; '
            'mkdir -p -m 700 "$2/own-$1" "$6"; mount --bind "$2/own-$1" "$6"; '
            'exec "$3" -c "$4" "$5" "$2/ready-$1"'
        )
        own = (sys.executable, FIRST, way, str(own_folder()))
        words = ("sh", "-c", script, "sh", name, str(self.folder), *own)
        process = subprocess.Popen(
            [*before, "unshare", *UNSHARED, *words], start_new_session=True, **more
        )
        self._served.append(process)
        wait_for(ready.exists, f"{name} to start")
        self._pids[name] = _deepest_child(process.pid)
        return self._pids[name]

    def words(self, name: str) -> list[str]:
        """What has a command run on a machine where it stands before that."""
        pid = str(self._pids[name])
        return ["nsenter", "-t", pid, "-n", "-p", "-m", "-u", "-i", "--"]

    def _ip(self, *words: str) -> None:
        check("nsenter", "-t", str(self._pids[HEAD]), "-n", "ip", *words)


def _deepest_child(pid: int) -> int:
    """The first process of a machine, below the commands that made its namespaces."""
    while children := Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        pid = int(children[0])
    return pid


def check(*words: str) -> None:
    subprocess.run(words, check=True, capture_output=True)


def wait_for(condition: Callable[[], bool], what: str, seconds: float = 180.0) -> None:
    """Wait until something is so; fails after so many seconds."""
    deadline, pause = time.monotonic() + seconds, FIRST_PAUSE
    while not condition():
        assert time.monotonic() < deadline, f"waited for {what} in vain"
        time.sleep(pause)
        pause = min(1.2 * pause, LONGEST_PAUSE)


@contextmanager
def machines(folder: Path, workers: int) -> Iterator[Machines]:
    made = Machines(folder, workers)
    try:
        made.start()
        yield made
    finally:
        made.stop()
