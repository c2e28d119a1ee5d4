"""The page Models: a model whose weights hold garbage is reported there."""

from __future__ import annotations

from pathlib import Path

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


def test_a_registered_model_says_so_and_is_registered_again_on_request(
    quiet: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("designer_app.application._current", quiet.application)
    session = quiet.application.session
    ((_, artifact_id, port),) = session.models.trained_by(trained_run(session.runs))
    session.models.register(artifact_id, port, "m")
    page = AppTest.from_function(shown, default_timeout=300).run()
    assert not page.exception
    assert "Registered" in [tab.label for tab in page.tabs]
    text = next(each.value for each in page.markdown if each.value.startswith("Registered as"))
    assert "(/models?model=m%401)" in text
    assert "Register again" in [expander.label for expander in page.expander]
    name = next(each for each in page.text_input if each.label == "Name")
    assert name.value == "m"
    [button] = [each for each in page.button if each.label == "Register model"]
    button.click().run()
    assert not page.exception
    assert [version.version for version in session.models.find("m").model.versions] == [1, 2]


@pytest.mark.parametrize(
    ("address", "title"),
    [("b@1", "b@1"), ("b", "b@2"), ("b@best", "b@1"), ("none@1", "a@1"), ("../x", "a@1")],
)
def test_a_link_opens_a_version(
    quiet: Server, monkeypatch: pytest.MonkeyPatch, address: str, title: str
) -> None:
    monkeypatch.setattr("designer_app.application._current", quiet.application)
    session = quiet.application.session
    ((_, artifact_id, port),) = session.models.trained_by(trained_run(session.runs))
    for name in ("a", "b", "b"):
        session.models.register(artifact_id, port, name)
    session.models.set_alias("b", "best", 1)
    page = AppTest.from_function(shown, default_timeout=300)
    page.query_params["model"] = address
    page.run()
    assert not page.exception
    assert page.subheader[0].value == plain(title)
    assert "model" not in page.query_params


def test_the_rule_of_an_alias_is_shown_once_it_is_saved(
    quiet: Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("designer_app.application._current", quiet.application)
    session = quiet.application.session
    ((_, artifact_id, port),) = session.models.trained_by(trained_run(session.runs))
    session.models.register(artifact_id, port, "m")
    session.models.set_alias("m", "best", 1)
    golden = tmp_path / "golden"
    (golden / "circle").mkdir(parents=True)
    (golden / "circle" / "1.png").write_bytes(b"image")
    page = AppTest.from_function(shown, default_timeout=300).run()
    assert not any("Rule of best" in caption.value for caption in page.caption)
    page.button(key="alias-set").click().run()
    assert [error.value for error in page.error] == ["Enter an alias."]
    field = next(each for each in page.text_input if each.label == "Golden images of best")
    field.input(str(golden))
    page.button(key="rule-set").click().run()
    assert not page.exception
    assert not page.error
    assert any(
        plain(f"Rule of best: golden images {golden}.") in caption.value for caption in page.caption
    )
