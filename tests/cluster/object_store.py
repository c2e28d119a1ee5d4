"""An S3 on the head of simulated machines, and machines that see none of its folders."""

from __future__ import annotations

import sys

from tests import s3
from tests.cluster.machines import HEAD, Machines, wait_for

PORT = 9000
BUCKET = "bucket"


class ObjectStoreOnHead:
    """Its clients know it by variables that the designer alone is started with."""

    def __init__(self, machines: Machines) -> None:
        self._machines = machines
        self.environment = s3.environment(PORT, machines.address(HEAD))

    def start(self) -> None:
        address = self._machines.address(HEAD)
        words = ("-c", s3.SERVER, address, PORT, BUCKET)
        self._machines.serve(HEAD, sys.executable, *words, log="s3")
        wait_for(lambda: self._asked("moto-api/").strip().startswith("<"), "the object store")

    def freeze(self) -> None:
        """It answers nobody, until it is thawed."""
        self._signal("STOP")

    def thaw(self) -> None:
        self._signal("CONT")

    def _signal(self, name: str) -> None:
        for pid, command in self._machines.commands(HEAD):
            if "s3_backends" in command:
                self._machines.on(HEAD, "kill", f"-{name}", pid)

    def objects(self, prefix: str) -> list[str]:
        """What is there, by names below a prefix."""
        listed = self._asked(f"{BUCKET}?list-type=2&prefix={prefix}")
        return [each.partition("</Key>")[0] for each in listed.split("<Key>")[1:]]

    def _asked(self, path: str) -> str:
        script = (
            "import sys, urllib.request as u; opener = u.build_opener(u.ProxyHandler({})); "
            "print(opener.open(sys.argv[1], timeout=30).read().decode())"
        )
        url = f"{self.environment['AWS_ENDPOINT_URL']}/{path}"
        said = self._machines.on(HEAD, sys.executable, "-c", script, url, check=False)
        return said.stdout
