"""The Content-Security-Policy of each kind of answer."""

from __future__ import annotations

import base64
import hashlib
import re

import pytest

from designer_app.server.page_shell import PREPARED, SCREENS, streamlit_policy
from tests.designer_app.http import Answer, Client


def directives(answer: Answer) -> dict[str, list[str]]:
    parts = (each.split() for each in answer.headers["content-security-policy"].split(";"))
    return {name: values for name, *values in parts}


def inline_scripts(page: str) -> list[str]:
    found = re.findall(r"<script[^>]*>(.*?)</script>", page, re.DOTALL)
    return [each for each in found if each.strip()]


@pytest.mark.parametrize("screen", SCREENS)
def test_pages_run_their_own_scripts_only(client: Client, screen: str) -> None:
    answer = client.get(f"/{screen}")
    found = directives(answer)
    scripts = inline_scripts(answer.body.decode())
    hashes = [base64.b64encode(hashlib.sha256(each.encode()).digest()).decode() for each in scripts]
    assert len(hashes) == (9 if screen in PREPARED else 8)
    named = [f"'sha256-{each}'" for each in hashes]
    assert sorted(found["script-src"]) == sorted(["'self'", "blob:", *named])
    assert found["default-src"] == found["connect-src"] == ["'self'"]
    assert found["object-src"] == found["base-uri"] == ["'none'"]


def test_the_page_that_asks_for_the_code_loads_nothing(client: Client) -> None:
    found = directives(Client(client.port, "").get("/"))
    assert found["default-src"] == ["'none'"]
    assert [each[:8] for each in found["script-src"]] == ["'sha256-"]
    assert [each[:8] for each in found["style-src"]] == ["'sha256-"]
    assert found["frame-ancestors"] == ["'none'"]


def test_data_is_no_page(client: Client) -> None:
    for path in ("/api/pipelines", "/api/nothing"):
        assert directives(client.get(path))["default-src"] == ["'none'"]


def test_nothing_may_be_evaluated(client: Client) -> None:
    policies = [streamlit_policy(), *(client.get(f"/{each}").headers for each in SCREENS)]
    assert [each for each in policies if "unsafe-eval" in str(each)] == []
