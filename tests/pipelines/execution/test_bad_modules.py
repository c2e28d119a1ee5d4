"""Users' modules that misbehave: told in their own words, and nothing else is harmed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pipelines.document.document import PipelineDocument
from pipelines.runs.report import run_report
from pipelines.runs.run_service import RunService
from pipelines.workers.event_files import EventTail
from pipelines.workers.step_spec import StepSpec
from tests.modules.user_files import MODULE_HEAD
from tests.pipelines.cli.commands import as_process
from tests.pipelines.conftest import run
from tests.pipelines.execution.refusals import failure, node, refused, wired
from tests.pipelines.execution.runner_processes import has_ended
from tests.polling import wait_for

pytestmark = pytest.mark.extended


def write_module(runs: RunService, name: str, body: str, before: str = "") -> None:
    """A user's module of one function with this body."""
    runs.workspace.modules_dir.mkdir(exist_ok=True)
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    text = before + MODULE_HEAD.format(name=name) + lines
    (runs.workspace.modules_dir / f"{name}.py").write_text(text, encoding="utf-8")


def using(name: str) -> PipelineDocument:
    return wired(
        [node("bad", name), node("convert", "convert_to_image_directory")],
        "bad.output -> convert.input_dataset",
    )


MISTAKES = {
    "wrong_type": ("return Table(context.new_folder())", "has type Table"),
    "nothing": ("return None", "has type NoneType"),
    "two_outputs": ("a = AnyDirectory(context.new_folder())\nreturn a, a", "gave 2 outputs"),
    "not_made": ("return AnyDirectory(context.staging_dir / 'x')", "context.new_folder()"),
    "removed": (
        "folder = context.new_folder()\nfolder.rmdir()\nreturn AnyDirectory(folder)",
        "context.new_folder()",
    ),
    "linked": (
        "context.new_folder()\nos.symlink('/etc', context.staging_dir / 'x')\n"
        "return AnyDirectory(context.staging_dir / 'x')",
        "context.new_folder()",
    ),
    "leaves": ("raise SystemExit", "SystemExit"),
    "leaves_well": ("sys.exit(0)", "SystemExit: 0"),
    "interrupts": ("raise KeyboardInterrupt", "KeyboardInterrupt"),
    "divides": ("1 / 0", "ZeroDivisionError"),
    "recurses": ("def f(): return f()\nf()", "RecursionError"),
    "talks": ("raise ValueError('x' * 1_000_000)", "ValueError: xxx"),
    "no_text": ("raise ValueError('\\udcff')", "ValueError"),
    "speechless": (
        "class Odd(Exception):\n    def __str__(self): return 1 / 0\nraise Odd",
        "Odd",
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_are_0085_with_the_modules_own_lines(name: str, shared_runs: RunService) -> None:
    body, words = MISTAKES[name]
    write_module(shared_runs, name, body)
    problem = failure(shared_runs, using(name), "bad")
    assert problem["code"] == "0085"
    assert words in problem["message"]
    assert len(problem["message"]) < 6000
    assert "host.py" not in problem["message"]
    json.dumps(problem, ensure_ascii=False).encode("utf-8")


def test_a_process_that_just_ends_is_3014(shared_runs: RunService) -> None:
    for name, code in (("ends", 0), ("ends_badly", 3)):
        write_module(shared_runs, name, f"os._exit({code})")
        problem = failure(shared_runs, using(name), "bad")
        assert problem["code"] == "3014"
        assert f"exited with code {code}" in problem["message"]
    write_module(shared_runs, "crashes", "os.kill(os.getpid(), 11)")
    assert "SIGSEGV" in failure(shared_runs, using("crashes"), "bad")["message"]


def test_an_error_without_a_cure_gets_one(shared_runs: RunService) -> None:
    write_module(shared_runs, "curt", "raise ModuleError('No.', cure='')")
    assert failure(shared_runs, using("curt"), "bad")["code"] == "3032"


def test_an_output_elsewhere_is_refused_and_left_alone(
    shared_runs: RunService, tmp_path: Path
) -> None:
    place = tmp_path / "elsewhere"
    body = f"place = Path({str(place)!r})\nplace.mkdir()\nreturn AnyDirectory.write(place)"
    write_module(shared_runs, "elsewhere", body)
    problem = failure(shared_runs, using("elsewhere"), "bad")
    assert "outside the step's folder" in problem["message"]
    assert (place / "dataset.json").is_file()


def test_what_it_hands_on_is_checked(shared_runs: RunService) -> None:
    write_module(shared_runs, "hollow", "return AnyDirectory(context.new_folder())")
    problem = failure(shared_runs, using("hollow"), "convert")
    assert problem["code"] == "0018"
    assert "AnyDirectory.write" in problem["cure"]


def test_what_it_starts_ends_with_it(shared_runs: RunService) -> None:
    body = "child = subprocess.Popen(['sleep', '600'])\nraise ValueError(f'<{child.pid}>')"
    write_module(shared_runs, "parent", body)
    message = failure(shared_runs, using("parent"), "bad")["message"]
    pid = int(message.rpartition("<")[2].partition(">")[0])
    wait_for(lambda: has_ended(pid))


def test_long_and_broken_words_are_shortened_and_mended(shared_runs: RunService) -> None:
    body = (
        "context.summary('s' * 1_000_000)\ncontext.warn('\\udcff')\n"
        "context.metric('loss', float('nan'))\nreturn AnyDirectory.write(context.new_folder())"
    )
    write_module(shared_runs, "chatty", body)
    run_id, state = run(shared_runs, using("chatty"), to_node="bad")
    assert state.status == "completed", state.problem
    report = run_report(shared_runs, run_id).nodes["bad"]
    assert report.summary is not None
    assert len(report.summary) < 5000
    shown = as_process(shared_runs, "runs", "show", run_id, "--json")
    assert shown.returncode == 0, shown.stderr
    assert json.loads(shown.stdout)["nodes"]["bad"]["warnings"] == ["?"]


POINTS = {
    "context.metric('loss', 1, step=2**63)": [("loss", 2**53 - 1)],
    "context.metric('caf\\udce9.png', 1, step=-(2**80))": [("caf .png", 1 - 2**53)],
    # as lines that an older version wrote
    "context._tell('metric', name='caf\\udce9.png', value=1.0, step=2**63)": [
        ("caf .png", 2**53 - 1)
    ],
    "context._tell('metric', name=3, value=1.0, step=1)": [],
}


@pytest.mark.parametrize("point", POINTS)
def test_a_point_that_no_database_takes_harms_nobody(point: str, shared_runs: RunService) -> None:
    body = f"{point}\nreturn AnyDirectory.write(context.new_folder())"
    write_module(shared_runs, "pointed", body)
    run_id, state = run(shared_runs, using("pointed"), to_node="bad")
    assert state.status == "completed", state.problem
    assert [(metric.name, metric.step) for metric in shared_runs.store.metrics(run_id)] == POINTS[
        point
    ]


@pytest.mark.full  # long ones: below
def test_a_flood_of_words_is_taken_in_bit_by_bit_and_whole(shared_runs: RunService) -> None:
    body = (
        "for step in range(40_000):\n    context.metric('loss', step, step=step)\n"
        "context.summary('done')\nreturn AnyDirectory.write(context.new_folder())"
    )
    write_module(shared_runs, "flood", body)
    run_id, state = run(shared_runs, using("flood"), to_node="bad")
    assert (state.status, state.steps["bad"].summary) == ("completed", "done")
    results = [event for batch in shared_runs.follow(run_id) for event in batch]
    steps = [event.data["step"] for event in results if event.kind == "MetricLogged"]
    assert steps == list(range(40_000))
    assert [event.kind for event in results][-2:] == ["StepFinished", "RunFinished"]
    [spec_path] = shared_runs.workspace.node_dir(run_id, "bad").rglob("step.json")
    tail = EventTail(StepSpec.read(spec_path).events_paths)
    parts = [len(tail.read())]
    while tail.is_behind:
        parts.append(len(tail.read()))
    assert len(parts) > 2
    assert sum(parts) > 40_000 > 2 * max(parts)


def test_a_broken_file_is_reported_and_its_modules_are_unknown(
    shared_runs: RunService, tmp_path: Path
) -> None:
    folder = shared_runs.workspace.modules_dir
    folder.mkdir(exist_ok=True)
    broken = folder / "broken.py"
    broken.write_text("def f(:\n", encoding="utf-8")
    (folder / "leaving.py").write_text("raise SystemExit(3)\n", encoding="utf-8")
    try:
        done = as_process(shared_runs, "modules", "--json")
        assert done.returncode == 0, done.stderr
        failures = {Path(item["source"]).name: item for item in json.loads(done.stdout)["failures"]}
        assert failures["broken.py"]["line"] == 1
        assert "SyntaxError" in failures["broken.py"]["message"]
        assert all(failures[name]["cure"].endswith(".") for name in ("broken.py", "leaving.py"))
        report = refused(shared_runs, using("broken"), tmp_path)
        assert report["problems"][0]["code"] == "3001"
    finally:
        broken.unlink()
        (folder / "leaving.py").unlink()


NOISE: dict[str, Any] = {
    "print": "print('noise')\n",
    "descriptor": "import os\nos.write(1, b'noise\\n')\n",
    "child": "import os\nos.system('echo noise')\n",
    "original": "import sys\nsys.__stdout__.write('noise\\n')\n",
}


@pytest.mark.parametrize("kind", NOISE)
def test_what_a_file_prints_when_listed_stays_off_standard_output(
    kind: str, shared_runs: RunService
) -> None:
    write_module(shared_runs, "noisy", "return AnyDirectory.write(context.new_folder())", "")
    path = shared_runs.workspace.modules_dir / "noisy.py"
    path.write_text(path.read_text(encoding="utf-8") + NOISE[kind], encoding="utf-8")
    done = as_process(shared_runs, "modules", "--json")
    path.unlink()
    assert done.returncode == 0, done.stderr
    assert "noisy" in [module["id"] for module in json.loads(done.stdout)["modules"]]
    assert "noise" in done.stderr
