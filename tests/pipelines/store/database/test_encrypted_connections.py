"""A PostgreSQL that is reached over TLS alone, as those that others run are."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipelines.errors import DatabaseError
from pipelines.store.database.change_watch import ChangeWatch
from pipelines.store.database.connections import Database
from pipelines.store.database.runs import RunStore
from pipelines.workspace import Workspace
from tests import postgresql, s3

pytestmark = pytest.mark.extended

CONNECTIONS = (
    "SELECT count(*), bool_and(ssl) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) "
    "WHERE application_name = 'designer'"
)
ENDS = {"cert": "crt", "key": "key"}
ONLY_ENCRYPTED = "local all all trust\nhostssl all all 127.0.0.1/32 trust\n"


def make_certificate(folder: Path, name: str) -> None:
    """One of this machine that nobody else vouches for, and its key beside it."""
    certificate = folder / f"{name}.crt"
    kind = ("-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
    of = ("-days", "2", "-subj", "/CN=designer", "-addext", "subjectAltName=IP:127.0.0.1")
    files = ("-keyout", str(folder / f"{name}.key"), "-out", str(certificate))
    subprocess.run(["openssl", "req", *kind, *of, *files], check=True, capture_output=True)


@pytest.fixture(scope="module")
def encrypted() -> Iterator[postgresql.Server]:
    """A server that lets nobody in over the network without TLS."""
    missing = postgresql.lacks() or (None if shutil.which("openssl") else "needs openssl")
    if missing:
        pytest.skip(missing)
    with postgresql.running() as server:
        server.stop()
        make_certificate(server.folder, "server")
        make_certificate(server.folder, "another")
        key = server.folder / "server.key"
        key.chmod(0o600)
        if os.geteuid() == 0:
            shutil.chown(key, "postgres", "postgres")
        (server.folder / "data" / "pg_hba.conf").write_text(ONLY_ENCRYPTED)
        server.port = s3.free_port()
        files = {f"ssl_{name}_file": str(key.with_suffix(f".{end}")) for name, end in ENDS.items()}
        server.start(listen_addresses="127.0.0.1", ssl="on", **files)
        yield server


def workspace_of(folder: Path, server: postgresql.Server, options: str) -> Workspace:
    """A workspace whose database is reached over the network."""
    workspace, name = Workspace.at(folder).make(), server.database().partition("@/")[2]
    place = f"127.0.0.1:{server.port}/{name.partition('?')[0]}"
    settings = f'database = "postgresql+psycopg://designer:geheim@{place}?{options}"\n'
    (workspace.root / "designer.toml").write_text(settings, encoding="utf-8")
    return workspace


def test_every_connection_is_encrypted_and_knows_whom_it_speaks_to(
    encrypted: postgresql.Server, tmp_path: Path
) -> None:
    options = f"sslmode=verify-full&sslrootcert={encrypted.folder}/server.crt"
    database = Database.open(workspace_of(tmp_path, encrypted, options))
    watch = ChangeWatch(database)
    assert watch.changed()
    RunStore(database).create({}, ["a"], name="n", experiment="e")
    count, are_encrypted = encrypted.say(CONNECTIONS).split("|")
    assert int(count) > 1, "who waits for changes is one of them"
    assert are_encrypted == "t"
    watch.close()
    database.close()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("sslmode=verify-full&sslrootcert={folder}/another.crt", "certificate verify failed"),
        ("sslmode=disable", "no encryption"),
    ],
)
def test_what_stands_in_the_way_is_told_without_the_password(
    encrypted: postgresql.Server, tmp_path: Path, options: str, said: str
) -> None:
    workspace = workspace_of(tmp_path, encrypted, options.format(folder=encrypted.folder))
    with pytest.raises(DatabaseError, match=said) as caught:
        Database.open(workspace)
    assert "geheim" not in f"{caught.value} {caught.value.cure} {caught.value.facts}"
