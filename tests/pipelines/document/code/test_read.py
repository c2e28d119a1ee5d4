"""Code of other people: read line by line, refused with the line and a fix, and never run."""

from __future__ import annotations

import json
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.document.code.read import CodeSource, load_code, read_code
from pipelines.document.code.scan import MAX_BYTES
from pipelines.document.document import PipelineDocument
from pipelines.problems import UNKNOWN_NODE, PipelineError, Problem
from pipelines.sentences import wiring
from tests.toy import CATALOG

HEAD = "from pipeline_designer import Pipeline\nfrom pipeline_designer import modules as m\n"
OPEN = f'{HEAD}with Pipeline("x") as p:\n'


def problems_of(code: str | bytes) -> list[Problem]:
    """Return the problems of code that is refused."""
    with pytest.raises(PipelineError) as caught:
        read_code(code, CATALOG)
    return list(caught.value.problems)


def read(*lines: str) -> CodeSource:
    """Read a pipeline with these statements."""
    return read_code(OPEN + "".join(f"    {line}\n" for line in lines), CATALOG)


def links_of(document: PipelineDocument) -> list[str]:
    return [f"{link.from_} -> {link.to}" for link in document.links]


def test_variables_are_the_ids_and_nodes_are_their_only_output() -> None:
    document = read(
        "one = m.constant(value=2)",
        "two = m.constant()",
        "sum = m.add(a=one, b=two.output, title='Sum')",
    ).document
    assert [node.id for node in document.nodes] == ["one", "two", "sum"]
    assert links_of(document) == ["one.output -> sum.a", "two.output -> sum.b"]
    assert document.nodes[2].title == "Sum"
    assert document.nodes[0].parameters == {"value": 2}


def test_nodes_without_a_layout_are_arranged_and_new_ones_are_below() -> None:
    chain = ["a = m.constant()", "b = m.whole(a=a)", "c = m.whole(a=a)"]
    places = {node.id: node.position for node in read(*chain).document.nodes}
    assert places["a"].x < places["b"].x == places["c"].x
    assert places["b"].y != places["c"].y
    partly = read(*chain, "p.layout(a=(0, 0), b=(300, 500))").document
    assert {node.id: node.position.y > 500 for node in partly.nodes} == {
        "a": False,
        "b": False,
        "c": True,
    }


def test_nodes_without_a_variable_are_named_by_their_module() -> None:
    document = read("m.constant()", "m.constant()", "constant = m.constant()").document
    assert [node.id for node in document.nodes] == ["constant-2", "constant-3", "constant"]


def test_what_a_script_does_with_its_pipeline_is_not_read() -> None:
    code = OPEN + "    a = m.constant()\n\nif __name__ == '__main__':\n    import os; p.run()(((\n"
    assert len(read_code(code, CATALOG).document.nodes) == 1


def test_unknown_modules_survive_and_name_their_outputs() -> None:
    document = read("a = m.teleport(to='x')", "b = m.whole(a=a.far)").document
    assert document.nodes[0].module == "teleport"
    assert links_of(document) == ["a.far -> b.a"]
    (problem,) = problems_of(f"{OPEN}    a = m.teleport()\n    b = m.whole(a=a)\n")
    assert "Line 5: The outputs of teleport are unknown" in problem.message


def test_all_problems_are_reported_with_their_lines_but_no_secondary_ones() -> None:
    lines = ["a = m.constant(x=f())", "b = m.whole(a=a)", "c = m.whole(a=gone)", "c.x = 1"]
    problems = problems_of(OPEN + "".join(f"    {line}\n" for line in lines))
    assert [problem.facts["line"] for problem in problems] == [4, 6, 7]
    assert {problem.code for problem in problems} == {"3055"}


def test_lines_of_nodes_and_arguments() -> None:
    source = read("a = m.constant(", "    value=1,", ")", "b = m.whole(a=a)")
    assert source.lines["a"] == 4
    assert source.lines["a.value"] == 5
    assert source.lines["b"] == 7


def test_lines_of_nodes_in_sub_pipelines() -> None:
    source = read(
        "with p.sub_pipeline('inner') as inner:",
        "    a = m.constant()",
        "with p.sub_pipeline('front') as front:",
        "    twice = inner()",
        "first = front()",
    )
    paths = {"first": 8, "first/twice": 7, "first/twice/a": 5, "first/gone": 8, "gone": 3}
    for path, line in paths.items():
        problem = Problem.of(UNKNOWN_NODE, wiring.NO_NODE_TO_RUN_TO, name="x", node=path)
        assert source.line_of(problem) == line, path


def test_mistakes_in_values_have_the_line_of_the_node() -> None:
    (problem,) = problems_of(f"{OPEN}    a = m.constant()\n    Bad = m.constant()\n")
    assert problem.message.startswith("Line 5: ")


def test_a_wrong_number_anywhere_in_a_document_is_refused() -> None:
    for text in ("1e999", "1j", "9007199254740993", "b'x'", "{1: 2}", "..."):
        (problem,) = problems_of(f"{OPEN}    a = m.constant(value={text})\n")
        assert problem.message.startswith("Line 4: "), text


HOSTILE = {
    "an import": ("import os\n", 1),
    "an import of names": ("from os import system\n", 1),
    "a star import": (f"from pipeline_designer import *\n{OPEN}    pass\n", 1),
    "a relative import": (f"from . import modules\n{OPEN}    pass\n", 1),
    "a private import": (f"from pipeline_designer import _x\n{OPEN}    pass\n", 1),
    "a call": (f"{OPEN}    a = m.constant(value=open('/etc/passwd').read())\n", 4),
    "a plain call": (f"{OPEN}    a = m.constant(value=print())\n", 4),
    "a call before": (f"print(1)\n{OPEN}    pass\n", 1),
    "a format": (f"{OPEN}    a = m.constant(value=f'{{open}}')\n", 4),
    "a comprehension": (f"{OPEN}    a = m.constant(value=[x for x in 'abc'])\n", 4),
    "a generator": (f"{OPEN}    a = m.constant(value=(x for x in 'abc'))\n", 4),
    "a lambda": (f"{OPEN}    a = m.constant(value=lambda: 1)\n", 4),
    "a condition": (f"{OPEN}    a = m.constant(value=1 if 2 else 3)\n", 4),
    "a power": (f"{OPEN}    a = m.constant(value=9**9**9)\n", 4),
    "a product": (f"{OPEN}    a = m.constant(value='a' * 10)\n", 4),
    "a difference": (f"{OPEN}    a = m.constant(value=1 - 1)\n", 4),
    "a comparison": (f"{OPEN}    a = m.constant(value=1 < 2)\n", 4),
    "a subscript": (f"{OPEN}    a = m.constant(value=m[0])\n", 4),
    "a set": (f"{OPEN}    a = m.constant(value={{1, 2}})\n", 4),
    "a star": (f"{OPEN}    a = m.constant(*[1])\n", 4),
    "two stars": (f"{OPEN}    a = m.constant(**{{'value': 1}})\n", 4),
    "an unpacked dict": (f"{OPEN}    a = m.constant(value={{**{{}}}})\n", 4),
    "a loop": (f"{OPEN}    for i in [1]:\n        pass\n", 4),
    "a function": (f"{OPEN}    def f(): pass\n", 4),
    "a class": (f"class A: pass\n{OPEN}    pass\n", 1),
    "a decorator": (f"@m.x\n{OPEN}    pass\n", 1),
    "a walrus": (f"{OPEN}    (a := m.constant())\n", 4),
    "an attribute": (f"{OPEN}    p._catalog = 1\n", 4),
    "a dunder": (f"{OPEN}    p.__init__('x')\n", 4),
    "a private function": (f"{OPEN}    p._finish({{}})\n", 4),
    "a dunder of a module": (f"{OPEN}    a = m.constant(value=m.__class__)\n", 4),
    "a chain": (f"{OPEN}    a = m.constant().output.output\n", 4),
    "two targets": (f"{OPEN}    a = b = m.constant()\n", 4),
    "an unpacked target": (f"{OPEN}    a, b = m.constant()\n", 4),
    "a deletion": (f"{OPEN}    del p\n", 4),
    "a global": (f"{OPEN}    global p\n", 4),
    "an assertion": (f"{OPEN}    assert True\n", 4),
    "a match": (f"{OPEN}    match p:\n        case 1: pass\n", 4),
    "an annotation": (f"{OPEN}    a: int = m.constant()\n", 4),
    "another with": ("with open('x') as p:\n    pass\n", 1),
    "a second pipeline": (f"{OPEN}    pass\nwith Pipeline('y') as q:\n    pass\n", 5),
    "code after it": (f"{OPEN}    pass\np.run()\n", 5),
    "no pipeline": ("", 1),
    "a text": ("'''hello'''\n", 1),
    "no Python": (f"{OPEN}    a = = 1\n", 4),
    "bad indentation": (f"{OPEN}   a = 1\n  b = 1\n", 5),
    "an unclosed text": (f"{OPEN}    a = m.constant(value='x\n", 4),
    "an unclosed long text": (f'{OPEN}    a = m.constant(value="""x\n\n', 4),
    "an unclosed bracket": (f"{OPEN}    a = m.constant(\n\n        value=1\n", 4),
    "an unclosed bracket in another": (f"{OPEN}    a = m.constant(\n        value=[1\n    )\n", 4),
    "an unclosed long text in a bracket": (f'{OPEN}    a = [\n    """x\n\n', 5),
    "a line that goes on nowhere": (f"{OPEN}    a = \\", 4),
    "a null character": (f"{OPEN}    a = m.constant(value='\0')\n", 4),
    "half a character": (f"{OPEN}    a = m.constant(value='\ud800')\n", 1),
    "a dollar": (f"{OPEN}    a = $x\n", 4),
    "a sub-pipeline in another": (
        f"{OPEN}    with p.sub_pipeline('a') as a:\n        with p.sub_pipeline('b') as b:\n"
        "            pass\n",
        5,
    ),
    "a node of another level": (
        f"{OPEN}    one = m.constant()\n    with p.sub_pipeline('a') as a:\n"
        "        two = m.whole(a=one)\n",
        6,
    ),
    "an id of the wrong type": (f"{OPEN}    a = m.constant(id=[1])\n", 4),
    "an unknown layout": (f"{OPEN}    a = m.constant()\n    p.layout(b=(0, 0))\n", 3),
    "half a position": (f"{OPEN}    a = m.constant()\n    p.layout(a=(0,))\n", 5),
    "two layouts": (f"{OPEN}    a = m.constant()\n    p.layout(a=(0, 0))\n    p.layout()\n", 6),
    "an unknown function": (f"{OPEN}    p.layuot()\n", 4),
    "wrong arguments": (f"{OPEN}    p.note()\n", 4),
    "an end without a port": (f"{OPEN}    p.link('a', 'b')\n", 4),
    "a literal for an input": (f"{OPEN}    a = m.whole(a=1)\n", 4),
    "an argument twice": (f"{OPEN}    a = m.constant(value=1, value=2)\n", 4),
    "an argument without a name": (f"{OPEN}    a = m.constant(1)\n", 4),
    "an unknown output": (f"{OPEN}    a = m.constant()\n    b = m.whole(a=a.result)\n", 5),
    "the pipeline as a value": (f"{OPEN}    a = m.constant(value=p)\n", 4),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_code_is_refused_with_its_line_and_a_fix(name: str) -> None:
    code, line = HOSTILE[name]
    problems = problems_of(code)
    assert [problem.facts.get("line") for problem in problems] == [line], problems
    assert all(problem.cure.endswith((".", "?", ":")) for problem in problems)


DEEP: dict[str, str] = {
    "parentheses": "(" * 1_000_000,
    "closed parentheses": "(" * 300 + ")" * 300,
    "brackets": "x = " + "[" * 500_000,
    "minus signs": "x = " + "-" * 1_000_000 + "1",
    "sums": "x = " + "1+" * 1_000_000 + "1",
    "differences": "x = " + "1-" * 1_000_000 + "1",
    "nots": "x = " + "not " * 500_000 + "1",
    "attributes": "x = a" + ".a" * 1_000_000,
    "calls": "x = a" + "()" * 1_000_000,
    "methods": "x = a" + ".a()" * 500_000,
    "subscripts": "x = a" + "[0]" * 500_000,
    "comparisons": "x = " + "a<" * 500_000 + "a",
    "lambdas": "x = " + "lambda:" * 200_000 + "1",
    "dictionaries": "x = " + "{1:" * 500_000,
    "words": "a " * 600_000,
    "statements": "a\n" * 300_000,
    "items": f"x = [{'1,' * 300_000}]",
    "blocks": "".join(f"{' ' * depth}with a as b:\n" for depth in range(2000)),
    "digits": f"x = {'9' * 500_000}",
    "continued lines": "x = 1" + "\\\n" * 300_000,
    "texts": "x = " + "'a' " * 600_000,
    "a long text": 'x = """' + "a\n" * 700_000,
    "names": "x = " + "a" * 4_900_000,
    "huge": "x = 1\n" * 5_000_000,
    "formats": "x = " + "f'{" * 100_000,
}


MANY = {
    "arguments": f"    a = m.constant({','.join(f'a{n}=1' for n in range(60_000))}, b=[].x)\n",
    "unknown names": "".join(f"    a{n} = m.constant()\n" for n in range(9000))
    + "".join(f"    b{n} = m.whole(a=a{n}x)\n" for n in range(2000)),
    "statements": "    a.b()\n" * 20_000,
    "nodes": "    m.constant()\n" * 15_000,
    "sub-pipelines": "    with p.sub_pipeline('a') as a:\n        pass\n" * 5_000,
    "places": f"    p.layout({','.join(f'a{n}=(0, 0)' for n in range(12_000))})\n",
}


@pytest.mark.extended
@pytest.mark.parametrize("name", MANY)
def test_many_parts_are_refused_in_time(name: str) -> None:
    started = time.process_time()
    assert problems_of(OPEN + MANY[name])
    assert time.process_time() - started < 20


@pytest.mark.extended
@pytest.mark.parametrize("name", DEEP)
def test_huge_and_deep_code_is_refused_before_it_is_parsed(name: str) -> None:
    started = time.process_time()
    (problem, *_) = problems_of(DEEP[name])
    assert problem.code == "3055"
    assert time.process_time() - started < 20


def test_nothing_is_run(tmp_path: Path) -> None:
    path = tmp_path / "pipeline.py"
    touched = tmp_path / "touched"
    path.write_text(f"{OPEN}    pass\nopen({str(touched)!r}, 'w')\n", encoding="utf-8")
    with pytest.raises(PipelineError):
        load_code(path, CATALOG)
    assert not touched.exists()
    assert "pipeline" not in sys.modules


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "x.py"
    path.write_bytes(b"\xef\xbb\xbf" + f"{OPEN}    a = m.constant()\n".encode())
    assert load_code(path, CATALOG).document.id == "x"
    path.write_bytes(f"{OPEN}    a = m.constant(title='".encode() + b"\xff')\n")
    with pytest.raises(PipelineError, match="Line 4: The text is not UTF-8"):
        load_code(path, CATALOG)
    for gone in (tmp_path, tmp_path / "gone.py", tmp_path / "a\0b.py"):
        with pytest.raises(PipelineError, match="Cannot read"):
            load_code(gone, CATALOG)
    with path.open("wb") as file:
        file.truncate(10 * MAX_BYTES)
    with pytest.raises(PipelineError, match="at most 5,000,000"):
        load_code(path, CATALOG)


statements = st.lists(
    st.sampled_from(
        [
            "    a = m.constant(value=1)\n",
            "    b = m.add(a=a, b=a.output)\n",
            "    p.layout(a=(0, 0))\n",
            "    with p.sub_pipeline('s') as s:\n",
            "        c = m.whole()\n",
            "    d = s(x=a)\n",
            "    p.group('g', [a, 'b'])\n",
            "    p.parameter('q', {'a': [1, None]}, binds=['a.value'])\n",
        ]
    ),
    max_size=6,
).map("".join)
damages = st.tuples(
    st.integers(0, 400), st.sampled_from(["(", ")", "'", "\n", "=", ".", "\0", "é"])
)


@given(statements, st.lists(damages, max_size=3))
def test_damaged_code_raises_nothing_but_problems(code: str, damage: list[Any]) -> None:
    text = f"{OPEN}    pass\n{code}"
    for place, sign in damage:
        text = text[:place] + sign + text[place:]
    with suppress(PipelineError):
        json.dumps(read_code(text, CATALOG).document.to_json())
