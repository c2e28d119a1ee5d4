"""Pipelines as Python code over HTTP: written, read, and refused with their lines."""

from __future__ import annotations

from pipelines.document.document import load_document
from pipelines.lessons.pipeline_files import lesson_files
from tests.designer_app.http import Server

OPEN = "from pipeline_designer import Pipeline\nwith Pipeline('x') as p:\n"


def test_a_document_is_written_and_read_back(quiet: Server) -> None:
    document = load_document(lesson_files()["09-your-own-script"]).to_json()
    code = quiet.client.post("/api/code/write", document).json["code"]
    assert code.endswith("print(p.run(wait=True).metrics)\n")
    assert quiet.client.post("/api/code/read", {"code": code}).json == document


def test_code_is_refused_with_its_line_and_a_fix(quiet: Server) -> None:
    answer = quiet.client.post("/api/code/read", {"code": f"{OPEN}    f()\n"})
    assert answer.status == 422
    [problem] = answer.json["problems"]
    assert problem["message"].startswith("Line 3: ")
    assert problem["facts"]["line"] == 3
    assert problem["cure"]


def test_a_hostile_text_is_no_error_of_the_server(quiet: Server) -> None:
    for text in ("(" * 100_000, "\0", "\ud800", "x" * 5_000_001, 5, None):
        assert quiet.client.post("/api/code/read", {"code": text}).status in (400, 422)
