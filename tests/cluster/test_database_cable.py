"""A machine whose cable to PostgreSQL is pulled: both sides notice, and nothing hangs."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pipelines.workspace import Workspace
from tests import postgresql
from tests.cluster.machines import HEAD, Machines, lacks, machines, wait_for

pytestmark = pytest.mark.cluster
CLIENT = """\
import sys
from pipelines.errors import DatabaseAwayError
from pipelines.store.database.connections import Database
from pipelines.store.database.locking import lock_runs
from pipelines.store.database.runs import RunStore
from pipelines.workspace import Workspace

database = Database.open(Workspace.at(sys.argv[1]))
store = RunStore(database)
run_id = sys.argv[2] if len(sys.argv) > 2 else store.create({}, [], name="n", experiment="e")
print(run_id, flush=True)
for line in sys.stdin:
    try:
        if line == "hold\\n":
            with database.transaction() as connection:
                lock_runs(connection, [run_id])
                print("held", flush=True)
                sys.stdin.readline()
        store.request_cancel(run_id)
        print("done", flush=True)
    except DatabaseAwayError as error:
        print("away", error, flush=True)
"""


class Client:
    """A process of a machine that writes when it is told to."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self.run_id = self.answer()

    def answer(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()

    def tell(self, word: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{word}\n")
        self._process.stdin.flush()

    def ask(self, word: str) -> str:
        self.tell(word)
        return self.answer()


@contextmanager
def client(around: Machines, name: str, workspace: Workspace, *run: str) -> Iterator[Client]:
    command = [*around.words(name), sys.executable, "-c", CLIENT, str(workspace.root), *run]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
        try:
            yield Client(process)
        finally:
            end(process)


def end(process: subprocess.Popen[str]) -> None:
    """End a client with its input: one whose ``nsenter`` is killed keeps its machine alive."""
    assert process.stdin is not None
    process.stdin.close()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()


@pytest.fixture
def around() -> Iterator[Machines]:
    missing = lacks("ps") or postgresql.lacks()
    if missing:
        pytest.skip(missing)
    with (
        tempfile.TemporaryDirectory(prefix="cluster-") as folder,
        machines(Path(folder), 2) as made,
    ):
        yield made


@pytest.fixture
def server(around: Machines) -> Iterator[postgresql.Server]:
    """A PostgreSQL on the head."""
    with postgresql.running(around.words(HEAD)) as made:
        made.stop()
        allowed = f"local all all trust\nhost all all {around.address(HEAD)}/24 trust\n"
        (made.folder / "data" / "pg_hba.conf").write_text(allowed)
        made.start(listen_addresses=around.address(HEAD))
        yield made


def test_both_sides_notice_a_pulled_cable(
    around: Machines, server: postgresql.Server, tmp_path: Path
) -> None:
    workspace = Workspace.at(tmp_path / "workspace").make()
    name = server.database().partition("@/")[2].partition("?")[0]
    address = f"postgresql+psycopg://designer@{around.address(HEAD)}:{server.port}/{name}"
    (workspace.root / "designer.toml").write_text(f'database = "{address}"\n', encoding="utf-8")

    def connected(machine: str) -> bool:
        where = f"client_addr = '{around.address(machine)}'"
        return server.say(f"SELECT count(*) FROM pg_stat_activity WHERE {where}") != "0"

    with (
        client(around, "m1", workspace) as cut,
        client(around, "m2", workspace, cut.run_id) as other,
    ):
        assert cut.ask("hold") == "held"
        other.tell("write")
        around.cut("m1")
        assert other.answer() == "done", "the server has let go of what the other one held"
        wait_for(lambda: not connected("m1"), "the server to notice", 30)
        assert cut.ask("go on").startswith("away")
        around.join("m1")
        wait_for(lambda: cut.ask("write") == "done", "it to write again")
