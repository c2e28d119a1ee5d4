"""The files and the metadata of the wheel and of the sdist."""

from __future__ import annotations

import hashlib
import re
import shutil
import tarfile
import tomllib
import zipfile
from email import message_from_bytes
from email.message import Message
from pathlib import Path

import pytest

from pipelines.problems import error_reference
from tests.distribution.installation import Distribution, make_dist, tracked_files
from tests.project.source import ROOT

PACKAGES = ("designer_app", "modules", "pipeline_designer", "pipelines")
FRONTEND = "designer_app/frontend/"
DOCUMENTATION = "designer_app/documentation/"
LOADED = re.compile(r'<(?:script|link|img)[^>]+(?:src|href)="(https?:[^"]+)"')
MAX_BYTES = 15_000_000
KINDS = {
    "the editor": "designer_app/editor/static/editor-",
    "the documentation": DOCUMENTATION + "index.html",
    "its licenses": "designer_app/editor/static/licenses.md",
    "Streamlit's settings": "designer_app/.streamlit/config.toml",
    "lessons": "pipelines/lessons/library/01-digits.json",
    "guides": "pipelines/lessons/library/guides/01-digits.json",
    "replays": "pipelines/lessons/library/replays/01-digits.replay",
    "curated locks": "pipelines/environments/curated/transformers.json",
    "schemas": "pipelines/schema/pipeline-designer-",
    "job scripts": "pipelines/targets/slurm/job.sh",
    "samples": "modules/models/samples/",
    "types": "modules/py.typed",
    "types of modules for scripts": "pipeline_designer/modules.pyi",
}


def contents(wheel: Path) -> dict[str, str]:
    """Return the hash of each file in a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return {name: hashlib.sha256(archive.read(name)).hexdigest() for name in archive.namelist()}


@pytest.fixture(scope="module")
def packaged(distribution: Distribution) -> dict[str, str]:
    """The hash of each file in the wheel, without its metadata."""
    found = contents(distribution.wheel)
    return {name: digest for name, digest in found.items() if ".dist-info/" not in name}


@pytest.fixture(scope="module")
def metadata(distribution: Distribution) -> Message:
    """The metadata of the wheel."""
    with zipfile.ZipFile(distribution.wheel) as archive:
        [name] = [each for each in archive.namelist() if each.endswith(".dist-info/METADATA")]
        return message_from_bytes(archive.read(name))


def test_the_wheel_has_every_tracked_file_of_the_packages(packaged: dict[str, str]) -> None:
    tracked = {name for name in tracked_files(*PACKAGES) if not name.startswith(FRONTEND)}
    packaged = {name: digest for name, digest in packaged.items() if DOCUMENTATION not in name}
    assert sorted(tracked - packaged.keys()) == [], "Add these to package-data in pyproject.toml."
    assert sorted(packaged.keys() - tracked) == []
    digests = {name: hashlib.sha256((ROOT / name).read_bytes()).hexdigest() for name in tracked}
    assert packaged == digests


@pytest.mark.parametrize("kind", KINDS)
def test_the_wheel_has_each_kind_of_file(packaged: dict[str, str], kind: str) -> None:
    assert any(name.startswith(KINDS[kind]) for name in packaged)


def test_the_documentation_lists_every_error_and_needs_no_network(
    distribution: Distribution,
) -> None:
    with zipfile.ZipFile(distribution.wheel) as archive:
        names = [name for name in archive.namelist() if name.startswith(DOCUMENTATION)]
        pages = {name: archive.read(name).decode() for name in names if name.endswith(".html")}
    errors = pages[f"{DOCUMENTATION}reference/generated/errors.html"]
    assert all(entry["name"] in errors for entry in error_reference())
    loaded = {name: LOADED.findall(page) for name, page in pages.items()}
    assert {name: found for name, found in loaded.items() if found} == {}


def test_both_files_are_small(distribution: Distribution) -> None:
    sizes = {path: path.stat().st_size for path in (distribution.wheel, distribution.sdist)}
    assert max(sizes.values()) < MAX_BYTES, sizes


def test_the_metadata_is_that_of_the_project(metadata: Message) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    pythons = [
        each.rpartition(" ")[2]
        for each in metadata.get_all("Classifier", [])
        if each.startswith("Programming Language :: Python :: 3.")
    ]
    assert metadata["Version"] == project["version"]
    assert pythons == ["3.11", "3.12", "3.13"]
    assert set(metadata["Requires-Python"].split(",")) == {">=3.11", "<3.14"}
    assert metadata.get_all("License-File") == project["license-files"]
    assert metadata.get_payload().startswith("# Pipeline Designer")  # type: ignore[union-attr]


@pytest.mark.full  # make dist builds the wheel from the sdist, too
def test_the_sdist_builds_the_same_wheel(distribution: Distribution, tmp_path: Path) -> None:
    with tarfile.open(distribution.sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    [checkout] = tmp_path.iterdir()
    assert (checkout / "LICENSE").is_file()
    # The sdist needs no Makefile: this one runs the same command.
    shutil.copy(ROOT / "Makefile", checkout)
    assert contents(make_dist(checkout).wheel) == contents(distribution.wheel)
