"""The steps of lessons name what is there, and ask for what can be done."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from modules.catalog import Catalog, builtin_catalog
from modules.spec import Module
from pipelines.document.document import PipelineDocument
from pipelines.lessons.guide import (
    GUIDES_DIR,
    Check,
    ConfirmedCheck,
    LessonStep,
    LinkCheck,
    LookedCheck,
    ParameterCheck,
    RanCheck,
    RunSettingCheck,
    ShownCheck,
    VariedCheck,
)
from pipelines.lessons.lesson import Lesson, lesson_of, lessons

MODULE = "module:"
HOW_TO = Path(__file__).parents[3] / "docs" / "how-to"
each_lesson = pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.slug)


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return builtin_catalog()


def test_each_guide_belongs_to_a_lesson() -> None:
    assert {path.stem for path in GUIDES_DIR.glob("*.json")} == {
        lesson.slug for lesson in lessons()
    }


@each_lesson
def test_a_step_is_said_in_sentences(lesson: Lesson) -> None:
    for step in lesson.guide.steps:
        assert len(step.task) <= 170, "a step is read at a glance"
        assert all(text[-1] in ".?!" for text in (step.task, step.hint, step.after))


@each_lesson
def test_checks_name_what_is_there(lesson: Lesson, catalog: Catalog) -> None:
    for step in lesson.guide.steps:
        for check in step.checks:
            assert_is_there(check, lesson.document, catalog)
        assert_shows(step, lesson.document, catalog)


@each_lesson
def test_a_lesson_is_run_more_than_once_or_looked_at(lesson: Lesson) -> None:
    kinds = [check.kind for step in lesson.guide.steps for check in step.checks]
    assert "ran" in kinds
    assert kinds.count("ran") + kinds.count("shown") + kinds.count("looked") > 2


@each_lesson
def test_only_the_user_confirms_what_nothing_else_checks(lesson: Lesson) -> None:
    for step in lesson.guide.steps:
        kinds = [check.kind for check in step.checks]
        assert kinds == ["confirmed"] or "confirmed" not in kinds


@each_lesson
def test_how_to_guides_exist(lesson: Lesson) -> None:
    for step in lesson.guide.steps:
        assert step.how_to is None or (HOW_TO / f"{step.how_to}.md").is_file()


def test_a_pipeline_is_known_by_its_id_as_opened_for_a_lesson() -> None:
    first = lessons()[0]
    assert first.opened().id == "lesson-01-digits"
    assert first.opened().nodes == first.document.nodes
    for pipeline_id in (first.opened().id, f"{first.opened().id}-12"):
        assert lesson_of(pipeline_id) is first
    for pipeline_id in (first.slug, "lesson-", "lesson-01-digits-x", "lesson-99-none", ""):
        assert lesson_of(pipeline_id) is None


def assert_is_there(check: Check, document: PipelineDocument, catalog: Catalog) -> None:
    if isinstance(check, LinkCheck):
        source, target = (
            port(check.source, document, catalog),
            port(check.target, document, catalog),
        )
        assert source[1] in {output.id for output in source[0].outputs}
        assert target[1] in {item.id for item in target[0].inputs}
        return
    if isinstance(check, ConfirmedCheck):
        return
    module = module_of(check.node, document, catalog)
    if isinstance(check, ParameterCheck | VariedCheck):
        assert check.parameter in module.parameters_type.model_fields
        if isinstance(check, ParameterCheck) and check.feeds:
            target = port(check.feeds, document, catalog)
            assert target[1] in {item.id for item in target[0].inputs}
    elif isinstance(check, LookedCheck):
        assert check.port in {output.id for output in module.outputs}
    elif isinstance(check, RanCheck):
        assert check.reused is None or document.node(check.reused)
        for inner in check.of:
            assert_is_there(inner, document, catalog)
    else:
        assert isinstance(check, ShownCheck | RunSettingCheck)


def assert_shows(step: LessonStep, document: PipelineDocument, catalog: Catalog) -> None:
    """*Show me* leads to where at least one of the checks is made."""
    show = step.show
    assert show.node or show.button
    if show.node:
        module = module_of(show.node, document, catalog)
        assert show.parameter is None or show.parameter in module.parameters_type.model_fields
    named = ParameterCheck | VariedCheck
    wanted = {check.parameter for check in step.checks if isinstance(check, named)}
    assert show.parameter is None or show.parameter in wanted | set(inner_parameters(step))


def inner_parameters(step: LessonStep) -> Iterator[str]:
    for check in step.checks:
        if isinstance(check, RanCheck):
            yield from (item.parameter for item in check.of if isinstance(item, ParameterCheck))


def port(text: str, document: PipelineDocument, catalog: Catalog) -> tuple[Module, str]:
    node, _, name = text.rpartition(".")
    return module_of(node, document, catalog), name


def module_of(name: str, document: PipelineDocument, catalog: Catalog) -> Module:
    node = document.node(name)
    if name.startswith(MODULE):
        module_id = name.removeprefix(MODULE)
        assert module_id in {item.module for item in document.nodes}
    else:
        assert node, name
        module_id = node.module
    module = catalog.get(module_id)
    assert module
    return module
