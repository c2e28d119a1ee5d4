from __future__ import annotations

import pytest

from pipelines.environments.requirement_lines import (
    RequirementsRefusedError,
    parse_requirements,
)


def test_names_versions_extras_and_conditions_are_taken_and_comments_passed_over() -> None:
    lines = ["\ufeff# mine", "Lightning >= 2.6  # newest", "", "uv[x]", "six; os_name=='nt'"]
    taken = parse_requirements(lines)
    assert taken == ("Lightning>=2.6", "uv[x]", 'six; os_name == "nt"')


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("./evil", "line_is_path"),
        ("/home/x/evil", "line_is_path"),
        ("~/evil", "line_is_path"),
        ("..\\evil", "line_is_path"),
        ("evil/", "line_is_path"),
        ("evil-1.0-py3-none-any.whl", "line_is_path"),
        ("-r /etc/hostname", "line_is_option"),
        ("-e .", "line_is_option"),
        ("--extra-index-url https://example.org/simple", "line_is_option"),
        ("--find-links folder", "line_is_option"),
        ("six --hash=sha256:00", "line_is_option"),
        ("six --config-settings=x=y", "line_is_option"),
        ("x @ git+https://example.org/x", "line_is_address"),
        ("x@https://example.org/x.whl", "line_is_address"),
        ("x @ file:///tmp/x", "line_is_address"),
        ("git+ssh://example.org/x", "line_is_address"),
        ("https://example.org/x.whl", "line_is_address"),
        ("${HOME}", "line_unreadable"),
        ("six==", "line_unreadable"),
        ("six \\", "line_is_path"),
        ("two words", "line_unreadable"),
        ("six\x00", "line_unreadable"),
        ("a" * 501, "line_unreadable"),
    ],
)
def test_whatever_else_an_installer_takes_is_refused(line: str, reason: str) -> None:
    with pytest.raises(RequirementsRefusedError) as refused:
        parse_requirements(["torch", line])
    [finding] = refused.value.findings
    assert (finding.line, finding.statement.sentence.key) == (2, reason)
    assert "Line 2" in refused.value.message


def test_every_line_that_is_refused_is_named() -> None:
    with pytest.raises(RequirementsRefusedError) as refused:
        parse_requirements(["-r x", "six", "./y"])
    assert [finding["line"] for finding in refused.value.beside["findings"]] == [1, 3]


def test_a_list_has_an_end() -> None:
    with pytest.raises(RequirementsRefusedError, match="exceeds the limit of 500"):
        parse_requirements(["six"] * 501)
