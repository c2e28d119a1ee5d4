"""What scripts do at their ends, and to their folders: nothing that they made is lost."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from modules.errors import FailedToEvaluateScriptError, InvalidScriptError
from modules.operating_system.orphans import PR_GET_CHILD_SUBREAPER, PR_SET_CHILD_SUBREAPER
from modules.operating_system.parent_death import process_option, set_process_option
from modules.scripts.parameters import ScriptParameters
from modules.scripts.run_training_script import run_training_script
from tests.modules.scripts.conftest import ScriptStep

Make = Callable[[Mapping[str, str]], Path]
NUM_LINES = 9_000

THREAD = """
import threading, time
def save():
    time.sleep(0.5)
    open("outputs/a.pt", "w").write("weights")
threading.Thread(target=save).start()
"""
POOL = """
import shutil
import time
from concurrent.futures import ThreadPoolExecutor
def save(name):
    time.sleep(0.2)
    open(f"outputs/{name}.pt", "w").write("weights")
pool = ThreadPoolExecutor(1)
for name in "abc":
    pool.submit(save, name)
"""
CLOSED = """
import sys
open("outputs/a.pt", "w").write("weights")
sys.stdout.close()
"""
REPLACED = """
import sys
sys.stdout = open("outputs/a.pt", "w")
print("weights")
sys.stdout.close()
"""


def found_in(folder: Path) -> dict[str, str]:
    """The files below a folder by their paths, whatever links lead there."""
    return {
        each.relative_to(folder).as_posix(): each.read_text()
        for each in sorted(folder.rglob("*"))
        if each.is_file()
    }


@pytest.mark.parametrize(("script", "names"), [(THREAD, "a"), (POOL, "abc")])
def test_threads_of_a_script_end_what_they_do(step: ScriptStep, script: str, names: str) -> None:
    outputs, _, _ = step.run(script)
    assert found_in(outputs.location) == {f"{name}.pt": "weights" for name in names}


def test_a_script_that_failed_waits_for_no_thread(step: ScriptStep) -> None:
    text = "import threading, time\nthreading.Thread(target=time.sleep, args=[600]).start()\n"
    started = time.monotonic()
    with pytest.raises(FailedToEvaluateScriptError, match="ValueError: no data"):
        step.run(f"{text}raise ValueError('no data')\n")
    assert time.monotonic() - started < 60


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux adopts orphans")
def test_the_process_of_the_step_adopts_no_orphans_afterwards(step: ScriptStep) -> None:
    set_process_option(PR_SET_CHILD_SUBREAPER, 0)
    step.run("print('done')")
    assert process_option(PR_GET_CHILD_SUBREAPER) == 0


@pytest.mark.parametrize("script", [CLOSED, REPLACED])
def test_a_script_may_close_its_output(step: ScriptStep, script: str) -> None:
    outputs, _, _ = step.run(script)
    assert {name: text.strip() for name, text in found_in(outputs.location).items()} == {
        "a.pt": "weights"
    }


def test_a_script_that_closed_its_errors_still_says_why_it_failed(step: ScriptStep) -> None:
    with pytest.raises(FailedToEvaluateScriptError, match="ValueError: no data"):
        step.run("import sys\nsys.stderr.close()\nraise ValueError('no data')\n")


def test_a_file_that_leaves_the_source_meanwhile_costs_nothing(
    step: ScriptStep, source: Make
) -> None:
    text = (
        "import os, sys\n"
        "if os.path.exists(sys.argv[1]):\n"
        "    os.remove(sys.argv[1])\n"
        "    raise RuntimeError('EADDRINUSE')\n"  # which starts it again, from the same source
        "open('outputs/model.pt', 'w').write(open('kept.txt').read())\n"
    )
    folder = source({"train.py": text, "kept.txt": "weights"})
    outputs, model, _ = step.run(
        None,
        source_folder=str(folder),
        arguments=[str(folder / "kept.txt")],
        model_file="outputs/model.pt",
    )
    assert model.main_path.read_text() == "weights"
    assert found_in(outputs.location) == {"model.pt": "weights"}
    assert not list(step.work.rglob("kept.txt"))


@pytest.mark.parametrize("name", ["logs", "outputs"])
def test_a_file_in_the_place_of_a_folder_is_refused(
    step: ScriptStep, source: Make, name: str
) -> None:
    folder = source({"train.py": "", name: "x"})
    with pytest.raises(InvalidScriptError, match=f"contains a file {name}, but") as caught:
        step.run(None, source_folder=str(folder))
    assert caught.value.parameter == "source_folder"
    forecast = run_training_script.forecast
    assert forecast is not None
    told = forecast({}, ScriptParameters(source_folder=str(folder)), step.context())
    assert [each.parameter for each in told.findings] == ["source_folder"]


def test_logs_that_became_a_link_to_nowhere_hold_nothing(step: ScriptStep) -> None:
    text = "import os\nos.rmdir('logs')\nos.symlink('/nowhere/logs', 'logs')\n"
    outputs, _, _ = step.run(f"{text}open('outputs/a.pt', 'w').write('weights')\n")
    assert found_in(outputs.location) == {"a.pt": "weights"}
    assert not (step.work / "node-0").exists()


def test_a_script_that_removes_its_own_folder_has_written_nothing(step: ScriptStep) -> None:
    text = "import os, shutil\nhome = os.getcwd()\nos.chdir('/')\nshutil.rmtree(home)\n"
    outputs, _, _ = step.run(text)
    assert found_in(outputs.location) == {}


def test_folders_of_the_working_folder_that_outputs_link_to_are_kept(step: ScriptStep) -> None:
    text = (
        "import os\n"
        "for name in ('checkpoints/deep', 'tables'): os.makedirs(name)\n"
        "open('checkpoints/deep/best.pt', 'w').write('weights')\n"
        "open('tables/a.csv', 'w').write('1')\n"
        "os.symlink('../tables', 'checkpoints/tables')\n"
        "os.symlink('.', 'checkpoints/latest')\n"
        "os.symlink('../outputs', 'checkpoints/outputs')\n"
        "os.symlink('/etc', 'checkpoints/etc')\n"
        "os.symlink('../checkpoints', 'outputs/kept')\n"
        "os.symlink('..', 'outputs/all')\n"
    )
    outputs, _, _ = step.run(text)
    kept = outputs.location / "kept"
    assert (kept / "deep/best.pt").read_text() == "weights"
    assert (kept / "tables/a.csv").read_text() == "1"
    assert sorted(each.name for each in kept.iterdir()) == ["deep", "outputs", "tables"]
    assert (kept / "outputs").resolve() == outputs.location.resolve()
    [told] = [each for each in step.warnings if "are not kept" in each]
    assert all(name in told for name in ("all", "kept/etc", "kept/latest"))


def test_a_model_folder_with_a_link_to_itself_is_a_model(step: ScriptStep) -> None:
    text = (
        "import os\nos.mkdir('outputs/model')\n"
        "open('outputs/model/a.pt', 'w').write('weights')\n"
        "os.symlink('.', 'outputs/model/latest')\n"
    )
    _, model, _ = step.run(text, model_file="outputs/model")
    assert found_in(model.main_path) == {"a.pt": "weights"}


def test_what_is_printed_at_the_end_is_read_line_by_line_however_much_it_is(
    step: ScriptStep,
) -> None:
    text = (
        "import sys\n"
        f"lines = ['x' * 90 + f' loss={{i}}.125' for i in range({NUM_LINES})]\n"
        "sys.stdout.write('\\n'.join([*lines, 'x' * 90 + ' loss=0.125']))\n"
    )
    pattern = f"loss = {'x' * 90} loss=([0-9]+.125)"  # a line in two parts has no such part
    rows = step.run(text, log_patterns=[pattern]).metrics.rows
    assert list(rows["value"]) == [*(number + 0.125 for number in range(NUM_LINES)), 0.125]
    assert step.warnings == []


NAMES_NEEDED = {
    "rank": "import os\nprint(os.environ['RANK'])\n",
    "local rank": "import os\ndef main():\n    return int(os.environ['LOCAL_RANK'])\nmain()\n",
    "torch": (
        "raise ValueError('Error initializing torch.distributed using env:// rendezvous: '"
        "'environment variable WORLD_SIZE expected, but not set')\n"
    ),
}


@pytest.mark.parametrize("script", NAMES_NEEDED.values(), ids=NAMES_NEEDED)
@pytest.mark.parametrize("launcher", ["none", "tensorflow"])
def test_a_script_that_needs_another_launcher_is_offered_it(
    step: ScriptStep, script: str, launcher: str
) -> None:
    with pytest.raises(FailedToEvaluateScriptError, match="Choose the launcher") as caught:
        step.run(script, settings={"launcher": launcher})
    assert caught.value.parameter == "launcher"
    assert caught.value.remedy == {"run_settings": {"launcher": "pytorch_process"}}
    assert f"which the launcher {launcher} does not set" in str(caught.value)
    if "WORLD_SIZE" not in script:
        step.run(script, settings={"launcher": "pytorch_process"})


def test_a_name_that_the_script_removed_itself_is_its_own_mistake(step: ScriptStep) -> None:
    with pytest.raises(FailedToEvaluateScriptError, match="Correct the script"):
        step.run("import os\ndel os.environ['RANK']\nos.environ['RANK']\n")
    with pytest.raises(FailedToEvaluateScriptError, match="Correct the script"):
        step.run("{}['OTHER']\n", settings={"launcher": "none"})


@pytest.mark.extended
def test_init_process_group_without_a_launcher_is_offered_one(step: ScriptStep) -> None:
    script = "import torch.distributed as dist\ndist.init_process_group('gloo')\n"
    with pytest.raises(FailedToEvaluateScriptError) as caught:
        step.run(script, settings={"launcher": "none"})
    assert caught.value.remedy == {"run_settings": {"launcher": "pytorch_process"}}
    step.run(script, settings={"launcher": "pytorch_process"})


@pytest.mark.skipif(shutil.which("mpirun") is None, reason="Open MPI is not installed")
def test_a_script_under_mpi_is_offered_pytorchs_names(step: ScriptStep) -> None:
    script = "import os\nos.environ['RANK']\n"
    with pytest.raises(FailedToEvaluateScriptError) as caught:
        step.run(script, settings={"launcher": "mpi"}, give_pytorch_names=False)
    assert caught.value.remedy == {"set": {"give_pytorch_names": True}}


def test_a_model_file_without_content_is_a_failure(step: ScriptStep) -> None:
    text = "open('outputs/model.pt', 'w').close()\n"
    with pytest.raises(FailedToEvaluateScriptError, match=r"outputs/model\.pt is empty") as caught:
        step.run(text, model_file="outputs/model.pt")
    assert caught.value.parameter == "model_file"
    step.run(text, model_file=None)
    assert [
        each for each in step.warnings if "empty model files (0 bytes): outputs/model.pt" in each
    ]


def test_texts_logged_as_metrics_are_warned_of(step: ScriptStep) -> None:
    text = (
        "from azureml.core import Run\n"
        "run = Run.get_context()\n"
        "run.log('loss', 0.5)\nrun.log('stage', 'warm')\nrun.log('stage', 'hot')\n"
    )
    metrics = step.run(text, model_file=None).metrics
    assert list(metrics.rows["name"]) == ["loss"]
    assert [each for each in step.warnings if "ignored: stage ('warm')" in each]
