"""Users' files that exit, hang, crash, or reach for what is not theirs: one mistake each.

Whatever they do, commands and the app answer, built-in modules work, and other files are read.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pipelines.document.document import dump_document
from pipelines.runs.run_service import RunService
from tests import toy
from tests.designer_app.http import Server
from tests.modules.user_files import MODULE_HEAD
from tests.pipelines.cli.commands import as_process
from tests.pipelines.conftest import build, run
from tests.pipelines.execution.refusals import node, wired

pytestmark = pytest.mark.extended

SOUND = MODULE_HEAD.format(name="{name}") + "    return AnyDirectory.write(context.new_folder())\n"

FILES = {
    "exits": ("import os\nos._exit(7)\n", "ended the process that imports it with exit code 7"),
    "loops": ("while True:\n    pass\n", "did not finish within 10 seconds"),
    "sleeps": ("import time\ntime.sleep(600)\n", "did not finish within 10 seconds"),
    "crashes": ("import ctypes\nctypes.string_at(0)\n", "SIGSEGV"),
    "interrupts": ("raise KeyboardInterrupt\n", "KeyboardInterrupt"),
    "starts_threads": (
        "import threading, time\nthreading.Thread(target=time.sleep, args=(600,)).start()\n",
        "It starts a thread",
    ),
    "patches": (
        "import builtins, json\nbuiltins.open = json.dumps = json.loads = None\n",
        "It replaces builtins.open",
    ),
    "allocates": ("everything = [0] * (1 << 34)\n", "MemoryError"),
    "closes": ("import os\nos.closerange(3, 64)\n", "It"),
    "floods": (
        "import contextlib, os\nfor number in range(3, 64):\n"
        "    with contextlib.suppress(OSError):\n        os.write(number, b'noise\\n')\n",
        "cannot be read",
    ),
}
PLACES = {
    "waits.py": "It is not a regular file.",
    "endless.py": "It is not a regular file.",
    "folder.py": "It is not a regular file.",
    "itself.py": "symbolic links",
    "nowhere.py": "FileNotFoundError",
}


@pytest.fixture(scope="module")
def hostile(place: Any) -> Iterator[Path]:
    """The folder of modules with every such file, and a sound one."""
    folder: Path = place.make().modules_dir
    toy.install(folder)
    for name, (text, _) in FILES.items():
        (folder / f"{name}.py").write_text(SOUND.format(name=name) + text, encoding="utf-8")
    os.mkfifo(folder / "waits.py")
    (folder / "endless.py").symlink_to("/dev/zero")
    (folder / "folder.py").mkdir()
    (folder / "itself.py").symlink_to("itself.py")
    (folder / "nowhere.py").symlink_to("gone")
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


def assert_one_mistake_per_module(catalog: dict[str, Any]) -> None:
    ids = {module["id"] for module in catalog["modules"]}
    assert {"densenet", "train_pytorch_model", "add", "constant"} <= ids
    assert not ids & FILES.keys()
    by_name = {Path(failure["source"]).name: failure for failure in catalog["failures"]}
    assert len(by_name) == len(catalog["failures"]) == len(FILES) + len(PLACES)
    for name, words in {**{f"{n}.py": w for n, (_, w) in FILES.items()}, **PLACES}.items():
        said = by_name[name]
        assert words in said["message"], said
        assert said["cure"].endswith("."), said


def test_the_command_lists_each_with_its_cure(hostile: Path, shared_runs: RunService) -> None:
    assert hostile.is_dir()
    done = as_process(shared_runs, "modules", "--json")
    assert done.returncode == 0, done.stderr
    assert_one_mistake_per_module(json.loads(done.stdout))


def test_the_app_lists_each_with_its_cure(hostile: Path, shared_runs: RunService) -> None:
    assert hostile.is_dir()
    before = open, json.dumps
    server = Server(shared_runs.workspace, data_roots=(), more_hosts=())
    try:
        answer = server.client.get("/api/catalog")
        assert answer.status == 200
        assert_one_mistake_per_module(answer.json)
    finally:
        server.stop()
    assert before == (open, json.dumps)


def test_pipelines_without_them_run(hostile: Path, shared_runs: RunService, tmp_path: Path) -> None:
    assert hostile.is_dir()
    document = build(
        {"sum": {"a": "one", "b": "one"}},
        {"one": {"module": "constant"}, "sum": {"module": "add"}},
    )
    _, state = run(shared_runs, document)
    assert state.status == "completed", state.problem
    path = tmp_path / "pipeline.json"
    path.write_text(dump_document(document), encoding="utf-8")
    done = as_process(shared_runs, "validate", path, "--json")
    assert (done.returncode, json.loads(done.stdout)) == (0, {"valid": True, "problems": []})
    using = wired([node("bad", "loops")])
    path.write_text(dump_document(using), encoding="utf-8")
    done = as_process(shared_runs, "validate", path, "--json")
    assert done.returncode == 1
    assert [problem["code"] for problem in json.loads(done.stdout)["problems"]] == ["3001"]
