"""``--param ID=VALUE``: values of a pipeline's own parameters."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pipelines.document.document import dump_document, parse_document
from pipelines.document.expansion import expanded
from pipelines.document.parameter_values import apply_parameter_values
from pipelines.lessons.pipeline_files import read_document
from pipelines.problems import PipelineError
from tests.pipelines.document import cases
from tests.toy import CATALOG

PARAMETERS = [
    {"id": "amount", "type": "integer", "default": 1, "binds": ["one.value"]},
    {"id": "words", "type": "string", "default": "", "binds": ["trap.message"]},
]
CONTENT = {**cases.pipeline("one:constant", "trap:fail"), "parameters": PARAMETERS}


@pytest.mark.parametrize(
    ("assignment", "node", "values"),
    [
        ("amount=3", 0, {"value": 3}),
        (" amount = 4", 0, {"value": 4}),
        ("words=a = b", 1, {"message": "a = b"}),
        ("words=3", 1, {"message": "3"}),
    ],
)
def test_values_take_the_place_of_defaults(
    assignment: str, node: int, values: dict[str, Any], tmp_path: Path
) -> None:
    path = tmp_path / "sums.json"
    path.write_text(dump_document(parse_document(CONTENT)))
    document = read_document(path, (), CATALOG, [assignment])
    assert expanded(document).nodes[node].parameters == values


@pytest.mark.parametrize(
    ("assignment", "code", "says"),
    [
        ("amount", "3026", "ID=VALUE"),
        ("=3", "3026", "ID=VALUE"),
        ("amount=NaN", "3026", "Invalid option --param"),
        ("amount=many", "3026", "Invalid option --param"),
        ("amuont=3", "3010", "Did you mean 'amount'?"),
    ],
)
def test_what_cannot_be_read_is_refused(assignment: str, code: str, says: str) -> None:
    with pytest.raises(PipelineError, match=says.replace("?", r"\?")) as caught:
        apply_parameter_values(parse_document(CONTENT), [assignment])
    assert [problem.code for problem in caught.value.problems] == [code]
