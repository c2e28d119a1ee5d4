"""A workspace that may only be read: one sentence with its cure from every command.

Each command is a process of its own, forked from one that has imported the command line.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import typer.main

from pipelines.cli import app
from pipelines.document.document import dump_document
from pipelines.session import WorkspaceSession
from pipelines.workspace import Workspace
from tests.pipelines.execution.refusals import node, wired

pytestmark = pytest.mark.extended

ROOT = Path(__file__).resolve().parents[3]

ARGUMENTS = {
    "app": "--no-browser",
    "artifacts show": "",
    "artifacts verify": "",
    "code check": "{folder}/none.py",
    "code show": "{folder}/pipeline.json",
    "dataset check": "{folder}/pictures",
    "dataset delete": "pets --yes",
    "dataset import": "{folder}/pictures",
    "dataset index": "{folder}/workspace/tars",
    "dataset list": "",
    "dataset relocate": "pets@1 s3://elsewhere/pets",
    "dataset shard": "{folder}/pictures {folder}/workspace/shards",
    "diff": "{folder}/pipeline.json {folder}/pipeline.json",
    "doctor": "",
    "endpoints compare": "e m@1",
    "endpoints deploy": "e m@1",
    "endpoints files": "e",
    "endpoints keys": "m",
    "endpoints list": "",
    "endpoints logs": "e",
    "endpoints remove": "e --yes",
    "endpoints revoke": "m 1",
    "endpoints rollback": "e",
    "endpoints rotate": "m 1",
    "endpoints show": "e",
    "endpoints start": "e",
    "endpoints stop": "e",
    "endpoints swap": "e m@1",
    "environments build": "designer",
    "environments export": "designer",
    "environments list": "",
    "environments remove": "mine",
    "environments resolve": "--package numpy",
    "environments show": "designer",
    "environments verify": "designer",
    "forecast": "{folder}/pipeline.json",
    "import": "{folder}/none.py",
    "improve": "last fine_tune",
    "inference": "{folder}/pipeline.json --model m@1",
    "gc": "",
    "models alias": "m@1 best",
    "models check": "",
    "models delete": "m --yes",
    "models export": "m@1 {folder}/out",
    "models import": "m {folder}/model.onnx",
    "models list": "",
    "models moves": "m",
    "models register": "m last",
    "models rule": "m best --remove",
    "models show": "m@1",
    "modules": "",
    "published add": "p {folder}/pipeline.json",
    "published keys": "p",
    "published list": "",
    "published remove": "p --yes",
    "published revoke": "p 1",
    "published rotate": "p 1",
    "published run": "p",
    "published show": "p",
    "reference": "",
    "replay export": "last",
    "replay list": "",
    "replay open": "{folder}/none.replay",
    "replay record": "",
    "replay rerun": "last",
    "replay show": "none",
    "run": "{folder}/pipeline.json",
    "runner start": "",
    "runner status": "",
    "runner stop": "",
    "runs cancel": "last",
    "runs clone": "last",
    "runs compare": "last last",
    "runs delete": "last --yes",
    "runs download": "last a outputs/x",
    "runs files": "last a",
    "runs follow": "last",
    "runs list": "",
    "runs logs": "last",
    "runs metrics": "last",
    "runs note": "last words",
    "runs rename": "last name",
    "runs resubmit": "last",
    "runs resume": "last",
    "runs show": "last",
    "runs tag": "last a",
    "schedules add": "s p --every 5",
    "schedules lines": "",
    "schedules list": "",
    "schedules pause": "s",
    "schedules remove": "s --yes",
    "schedules resume": "s",
    "schedules show": "s",
    "score": "m@1 {folder}/pictures {folder}/workspace/out",
    "secrets list": "",
    "secrets remove": "A",
    "secrets set": "A",
    "serve": "m --port 0",
    "start": "{folder}/pictures",
    "sweep list": "",
    "sweep repeat": "last",
    "sweep resume": "last",
    "sweep run": "{folder}/pipeline.json --param net.pretrained=true,false",
    "sweep show": "last",
    "sweep stop": "last",
    "target add": "t --simulated-nodes 2",
    "target check": "local",
    "target list": "",
    "target remove": "t",
    "target show": "local",
    "validate": "{folder}/pipeline.json",
    "workspace move": "",
    "workspace restore": "--empty --yes",
}
Answer = tuple[int, str, str]
"""Exit code, output, errors."""
Designer = Callable[[list[str]], Answer]

FORKING = """
import gc, json, os, sys
import alembic.command, designer_app.server.server  # what commands import when they need it
from designer_app.command import main

gc.freeze()  # or each child would look through all of this as it ends
for line in sys.stdin:
    sys.argv = json.loads(line)
    child = os.fork()
    if child == 0:
        for number, name in enumerate((os.devnull, "output", "errors")):
            os.dup2(os.open(name, os.O_RDWR | os.O_CREAT | os.O_TRUNC), number)
        sys.exit(main())
    _, status = os.waitpid(child, 0)
    print(os.waitstatus_to_exitcode(status), flush=True)
"""
READING = {
    *("modules", "reference", "dataset check", "dataset list", "replay list", "schedules lines")
}
"""What these are asked for they can do."""
NAMELESS = {"import", "replay open", "replay show", "replay record"}
"""What these are asked for here is not there, which they may say instead."""
ELSEWHERE = {"dataset index", "dataset shard"}
"""What these write need not be in a workspace."""


def commands() -> set[str]:
    """Every command there is."""
    import_module("designer_app.command")  # it adds `designer app`
    result: set[str] = set()
    waiting = [("", typer.main.get_command(app))]
    while waiting:
        name, command = waiting.pop()
        inside = getattr(command, "commands", None)
        if inside is None:
            result.add(name)
        else:
            waiting += [(f"{name} {item}".strip(), sub) for item, sub in inside.items()]
    return result


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a workspace that was used, and a pipeline."""
    made = tmp_path_factory.mktemp("read-only")
    workspace = Workspace.at(made / "workspace")
    runs = WorkspaceSession(workspace).runs
    runs.store.create({}, ["a"], name="n", experiment="e")
    runs.cancel(runs.store.newest()[0].id)
    runs.database.close()
    (workspace.root / "token").write_text("x")
    (made / "pictures").mkdir()
    (workspace.root / "tars").mkdir()
    tarfile.open(workspace.root / "tars" / "a.tar", "w").close()
    (made / "pictures" / "1.png").write_bytes(b"x")
    document = wired([node("net", "resnet", pretrained=False)])
    (made / "pipeline.json").write_text(dump_document(document), encoding="utf-8")
    return made


@contextmanager
def forking(*before: str) -> Iterator[Designer]:
    """Runs ``designer``, each time in a fork of a process that is started by ``before``."""
    with (
        TemporaryDirectory() as written,
        subprocess.Popen(
            [*before, sys.executable, "-c", FORKING],
            cwd=written,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as process,
    ):
        asks, answers = process.stdin, process.stdout
        assert asks is not None
        assert answers is not None

        def designer(arguments: list[str]) -> Answer:
            print(json.dumps(["designer", *arguments]), file=asks, flush=True)
            code = int(answers.readline())
            output, errors = (Path(written, name).read_text() for name in ("output", "errors"))
            return code, output, errors

        yield designer


@pytest.fixture(
    scope="module",
    params=["mounted", pytest.param("another user's", marks=pytest.mark.full)],  # said alike
)
def designer(folder: Path, request: pytest.FixtureRequest) -> Iterator[Designer]:
    """The command line of somebody who may only read the workspace."""
    workspace = folder / "workspace"
    if request.param == "mounted":
        for options in (["--bind", str(workspace)], ["-o", "remount,bind,ro"]):
            done = subprocess.run(["mount", *options, str(workspace)], capture_output=True)
            if done.returncode:
                pytest.skip("needs the right to mount")
        with forking() as made:
            yield made
        subprocess.run(["umount", "--lazy", str(workspace)], check=True)
        return
    if os.geteuid() or shutil.which("setpriv") is None:
        pytest.skip("needs setpriv and its user's right to give up rights")
    for path in (workspace, *workspace.rglob("*")):
        os.chown(path, 65534, 65534)
    with forking("setpriv", "--bounding-set=-dac_override") as made:
        yield made


def test_every_command_is_tried() -> None:
    assert set(ARGUMENTS) == commands()


@pytest.mark.parametrize("name", sorted(ARGUMENTS))
def test_one_sentence_and_its_cure(name: str, designer: Designer, folder: Path) -> None:
    arguments = [part.format(folder=folder) for part in ARGUMENTS[name].split()]
    command = [*name.split(), *arguments]
    if name != "reference":
        command += ["--workspace", str(folder / "workspace")]
    code, output, errors = designer(command)
    said = output + errors
    assert "Traceback" not in said
    if name in READING:
        assert (code, errors) == (0, "")
        return
    assert code == 1, said
    if name not in NAMELESS:
        assert "annot write to" in said or "cannot be written to" in said
        assert "--workspace" in said or name in ELSEWHERE
    if name != "doctor":
        assert output == ""
        assert len(errors.strip().splitlines()) == 1
