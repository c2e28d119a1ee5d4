"""Arguments and commands as the original takes them: numbers, variables, and no shell."""

from __future__ import annotations

import shutil
from typing import Any

import pytest
from pydantic import ValidationError

from modules.scripts.parameters import ScriptParameters
from modules.scripts.run_training_script import run_training_script
from tests.modules.scripts.conftest import ScriptStep

SAY = "import sys\nprint(sys.argv[1:])\n"


def test_numbers_are_taken_as_text(step: ScriptStep) -> None:
    step.run(SAY, arguments=["--num_epochs", 30, "--rate", 0.001, "--seed", -1, "--last", True])
    expected = ["--num_epochs", "30", "--rate", "0.001", "--seed", "-1", "--last", "True"]
    assert step.log().strip() == str(expected)
    for wrong in (None, ["nested"], {"a": 1}):
        with pytest.raises(ValidationError):
            ScriptParameters(arguments=[wrong])  # type: ignore[list-item]


def test_a_text_and_its_number_are_the_same_parameter() -> None:
    assert ScriptParameters(arguments=[30]) == ScriptParameters(arguments=["30"])  # type: ignore[list-item]
    schema = ScriptParameters.model_json_schema()["properties"]["arguments"]
    assert schema["items"]["type"] == "string"


def test_an_unknown_variable_is_warned_of(step: ScriptStep) -> None:
    settings: dict[str, Any] = {"variables": {"OWN": "1"}, "process_count_per_node": 2}
    step.run(SAY, arguments=["$NOPE", "${NOPE}", "$OWN", "$RANK", "^a$"], settings=settings)
    assert step.log(1).strip() == "['$NOPE', '${NOPE}', '1', '1', '^a$']"
    [warning] = step.warnings
    assert warning.startswith("The launcher pytorch_process does not set $NOPE.")


def test_a_variable_that_the_launcher_does_not_set_is_warned_of(step: ScriptStep) -> None:
    step.run(SAY, arguments=["$LOCAL_RANK", "$RANK"], settings={"launcher": "none"})
    [warning] = step.warnings
    assert warning.startswith(
        "The launcher none does not set $LOCAL_RANK, $RANK. The variables are not"
    )


def test_variables_of_a_shell_are_its_own(step: ScriptStep) -> None:
    step.run(SAY, command="sh -c 'X=1; echo $X $HOME'")
    assert step.warnings == []


@pytest.mark.skipif(shutil.which("mpirun") is None, reason="Open MPI is not installed")
def test_variables_of_ranks_that_mpirun_starts_are_known(step: ScriptStep) -> None:
    arguments = ["$LOCAL_RANK", "$OMPI_COMM_WORLD_SIZE"]
    step.run(SAY, arguments=arguments, settings={"launcher": "mpi"})
    assert (step.warnings, step.log().strip()) == ([], "['0', '1']")


def test_a_pipe_in_a_command_is_warned_of_before_the_run() -> None:
    check = run_training_script.check
    parameters = ScriptParameters(typed_script=SAY, command="python script.py | tee log > all")
    assert check is not None
    [finding] = check(parameters)
    assert (finding.parameter, finding.severity) == ("command", "warning")
    assert finding.message.startswith("The command contains |, >, but no shell runs it")
    assert "sh -c 'python script.py | tee log > all'" in finding.cure
