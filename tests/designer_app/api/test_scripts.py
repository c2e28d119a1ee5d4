"""A script is read for its options and for what its header needs."""

from __future__ import annotations

from tests.designer_app.http import Server

HEADER = '# /// script\n# dependencies = ["lightning>=2"]\n# ///\n'
OPTION = "import argparse\np = argparse.ArgumentParser()\np.add_argument('--epochs', default=3)\n"


def test_options_and_needs_are_told(quiet: Server) -> None:
    answer = quiet.client.post("/api/scripts/read", {"text": HEADER + OPTION}).json
    assert answer["arguments"] == ["--epochs=3"]
    assert answer["requirements"] == ["lightning>=2"]
    assert answer["modules"] == []
    assert answer["framework"] is None
    [option] = answer["options"]
    assert (option["name"], option["default"], option["is_switch"]) == ("--epochs", 3, False)


def test_the_framework_that_it_imports_says_what_suits_it(quiet: Server) -> None:
    answer = quiet.client.post("/api/scripts/read", {"text": "import lightning"}).json
    assert answer["framework"] == {
        "title": "Lightning",
        "launcher": "pytorch_node",
        "environment": "pytorch-lightning",
    }


def test_a_header_that_cannot_be_taken_needs_nothing(quiet: Server) -> None:
    header = '# /// script\n# dependencies = ["x @ file:///etc/hostname"]\n# ///\n'
    assert quiet.client.post("/api/scripts/read", {"text": header}).json["requirements"] == []


def test_a_file_of_modules_is_told_where_it_belongs(quiet: Server) -> None:
    text = 'from modules import module\n@module(title="First", category="C")\ndef first(): ...\n'
    answer = quiet.client.post("/api/scripts/read", {"text": text}).json
    assert answer["modules"] == ["First"]
    assert answer["modules_folder"].endswith("modules")


def test_a_file_that_submits_to_azure_is_read_as_nodes(quiet: Server) -> None:
    text = "src = ScriptRunConfig(source_directory='code', script='a.py', arguments=['--n', 3])\n"
    answer = quiet.client.post("/api/scripts/read", {"text": text}).json
    [node] = answer["submission"]["nodes"]
    assert node["parameters"] == {
        "script": "a.py",
        "arguments": ["--n", "3"],
        "model_file": None,
    }
    assert "The source folder 'code' is a relative path" in answer["notes"][0]
    assert quiet.client.post("/api/scripts/read", {"text": OPTION}).json["submission"] is None


def test_what_is_no_python_is_refused_with_its_line(quiet: Server) -> None:
    answer = quiet.client.post("/api/scripts/read", {"text": "x = 1\ndef"})
    assert answer.status == 422
    assert "in line 2" in answer.json["error"]["message"]
