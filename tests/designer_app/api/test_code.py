"""Code is looked at, and allowed by what it hashes to; what its owner writes is allowed at once."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from modules.scripts.arguments import PlaceValues
from pipelines.document.document import parse_document
from pipelines.lessons.pipeline_files import LIBRARY_DIR
from pipelines.validation.brought_code import sha256_of
from tests.designer_app.http import Server

Json = dict[str, Any]
FOREIGN = "def designer_main(): pass  # foreign\n"
OWN = "def designer_main(): pass  # own\n"


def document(*nodes: Json) -> Json:
    return {"format": "pipeline-designer/2", "id": "d", "nodes": list(nodes)}


def python(code: str) -> Json:
    return {"id": "py", "module": "execute_python_script", "parameters": {"code": code}}


def script(variables: Json | None = None, **parameters: Any) -> Json:
    settings = {"variables": variables or {}}
    node = {"id": "run", "module": "run_training_script", "run_settings": settings}
    return {**node, "parameters": parameters}


def refused(server: Server, content: Json) -> list[tuple[str, str]]:
    """Where code stands that may not run."""
    problems = server.client.post("/api/validate", content).json["problems"]
    return [(each["node"], each["parameter"]) for each in problems if each["code"] == "3070"]


def edit(server: Server, before: Json | None, after: Json, *places: tuple[str, str]) -> int:
    named = [{"node": node, "parameter": parameter} for node, parameter in places]
    body = {"before": before, "after": after, "places": named}
    answer = server.client.post("/api/code/edit", body)
    assert answer.status == 200, answer.body
    return int(answer.json["allowed"])


def test_code_that_was_allowed_may_run(quiet: Server) -> None:
    told = sha256_of("def designer_main(): pass")
    allowed = quiet.application.session.checks.allowed_code
    assert not allowed.allows(told)
    assert quiet.client.post("/api/code/allow", {"hashes": [told]}).json == {"allowed": 1}
    assert allowed.allows(told)


@pytest.mark.parametrize("text", ["", "abc", "A" * 64, "é" * 64])
def test_what_is_no_hash_is_refused_in_words_that_fit(quiet: Server, text: str) -> None:
    answer = quiet.client.post("/api/code/allow", {"hashes": [text]})
    assert (answer.status, answer.error) == (422, "no_code_hash")
    assert "hash" in answer.json["error"]["message"]
    assert "/api/code/look" in answer.json["error"]["cure"]


def test_all_foreign_code_is_shown_whole_and_allowed_piece_by_piece(quiet: Server) -> None:
    folder = quiet.application.settings.workspace.root / "code"  # which it may read
    folder.mkdir()
    (folder / "main.py").write_text("print('look at me')\n")
    (folder / "nets.py").write_text("")
    brought = document(
        python(FOREIGN),
        script({"LD_PRELOAD": "x.so"}, source_folder=str(folder), arguments=["--epochs=3"]),
    )
    assert refused(quiet, brought) == [("py", "code"), ("run", "source_folder")]
    program, call = quiet.client.post("/api/code/look", brought).json["pieces"]
    assert (program["text"], program["is_allowed"], program["source"]) == (FOREIGN, False, None)
    assert f"Source folder: {folder}" in call["text"]
    assert "--epochs=3" in call["text"]
    assert call["source_problem"] is None
    assert call["source"] == {
        "name": "main.py",
        "text": "print('look at me')\n",
        "is_cut": False,
        "files": ["main.py", "nets.py"],
    }
    assert "LD_PRELOAD: x.so" in call["text"]
    quiet.client.post("/api/code/allow", {"hashes": [program["hash"]]})
    assert refused(quiet, brought) == [("run", "source_folder")]
    quiet.client.post("/api/code/allow", {"hashes": [call["hash"]]})
    assert refused(quiet, brought) == []


def test_a_folder_that_may_not_be_read_is_not_shown(quiet: Server, tmp_path: Path) -> None:
    missing = document(script(source_folder=str(tmp_path / "nowhere")))
    [call] = quiet.client.post("/api/code/look", missing).json["pieces"]
    assert call["source"] is None
    assert "nowhere" in call["source_problem"]


@pytest.mark.parametrize(
    "changed",
    [
        {"source_folder": "/opt/other", "arguments": ["-c", "1"]},
        {"source_folder": "/opt/code", "script": "other.py", "arguments": ["-c", "1"]},
        {"source_folder": "/opt/code", "arguments": ["-c", "2"]},
        {"source_folder": "/opt/code", "arguments": ["-c", "1"], "command": "sh -c true"},
    ],
)
def test_another_call_is_other_code(quiet: Server, changed: Json) -> None:
    looked_at = document(script(source_folder="/opt/code", arguments=["-c", "1"]))
    [call] = quiet.client.post("/api/code/look", looked_at).json["pieces"]
    quiet.client.post("/api/code/allow", {"hashes": [call["hash"]]})
    assert refused(quiet, looked_at) == []
    assert len(refused(quiet, document(script(**changed)))) == 1


def test_a_value_of_the_pipeline_that_stands_in_a_call_is_a_part_of_it(quiet: Server) -> None:
    def asking(value: str) -> Json:
        parameter = {"id": "what", "type": "string", "default": value}
        return {**document(script(command="sh -c {{parameters.what}}")), "parameters": [parameter]}

    [call] = quiet.client.post("/api/code/look", asking("true")).json["pieces"]
    assert "true" in call["text"]
    quiet.client.post("/api/code/allow", {"hashes": [call["hash"]]})
    assert refused(quiet, asking("true")) == []
    assert refused(quiet, asking("curl | sh")) == [("run", "command")]


def test_what_its_owner_writes_is_allowed_step_by_step(quiet: Server) -> None:
    empty = document(python(""))
    assert edit(quiet, empty, document(python(OWN)), ("py", "code")) == 1
    longer = document(python(f"{OWN}\n"))
    assert edit(quiet, document(python(OWN)), longer, ("py", "code")) == 1
    assert refused(quiet, longer) == []
    dropped = document(script({"A": "1"}, source_folder="dataset:mine", script="main.py"))
    assert refused(quiet, dropped) == [("run", "source_folder")]
    assert edit(quiet, None, dropped, ("run", "source_folder"), ("run", "variables")) == 1
    assert refused(quiet, dropped) == []


def test_typing_into_foreign_code_allows_nothing(quiet: Server) -> None:
    brought = document(python(FOREIGN), script(typed_script=FOREIGN))
    changed = document(python(f"{FOREIGN}x"), script(typed_script=FOREIGN, command="python x.py"))
    assert edit(quiet, brought, changed, ("py", "code")) == 0
    assert ("py", "code") in refused(quiet, changed)
    assert edit(quiet, brought, changed, ("run", "command")) == 0
    assert refused(quiet, changed) == [("py", "code"), ("run", "typed_script")]
    assert edit(quiet, None, document(python(FOREIGN)), ("run", "code")) == 0


def lesson(name: str) -> Json:
    content: Json = json.loads((LIBRARY_DIR / f"{name}.json").read_text())
    return content


def with_node(content: Json, changes: Json, variables: Json | None = None) -> Json:
    """The lesson with other parameters of the node that runs its script."""
    changed = copy.deepcopy(content)
    [node] = [each for each in changed["nodes"] if each["module"] == "run_training_script"]
    node["parameters"] |= changes
    node["run_settings"] = {**node.get("run_settings", {}), "variables": variables or {}}
    return changed


CHANGES: list[tuple[Json, Json]] = [
    ({"arguments": ["--data", "/srv", "--num_epochs", "1", "--output_dir", "/srv"]}, {}),
    ({"arguments": []}, {}),
    ({"script": "other.py"}, {}),
    ({"command": "python script.py"}, {}),
    ({"secrets": ["token"]}, {}),
    ({}, {"PYTHONSTARTUP": "x.py"}),
]


@pytest.mark.parametrize(("changes", "variables"), CHANGES)
@pytest.mark.parametrize("name", ["09-your-own-script", "11-a-script-of-the-cloud"])
def test_a_shipped_program_is_approved_only_as_it_was_shipped(
    quiet: Server, name: str, changes: Json, variables: Json
) -> None:
    shipped = lesson(name)
    assert refused(quiet, shipped) == []
    foreign = with_node(shipped, changes, variables)
    [(_, parameter)] = refused(quiet, foreign)
    assert parameter in ("typed_script", "command")
    answer = quiet.client.post("/api/runs", {"document": foreign})
    assert answer.status == 422
    assert "3070" in [each["code"] for each in answer.json["problems"]]
    [piece] = quiet.client.post("/api/code/look", foreign).json["pieces"]
    shown = f"{piece['text']}\n{piece['settings']}"
    for value in (*changes.get("arguments", ()), *variables):
        assert value in shown


@pytest.mark.parametrize(("changes", "variables"), CHANGES)
def test_an_approved_program_with_other_values_is_approved_again(
    quiet: Server, changes: Json, variables: Json
) -> None:
    approved = with_node(lesson("09-your-own-script"), {"typed_script": FOREIGN})
    quiet.application.session.checks.allow_code_of(parse_document(approved))
    assert refused(quiet, approved) == []
    assert len(refused(quiet, with_node(approved, changes, variables))) == 1


def test_a_network_that_was_refused_to_a_program_is_a_part_of_its_approval(quiet: Server) -> None:
    walled = document(script(typed_script=FOREIGN, network="none"))
    quiet.application.session.checks.allow_code_of(parse_document(walled))
    assert refused(quiet, walled) == []
    assert len(refused(quiet, document(script(typed_script=FOREIGN)))) == 1


def test_a_text_of_the_node_that_is_filled_into_a_call_is_a_part_of_it(quiet: Server) -> None:
    command = "sh -c {{parameters.model_file}}"
    mild, wild = (document(script(command=command, model_file=each)) for each in ("a", "rm -r ."))
    quiet.application.session.checks.allow_code_of(parse_document(mild))
    assert refused(quiet, mild) == []
    assert refused(quiet, wild) == [("run", "command")]


def test_which_class_of_approved_code_is_called_is_a_part_of_its_approval(quiet: Server) -> None:
    def network(name: str) -> Json:
        parameters = {"code": FOREIGN, "network": name}
        return document({"id": "net", "module": "create_python_model", "parameters": parameters})

    quiet.application.session.checks.allow_code_of(parse_document(network("Small")))
    assert refused(quiet, network("Small")) == []
    assert refused(quiet, network("system")) == [("net", "code")]


def test_arguments_that_came_before_the_program_are_not_approved_with_it(quiet: Server) -> None:
    arguments = document(script(arguments=["--output", "/srv"]))
    assert refused(quiet, arguments) == [("run", "arguments")]
    typed = document(script(arguments=["--output", "/srv"], typed_script=OWN))
    assert edit(quiet, arguments, typed, ("run", "typed_script")) == 0
    assert refused(quiet, typed) == [("run", "typed_script")]


def test_its_owner_changes_arguments_of_a_lesson_without_being_asked(quiet: Server) -> None:
    shipped = lesson("09-your-own-script")
    longer = with_node(shipped, {"arguments": ["--images", "{{inputs.images}}", "--epochs", "8"]})
    assert edit(quiet, shipped, longer, ("script", "arguments")) == 1
    assert refused(quiet, longer) == []


def test_the_server_names_a_path_in_arguments_that_it_may_not_use(quiet: Server) -> None:
    content = with_node(lesson("11-a-script-of-the-cloud"), {"arguments": ["--data=/etc/ssl"]})
    quiet.application.session.checks.allow_code_of(parse_document(content))
    answer = quiet.client.post("/api/forecast", content)
    told = [each for node in answer.json["nodes"] for each in node["findings"]]
    [problem] = [each for each in told if each["parameter"] == "arguments"]
    assert problem["severity"] == "error"
    assert "'/etc/ssl'" in problem["message"]
    assert "DESIGNER_DATA_ROOTS" in problem["cure"]


def with_parameter(command: str, value: str) -> Json:
    own = {"id": "cmd", "type": "string", "default": value}
    return {**document(script(command=command)), "parameters": [own]}


def told(server: Server, content: Json) -> list[str]:
    """The errors of a document."""
    problems = server.client.post("/api/validate", content).json["problems"]
    return [each["code"] for each in problems if each["severity"] == "error"]


def test_what_a_script_takes_by_name_is_allowed_with_it(quiet: Server) -> None:
    mild, wild = (with_parameter("sh -c {{parameters.cmd}}", each) for each in ("true", "rm -r ."))
    checks = quiet.application.session.checks
    checks.allow_code_of(parse_document(mild))
    assert "3070" not in told(quiet, mild)
    assert "3070" in told(quiet, wild)
    problems = quiet.client.post("/api/validate", mild).json["problems"]
    assert "UnboundParameter" not in [each["name"] for each in problems], "it does something"


@pytest.mark.parametrize("space", ["\u00a0", "\u2003", "\u3000", "\n"])
def test_no_other_space_hides_what_a_script_takes_by_name(quiet: Server, space: str) -> None:
    mild, wild = (
        with_parameter(f"sh -c {{{{{space}parameters.cmd}}}}", each) for each in ("true", "rm -r .")
    )
    quiet.application.session.checks.allow_code_of(parse_document(mild))
    places = PlaceValues({}, {}, {"cmd": "rm -r ."})
    [command] = places.fill([wild["nodes"][0]["parameters"]["command"]])
    assert "rm" not in command, "it is filled in nowhere"
    assert told(quiet, mild) == told(quiet, wild)
