"""Code of documents: the same for equal documents, formatted, and read back without loss."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from modules.catalog import Catalog, builtin_catalog
from pipelines.document.code.literals import MAX_COLUMNS
from pipelines.document.code.read import read_code
from pipelines.document.code.write import to_code
from pipelines.document.document import PipelineDocument, load_document, parse_document
from pipelines.lessons.pipeline_files import lesson_files
from tests.pipelines.document import cases
from tests.pipelines.document.code.strategies import documents, with_sorted_links
from tests.pipelines.document.nested_pipeline import nested
from tests.toy import CATALOG

GOLDEN = Path(__file__).parent / "golden"


def formatted(code: str) -> str:
    """Return the code as ``ruff format`` writes it."""
    options = ("--isolated", f"--line-length={MAX_COLUMNS}", "-")
    command = [sys.executable, "-m", "ruff", "format", *options]
    done = subprocess.run(command, input=code, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return done.stdout


def assert_kept(document: PipelineDocument, catalog: Catalog) -> str:
    """Assert that a document and its code survive both ways; return the code."""
    code = to_code(document, catalog)
    back = read_code(code, catalog).document
    assert with_sorted_links(back) == with_sorted_links(document)
    assert to_code(back, catalog) == code
    return code


@given(documents())
@settings(max_examples=40)
def test_any_document_survives_as_code(content: dict[str, Any]) -> None:
    assert_kept(parse_document(content), CATALOG)


@given(documents())
@settings(max_examples=15)
def test_code_is_formatted(content: dict[str, Any]) -> None:
    code = to_code(parse_document(content), CATALOG)
    assert formatted(code) == code


@pytest.mark.parametrize("name", lesson_files())
def test_lessons(name: str) -> None:
    code = assert_kept(load_document(lesson_files()[name]), builtin_catalog())
    assert formatted(code) == code
    assert max(map(len, code.splitlines())) <= MAX_COLUMNS
    golden = GOLDEN / f"{name}.txt"
    assert golden.read_text(encoding="utf-8") == code, (
        f"If the change is intended: designer code show {name} > {golden}"
    )


def test_keywords_digits_unknown_modules_notes_and_groups() -> None:
    ports = [{"id": "del", "node": "return", "port": "output"}]
    inner = {
        "id": "class",
        "title": "Class",
        "nodes": [{"id": "return", "module": "constant"}, {"id": "0", "module": "sum"}],
        "inputs": [],
        "outputs": ports,
        "links": [],
    }
    content = {
        "format": "pipeline-designer/2",
        "id": "lambda",
        "nodes": [
            {"id": "import", "module": "constant", "parameters": {"value": 1}},
            {"id": "1st", "module": "add"},
            {"id": "2-b", "module": "teleport", "parameters": {"class": "x", "None": [1, None]}},
            {"id": "none", "module": "definition:class"},
            {"id": "m", "module": "constant"},
            {"id": "p", "module": "constant"},
        ],
        "links": [
            {"from": {"node": "import", "port": "output"}, "to": {"node": "1st", "port": "a"}},
            {"from": {"node": "none", "port": "del"}, "to": {"node": "1st", "port": "b"}},
            {"from": {"node": "1st", "port": "output"}, "to": {"node": "2-b", "port": "in"}},
        ],
        "definitions": [inner],
        "notes": [{"id": "for", "text": '"""\\ # no code\n{x}'}],
        "groups": [{"id": "while", "title": "if\n", "nodes": ["import", "1st", "2-b"]}],
    }
    code = assert_kept(parse_document(content), CATALOG)
    compile(code, "pipeline.py", "exec")  # no name in it is a keyword
    assert formatted(code) == code
    assert "import_ = m.constant(" in code


def test_collapsed_nodes_are_part_of_the_layout() -> None:
    nodes: list[dict[str, Any]] = [
        {"id": "one", "module": "constant", "collapsed": True},
        {"id": "two", "module": "constant"},
        {"id": "sum", "module": "add", "collapsed": True},
    ]
    content = {"format": "pipeline-designer/2", "id": "p", "nodes": nodes, "links": []}
    code = assert_kept(parse_document(content), CATALOG)
    assert code.endswith("    )\n    p.collapse(one, sum)\n")
    nodes = [{**node, "collapsed": False} for node in nodes]
    assert "collapse" not in assert_kept(parse_document({**content, "nodes": nodes}), CATALOG)


def test_a_pipeline_in_a_pipeline() -> None:
    assert assert_kept(nested(), CATALOG) == (
        "from pipeline_designer import Pipeline\n"
        "from pipeline_designer import modules as m\n"
        "\n"
        'with Pipeline("sums") as p:\n'
        '    with p.sub_pipeline("double", title="Double") as double:\n'
        "        sum = m.add()\n"
        '        double.input("left", "sum.a")\n'
        '        double.input("right", "sum.b")\n'
        '        double.output("result", "sum.output")\n'
        "\n"
        '    with p.sub_pipeline("four") as four:\n'
        '        four.parameter("begin", 2, type="integer", binds=["start.value"])\n'
        "\n"
        "        start = m.constant()\n"
        "        twice = double(left=start, right=start)\n"
        '        four.output("sum", "twice.result")\n'
        "\n"
        "        four.layout(\n"
        "            start=(0, 0),\n"
        "            twice=(0, 0),\n"
        "        )\n"
        "\n"
        "    front = four(begin=3)\n"
        "    one = m.constant()\n"
        "    end = m.add(a=front, b=one)\n"
        "\n"
        "    p.layout(\n"
        "        front=(0, 0),\n"
        "        one=(0, 0),\n"
        "        end=(0, 0),\n"
        "    )\n"
    )


def test_the_order_of_wires_does_not_change_the_code() -> None:
    links = ("one.output -> sum.b", "two.output -> sum.a")
    nodes = ("one:constant", "two:constant", "sum:add")
    codes = {
        to_code(parse_document(cases.pipeline(*nodes, links=order)), CATALOG)
        for order in (links, links[::-1])
    }
    assert len(codes) == 1
    assert "m.add(a=two, b=one)" in codes.pop()


def test_a_long_chain_is_written_in_no_time() -> None:
    nodes = tuple(f"n{number}:whole" for number in range(1499, -1, -1))
    links = tuple(f"n{number}.output -> n{number + 1}.a" for number in range(1499))
    document = parse_document(cases.pipeline(*nodes, links=links))
    assert assert_kept(document, CATALOG).count(" = m.whole(") == 1500


def test_a_text_of_megabytes_is_divided() -> None:
    node = {"id": "one", "module": "constant", "parameters": {"value": "x" * 400_000}}
    code = assert_kept(parse_document(cases.pipeline(node)), CATALOG)
    assert max(map(len, code.splitlines())) <= MAX_COLUMNS
