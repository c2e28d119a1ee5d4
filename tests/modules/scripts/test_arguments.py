"""What is filled into arguments and commands, and what is refused there."""

from __future__ import annotations

import pytest

from modules.errors import InvalidScriptError
from modules.scripts.arguments import (
    Place,
    PlaceValues,
    command_words,
    places_in,
    require_no_second_launcher,
    require_same_counts,
    with_variables,
)

VALUES = PlaceValues({"images": "/in"}, {"model": "/out/model.pt"}, {"epochs": "5"})


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("--data={{inputs.images}}/train", "--data=/in/train"),
        ("${{ outputs.model }}", "/out/model.pt"),
        ("{{parameters.epochs}}{{parameters.epochs}}", "55"),
        ("{not: 'a place'} $HOME; rm -rf *", "{not: 'a place'} $HOME; rm -rf *"),
    ],
)
def test_places_are_filled_and_all_else_stays(text: str, filled: str) -> None:
    assert VALUES.fill([text]) == [filled]


def test_a_place_of_nothing_linked_names_what_there_is() -> None:
    with pytest.raises(
        InvalidScriptError, match=r"nothing is connected there.*inputs\.images"
    ) as e:
        VALUES.fill(["{{inputs.more_images}}"])
    assert e.value.parameter == "arguments"
    with pytest.raises(InvalidScriptError, match=r"no parameters\.lr.*parameters\.epochs"):
        VALUES.fill(["{{parameters.lr}}"])


def test_braces_that_mean_nothing_are_refused() -> None:
    assert places_in(["{{inputs.images}} {{outputs.x}}"]) == {
        Place("inputs", "images"),
        Place("outputs", "x"),
    }
    with pytest.raises(InvalidScriptError, match="means nothing"):
        places_in(["{{input.images}}"])


def test_variables_are_filled_where_they_are_known() -> None:
    known = {"LOCAL_RANK": "1", "RANK": "3"}
    assert with_variables("$RANK ${LOCAL_RANK} $LOCAL_RANK_X ^a$ $HOME", known) == (
        "3 1 $LOCAL_RANK_X ^a$ $HOME"
    )


def test_a_command_is_split_as_a_shell_would_and_never_given_to_one() -> None:
    assert command_words("python train.py --name 'a b' ; rm x") == [
        *("python", "train.py", "--name", "a b", ";", "rm", "x")
    ]
    for text, said in (("python 'train.py", "No closing quotation"), ("  ", "is empty")):
        with pytest.raises(InvalidScriptError, match=said):
            command_words(text)


@pytest.mark.parametrize(
    ("command", "launcher"),
    [
        ("mpirun -np 2 python train.py", "pytorch_process"),
        ("/usr/bin/horovodrun -np 2 python train.py", "mpi"),
        ("deepspeed train.py", "pytorch_node"),
        ("torchrun train.py", "pytorch_process"),
        ("python -u -m torch.distributed.launch train.py", "tensorflow"),
    ],
)
def test_commands_that_start_processes_beside_the_launcher_are_refused(
    command: str, launcher: str
) -> None:
    with pytest.raises(InvalidScriptError, match="starts") as caught:
        require_no_second_launcher(command.split(), launcher)
    assert launcher in caught.value.message


@pytest.mark.parametrize(
    ("command", "launcher"),
    [
        ("mpirun -np 2 python train.py", "none"),
        ("torchrun train.py", "pytorch_node"),
        ("python -m torch.distributed.launch train.py", "pytorch_node"),
        ("python -m package.train", "pytorch_process"),
    ],
)
def test_other_commands_are_taken(command: str, launcher: str) -> None:
    require_no_second_launcher(command.split(), launcher)


@pytest.mark.parametrize(
    ("command", "launcher", "said"),
    [
        ("torchrun --nnodes 2 train.py", "pytorch_node", "--nnodes 2"),
        ("torchrun --nnodes=2 train.py", "none", "--nnodes 2"),
        ("torchrun --nproc-per-node 4 train.py", "pytorch_node", "--nproc-per-node 4"),
        ("python -m torch.distributed.run --nproc_per_node=1 a.py", "pytorch_node", "start 2"),
        ("accelerate launch --num_processes 3 train.py", "pytorch_node", "--num_processes 3"),
    ],
)
def test_counts_that_are_not_those_of_the_run_settings_are_refused(
    command: str, launcher: str, said: str
) -> None:
    with pytest.raises(InvalidScriptError, match="in vain") as caught:
        require_same_counts(command.split(), launcher, 1, 2)
    assert said in caught.value.message
    assert caught.value.parameter == "command"


@pytest.mark.parametrize(
    ("command", "launcher"),
    [
        ("torchrun --nnodes 1 --nproc-per-node 2 train.py", "pytorch_node"),
        ("torchrun --nnodes=1:2 --nproc_per_node gpu train.py", "pytorch_node"),
        ("torchrun --nproc_per_node $DESIGNER_PROCESSES_PER_NODE train.py", "pytorch_node"),
        ("torchrun --nproc_per_node 4 train.py", "none"),
        ("torchrun train.py --nnodes 7", "pytorch_node"),
        ("python train.py --nnodes 7", "pytorch_process"),
    ],
)
def test_other_counts_are_the_commands_own(command: str, launcher: str) -> None:
    require_same_counts(command.split(), launcher, 1, 2)
