"""The pages Endpoints and Published: empty, with entries, and what their buttons do."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from designer_app.screens.consume_samples import samples
from designer_app.ui.markdown import plain
from pipelines.automation.schedules import Schedules
from pipelines.automation.settings import ScheduleSettings
from pipelines.document.document import PipelineDocument, parse_document
from pipelines.store.database.endpoints import EndpointStore
from tests.designer_app.http import Server
from tests.designer_app.serving.endpoints import register
from tests.pipelines.runs.published import with_parameter


def endpoints_page() -> None:
    from designer_app.screens import endpoints

    endpoints.show()


def published_page() -> None:
    from designer_app.screens import published

    published.show()


def publish_form() -> None:
    from designer_app.application import current
    from designer_app.screens.publish_form import publish

    publish(current())


def deploy_form() -> None:
    from designer_app.application import current
    from designer_app.screens import navigation
    from designer_app.screens.deploy_form import deploy
    from designer_app.screens.pages import pages

    navigation.use(pages())
    deploy(current())


def schedule_form() -> None:
    from designer_app.application import current
    from designer_app.screens.schedule_form import add_schedule

    add_schedule(current(), current().session.published.all()[0].name)


@pytest.fixture
def app(quiet: Server, monkeypatch: pytest.MonkeyPatch) -> Server:
    monkeypatch.setattr("designer_app.application._current", quiet.application)
    return quiet


def opened(page: AppTest) -> AppTest:
    page.run()
    assert not page.exception
    return page


def test_an_empty_workspace_says_what_endpoints_are(app: Server) -> None:
    assert app.port
    page = opened(AppTest.from_function(endpoints_page, default_timeout=300))
    assert page.button(key="endpoint-begin").label == "Open Models"
    assert [button.label for button in page.button] == ["Open Models"]  # no second primary one


def test_an_endpoint_is_stopped_started_and_removed(app: Server) -> None:
    session = app.application.session
    register(session.runs, 1)
    session.endpoints.deploy("birds", "m@1")
    page = opened(AppTest.from_function(endpoints_page, default_timeout=300))
    assert page.subheader[0].value == "birds"
    code = [entry.value for entry in page.code]
    assert any("curl" in text for text in code)
    assert not any("Bearer KEY" in text for text in code)
    assert any("do not count as requests" in caption.value for caption in page.caption)
    [link] = page.get("link_button")
    assert link.proto.url == session.endpoints.find("birds").address
    page.button(key="endpoint-stop").click()
    opened(page)
    assert session.endpoints.find("birds").stopped
    session.endpoints.store.change("birds", stopped=False)
    page.button(key="endpoint-remove").click()
    page.run()
    assert session.endpoints.all() == []


def test_a_model_is_deployed_under_its_own_name(app: Server) -> None:
    session = app.application.session
    register(session.runs, 1)
    page = opened(AppTest.from_function(deploy_form, default_timeout=300))
    assert page.text_input[0].value == "m"
    assert [button.label for button in page.button] == ["Cancel", "Deploy"]
    page.button(key="deploy-go").click().run()
    assert [endpoint.name for endpoint in session.endpoints.all()] == ["m"]
    page = opened(AppTest.from_function(deploy_form, default_timeout=300))
    assert page.text_input[0].value == "m-2"


def test_a_pipeline_is_published_and_scheduled_under_its_own_name(app: Server) -> None:
    session = app.application.session
    node = {"id": "a", "module": "import_images", "parameters": {"source": "sample:digits"}}
    document = {"format": "pipeline-designer/2", "id": "a", "name": "Every night: birds"}
    session.pipelines.create(parse_document({**document, "nodes": [node]}))
    page = opened(AppTest.from_function(publish_form, default_timeout=300))
    assert [button.label for button in page.button] == ["Cancel", "Publish"]
    page.button(key="publish-go").click()
    opened(page)
    assert [published.name for published in session.published.all()] == ["every-night-birds"]
    for _ in range(2):
        page = opened(AppTest.from_function(schedule_form, default_timeout=300))
        page.button(key="schedule-add").click()
        opened(page)
    names = {schedule.name for schedule in Schedules(session.runs).all()}
    assert names == {"every-night-birds", "every-night-birds-2"}


def test_pipelines_without_latin_letters_are_published_under_free_names(app: Server) -> None:
    session = app.application.session
    node = {"id": "a", "module": "import_images", "parameters": {"source": "sample:digits"}}
    document = {"format": "pipeline-designer/2", "id": "a", "name": "识别手写数字"}
    session.pipelines.create(parse_document({**document, "nodes": [node]}))
    for name in ("pipeline", "pipeline-2"):
        page = opened(AppTest.from_function(publish_form, default_timeout=300))
        assert page.text_input[0].value == name
        page.button(key="publish-go").click()
        opened(page)
    assert [published.name for published in session.published.all()] == ["pipeline", "pipeline-2"]


def test_latencies_are_in_milliseconds(app: Server) -> None:
    session = app.application.session
    register(session.runs, 1)
    session.endpoints.deploy("birds", "m@1")
    report = {"requests": 2, "errors": 0, "median_seconds": 0.0857, "p99_seconds": 1.5}
    EndpointStore(session.runs.database).change("birds", served=report)
    page = opened(AppTest.from_function(endpoints_page, default_timeout=300))
    shown = " ".join(str(entry.value) for entry in [*page.markdown, *page.metric])
    assert "86 ms" in shown
    assert "1.5 s" in shown


def test_an_empty_name_is_asked_for(app: Server) -> None:
    session = app.application.session
    node = {"id": "a", "module": "import_images", "parameters": {"source": "sample:digits"}}
    document = {"format": "pipeline-designer/2", "id": "a", "name": "birds", "nodes": [node]}
    session.pipelines.create(parse_document(document))
    session.published.publish("nightly", parse_document(document), lambda _: [])
    for form, button in ((publish_form, "publish-go"), (schedule_form, "schedule-add")):
        page = opened(AppTest.from_function(form, default_timeout=300))
        next(field for field in page.text_input if field.label == "Name").set_value(" ")
        page.button(key=button).click()
        assert [error.value for error in opened(page).error] == ["Enter a name."]


def with_images(default: str) -> PipelineDocument:
    node = {"id": "a", "module": "import_images", "parameters": {"source": "sample:digits"}}
    bound = {"id": "images", "type": "string", "default": default, "binds": ["a.source"]}
    document = {"format": "pipeline-designer/2", "id": "a", "nodes": [node], "parameters": [bound]}
    return parse_document(document)


def test_a_schedule_has_its_own_parameter_values(app: Server) -> None:
    session = app.application.session
    session.published.publish("nightly", with_images("sample:digits"), lambda _: [])
    for value in ("sample:digits", "sample:shapes"):
        page = opened(AppTest.from_function(schedule_form, default_timeout=300))
        [field] = [entry for entry in page.text_input if entry.label == "Source"]
        field.set_value(value)
        page.button(key="schedule-add").click()
        opened(page)
    known = {entry.name: entry.settings.parameters for entry in Schedules(session.runs).all()}
    assert known == {"nightly": {}, "nightly-2": {"images": "sample:shapes"}}
    page = opened(AppTest.from_function(published_page, default_timeout=300))
    assert plain("images = sample:shapes") in [caption.value for caption in page.caption]


def test_an_empty_text_parameter_shows_the_default_that_runs(app: Server) -> None:
    document = with_images("dataset:a@1")
    app.application.session.published.publish("nightly", document, lambda _: [])
    page = opened(AppTest.from_function(published_page, default_timeout=300))
    [field] = page.text_input
    assert field.placeholder == "dataset:a@1"
    assert field.label == "Source", "as in the editor"


def test_a_published_pipeline_shows_its_parameters_and_schedules(app: Server) -> None:
    session = app.application.session
    session.published.publish("nightly", with_parameter(), lambda _: [])
    schedules = Schedules(session.runs)
    state = {"handled": 0.0}
    settings = ScheduleSettings(published="nightly", every_minutes=60)
    schedules.store.add("hourly", settings.model_dump(mode="json"), state)
    page = opened(AppTest.from_function(published_page, default_timeout=300))
    assert [field.label for field in page.number_input] == ["Value"]
    [call] = [entry.value for entry in page.code if "curl -X POST" in entry.value]
    assert '-d \'{"parameters": {"value": 2.0}}\'' in call
    assert "Idempotency-Key" not in call, "pasted again, it would start no other run"
    page.button(key="schedule-pause-hourly").click()
    opened(page)
    assert schedules.find("hourly").paused is not None
    page.button(key="schedule-remove-hourly").click()
    opened(page)
    assert schedules.all() == []


@pytest.mark.parametrize("needs_key", [False, True])
def test_samples_name_the_address_and_the_key(needs_key: bool) -> None:
    made = samples("http://127.0.0.1:8600", needs_key=needs_key)
    assert set(made) == {"curl", "Python", "JavaScript", "C#"}
    for text in made.values():
        assert "http://127.0.0.1:8600/score" in text
        assert ("KEY" in text) == needs_key
    compile(made["Python"], "sample", "exec")
