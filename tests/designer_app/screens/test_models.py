"""The page Models: a model whose weights hold garbage is reported there."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from designer_app.ui.markdown import plain
from modules.models.implausible_weights import find_implausible_in
from pipelines.registry import weight_checks
from tests.designer_app.http import Server
from tests.pipelines.registry.trained import trained_run


def shown() -> None:
    from designer_app.screens import models

    models.show()


@pytest.mark.parametrize("value", [None, 3e16], ids=["sound", "garbage"])
def test_garbage_in_weights_is_reported_and_read_once(
    quiet: Server, monkeypatch: pytest.MonkeyPatch, value: float | None
) -> None:
    monkeypatch.setattr("designer_app.application._current", quiet.application)
    session = quiet.application.session
    run_id = trained_run(session.runs, first_weight=value)
    ((_, artifact_id, port),) = session.models.trained_by(run_id)
    session.models.register(artifact_id, port, "m")
    read: list[object] = []

    def counting(path: object, **how: bool) -> object:
        read.append(path)
        return find_implausible_in(path, **how)  # type: ignore[arg-type]  # as it is called

    monkeypatch.setattr(weight_checks, "find_implausible_in", counting)
    page = AppTest.from_function(shown, default_timeout=300)
    for _ in range(2):
        page.run()
        assert not page.exception
        told = [each.value for each in page.error]
        assert len(told) == (value is not None)
        assert all(plain("conv1.0") in each and "Train the model again" in each for each in told)
    assert len(read) == 1
