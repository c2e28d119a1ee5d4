"""Images as bases of environments: found, taken once, kept whole, and nothing leads out of them."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import tarfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from modules.errors import EnvironmentNotMadeError
from modules.operating_system import wall
from modules.operating_system.image_mounts import image_mounts
from pipelines.cli import app
from pipelines.environments import containers
from pipelines.environments.builder import folder_of
from pipelines.environments.containers import Image
from pipelines.environments.definition import EnvironmentDefinition, EnvironmentRecord
from pipelines.environments.formats import exported
from pipelines.environments.image_tree import TREE, unpack_image
from pipelines.environments.report import environment_detail
from pipelines.environments.workspace_environments import WorkspaceEnvironments
from pipelines.errors import RefusedError
from pipelines.session import WorkspaceSession
from pipelines.workspace import Workspace
from tests.pipelines.environments.images import (
    image_of,
    import_image,
    program_with_images,
    python_archive,
    remove_image,
    tar_of,
)

pytestmark = pytest.mark.extended

IMAGE = Image("mine:1", "0" * 64, "podman")


@pytest.fixture(scope="module")
def archive() -> bytes:
    return python_archive()


@pytest.fixture
def reference(archive: bytes) -> Iterator[str]:
    """An image with a Python in it."""
    with image_of(archive) as reference:
        yield reference


@pytest.fixture
def environments(tmp_path: Path) -> Iterator[WorkspaceEnvironments]:
    with WorkspaceSession(Workspace.at(tmp_path / "ws")) as session:
        yield session.environments


def kept(environments: WorkspaceEnvironments, reference: str) -> EnvironmentRecord:
    asked = EnvironmentDefinition(base="image", image=reference)
    return environments.keep("mine", environments.resolve(asked))


def link(name: str, target: str, kind: bytes = tarfile.SYMTYPE) -> tarfile.TarInfo:
    entry = tarfile.TarInfo(name)
    entry.type, entry.linkname = kind, target
    return entry


def containers_left() -> list[str]:
    """Those that builds made."""
    command = [program_with_images(), "ps", "--all", "--format", "{{.Names}}"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return [part for part in done.stdout.split() if part.startswith("designer-")]


def unpacked(folder: Path, *others: tarfile.TarInfo, **files: str) -> Path:
    """The tree of an archive of these files, then these entries."""
    content = {name: text.encode() for name, text in files.items()}
    unpack_image(IMAGE, io.BytesIO(tar_of(content, *others)), folder / "made")
    return folder / "made" / TREE


def test_an_image_is_taken_once_and_lives_on_without_podman_having_it(
    environments: WorkspaceEnvironments, reference: str
) -> None:
    record = kept(environments, reference)
    assert record.lock.startswith("image sha256:")
    assert kept(environments, reference) == record
    first = environments.build(record)
    assert first.image is not None
    assert (first.was_cached, str(first.python)[:15]) == (False, "/usr/bin/python")
    content = environment_detail(environments, record)
    assert (content.base, content.image, content.packages) == ("image", reference, [])
    assert content.python.startswith("3.")
    with pytest.raises(RefusedError, match="cannot be exported as a list of packages"):
        exported(record, "requirements")
    remove_image(reference)
    assert environments.build(record).was_cached
    assert environments.verify(record) == []
    python = first.image.tree / str(first.python.resolve().relative_to("/"))
    python.chmod(0o700)
    python.write_bytes(b"another")
    assert [item.kind for item in environments.verify(record)] == ["changed"]
    with pytest.raises(EnvironmentNotMadeError, match="is no longer on this machine"):
        environments.build(record)  # what was changed is not used, and cannot be had again
    assert environments.remove(record) == 0
    assert list(environments.root.glob("[0-9a-f]*[!k]")) == []


def test_a_reference_that_leads_elsewhere_is_another_version(
    environments: WorkspaceEnvironments, reference: str
) -> None:
    first = kept(environments, reference)
    import_image(tar_of({"nothing": b""}), reference)
    second = kept(environments, reference)
    assert (first.version, second.version) == (1, 2)
    assert first.key != second.key
    with pytest.raises(EnvironmentNotMadeError, match=r"No working Python 3.*No such file"):
        environments.build(second)
    assert not folder_of(second.key, environments.root).exists()
    assert containers_left() == []


def test_what_an_image_cannot_be_is_said(environments: WorkspaceEnvironments) -> None:
    program_with_images()
    for asked, said in (
        (EnvironmentDefinition(base="image"), "requires an image"),
        (EnvironmentDefinition(base="image", image="--rm"), "Invalid image reference"),
        (EnvironmentDefinition(base="isolated", image="a:1"), "the base is isolated"),
        (
            EnvironmentDefinition(base="image", image="a:1", requirements=("x",)),
            "cannot be combined with packages",
        ),
        (
            EnvironmentDefinition(base="image", image="a:1", python="3.8"),
            "combined with a Python version",
        ),
    ):
        with pytest.raises(RefusedError, match=said):
            environments.resolve(asked)
    with pytest.raises(
        EnvironmentNotMadeError, match="Image 'localhost/nowhere:1' not found on this"
    ):
        kept(environments, "localhost/nowhere:1")


def test_without_a_program_or_a_wall_the_cure_is_named(
    environments: WorkspaceEnvironments, reference: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = kept(environments, reference)
    wall.can_wall.cache_clear()
    containers.container_programs.cache_clear()
    with monkeypatch.context() as patch:
        patch.setenv("PATH", str(environments.root))
        with pytest.raises(EnvironmentNotMadeError, match="apt install bubblewrap"):
            environments.build(record)
        with pytest.raises(EnvironmentNotMadeError, match="podman and docker are not installed"):
            kept(environments, reference)
    wall.can_wall.cache_clear()
    containers.container_programs.cache_clear()


@pytest.mark.full  # as test_builder
def test_a_build_that_is_killed_leaves_nothing_that_counts(
    environments: WorkspaceEnvironments, reference: str, tmp_path: Path
) -> None:
    record = kept(environments, reference)
    place = ["--workspace", str(tmp_path / "ws")]
    command = [sys.executable, "-m", "pipelines.cli", "environments", "build", "mine", *place]
    building = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    staging = environments.root / f".building-{folder_of(record.key, environments.root).name}"
    deadline = time.monotonic() + 120
    while not (staging / TREE / "usr" / "lib").exists() and time.monotonic() < deadline:
        time.sleep(0.002)
    assert building.poll() is None
    building.send_signal(signal.SIGKILL)
    building.wait()
    assert environments.marker(record) is None
    built = environments.build(record)
    assert not built.was_cached
    assert environments.verify(record) == []
    assert not staging.exists()
    assert containers_left() == []


def test_the_command_takes_an_image(reference: str, tmp_path: Path) -> None:
    def designer(*words: str) -> str:
        done = CliRunner().invoke(app, [*words, "--workspace", str(tmp_path / "ws")])
        return " ".join(done.output.split())

    assert "Built boxed@1" in designer("environments", "build", "boxed", "--image", reference)
    assert reference in designer("environments", "show", "boxed")
    assert designer("environments", "export", "boxed").startswith("image sha256:")
    assert "cannot be combined with packages" in designer(
        "environments", "build", "boxed", "--image", reference, "--package", "tiny"
    )


@pytest.mark.parametrize(
    ("entries", "said"),
    [
        ([tarfile.TarInfo("../out")], "points outside the image"),
        ([tarfile.TarInfo("a/../../out")], "points outside the image"),
        ([link("up", ".."), tarfile.TarInfo("up/out")], "replaces another entry"),
        ([link("up", "/tmp"), tarfile.TarInfo("up")], "replaces another entry"),
        ([link("hard", "/etc/passwd", tarfile.LNKTYPE)], "refers to a missing file"),
        ([link("hard", "../../../etc/passwd", tarfile.LNKTYPE)], "points outside the image"),
    ],
)
def test_no_entry_leaves_the_tree(
    entries: list[tarfile.TarInfo], said: str, tmp_path: Path
) -> None:
    with pytest.raises(EnvironmentNotMadeError, match=said):
        unpacked(tmp_path, *entries)
    assert {path.name for path in tmp_path.iterdir()} == {"made"}
    assert not (tmp_path / "made" / "out").exists()


def test_no_link_leads_out_of_the_tree(tmp_path: Path) -> None:
    tree = unpacked(
        tmp_path,
        link("etc/alternatives/it", "/usr/it"),
        link("etc/far", "../../../../../../usr/it"),
        link("a/here", "."),
        link("a/round", "here/here/here/../../../../usr/it"),
        link("hard", "usr/it", tarfile.LNKTYPE),
        **{"usr/it": "found"},
    )
    for name in ("etc/alternatives/it", "etc/far", "hard"):
        assert (tree / name).read_text() == "found"
    for place, folders, names in os.walk(tree):
        for name in (*folders, *names):
            assert Path(os.path.realpath(Path(place, name))).is_relative_to(tree.resolve())


def test_devices_are_left_out_and_nothing_can_be_written_or_runs_as_another(tmp_path: Path) -> None:
    device, program = link("dev/sda", "", tarfile.BLKTYPE), tarfile.TarInfo("bin/su")
    program.mode = 0o6755
    tree = unpacked(tmp_path, device, program, link("pipe", "", tarfile.FIFOTYPE))
    assert list((tree / "dev").iterdir()) == []
    assert not (tree / "pipe").exists()
    assert (tree / "bin/su").stat().st_mode & 0o7777 == 0o555
    with pytest.raises(EnvironmentNotMadeError, match="cannot be exported"):
        unpack_image(IMAGE, io.BytesIO(b"no tar" * 200), tmp_path / "other")


def test_a_place_in_a_folder_of_the_image_leaves_what_is_beside_it(tmp_path: Path) -> None:
    tree = unpacked(
        tmp_path, link("srv", "/opt"), link("bin", "usr/bin"), **{"opt/a": "", "opt/own/b": ""}
    )
    there = [Path("/opt/own/work"), Path("/srv/data/more")]
    options = " ".join(image_mounts(tree, (), there[1:], there[:1]))
    assert f"--ro-bind {tree}/opt/a /opt/a" in options
    assert f"--ro-bind {tree}/opt/own/b /opt/own/b" in options
    assert f"--ro-bind {tree}/opt /opt" not in options
    assert "--symlink usr/bin /bin" in options
    assert "--symlink opt /srv" not in options
    assert options.endswith(
        "--bind /opt/own/work /opt/own/work --ro-bind-try /srv/data/more /srv/data/more"
        " --remount-ro /"
    )
