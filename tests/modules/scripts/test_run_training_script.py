"""Run Training Script from its parameters to its outputs, with real processes."""

from __future__ import annotations

import json
import os
import sys
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from modules.artifacts import AnyDirectory, ImageDirectory
from modules.context import ScriptEnvironment
from modules.errors import (
    FailedToEvaluateScriptError,
    InvalidScriptError,
    NullOrEmptyError,
    SourceNotAllowedError,
)
from modules.scripts.parameters import ScriptParameters
from modules.scripts.run_training_script import run_training_script
from tests.modules.scripts.conftest import ScriptStep

Make = Callable[[Mapping[str, str]], Path]
SAY = "import json, os, sys\nprint(json.dumps({'argv': sys.argv, 'env': dict(os.environ)}))\n"
NAMED = ("MASTER_ADDR", "WORLD_SIZE", "RANK", "LOCAL_RANK", "LOCAL_WORLD_SIZE", "NODE_RANK")

FOREIGN = ("RANK", "OMPI_COMM_WORLD_RANK", "SLURM_PROCID", "GOMP_CPU_AFFINITY", "MY_PASSWORD")


class Said(NamedTuple):
    """What a script that says all of itself said."""

    argv: list[str]
    env: dict[str, str]


def said(step: ScriptStep, rank: int = 0) -> Said:
    return Said(**json.loads(step.log(rank).splitlines()[-1]))


def test_a_script_runs_in_a_copy_of_its_folder_and_gives_what_it_wrote(
    step: ScriptStep, source: Make
) -> None:
    text = (
        "import helper, pathlib\n"
        "assert not pathlib.Path('outputs/old').exists()\n"
        "pathlib.Path('outputs/model.pt').write_text(helper.TEXT)\n"
        "pathlib.Path('outputs/report/a.txt').parent.mkdir()\n"
        "pathlib.Path('outputs/report/a.txt').write_text('a')\n"
        "pathlib.Path('train.py').write_text('changed')\n"
    )
    folder = source({"train.py": text, "helper.py": "TEXT = 'weights'\n", "outputs/old": "x"})
    outputs, model, metrics = step.run(
        None, source_folder=str(folder), model_file="outputs/model.pt"
    )
    assert (folder / "train.py").read_text() == text
    assert sorted(path.name for path in outputs.location.rglob("*")) == [
        *("a.txt", "model.pt", "report"),
    ]
    assert (model.main_path.read_text(), model.framework) == ("weights", "pytorch")
    assert list(metrics.rows.columns) == ["name", "step", "value", "time"]
    assert [event["phase"] for event in step.events if event["kind"] == "phase"] == [
        *("preparing", "preparing", "running", "post-processing"),
    ]
    assert not list(step.work.rglob("*.py"))


def test_a_script_starts_from_an_empty_environment(
    step: ScriptStep, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in FOREIGN:
        monkeypatch.setenv(name, "7")
    monkeypatch.setenv("https_proxy", "http://127.0.0.1:9")
    step.run(
        SAY,
        settings={"launcher": "none", "variables": {"OWN": "1"}, "secrets": {"TOKEN": "hidden"}},
        arguments=["$OWN", "$TOKEN", "{{parameters.random_seed}}"],
        secrets=["TOKEN"],
        random_seed=3,
    )
    told = said(step)
    assert set(FOREIGN).isdisjoint(told.env)
    assert told.argv[1:] == ["1", "$TOKEN", "3"]
    assert (told.env["OWN"], told.env["TOKEN"]) == ("1", "*" * len("hidden")), "redacted in the log"
    assert told.env["https_proxy"] == "http://127.0.0.1:9"
    assert told.env["PATH"].split(os.pathsep)[0] == str(Path(sys.executable).parent)
    assert (told.env["PYTHONUNBUFFERED"], told.env["PYTHONHASHSEED"]) == ("1", "3")
    assert "DESIGNER_BOOTSTRAP" not in told.env
    assert "hidden" not in step.launcher_log


def test_variables_of_the_environment_give_way_to_those_of_the_node(step: ScriptStep) -> None:
    python, own = Path(sys.executable), {"IN_BOTH": "environment", "IN_ONE": "environment"}
    environment = ScriptEnvironment("own@1", "0", python, python.parent, variables=own)
    settings = {"environment": environment, "variables": {"IN_BOTH": "node"}}
    step.run(SAY, settings=settings)
    told = said(step)
    assert (told.env["IN_BOTH"], told.env["IN_ONE"]) == ("node", "environment")


def test_every_rank_has_its_names_and_its_node_a_folder_of_its_own(step: ScriptStep) -> None:
    text = SAY + "open('outputs/' + os.environ['RANK'], 'w')\n"
    arguments = ["$LOCAL_RANK", "{{outputs.outputs}}"]
    settings = {"node_count": 2, "process_count_per_node": 2}
    outputs, _, _ = step.run(text, settings=settings, arguments=arguments)
    told = [said(step, rank) for rank in range(4)]
    assert [[each.env[name] for name in NAMED[1:]] for each in told] == [
        ["4", "0", "0", "2", "0"],
        ["4", "1", "1", "2", "0"],
        ["4", "2", "0", "2", "1"],
        ["4", "3", "1", "2", "1"],
    ]
    assert [each.argv[1] for each in told] == ["0", "1", "0", "1"]
    folders = [str(step.work / f"node-{number // 2}" / "outputs") for number in range(4)]
    assert [each.argv[2] for each in told] == folders
    assert [each.env["DESIGNER_OUTPUT_OUTPUTS"] for each in told] == folders
    assert sorted(path.name for path in outputs.location.iterdir()) == ["0", "1"]


def test_outputs_of_every_process_are_kept_apart(step: ScriptStep) -> None:
    text = "import os\nopen('outputs/a.txt', 'w').write(os.environ['RANK'])\n"
    outputs, _, _ = step.run(
        text,
        settings={"process_count_per_node": 2},
        outputs_of="every process",
        declared_outputs=["outputs/*.txt"],
    )
    found = {
        path.relative_to(outputs.location).as_posix(): path.read_text()
        for path in outputs.location.rglob("*.txt")
    }
    assert found == {"rank-0/a.txt": "0", "rank-1/a.txt": "1"}


@pytest.mark.parametrize("launcher", ["pytorch_process", "pytorch_node"])
def test_all_processes_together_have_one_folder_on_all_machines(
    step: ScriptStep, launcher: str
) -> None:
    text = (
        "import os, sys, time\n"
        "own, other = os.environ['NODE_RANK'], str(1 - int(os.environ['NODE_RANK']))\n"
        "open('outputs/' + own, 'w').close()\n"
        "while not os.path.exists(sys.argv[1] + '/' + other): time.sleep(0.01)\n"
        "open('outputs/both', 'w').close()\n"
    )
    settings = {"node_count": 2, "launcher": launcher}
    command = "python script.py {{outputs.outputs}}" if launcher == "pytorch_node" else None
    outputs, _, _ = step.run(
        text,
        settings=settings,
        arguments=[] if command else ["{{outputs.outputs}}"],
        command=command,
        outputs_of="all processes together",
    )
    assert sorted(path.name for path in outputs.location.iterdir()) == ["0", "1", "both"]
    together = [
        "wrote the same files at the same time: outputs/both." in each for each in step.warnings
    ]
    assert together == ([] if command else [True])  # what a starter writes is not told of


def test_images_are_a_folder_of_links_by_class(
    step: ScriptStep, squares: tuple[ImageDirectory, ImageDirectory]
) -> None:
    text = (
        "import os, sys, pathlib\n"
        "for root in sys.argv[1:]:\n"
        "    files = [p for p in pathlib.Path(root).rglob('*') if p.is_file()]\n"
        "    print(len(files), sorted({p.parent.name for p in files}))\n"
        "print(os.path.islink(files[0]), os.path.isfile(files[0]))\n"
    )
    inputs = {"images": squares[0], "more_images": squares[1]}
    step.run(text, inputs=inputs, arguments=["{{inputs.images}}", "${{inputs.more_images}}"])
    classes = sorted(squares[0].classes)
    numbers = [len(each.images) for each in squares]
    assert step.log().splitlines() == [
        *(f"{number} {classes}" for number in numbers),
        "True True",
    ]


def test_two_inputs_become_train_and_val_where_the_script_takes_one_folder(
    step: ScriptStep, squares: tuple[ImageDirectory, ImageDirectory]
) -> None:
    text = "import os, sys\nprint(sorted(os.listdir(sys.argv[1])))\n"
    inputs = {"images": squares[0], "more_images": squares[1]}
    step.run(text, inputs=inputs, arguments=["{{inputs.images}}"])
    assert step.log().strip() == "['train', 'val']"


def test_any_folder_is_given_where_it_lies(step: ScriptStep, tmp_path: Path) -> None:
    place = tmp_path / "elsewhere"
    for each in (place, tmp_path / "store"):
        each.mkdir()
    folder = AnyDirectory.write(tmp_path / "store", place)
    step.run(SAY, inputs={"folder": folder}, command="python script.py {{inputs.folder}}")
    assert said(step).argv[1:] == [str(place)]
    assert said(step).env["DESIGNER_INPUT_FOLDER"] == str(place)


def test_a_command_runs_without_a_shell(step: ScriptStep) -> None:
    step.run("", command="python -m json.tool --help", arguments=["; touch outputs/x"])
    assert "usage:" in step.log()
    with pytest.raises(FailedToEvaluateScriptError, match="no-such-program cannot be started"):
        step.run("", command="no-such-program")


def test_a_typed_script_a_file_and_an_archive_are_sources_too(
    step: ScriptStep, source: Make, tmp_path: Path
) -> None:
    folder = source({"one.py": "print('one')\n"})
    step.run(None, source_folder=str(folder / "one.py"))
    with zipfile.ZipFile(tmp_path / "code.zip", "w") as archive:
        archive.writestr("project-main/train.py", "print('zipped')\n")
        archive.writestr("project-main/other.py", "")
    step.run(None, source_folder=str(tmp_path / "code.zip"))
    registered = step.root / "datasets/code/1/nested"
    registered.mkdir(parents=True)
    (registered / "main.py").write_text("print('registered')\n")
    step.run(None, source_folder="dataset:code")
    assert step.log().split() == ["one", "zipped", "registered"]


def test_what_is_wrong_with_a_source_is_told_at_its_parameter(
    step: ScriptStep, source: Make, tmp_path: Path
) -> None:
    folder = source({"a.py": "", "b.py": ""})
    with pytest.raises(InvalidScriptError, match=r"several scripts.*a\.py, b\.py") as caught:
        step.run(None, source_folder=str(folder))
    assert caught.value.parameter == "script"
    with pytest.raises(InvalidScriptError, match=r"Script \.\./c\.py was not found"):
        step.run(None, source_folder=str(folder), script="../c.py")
    with pytest.raises(NullOrEmptyError, match="has no script"):
        step.run(None)
    roots = {"allowed_roots": (tmp_path / "allowed",)}
    for outside in (folder, folder / "a.py"):
        with pytest.raises(SourceNotAllowedError) as refused:
            step.run(None, source_folder=str(outside), settings=roots)
        assert refused.value.parameter == "source_folder"


def test_the_key_is_of_the_source_and_not_of_its_place(step: ScriptStep, source: Make) -> None:
    folder = source({"train.py": "print(1)\n"})
    fingerprint = run_training_script.fingerprint
    assert fingerprint is not None

    def of(path: Path) -> str:
        return fingerprint(ScriptParameters(source_folder=str(path)), step.context())

    first = of(folder)
    assert of(folder / "train.py") == first
    (folder / "train.py").write_text("print(2)\n")
    assert of(folder) != first


def test_faults_are_found_before_it_runs(step: ScriptStep, source: Make) -> None:
    check, forecast = run_training_script.check, run_training_script.forecast
    assert check is not None
    assert forecast is not None
    folder = str(source({"a.py": ""}))
    wrong = {
        "typed_script": {"source_folder": folder, "typed_script": ""},
        "arguments": {"source_folder": folder, "arguments": ["{{images}}"]},
        "command": {"source_folder": folder, "command": "python 'a"},
        "model_file": {"source_folder": folder, "model_file": "/tmp/model.pt"},
        "declared_outputs": {"source_folder": folder, "declared_outputs": ["../*"]},
        "source_folder": {},
    }
    found = {
        name: [each.parameter for each in check(ScriptParameters.model_validate(given))]
        for name, given in wrong.items()
    }
    assert found == {name: [name] for name in wrong}
    [pattern] = check(ScriptParameters(source_folder=folder, declared_outputs=["outputs/a**.csv"]))
    assert "Invalid pattern 'outputs/a**.csv'" in pattern.message
    [mistake] = check(ScriptParameters(typed_script="x = 1\ny = (2 +* 3)"))
    assert (mistake.parameter, mistake.severity) == ("typed_script", "warning")
    place = [mistake.facts[each] for each in ("line", "column", "end_column")]
    assert place == [2, 9, 10]
    assert list(check(ScriptParameters(typed_script="x = 1"))) == []
    gone = forecast({}, ScriptParameters(source_folder=f"{folder}/gone"), step.context())
    assert [each.parameter for each in gone.findings] == ["source_folder"]
    missing = ScriptParameters(source_folder=folder, script="train.py")
    assert [each.parameter for each in forecast({}, missing, step.context()).findings] == ["script"]
    assert forecast({}, ScriptParameters(source_folder=folder), step.context()).findings == ()


def test_secrets_in_the_source_and_missing_ones_are_told(step: ScriptStep, source: Make) -> None:
    folder = source({"train.py": "", ".env": "A=1"})
    step.run(None, source_folder=str(folder))
    assert [".env (its name)" in each for each in step.warnings] == [True]
    with pytest.raises(InvalidScriptError, match="Secret WANDB"):
        step.run("", secrets=["WANDB"])


def test_links_out_of_the_outputs_are_not_kept(step: ScriptStep) -> None:
    text = (
        "import os\nos.symlink('/etc/hostname', 'outputs/a')\n"
        "open('outputs/b', 'w')\nos.symlink('b', 'outputs/c')\n"
    )
    outputs, _, _ = step.run(text)
    assert sorted(path.name for path in outputs.location.iterdir()) == ["b", "c"]
    assert [each for each in step.warnings if "are not kept: a." in each]


def test_the_log_folder_stays_with_the_run(step: ScriptStep) -> None:
    step.run("open('logs/epochs.txt', 'w').write('1')\n")
    assert (step.work / "node-0/logs/epochs.txt").read_text() == "1"


def test_links_inside_of_the_working_folder_are_kept_whole(step: ScriptStep) -> None:
    text = (
        "import os\nos.mkdir('kept'); open('kept/model.pt', 'w').write('weights')\n"
        "os.symlink('../kept/model.pt', 'outputs/model.pt')\n"
        "os.symlink('/etc', 'kept/etc')\n"
        "open('outputs/last', 'w').write('7')\n"
        "os.symlink(os.path.abspath('outputs/last'), 'outputs/best')\n"
    )
    outputs, model, _ = step.run(text, model_file="outputs/model.pt", declared_outputs=["kept"])
    assert model.main_path.read_text() == "weights"
    found = {each.name: each.read_text() for each in outputs.location.iterdir() if each.is_file()}
    assert found == {"model.pt": "weights", "last": "7", "best": "7"}
    assert [each for each in step.warnings if "are not kept: kept/etc." in each]


def test_a_model_is_named_by_its_path_and_not_by_a_pattern(step: ScriptStep) -> None:
    text = "open('outputs/a[1].pt', 'w').write('1')\n"
    assert step.run(text, model_file="outputs/a[1].pt").model.main_path.read_text() == "1"
    with pytest.raises(FailedToEvaluateScriptError, match=r"did not write outputs/\*\.pt"):
        step.run(text, model_file="outputs/*.pt")


@pytest.mark.parametrize("instead", ["pass", "os.symlink('/etc', 'outputs')"])
def test_outputs_that_a_script_has_removed_are_empty_ones(step: ScriptStep, instead: str) -> None:
    outputs, _, _ = step.run(f"import os\nos.rmdir('outputs')\n{instead}\n")
    assert list(outputs.location.iterdir()) == []


def test_what_was_planned_of_another_source_is_for_this_run_alone(step: ScriptStep) -> None:
    question = run_training_script.fingerprint
    assert question is not None
    planned = question(ScriptParameters(typed_script="a = 1"), step.context())
    for script, is_private in (("a = 1", False), ("a = 2", True)):
        context = step.context(fingerprint=planned)
        run_training_script(ScriptParameters(typed_script=script, model_file=None), context)
        assert context.cut_short == is_private
    assert ["changed after" in each for each in step.warnings] == [True]


def test_the_code_that_scripts_are_started_by_is_in_their_key_and_no_others() -> None:
    from modules.scripts import start_code
    from modules.scripts.execute_python_script import execute_python_script

    assert run_training_script.results_version == start_code.start_code_version() > 1
    found = {each.name for part in start_code.PARTS for each in start_code.FOLDER.glob(part)}
    assert {"bootstrap.py", "mpi.py", "optimizer.py", "run.py", "tracking_server.py"} <= found
    assert execute_python_script.results_version == 1
