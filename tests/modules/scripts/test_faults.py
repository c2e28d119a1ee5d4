"""What goes wrong with scripts, and what is said of it: every row of the failure matrix."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from modules.context import ScriptEnvironment
from modules.errors import (
    FailedToEvaluateScriptError,
    InvalidScriptError,
    ModuleOutOfMemoryError,
)
from modules.scripts import script_launch
from modules.scripts.extension_locks import remove_stale_locks
from modules.scripts.parameters import ScriptParameters
from modules.scripts.run_training_script import run_training_script
from modules.scripts.weights import differing_ranks
from tests.modules.scripts.conftest import ScriptStep

Make = Callable[[Mapping[str, str]], Path]
TWO = {"process_count_per_node": 2}
MARK = "SCRIPT_TEST_MARK"
HANG = "import time\ntime.sleep(600)\n"


def processes_with(value: str) -> list[int]:
    """The processes that have the mark of a test in their environment."""
    entry, found = f"{MARK}={value}".encode(), []
    for folder in Path("/proc").iterdir():
        try:
            if entry in (folder / "environ").read_bytes().split(b"\0"):
                found.append(int(folder.name))
        except (OSError, ValueError):
            continue
    return found


def test_exit_code_0_without_the_model_is_an_error_that_says_what_was_written(
    step: ScriptStep,
) -> None:
    text = "open('outputs/notes.txt', 'w').write('x')\nopen('other.txt', 'w').write('xx')\n"
    with pytest.raises(FailedToEvaluateScriptError) as caught:
        step.run(text, model_file="outputs/model.pt")
    assert "did not write outputs/model.pt" in caught.value.message
    assert "outputs/notes.txt (1 B), other.txt (2 B)" in caught.value.message
    assert caught.value.parameter == "model_file"
    with pytest.raises(
        FailedToEvaluateScriptError, match=r"write outputs/\*\.csv.*folder: nothing"
    ):
        step.run("", declared_outputs=["outputs/*.csv"])


def test_a_file_that_was_there_before_is_no_output(step: ScriptStep, source: Make) -> None:
    folder = source({"train.py": "", "weights/model.pt": "old"})
    given: dict[str, Any] = {"source_folder": str(folder), "model_file": "weights/model.pt"}
    with pytest.raises(FailedToEvaluateScriptError, match=r"did not write weights/model\.pt"):
        step.run(None, **given)
    (folder / "train.py").write_text("open('weights/model.pt', 'w').write('newer')\n")
    assert step.run(None, **given).model.main_path.read_text() == "newer"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("print('bye')\nraise SystemExit(3)\n", "The script exited with code 3.*bye"),
        ("raise SystemExit(7)\n", "The script exited with code 7 without any output"),
        ("import sys\nsys.exit('no data')\n", "exited with code 1.*no data"),
        ("import os\nos.abort()\n", "was terminated by SIGABRT"),
        ("import os\nos.kill(os.getpid(), 9)\n", "killed by the system.*memory"),
    ],
)
def test_exit_codes_and_signals_are_told(step: ScriptStep, text: str, said: str) -> None:
    with pytest.raises(FailedToEvaluateScriptError, match=f"(?s){said}"):
        step.run(text)


def test_the_rank_that_failed_first_leads_and_the_others_are_ended(step: ScriptStep) -> None:
    text = (
        "import os, time\n"
        "def depth(number):\n"
        "    if not number: raise KeyError('label')\n"
        "    depth(number - 1)\n"
        "if os.environ['RANK'] == '1': depth(30)\n"
        "time.sleep(600)\n"
    )
    started = time.monotonic()
    with pytest.raises(FailedToEvaluateScriptError) as caught:
        step.run(text, settings=TWO)
    assert time.monotonic() - started < 60
    message, details = caught.value.message, caught.value.details
    assert message.startswith("Rank 1 failed:\nTraceback")
    assert "line 5, in <module>" in message
    assert message.endswith("KeyError: 'label'")
    assert len(message.splitlines()) < 16
    assert "bootstrap" not in message
    assert details is not None
    assert details["rows"] == [
        ["rank 1", "exited with code 1"],
        ["rank 0", "was stopped because of rank 1"],
    ]


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="looks into /proc")
def test_nothing_that_a_script_started_outlives_the_step(step: ScriptStep) -> None:
    text = (
        "import os, signal, subprocess, sys\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "sleep = [sys.executable, '-c', 'import time; time.sleep(600)']\n"
        "subprocess.Popen(sleep, start_new_session=True)\n"
        "if os.fork() == 0:\n"
        "    os.setsid()\n"
        "    subprocess.Popen(sleep)\n"
        "    os._exit(0)\n"
        "raise SystemExit(0 if os.environ['RANK'] == '0' else 1)\n"
    )
    mark = str(step.root)
    settings = {**TWO, "variables": {MARK: mark}}
    with pytest.raises(FailedToEvaluateScriptError, match="Rank 1 exited with code 1"):
        step.run(text, settings=settings)
    assert processes_with(mark) == []


def environment(name: str) -> ScriptEnvironment:
    """The designer's own Python under another name."""
    return ScriptEnvironment(name, "0" * 64, Path(sys.executable), Path(sys.executable).parent)


def test_a_missing_package_is_named_with_the_environment_that_lacks_it(step: ScriptStep) -> None:
    settings = {"environment": environment("torch-plus@2")}
    with pytest.raises(FailedToEvaluateScriptError) as caught:
        step.run("import skimage_of_nowhere.io\n", settings=settings)
    error = caught.value
    assert (
        "skimage_of_nowhere, which is not installed in the environment torch-plus@2"
        in error.message
    )
    assert error.remedy == {
        "add_requirement": "skimage_of_nowhere",
        "environment": "torch-plus@2",
    }
    text = "raise ModuleNotFoundError(\"No module named 'cv2'\", name='cv2')\n"
    with pytest.raises(FailedToEvaluateScriptError, match="with opencv-python-headless") as here:
        step.run(text)
    assert here.value.parameter == "environment"


@pytest.mark.parametrize(
    "message",
    [
        "Found no NVIDIA driver on your system.",
        "Torch not compiled with CUDA enabled",
        "ProcessGroupNCCL is only supported with GPUs, no GPUs found!",
        "nccl2 requires CUDA",
    ],
)
def test_a_script_that_asks_for_gpus_is_told_so_in_one_sentence(
    step: ScriptStep, message: str
) -> None:
    with pytest.raises(FailedToEvaluateScriptError, match="requires GPUs, but this compute") as e:
        step.run(f"raise RuntimeError({message!r})\n")
    assert "gloo" in e.value.cure


def test_memory_that_runs_out_has_its_code(step: ScriptStep) -> None:
    with pytest.raises(ModuleOutOfMemoryError, match="ran out of memory"):
        step.run("raise MemoryError\n")


def test_a_port_that_was_taken_is_replaced_once(step: ScriptStep, tmp_path: Path) -> None:
    ports = tmp_path / "ports"
    text = (
        "import os, sys\n"
        "with open(sys.argv[1], 'a') as file: file.write(os.environ['MASTER_PORT'] + '\\n')\n"
        "if len(open(sys.argv[1]).readlines()) < int(sys.argv[2]):\n"
        "    raise RuntimeError('The server socket has failed to bind: EADDRINUSE')\n"
    )
    step.run(text, arguments=[str(ports), "2"])
    assert len(set(ports.read_text().split())) == 2
    assert ["started once more" in each for each in step.warnings] == [True]
    with pytest.raises(FailedToEvaluateScriptError, match="EADDRINUSE"):
        step.run(text, arguments=[str(ports), "9"])
    assert len(ports.read_text().split()) == 4


def test_a_script_that_has_long_begun_is_not_started_again(
    step: ScriptStep, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(script_launch, "PORT_SECONDS", 0.0)
    text = "print('Address already in use: another port for TensorBoard')\nraise SystemExit(3)\n"
    with pytest.raises(FailedToEvaluateScriptError, match="code 3"):
        step.run(text)
    assert step.warnings == []


def test_a_port_that_the_node_chooses_is_taken_or_refused(step: ScriptStep) -> None:
    text = "import os; print('port', os.environ['MASTER_PORT'])\nopen('outputs/done', 'w')\n"
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        port = str(other.getsockname()[1])
        with pytest.raises(InvalidScriptError, match=f"Port {port}, set by MASTER_PORT"):
            step.run(text, settings={"variables": {"MASTER_PORT": port}})
    step.run(text, settings={"variables": {"MASTER_PORT": port}})
    assert f"port {port}" in step.log()
    with pytest.raises(InvalidScriptError, match="Invalid value '80'"):
        step.run(text, settings={"variables": {"MASTER_PORT": "80"}})


def test_without_mpirun_the_launcher_says_what_to_install(
    step: ScriptStep, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(
        InvalidScriptError, match="mpirun is not installed on this machine"
    ) as caught:
        step.run("", settings={"launcher": "mpi"})
    assert "apt install openmpi-bin" in caught.value.cure


def test_a_second_launcher_is_refused(step: ScriptStep) -> None:
    with pytest.raises(InvalidScriptError, match="starts with mpirun"):
        step.run("", command="mpirun -np 2 python script.py")


def test_no_network_is_refused_where_there_is_no_wall(
    step: ScriptStep, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(InvalidScriptError, match="2 processes cannot be blocked"):
        step.run("", network="none", settings=TWO)
    monkeypatch.setattr("modules.scripts.script_launch.can_wall", lambda *, network: network)
    with pytest.raises(InvalidScriptError, match="bubblewrap does not run") as caught:
        step.run("", network="none")
    assert caught.value.parameter == "network"


def test_what_serves_a_chief_ends_with_it_and_counts_as_success(step: ScriptStep) -> None:
    text = (
        "import json, os, time\n"
        "task = json.loads(os.environ['TF_CONFIG'])['task']['type']\n"
        "print(task, flush=True)\n"
        "time.sleep(0 if task == 'chief' else 600)\n"
        "open('outputs/done', 'w')\n"
    )
    settings = {"launcher": "tensorflow", "parameter_server_count": 1}
    outputs, _, _ = step.run(text, settings=settings)
    assert [path.name for path in outputs.location.iterdir()] == ["done"]
    assert step.log(0).strip() == "chief"


def test_a_stop_keeps_what_there_is(step: ScriptStep) -> None:
    stop, text = step.root / "stop", f"open('outputs/half', 'w')\n{HANG}"
    context = replace(step.context(), stop_path=stop)
    half = step.work / "node-0/outputs/half"

    def ask() -> None:
        while not half.exists():
            time.sleep(0.02)
        stop.touch()

    asking = Thread(target=ask)
    asking.start()
    outputs, _, _ = run_training_script(
        ScriptParameters(typed_script=text, model_file=None), context
    )
    asking.join()
    assert [path.name for path in outputs.location.iterdir()] == ["half"]
    assert context.cut_short


def test_files_that_nodes_wrote_differently_are_told(step: ScriptStep) -> None:
    text = "import os\nopen('outputs/best.pt', 'w').write(os.environ['RANK'])\n"
    outputs, _, _ = step.run(text, settings={"node_count": 2})
    assert (outputs.location / "best.pt").read_text() == "0"
    assert ["wrote the same files" in each and "best.pt" in each for each in step.warnings] == [
        True
    ]


def test_weights_differ_only_where_shapes_are_equal() -> None:
    def report(rank: int, value: str, shapes: str = "a") -> dict[str, Any]:
        return {"rank": rank, "weights": {"hash": value, "shapes": shapes}}

    assert differing_ranks([report(0, "x"), report(1, "x")]) == []
    assert differing_ranks([report(0, "x"), report(1, "y")]) == [0, 1]
    assert differing_ranks([report(0, "x"), report(1, "y", "b")]) == []
    assert differing_ranks([{"rank": 0, "weights": None}, report(1, "y")]) == []


def test_locks_of_killed_builds_are_removed_where_nobody_has_them(tmp_path: Path) -> None:
    lock = tmp_path / "py311/fused_adam/lock"
    lock.parent.mkdir(parents=True)
    lock.touch()
    held = {**os.environ, "TORCH_EXTENSIONS_DIR": str(tmp_path)}
    program = [sys.executable, "-c", "print(flush=True); input()"]
    with subprocess.Popen(program, env=held, stdin=-1, stdout=-1) as holder:
        assert holder.stdout is not None
        assert holder.stdin is not None
        holder.stdout.readline()
        assert remove_stale_locks(tmp_path) == []
        holder.stdin.close()
    assert remove_stale_locks(tmp_path) == [lock]
    assert not lock.exists()
