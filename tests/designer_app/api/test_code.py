"""Code is allowed by what it hashes to."""

from __future__ import annotations

import pytest

from pipelines.validation.allowed_code import sha256_of
from tests.designer_app.http import Server


def test_code_that_was_allowed_may_run(quiet: Server) -> None:
    told = sha256_of("def designer_main(): pass")
    allowed = quiet.application.session.checks.allowed_code
    assert not allowed.allows(told)
    assert quiet.client.post("/api/code/allow", {"hash": told}).json == {"hash": told}
    assert allowed.allows(told)


@pytest.mark.parametrize("body", [{}, {"hash": "abc"}, {"hash": 5}, {"hash": "A" * 64}])
def test_what_is_no_hash_is_refused(quiet: Server, body: dict[str, object]) -> None:
    assert quiet.client.post("/api/code/allow", body).status == 422
