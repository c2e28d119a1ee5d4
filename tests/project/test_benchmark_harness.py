"""The benchmarks' harness: who is measured when, what is kept, and what is judged."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import ExifTags, Image

import benchmarks.__main__ as main
from benchmarks import a2b_busy, a8_serve, b1_step, b2_feed, ours_steps, pictures, table
from benchmarks.a3_accuracy import OUR_RECIPE
from benchmarks.graph_documents import learning_document
from benchmarks.harness import (
    BenchmarkError,
    Bound,
    Check,
    Contender,
    DisagreementError,
    Options,
    Report,
    Sample,
    Scenario,
    Spread,
    Spreads,
    alternate,
)
from benchmarks.peers.feeding import levels_of
from benchmarks.peers.memory import PeakMemory
from benchmarks.peers.telling import SMALL
from benchmarks.peers.training import Work
from benchmarks.s1_accuracy import lead_in_deviations, lead_in_errors
from modules.catalog import builtin_catalog
from pipelines.document.checks.validate import validate
from pipelines.document.document import parse_document
from tests.project.benchmark_runs import OURS, run_benchmarks

pytestmark = pytest.mark.extended


def test_contenders_alternate() -> None:
    order = []

    def contender(name: str) -> Contender:
        def measure() -> Sample:
            order.append(name)
            return {"warm": float(len(order))}

        return Contender(name, measure)

    spreads = alternate([contender("a"), contender("b")], rounds=3)
    assert order == ["a", "b", "a", "b", "a", "b"]
    assert spreads["a"]["warm"] == Spread(3.0, 1.0, 5.0, (1.0, 3.0, 5.0))
    assert spreads["b"]["warm"].median == 4.0


def test_a_bound_is_judged() -> None:
    assert Check.at_most("seconds", 1.0, 1.0).holds
    assert not Check.at_most("seconds", 1.1, 1.0).holds
    assert Check.at_least("times as fast", 20.0, 20.0).holds
    assert not Check.at_least("times as fast", 19.9, 20.0).holds
    short = Check.at_least("times as fast", 19.9, Bound(20.0, floor=10.0))
    assert (short.holds, short.stands, short.verdict) == (False, True, "not reached")
    low = Check.at_most("seconds", 2.1, Bound(1.0, floor=2.0))
    assert (low.stands, low.verdict) == (False, "below the floor of 2")


def test_the_pipeline_that_learns_has_no_problem(tmp_path: Path) -> None:
    pictures.divided(pictures.drawn(tmp_path / "all", 20, 16), tmp_path)
    document = parse_document(learning_document(tmp_path, 32, dict(OUR_RECIPE)))
    assert validate(document, builtin_catalog()) == []


def test_the_limit_of_steps_sees_pictures_as_large_as_training(tmp_path: Path) -> None:
    pictures.divided(pictures.drawn(tmp_path / "all", 20, 32), tmp_path)
    work = Work(tmp_path, tmp_path / "work", "resnet18", 16, 4, epochs=1, seed=0, workers=0)
    work.folder.mkdir()
    with ours_steps.opened(work) as batch:
        assert batch.session.data.training.images.size == (18, 18)  # the crop is yet to come
        assert batch.pixels_NHWC.shape == (4, 16, 16, 3)


def test_a_lead_is_told_in_standard_errors_and_deviations() -> None:
    first, second = Spread.of([0.9, 0.92, 0.94]), Spread.of([0.88, 0.9, 0.92])
    # Both scatter by 0.02: the error of either mean is 0.02 / 3**0.5.
    assert lead_in_errors(first, second) == pytest.approx(0.02 / (0.02 * (2 / 3) ** 0.5))
    assert lead_in_deviations(first, second) == pytest.approx(1)
    assert lead_in_deviations(second, first) == pytest.approx(-1)
    assert lead_in_errors(Spread.of([0.9]), Spread.of([0.9])) == 0


def test_a_picture_loses_what_turns_it_and_nothing_else() -> None:
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = 6
    file = BytesIO()
    Image.radial_gradient("L").crop((0, 0, 40, 24)).save(file, "JPEG", exif=exif)
    with Image.open(BytesIO(pictures.without_exif(file.getvalue()))) as upright:
        assert not upright.getexif()
        with Image.open(file) as turned:
            assert turned.tobytes() == upright.tobytes()


def test_rounds_can_be_run_in_parts() -> None:
    def contender(name: str, value: float) -> Contender:
        return Contender(name, lambda: {"warm": value})

    scenario = Scenario("few: warm", alternate([contender("a", 1.0)], rounds=2), "a")
    options = Options(parts=[scenario.stored])
    assert options.earlier("many") == {}
    spreads = alternate([contender("a", 4.0), contender("b", 5.0)], 1, options.earlier("few:"))
    assert spreads["a"]["warm"].samples == (1.0, 1.0, 4.0)
    assert spreads["b"]["warm"].samples == (5.0,)


def test_a_part_that_is_added_keeps_the_others_and_the_larger_number_of_rounds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def measure(options: Options) -> Report:
        contender = Contender("a", lambda: {"warm": float(options.rounds)})
        spreads = alternate([contender], options.rounds, options.earlier(options.part))
        return Report("A1", "Title", "Work.", [Scenario(options.part, spreads, "a")])

    monkeypatch.setitem(main.BENCHMARKS, "A1", measure)
    where = ("--results", str(tmp_path / "results"), "--scratch", str(tmp_path))
    for arguments in (
        ("--part", "one", "--rounds", "3"),
        ("--part", "other", "--rounds", "2", "--add"),
        ("--part", "other", "--rounds", "1", "--add"),
    ):
        assert main.main(["A1", *where, *arguments]) == 0
    kept = json.loads((tmp_path / "results/A1.json").read_text())
    found = {each["name"]: each["contenders"]["a"]["warm"] for each in kept["scenarios"]}
    samples = {name: spread["samples"] for name, spread in found.items()}
    assert samples == {"one": [3.0, 3.0, 3.0], "other": [2.0, 2.0, 1.0]}
    assert kept["rounds"] == 3


def test_a_table_tells_what_was_measured_less_often(tmp_path: Path) -> None:
    scenario = Scenario("few", {"a": {"warm": Spread.of([1.0, 3.0])}}, "a", "seconds")
    scenario.spreads["b"] = {"warm": Spread.of([5.0])}
    document: dict[str, object] = {**Report("A0", "Few", "Work.", [scenario]).stored}
    machine = {"processor": "a core", "cores": 1, "memory_gib": 1, "python": "3"}
    document |= {"date": "2026-01-01", "rounds": 3, "machine": machine}
    (tmp_path / "A0.json").write_text(json.dumps(document))
    readme = tmp_path / "README.md"
    readme.write_text(f"{table.START}\n{table.END}\n")
    table.write_tables(readme, tmp_path)
    text = readme.read_text()
    assert "2026-01-01, 3 rounds, a core" in text
    assert "| a (what the machine allows) | 2 (1 - 3, 2 rounds) |" in text
    assert "| b | 5 (once) |" in text


def test_the_committed_table_is_that_of_the_results(tmp_path: Path) -> None:
    readme = Path(shutil.copy(table.FOLDER / "README.md", tmp_path))
    table.write_tables(readme)
    assert readme.read_text() == (table.FOLDER / "README.md").read_text(), "Run make bench."


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["A99"], "no benchmark A99: choose of A1, A2, A2b, A3, A4, A5, A6, A7, A8, A9, A10"),
        (["--rounds", "0"], "at least 1"),
    ],
)
def test_a_wrong_command_line_is_refused(arguments: list[str], message: str) -> None:
    process = run_benchmarks(*arguments)
    assert process.returncode == 2
    assert message in process.stderr


@pytest.mark.parametrize(
    ("floor", "is_gate", "small", "code"),
    [(0.6, True, False, 1), (0.4, True, False, 0), (0.6, False, False, 0), (0.6, True, True, 0)],
)
def test_a_missed_floor_ends_with_1(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    floor: float,
    is_gate: bool,
    small: bool,
    code: int,
) -> None:
    missed = Check.at_least("times as fast", 0.5, Bound(2.0, floor=floor), is_gate=is_gate)

    def measure(options: Options) -> Report:
        return Report("A1", "Title", f"Work in {options.scratch.name}.", checks=[missed])

    monkeypatch.setitem(main.BENCHMARKS, "A1", measure)
    for name in ("OMP_NUM_THREADS", SMALL):
        monkeypatch.setenv(name, "")  # a small run sets them
    where = ("--results", str(tmp_path / "results"), "--scratch", str(tmp_path))
    assert main.main(["A1", *where, *["--small"] * small]) == code
    [kept] = json.loads((tmp_path / "results/A1.json").read_text())["checks"]
    assert (kept["found"], kept["holds"]) == (0.5, False)


def test_steps_that_do_not_learn_are_void() -> None:
    def found(first: float, last: float) -> Spreads:
        return {"ours": {"first": Spread.of([first]), "last": Spread.of([last])}, "limit": {}}

    b1_step._learn(found(2.3, 1.0), Options())
    for last in (2.4, float("nan")):
        with pytest.raises(DisagreementError, match="ours gave a loss"):
            b1_step._learn(found(2.3, last), Options())
    with pytest.raises(DisagreementError):
        b1_step._learn(found(2.3, float("inf")), Options(small=True))


def test_batches_of_other_pixels_are_void() -> None:
    def found(level: float) -> Spreads:
        return {
            name: {"level": Spread.of([value]), "contrast": Spread.of([60.0])}
            for name, value in {OURS: level, b2_feed.LOADER: 120.0, b2_feed.NVJPEG: 121.0}.items()
        }

    b2_feed._agree(found(118.0))
    with pytest.raises(DisagreementError, match="a level of 110"):
        b2_feed._agree(found(110.0))


def test_levels_are_those_of_the_pixels() -> None:
    pixels_NHWC = np.random.default_rng(0).integers(0, 256, (10, 8, 8, 3))
    images_NCHW = torch.tensor(pixels_NHWC / 255.0).permute(0, 3, 1, 2).float()
    mean, std = (0.1, 0.2, 0.3), (0.5, 0.6, 0.7)
    normalised = (images_NCHW - torch.tensor(mean).view(3, 1, 1)) / torch.tensor(std).view(3, 1, 1)
    levels = levels_of([normalised[:4], normalised[4:]], mean, std)
    assert levels["level"] == pytest.approx(pixels_NHWC.mean(), rel=1e-4)
    assert levels["contrast"] == pytest.approx(pixels_NHWC.std(), rel=1e-4)


def test_a_busy_training_must_learn() -> None:
    a2b_busy._learns("timm", {"rate": 1.0, "epochs": 2})
    a2b_busy._learns(OURS, {"epochs": 2, "first loss": 2.0, "last loss": 1.5})
    a2b_busy._learns(OURS, {"epochs": 1, "first loss": 2.0, "last loss": 2.0})
    with pytest.raises(DisagreementError):
        a2b_busy._learns(OURS, {"epochs": 2, "first loss": 2.0, "last loss": 2.1})


def test_a_server_that_is_not_installed_is_an_error_only_if_it_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    absent = a8_serve.Server("Absent", "absent", python=tmp_path / "python")
    monkeypatch.setattr(a8_serve, "PEERS", {"absent": absent, "bare": a8_serve.BARE})
    assert a8_serve._chosen(Options()) == [a8_serve.OURS, a8_serve.BARE]
    assert "Absent is not installed and not measured. Run: make bench" in capsys.readouterr().err
    assert a8_serve._chosen(Options(peers=("bare",))) == [a8_serve.OURS, a8_serve.BARE]
    with pytest.raises(BenchmarkError, match=r"Absent is not installed\. Run: make bench"):
        a8_serve._chosen(Options(peers=("absent",)))


def test_the_memory_of_workers_counts() -> None:
    memory = PeakMemory()
    before = memory.megabytes()
    with subprocess.Popen(
        [sys.executable, "-c", "x = bytearray(60_000_000); input()"], stdin=subprocess.PIPE
    ) as worker:
        deadline = time.monotonic() + 120
        while memory.megabytes() < before + 60 and time.monotonic() < deadline:
            time.sleep(0.02)
        worker.kill()
    assert memory.megabytes() > before + 60, "what has ended counts too"
