"""An S3 of a test's own: moto's server, on this machine alone, in memory."""

from __future__ import annotations

import secrets
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from importlib.util import find_spec

START_SECONDS = 120.0
SECRET = "kein-Wort-davon"


SERVER = """
import sys
from moto.core import DEFAULT_ACCOUNT_ID
from moto.s3.models import s3_backends
from moto.server import main

for bucket in sys.argv[3:]:
    s3_backends[DEFAULT_ACCOUNT_ID]["aws"].create_bucket(bucket, "us-east-1")
main(["-H", sys.argv[1], "-p", sys.argv[2]])
"""


def lacks() -> str | None:
    """What is missing to start one; None where nothing is."""
    return None if find_spec("moto") and find_spec("s3fs") else "needs the extras s3 and dev"


def free_port() -> int:
    """One that nobody listens on now."""
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def environment(port: int, host: str = "127.0.0.1") -> dict[str, str]:
    """What tells its clients where it is and who they are."""
    return {
        "AWS_ENDPOINT_URL": f"http://{host}:{port}",
        "AWS_ACCESS_KEY_ID": "designer",
        "AWS_SECRET_ACCESS_KEY": SECRET,
        "AWS_DEFAULT_REGION": "us-east-1",
        "NO_PROXY": host,
    }


@contextmanager
def running(port: int, *buckets: str) -> Iterator[None]:
    """A server as long as the block, which has these from its first answer on."""
    command = [sys.executable, "-c", SERVER, "127.0.0.1", str(port), *buckets]
    quiet = subprocess.DEVNULL
    server = subprocess.Popen(command, stdout=quiet, stderr=quiet)
    try:
        deadline = time.monotonic() + START_SECONDS
        while not _answers(port):
            assert server.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.1)
        yield
    finally:
        server.kill()
        server.wait()


def new_bucket(port: int) -> str:
    """The name of a new, empty bucket."""
    name = f"b{secrets.token_hex(6)}"
    asked = urllib.request.Request(f"http://127.0.0.1:{port}/{name}", method="PUT")
    _ask(asked)
    return name


def _answers(port: int) -> bool:
    try:
        _ask(urllib.request.Request(f"http://127.0.0.1:{port}/moto-api/"))
    except OSError:
        return False
    return True


def _ask(request: urllib.request.Request) -> None:
    # Tests may have set a proxy that answers nobody.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(request, timeout=30):
        return
