"""Which database a workspace has, and what is said where that one cannot be used."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pipelines.doctor import examine
from pipelines.errors import DatabaseAwayError, DatabaseError, SettingsUnreadableError
from pipelines.store.database.connections import Database
from pipelines.store.database.runs import RunStore
from pipelines.workspace import Workspace
from tests.postgresql import Server

ADDRESS = "postgresql+psycopg://ann:geheim@127.0.0.1:9/designer"


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace.at(tmp_path).make()


def settle(workspace: Workspace, text: str) -> None:
    (workspace.root / "designer.toml").write_text(text, encoding="utf-8")


def test_the_environment_comes_before_the_file(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert workspace.database_url == f"sqlite:///{workspace.root}/designer.db"
    settle(workspace, 'database = "sqlite:///own.db"')
    assert workspace.database_url == "sqlite:///own.db"
    monkeypatch.setenv("DESIGNER_DATABASE_URL", ADDRESS)
    assert workspace.database_url == ADDRESS


@pytest.mark.parametrize("text", [f'database = "{ADDRESS}', f'database = ["{ADDRESS}"]', "\x00"])
def test_a_file_that_cannot_be_used_is_named_and_not_quoted(
    workspace: Workspace, text: str
) -> None:
    settle(workspace, text)
    with pytest.raises(SettingsUnreadableError, match=r"Cannot read .*designer\.toml: ") as caught:
        Database.open(workspace)
    assert "geheim" not in str(caught.value)


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("mysql://ann:geheim@host/db", "must be PostgreSQL or SQLite"),
        ("ann:geheim@host", "must be PostgreSQL or SQLite"),
        ("postgresql://ann:geheim@host:port/db", "must be PostgreSQL or SQLite"),
        (ADDRESS, r"designer at 127\.0\.0\.1:9 is not responding: connection failed"),
    ],
)
def test_an_address_that_does_not_do_is_refused_without_its_password(
    workspace: Workspace, address: str, said: str
) -> None:
    settle(workspace, f'database = "{address}"')
    with pytest.raises(DatabaseError, match=said) as caught:
        Database.open(workspace)
    assert "geheim" not in f"{caught.value} {caught.value.cure} {caught.value.facts}"


def test_the_missing_extra_is_named(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [module for module in sys.modules if module.split(".")[0] == "psycopg"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    settle(workspace, f'database = "{ADDRESS}"')
    with pytest.raises(DatabaseError, match="pip install"):
        Database.open(workspace)


def test_commands_and_the_doctor_say_so_without_a_password(workspace: Workspace) -> None:
    settle(workspace, f'database = "{ADDRESS}"')
    command = [sys.executable, "-m", "pipelines.cli", "runs", "list", "--workspace"]
    done = subprocess.run([*command, workspace.root], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    by_name = {item.name: item for item in examine(workspace)}
    assert not by_name["workspace"].ok
    for said in (done.stderr, by_name["workspace"].found):
        assert "127.0.0.1:9 is not responding" in " ".join(said.split())
        assert "geheim" not in said
        assert "Traceback" not in said


def test_sqlite_needs_no_driver_of_postgresql(workspace: Workspace) -> None:
    script = (
        "import sys; from pipelines.session import WorkspaceSession; "
        "from pipelines.workspace import Workspace; "
        "WorkspaceSession(Workspace.at(sys.argv[1])).close(); "
        "unwanted = {'psycopg', 'pipelines.store.database.postgresql'}; "
        "sys.exit(str(unwanted & sys.modules.keys() or ''))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, workspace.root], capture_output=True, text=True, check=False
    )
    assert done.stderr.strip() == ""


def test_a_database_that_goes_away_is_used_again_when_it_is_back(
    on_postgresql: Workspace, server: Server
) -> None:
    database = Database.open(on_postgresql)
    store = RunStore(database)
    run_id = store.create({}, ["a"], name="n", experiment="e")
    server.stop()
    try:
        with pytest.raises(DatabaseAwayError, match="is not responding") as caught:
            store.request_cancel(run_id)
        assert "geheim" not in str(caught.value)
    finally:
        server.start()
    store.request_cancel(run_id)
    assert store.requests() == {run_id: True}
    database.close()


def test_a_user_without_rights_is_told_which(on_postgresql: Workspace, server: Server) -> None:
    address = on_postgresql.database_url
    server.say("CREATE ROLE guest LOGIN")
    settle(on_postgresql, f'database = "{address.replace("//designer:geheim", "//guest:geheim")}"')
    with pytest.raises(DatabaseError, match="permission denied for schema public"):
        Database.open(on_postgresql)
    server.say("DROP ROLE guest")
