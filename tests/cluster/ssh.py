"""OpenSSH on simulated machines: a server on each worker, its client's settings on the head.

Keys are made for the test; the head's /etc/ssh and the workers' /run are folders of their own,
which only those machines see.
"""

from __future__ import annotations

from pathlib import Path

from tests.cluster.machines import HEAD, Machines, wait_for

SSH_COMMANDS = ("ssh", "sshd", "ssh-keygen")
SSHD = "/usr/sbin/sshd"
STRANGE = ("stranger", "changed", "keyless", "closed", "nowhere")
"""Names by which the head can reach no machine, each for another reason."""


class SshServers:
    """Its files lie in the machines' folder."""

    def __init__(self, machines: Machines) -> None:
        self.machines = machines
        self._folder = machines.folder / "ssh"
        self._lets_workers_in = False

    def start(self) -> None:
        (self._folder / "client").mkdir(parents=True)
        for name in ("user", "other", HEAD, *self.machines.workers):
            self._make_key(name)
        self._configure_client()
        for name in self.machines.workers:
            self.start_server(name)
        wait_for(lambda: all(map(self._answers, self.machines.workers)), "sshd")

    def start_server(self, name: str) -> None:
        script = "mount -t tmpfs tmpfs /run && mkdir -p /run/sshd"
        self.machines.on(name, "sh", "-c", script)
        path = self._folder / f"sshd-{name}.conf"
        path.write_text(self._server_settings(name))
        self.machines.serve(name, SSHD, "-D", "-e", "-f", path, log=f"sshd-{name}")

    def boot(self, name: str) -> None:
        """Switch a worker on again that was off, and wait until the head comes in there."""
        self.machines.boot(name)
        self.start_server(name)
        wait_for(lambda: self._answers(name), f"sshd of {name}")

    def serve_workers(self) -> None:
        """Let the workers in at the head."""
        if self._lets_workers_in:
            return
        self._lets_workers_in = True
        self.start_server(HEAD)
        for name in self.machines.workers:
            self.machines.on(name, "mount", "--bind", self._folder / "client", "/etc/ssh")
            wait_for(lambda: self._answers(HEAD, name), "sshd of the head")  # noqa: B023 - called at once

    def cut(self, name: str, folder: Path) -> None:
        """Pull a worker's cable: what it sees of a shared folder from now on is its own."""
        self.machines.cut(name)
        frozen = self._folder / f"frozen-{name}"
        self.machines.on(HEAD, "cp", "-a", folder, frozen, check=False)  # files come and go
        self.machines.on(name, "mount", "--bind", frozen, folder)

    def join(self, name: str, folder: Path) -> None:
        """Plug it in again."""
        gone = ("umount", folder)  # in vain just while somebody reads or writes a file there
        wait_for(lambda: not self.machines.on(name, *gone, check=False).returncode, "its own to go")
        self.machines.join(name)

    def _answers(self, name: str, asker: str = HEAD) -> bool:
        return self.machines.on(asker, "ssh", name, "true", check=False).returncode == 0

    def _make_key(self, name: str) -> None:
        words = ("-q", "-t", "ed25519", "-N", "", "-C", name, "-f", self._folder / name)
        self.machines.on(HEAD, "ssh-keygen", *words)

    def _public(self, name: str) -> str:
        return " ".join((self._folder / f"{name}.pub").read_text().split()[:2])

    def _configure_client(self) -> None:
        names = [HEAD, *self.machines.workers]
        known = [f"{name} {self._public(name)}" for name in names]
        known.append(f"changed {self._public('other')}")
        (self._folder / "known").write_text("\n".join([*known, ""]))
        self._client_file("ssh_config").write_text(self._client_settings())
        self.machines.on(HEAD, "mount", "--bind", self._folder / "client", "/etc/ssh")

    def _client_file(self, name: str) -> Path:
        return self._folder / "client" / name

    def _client_settings(self) -> str:
        strange = {
            "stranger": "HostName m1\n HostKeyAlias stranger",
            "changed": "HostName m1\n HostKeyAlias changed",
            "keyless": f"HostName m1\n HostKeyAlias m1\n IdentityFile {self._folder}/other",
            "closed": "HostName m1\n Port 23",
        }
        hosts = [f"Host {name}\n {lines}" for name, lines in strange.items()]
        workers = f"Host m*\n IdentityFile {self._folder}/user"
        every = (
            f"Host *\n IdentitiesOnly yes\n UserKnownHostsFile {self._folder}/known\n"
            " GlobalKnownHostsFile /dev/null"
        )
        return "\n".join([*hosts, workers, every, ""])

    def _server_settings(self, name: str) -> str:
        settings = {
            "ListenAddress": f"{self.machines.address(name)}:22",
            "HostKey": self._folder / name,
            "AuthorizedKeysFile": self._folder / "user.pub",
            "PidFile": "none",
            "StrictModes": "no",
            "UsePAM": "no",
            "PasswordAuthentication": "no",
            "KbdInteractiveAuthentication": "no",
            "MaxStartups": "100",
            "Subsystem": "sftp internal-sftp",
        }
        return "".join(f"{key} {value}\n" for key, value in settings.items())
