"""Files that submit trainings with Azure's SDK v1 become pipelines; none of them is run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pipelines.document.document import PipelineDocument
from pipelines.document.script_run_configs import read_submission
from pipelines.errors import RefusedError

HEAD = """
from azureml.core import ScriptRunConfig, Environment, Experiment
from azureml.core.runconfig import MpiConfiguration, PyTorchConfiguration
from azureml.core.runconfig import TensorflowConfiguration
import shutil, sys; sys.exit("this file is never run")
env = Environment.get(workspace=ws, name='AzureML-PyTorch-1.6-GPU')
"""
LAUNCH = (
    "python -m torch.distributed.launch --nproc_per_node 4 --nnodes 2 --node_rank $NODE_RANK "
    "--master_addr $MASTER_ADDR --master_port $MASTER_PORT --use_env train.py --epochs 50"
)


class Imported:
    """What became of a text."""

    def __init__(self, folder: Path, text: str) -> None:
        path = folder / "submit.py"
        path.write_text(text, encoding="utf-8")
        submission = read_submission(path)
        self.document: PipelineDocument = submission.document
        self.notes = [str(note) for note in submission.notes]

    @property
    def parameters(self) -> dict[str, Any]:
        return dict(self.document.nodes[0].parameters)

    @property
    def settings(self) -> dict[str, Any]:
        """The run settings that are not as usual."""
        options = self.document.nodes[0].run_settings.model_dump(exclude_defaults=True)
        return {name: value for name, value in options.items() if value is not None}


def imported(folder: Path, arguments: str, before: str = "", after: str = "") -> Imported:
    text = f"{HEAD}{before}\nconfig = ScriptRunConfig(source_directory='./src', {arguments})\n"
    return Imported(folder, text + after)


@pytest.mark.parametrize(
    ("configuration", "script", "settings"),
    [
        ("None", "script='train.py'", {"launcher": "none"}),
        (
            "MpiConfiguration(process_count_per_node=4, node_count=2)",
            "script='train.py'",
            {"launcher": "mpi", "node_count": 2, "process_count_per_node": 4},
        ),
        (
            "MpiConfiguration(node_count=2)",
            "script='train.py'",
            {"launcher": "mpi", "node_count": 2},
        ),
        (
            "PyTorchConfiguration(process_count=8, node_count=2)",
            "script='train.py'",
            {"launcher": "pytorch_process", "node_count": 2, "process_count_per_node": 4},
        ),
        (
            "PyTorchConfiguration(node_count=2)",
            f"command={LAUNCH!r}",
            {"launcher": "pytorch_node", "node_count": 2, "process_count_per_node": 4},
        ),
        (
            "TensorflowConfiguration(worker_count=2, parameter_server_count=1)",
            "script='train.py'",
            {"launcher": "tensorflow", "node_count": 2, "parameter_server_count": 1},
        ),
    ],
)
def test_a_configuration_becomes_launcher_and_counts(
    tmp_path: Path, configuration: str, script: str, settings: dict[str, Any]
) -> None:
    arguments = f"{script}, environment=env, distributed_job_config=distr_config"
    result = imported(tmp_path, arguments, f"distr_config = {configuration}\n")
    assert result.settings == settings
    assert result.parameters["source_folder"] == str(tmp_path / "src")
    expected = {"command": LAUNCH} if "command" in script else {"script": "train.py"}
    assert expected.items() <= result.parameters.items()
    *others, note = result.notes
    assert "'AzureML-PyTorch-1.6-GPU' was replaced by 'designer'" in note
    has_servers = "parameter_server_count" in settings
    assert [other.startswith("A chief process is added") for other in others] == [
        True
    ] * has_servers


def test_arguments_are_texts_as_they_are_written(tmp_path: Path) -> None:
    before = (
        "epochs = 5 * 1\nnodes = 2\nargs = ['--rate', 1e-3, '--nodes', nodes]\nargs += ['-v']\n"
    )
    arguments = "script='t.py', arguments=args + ['--local_rank', $LOCAL_RANK, '--epochs', epochs]"
    result = imported(tmp_path, arguments, before)
    assert result.parameters["arguments"] == [
        *("--rate", "0.001", "--nodes", "2", "-v"),
        *("--local_rank", "$LOCAL_RANK", "--epochs", "{{parameters.epochs}}"),
    ]
    assert result.notes == [
        "The argument epochs cannot be determined without running the file. Replace "
        "{{parameters.epochs}} in the node's arguments."
    ]


def test_a_command_of_words_keeps_its_variables(tmp_path: Path) -> None:
    before = "cmd = 'python -m torch.distributed.launch --use_env train.py'.split()\n"
    result = imported(tmp_path, "command=cmd + ['--name', 'two words', '$RANK']", before)
    assert result.parameters["command"] == (
        "python -m torch.distributed.launch --use_env train.py --name 'two words' $RANK"
    )
    assert result.settings == {"launcher": "none"}


def test_data_of_a_workspace_becomes_an_input(tmp_path: Path) -> None:
    arguments = "script='t.py', arguments=['--data', dataset.as_named_input('x').as_mount()]"
    result = imported(tmp_path, arguments)
    assert result.parameters["arguments"] == ["--data", "{{inputs.folder}}"]
    assert "Connect the data to that input" in result.notes[0]


@pytest.mark.parametrize(
    ("environment", "name", "note"),
    [
        ("Environment.get(ws, 'AzureML-TensorFlow-2.3-GPU')", "tensorflow", "by 'tensorflow'"),
        (
            "Environment.from_conda_specification(name='Birds 1', file_path='./conda.yml')",
            "birds-1",
            "designer environments build birds-1 --requirements {folder}/conda.yml",
        ),
        (
            "Environment.from_docker_image('own', 'registry/own:1')",
            "own",
            "designer environments build own --image registry/own:1",
        ),
        ("Environment.get(ws, 'mine')", "mine", "does not list the packages"),
        ("Environment.get(ws, 'a').clone('b')", "b", "does not list the packages"),
        ("unknown", None, "The environment unknown is not defined in the file."),
    ],
)
def test_an_environment_is_named_and_how_it_is_made(
    tmp_path: Path, environment: str, name: str | None, note: str
) -> None:
    result = imported(tmp_path, f"script='t.py', environment={environment}")
    assert result.settings.get("environment") == name
    assert note.format(folder=tmp_path) in result.notes[0]


def test_packages_and_variables_of_an_environment_are_taken(tmp_path: Path) -> None:
    before = (
        "deps = CondaDependencies.create(pip_packages=['torch==1.6.0'])\n"
        "deps.add_pip_package('future')\n"
        "own = Environment('own')\n"
        "own.python.conda_dependencies = deps\n"
        "own.environment_variables = {'A': '1', 'B': 2}\n"
        "own.docker.base_image = 'mcr/base'\n"
    )
    result = imported(tmp_path, "script='t.py', environment=own", before)
    assert result.settings["variables"] == {"A": "1", "B": "2"}
    assert result.notes[0].endswith("build own --package torch==1.6.0 --package future`.")
    assert "mcr/base was ignored" in result.notes[1]


def test_what_is_assigned_later_counts(tmp_path: Path) -> None:
    after = (
        "config.run_config.target = 'gpu-cluster'\n"
        "config.run_config.environment = Environment.get(ws, 'AzureML-Lightning')\n"
        "run = Experiment(ws, 'birds').submit(config)\n"
        "run.register_model(model_name='birds', model_path='outputs/best.pt')\n"
    )
    result = imported(tmp_path, "script='t.py', max_run_duration_seconds=3600", after=after)
    assert (result.document.name, result.document.id) == ("birds", "submit")
    assert result.parameters["model_file"] == "outputs/best.pt"
    assert result.settings["environment"] == "pytorch-lightning"
    assert result.settings["time_limit_minutes"] == 60
    assert "compute target 'gpu-cluster' belongs to Azure" in " ".join(result.notes)


def test_a_script_that_starts_its_own_processes_is_started_once_a_machine(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/train.py").write_text("import pytorch_lightning as pl\n")
    arguments = (
        "script='train.py', arguments=['--gpus', 2], "
        "distributed_job_config=PyTorchConfiguration(node_count=2)"
    )
    result = imported(tmp_path, arguments)
    assert result.settings == {"launcher": "pytorch_node", "node_count": 2}
    assert result.parameters["command"] == "python train.py --gpus 2"
    assert "script" not in result.parameters


def test_what_differs_between_branches_is_not_guessed(tmp_path: Path) -> None:
    before = "if gpu:\n    script = 'a.py'\nelse:\n    script = 'b.py'\n"
    result = imported(tmp_path, "script=script", before)
    assert "script" not in result.parameters
    assert (
        "script is script, which cannot be determined without running the file" in result.notes[0]
    )


def test_every_configuration_becomes_a_node(tmp_path: Path) -> None:
    after = "for rate in (1, 2):\n    ScriptRunConfig('.', 'b.py', ['--rate', rate])\n"
    result = imported(tmp_path, "script='a.py'", after=after)
    nodes = result.document.nodes
    assert [node.id for node in nodes] == ["train", "train_2"]
    assert nodes[1].parameters["arguments"] == ["--rate", "{{parameters.rate}}"]


def test_a_text_that_doubles_itself_stays_small(tmp_path: Path) -> None:
    doubling = "".join("text = text + text\nmore = f'{more}{more}'\n" for _ in range(80))
    result = imported(tmp_path, "script=text", f"text = 'ab'\nmore = 'ab'\n{doubling}")
    assert "script" not in result.parameters


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("print('a training script')", "has no ScriptRunConfig"),
        ("def broken(:\n", "is not a Python file. Line 1"),
        (
            "ScriptRunConfig('.', command='python \"x')",
            "Cannot read the command of a ScriptRunConfig: No closing quotation",
        ),
    ],
)
def test_a_file_that_submits_nothing_is_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(RefusedError, match=message):
        Imported(tmp_path, text)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RefusedError, match=r"Cannot read .*: No such file"):
        read_submission(tmp_path / "none.py")
