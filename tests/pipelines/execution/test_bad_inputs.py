"""Bad data and bad documents, end to end: each has its code and cure, nothing is half-written."""

from __future__ import annotations

import json
import stat
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from pipelines.document.document import PipelineDocument
from pipelines.problems import PipelineError, Problem
from pipelines.runs.report import run_report
from pipelines.runs.run_request import RunRequest
from pipelines.runs.run_service import RunService
from tests.modules.image_directories.pictures import (
    encoded,
    jpeg_bytes,
    noise,
    png_bytes,
    png_of_declared_size,
)
from tests.pipelines.cli.commands import designer
from tests.pipelines.conftest import run
from tests.pipelines.execution.refusals import converted, failure, node, refused, wired
from tests.pipelines.execution.small_trainings import trained

GOOD = {"cat/1.png": png_bytes(1), "dog/1.png": png_bytes(2)}
Make = Callable[[Path], None]


# archives


def zipped(files: dict[str, bytes]) -> Make:
    def make(path: Path) -> None:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in files.items():
                archive.writestr(name, content)

    return make


def with_link(path: Path) -> None:
    info = zipfile.ZipInfo("cat/link.png")
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(info, "/etc/passwd")


def encrypted(path: Path) -> None:
    """A zip whose headers say that a password is needed."""
    zipped(GOOD)(path)
    content = bytearray(path.read_bytes())
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = content.find(signature)
        while place >= 0:
            content[place + offset] |= 1
            place = content.find(signature, place + 4)
    path.write_bytes(content)


def truncated(path: Path) -> None:
    zipped(GOOD)(path)
    path.write_bytes(path.read_bytes()[:-60])


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (zipped({**GOOD, "../evil.png": png_bytes()}), "leads out of the archive"),
        (zipped({**GOOD, "/tmp/evil.png": png_bytes()}), "an absolute path"),
        (with_link, "is a link"),
        (zipped({"cat/1.png": bytes(80_000_000)}), "may be a zip bomb"),
        (encrypted, "is encrypted"),
        (zipped({}), "contains no files"),
        (zipped({"cat/notes.txt": b"words"}), "no valid images"),
        (truncated, "damaged or truncated"),
    ],
    ids=["parent", "absolute", "link", "bomb", "encrypted", "empty", "no images", "truncated"],
)
def test_hostile_and_broken_archives_are_0018(
    make: Make, words: str, shared_runs: RunService, tmp_path: Path
) -> None:
    archive = tmp_path / "photos.zip"
    make(archive)
    problem = failure(shared_runs, converted(archive), "convert")
    assert problem["code"] == "0018"
    assert words in problem["message"]
    assert [path.name for path in tmp_path.iterdir()] == ["photos.zip"]
    assert not Path("/tmp/evil.png").exists()


def test_a_source_that_is_not_there_is_0018(shared_runs: RunService, tmp_path: Path) -> None:
    problem = failure(shared_runs, converted(tmp_path / "gone"), "import")
    assert (problem["code"], problem["parameter"]) == ("0018", "source")


# images


def grey_16_bit(file_format: str) -> bytes:
    pixels_HW = (np.arange(192, dtype=np.uint16) * 300).reshape(12, 16)
    return encoded(Image.fromarray(pixels_HW), file_format)


def animated(file_format: str) -> bytes:
    frames = [noise(seed) for seed in range(3)]
    return encoded(frames[0], file_format, save_all=True, append_images=frames[1:])


ODD = {
    "a/cmyk.jpg": encoded(noise(1, mode="CMYK"), "JPEG"),
    "a/deep.png": grey_16_bit("PNG"),
    "a/deep.tif": grey_16_bit("TIFF"),
    "b/palette.png": encoded(noise(2).quantize(8), "PNG", transparency=0),
    "b/moving.gif": animated("GIF"),
    "b/moving.png": animated("PNG"),
    "b/moving.webp": animated("WEBP"),
}
UNREADABLE = {
    "cut.jpg": (jpeg_bytes(size=(90, 90))[:-300], "the file is truncated"),
    "cut.png": (png_bytes(3, (90, 90))[:-400], "the file is truncated"),
    "zero.png": (b"", "the file is empty"),
    "text.jpg": (b"I am no picture", "not an image"),
    "huge.png": (png_of_declared_size(30_000, 30_000), "178 megapixels"),
}


def folder_of(root: Path, files: dict[str, bytes]) -> Path:
    for name, content in files.items():
        place = root / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
    return root


def test_odd_images_are_converted_and_bad_ones_listed(
    shared_runs: RunService, tmp_path: Path
) -> None:
    bad = {f"a/{name}": content for name, (content, _) in UNREADABLE.items()}
    source = folder_of(tmp_path / "photos", {**ODD, **bad})
    run_id, state = run(shared_runs, converted(source))
    assert state.status == "completed", state.problem
    report = run_report(shared_runs, run_id).nodes["convert"]
    assert report.summary == "7 images, 2 classes, 5 skipped"
    folder = Path(report.outputs["output_image_directory"])
    images = pd.read_parquet(folder / "images.parquet")
    assert list(images["path"]) == sorted(ODD)
    assert {*images["width"], *images["height"]} == {16, 12}
    skipped = pd.read_parquet(folder / "skipped.parquet")
    reasons = dict(zip(skipped["path"], skipped["reason"], strict=True))
    assert set(reasons) == set(bad)
    assert all(words in reasons[f"a/{name}"] for name, (_, words) in UNREADABLE.items())


@pytest.mark.parametrize("name", UNREADABLE)
def test_a_dataset_of_nothing_else_is_0018(
    name: str, shared_runs: RunService, tmp_path: Path
) -> None:
    content, words = UNREADABLE[name]
    source = folder_of(tmp_path / "photos", {name: content})
    problem = failure(shared_runs, converted(source), "convert")
    assert problem["code"] == "0018"
    assert name in problem["message"]
    assert words in problem["message"]


@pytest.mark.parametrize("name", UNREADABLE)
def test_on_request_one_unreadable_image_fails_the_run(
    name: str, shared_runs: RunService, tmp_path: Path
) -> None:
    content, words = UNREADABLE[name]
    source = folder_of(tmp_path / "photos", {**GOOD, f"cat/{name}": content})
    problem = failure(shared_runs, converted(source, on_unreadable_image="fail"), "convert")
    assert problem["code"] == ("0127" if name == "huge.png" else "0018")
    assert f"cat/{name}" in problem["message"]
    assert words in problem["message"]


def test_one_image_cannot_be_split(shared_runs: RunService, tmp_path: Path) -> None:
    source = folder_of(tmp_path / "photos", {"cat/1.png": png_bytes()})
    assert failure(shared_runs, converted(source), "split")["code"] == "0018"


def test_the_command_fails_with_exit_code_1(shared_runs: RunService, tmp_path: Path) -> None:
    archive = tmp_path / "photos.zip"
    truncated(archive)
    report = refused(shared_runs, converted(archive), tmp_path)
    assert report["run_id"]
    assert report["nodes"]["convert"]["problem"]["code"] == "0018"
    assert report["problem"] == report["nodes"]["convert"]["problem"]
    assert report["nodes"]["split"]["status"] == "skipped"
    assert report["nodes"]["import"]["status"] in ("completed", "reused")


# documents that cannot be run: refused before a run exists


@contextmanager
def no_new_run(runs: RunService) -> Iterator[None]:
    before = len(runs.store.newest(limit=1000))
    yield
    assert len(runs.store.newest(limit=1000)) == before
    assert not list(runs.artifacts.root.glob(".*"))


def loop() -> PipelineDocument:
    return wired(
        [node("a", "split_image_directory"), node("b", "split_image_directory")],
        "a.output_image_directory1 -> b.input_image_directory",
        "b.output_image_directory2 -> a.input_image_directory",
    )


def mistyped() -> PipelineDocument:
    return wired(
        [node("import", "import_images", source="sample:digits"), node("x", "evaluate_model")],
        "import.dataset -> x.scored_dataset",
    )


def splitting(fraction: Any) -> PipelineDocument:
    """Import and split, of which only the fraction may be wrong."""
    document = converted(Path("photos"))
    split = document.nodes[2].model_copy(
        update={"parameters": {"fraction_of_images_in_the_first_output": fraction}}
    )
    return document.model_copy(update={"nodes": (*document.nodes[:2], split)})


REFUSALS: dict[str, tuple[PipelineDocument, str, str | None]] = {
    "cycle": (loop(), "3003", None),
    "wrong types": (mistyped(), "3004", "x"),
    "missing input": (wired([node("x", "split_image_directory")]), "0003", "x"),
    "unknown module": (wired([node("x", "no_such_module")]), "3001", "x"),
    "unknown parameter": (wired([node("x", "import_images", sauce="hot")]), "3010", "x"),
    "no source": (wired([node("x", "import_images")]), "0003", "x"),
    "out of range": (splitting(1.5), "0008", "split"),
    "not above": (trained("sample:digits", epochs=0), "0004", "train"),
    "too small": (trained("sample:digits", learning_rate=0), "0005", "train"),
    "wrong type": (splitting("much"), "3009", "split"),
    "not a choice": (converted(Path("photos"), class_from="dreams"), "0008", "convert"),
    "too many processes": (
        trained("sample:digits", run_settings={"process_count_per_node": 9999}),
        "3012",
        "train",
    ),
    "too many nodes": (trained("sample:digits", run_settings={"node_count": 2}), "3011", "train"),
    "distributed": (
        wired(
            [
                node(
                    "x",
                    "import_images",
                    source="sample:digits",
                    run_settings={"process_count_per_node": 2},
                )
            ]
        ),
        "3020",
        "x",
    ),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_what_cannot_run_is_refused_before_it_starts(case: str, shared_runs: RunService) -> None:
    document, code, place = REFUSALS[case]
    with no_new_run(shared_runs), pytest.raises(PipelineError) as caught:
        shared_runs.submit(RunRequest(document))
    problems: list[Problem] = [problem for problem in caught.value.problems if problem.code == code]
    assert problems, caught.value.problems
    assert problems[0].cure.endswith((".", "?"))
    assert place is None or problems[0].node == place


@pytest.mark.parametrize("case", ["cycle", "too many nodes", "out of range"])
def test_the_command_refuses_them_with_exit_code_1(
    case: str, shared_runs: RunService, tmp_path: Path
) -> None:
    document, code, _ = REFUSALS[case]
    with no_new_run(shared_runs):
        report = refused(shared_runs, document, tmp_path)
    assert (report["run_id"], report["nodes"]) == (None, {})
    assert code in [problem["code"] for problem in report["problems"]]


# texts that are no documents


def nested(depth: int) -> str:
    return (
        '{"format": "pipeline-designer/2", "id": "x", "nodes": ' + "[" * depth + "]" * depth + "}"
    )


TEXTS = {
    "empty": ("", "3021"),
    "not JSON": ("{", "3021"),
    "not ours": ('{"cells": [], "nbformat": 4}', "3021"),
    "a list": ("[1, 2]", "3021"),
    "newer": ('{"format": "pipeline-designer/99", "id": "x"}', "3022"),
    "a key twice": ('{"format": "pipeline-designer/2", "id": "x", "id": "y"}', "3021"),
    "deep": (nested(100), "3024"),
    "very deep": (nested(200_000), "3021"),
    "not a number": ('{"format": "pipeline-designer/2", "id": NaN}', "3021"),
    "binary": ("\0\1\2", "3021"),
    "large": (json.dumps({"format": "pipeline-designer/2", "id": "x" * 30_000_000}), "3023"),
}


@pytest.mark.parametrize("case", TEXTS)
def test_what_is_no_document_is_told_as_such(
    case: str, shared_runs: RunService, tmp_path: Path
) -> None:
    text, code = TEXTS[case]
    path = tmp_path / "bad.json"
    path.write_text(text, encoding="utf-8")
    done = designer(shared_runs, "validate", path, "--json")
    assert done.exit_code == 1, done.stderr
    report = json.loads(done.stdout)
    assert not report["valid"]
    assert report["problems"][0]["code"] == code
    assert report["problems"][0]["cure"].endswith(".")
    assert len(done.stdout) < 5000
    assert "Traceback" not in done.stderr
