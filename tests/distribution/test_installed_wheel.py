"""The installed wheel outside the checkout: what a user does first works with what it brings."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import chromium, new_context
from tests.browser.designer import SOON
from tests.browser.watch import Watch
from tests.distribution.installation import Distribution, Installation
from tests.polling import wait_for
from tests.project.source import ROOT
from tests.project.texts import FENCED

pytestmark = pytest.mark.timeout(3600)

LESSONS = sorted(path.stem for path in (ROOT / "pipelines" / "lessons" / "library").glob("*.json"))
FEW = (
    "import.source=sample:shapes?classes=3&images=60&size=32",
    *("train.batch_size=8", "train.epochs=1"),
)
SHORT = tuple(word for change in FEW for word in ("--set", change))
ORIGINS = """
import json, sys
from importlib.metadata import version
import designer_app, modules, pipeline_designer, pipelines
print(json.dumps({
    "files": [each.__file__ for each in (designer_app, modules, pipeline_designer, pipelines)],
    "path": sys.path,
    "finders": [getattr(each, "__module__", str(each)) for each in sys.meta_path],
    "version": version("pipeline-designer"),
}))
"""
SAVE_LESSON = """
import sys
from pathlib import Path
from modules.catalog import builtin_catalog
from pipelines.document.document import dump_document
from pipelines.lessons.pipeline_files import read_document
document = read_document(Path("01-digits"), sys.argv[1:], builtin_catalog())
Path("pipeline.json").write_text(dump_document(document), encoding="utf-8")
"""
GUIDES = """
from pipelines.lessons.lesson import lessons
for lesson in lessons():
    assert lesson.guide.steps
    print(lesson.slug)
"""
ADDRESS = re.compile(r"^Pipeline Designer: (\S+)$", re.MULTILINE)


@pytest.fixture(scope="module")
def installed(
    distribution: Distribution, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Installation]:
    """The wheel in a fresh environment; its runner ends with the tests."""
    made = Installation(distribution.wheel, tmp_path_factory.mktemp("installed"))
    yield made
    made.run("designer", "runner", "stop")


@pytest.fixture(scope="module")
def report(installed: Installation) -> Any:
    """The report of a run of the first lesson, started by its name; few images are enough."""
    command = ("designer", "run", "01-digits", *SHORT, "--json")
    return json.loads(installed.run(*command))


@pytest.fixture(scope="module")
def address(installed: Installation, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address, with the code, of an app that ``python -m designer_app`` started."""
    log = tmp_path_factory.mktemp("app") / "app.log"
    process = installed.start("python", "-m", "designer_app", "--no-browser", log=log)
    try:
        yield wait_for(lambda: _address_in(log, process))
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()


def _address_in(log: Path, process: subprocess.Popen[bytes]) -> str | None:
    text = log.read_text(encoding="utf-8")
    assert process.poll() is None, text
    printed = ADDRESS.search(text)
    return printed[1] if printed else None


def programs_of(guide: str) -> list[str]:
    """Return the Python programs of a how-to guide."""
    text = (ROOT / "docs" / "how-to" / guide).read_text(encoding="utf-8")
    return [block for language, block in FENCED.findall(text) if language == "python"]


def test_nothing_comes_from_the_checkout(installed: Installation) -> None:
    origins = json.loads(installed.run("python", "-c", ORIGINS))
    assert all(Path(file).is_relative_to(installed.prefix) for file in origins["files"]), origins
    assert str(ROOT) not in origins["path"]
    assert not any("__editable__" in finder for finder in origins["finders"])
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert origins["version"] == project["version"]
    assert installed.run("designer", "--version").strip() == project["version"]


def test_the_first_lesson_runs_by_its_name(report: Any) -> None:
    assert report["status"] == "completed"
    assert {node["status"] for node in report["nodes"].values()} == {"completed"}


def test_every_lesson_and_its_guide_can_be_read(installed: Installation) -> None:
    names = installed.run("python", "-c", GUIDES).split()
    assert names == LESSONS


@pytest.mark.full  # as in the browser, below
def test_replays_are_listed_exported_and_opened(installed: Installation, report: Any) -> None:
    listed = json.loads(installed.run("designer", "replay", "list", "--json"))
    assert [each["id"] for each in listed["replays"]] == LESSONS
    assert all(each["damage"] is None for each in listed["replays"])
    installed.run("designer", "replay", "export", report["run_id"], "-o", "own.replay")
    opened = json.loads(installed.run("designer", "replay", "open", "own.replay", "--json"))
    assert opened["status"] == "completed"
    shown = json.loads(installed.run("designer", "replay", "show", "01-digits", "--json"))
    assert shown["status"] == "completed"


def test_the_machine_and_the_package_are_described(installed: Installation) -> None:
    findings = json.loads(installed.run("designer", "doctor", "--json"))
    assert findings["healthy"]
    reference = installed.run("designer", "reference")
    assert "Train PyTorch Model" in reference
    assert "designer app" in reference


@pytest.mark.usefixtures("report")  # its outputs are reused
def test_the_python_code_of_the_readme_runs(installed: Installation) -> None:
    scripts, [own_module] = programs_of("python.md"), programs_of("own-modules.md")
    installed.run("python", "-c", SAVE_LESSON, *FEW)
    for script in scripts:
        assert installed.run("python", "-c", script).splitlines()[-1] == "completed"
    own_file = installed.folder / "workspace" / "modules" / "first.py"
    own_file.parent.mkdir()
    own_file.write_text(own_module, encoding="utf-8")
    listed = json.loads(installed.run("designer", "modules", "--json"))
    assert "First Images" in json.dumps(listed)


def test_the_app_serves_every_file_of_the_editor_and_the_documentation(
    installed: Installation, address: str
) -> None:
    token = (installed.folder / "workspace" / "token").read_text(encoding="utf-8").strip()

    def get(path: str) -> bytes:
        request = Request(address.partition("/?")[0] + path, headers={"X-Designer-Token": token})
        with urlopen(request) as response:
            return bytes(response.read())

    manifest = json.loads(get("/ui/manifest.json"))
    files = {chunk["file"] for chunk in manifest.values()}
    assert any(name.startswith("editor-") for name in files)
    assert [name for name in sorted(files) if not get(f"/ui/{name}")] == []
    assert b"Train PyTorch Model" in get(
        "/docs/reference/generated/modules/train_pytorch_model.html"
    )


@pytest.mark.browser
def test_a_lesson_opens_and_its_replay_plays_in_the_browser(address: str) -> None:
    with chromium() as browser:
        context, watch = new_context(browser), Watch()
        watch.attach(context)
        page = context.new_page()
        page.goto(address)
        page.get_by_test_id("gallery-01-digits").click()
        expect(page.get_by_test_id("node-train")).to_be_visible(timeout=SOON)
        expect(page.get_by_test_id("lesson-step-1")).to_be_visible(timeout=SOON)
        page.goto(address.partition("/?")[0])
        page.get_by_test_id("watch-01-digits").click()
        expect(page.get_by_test_id("node-train")).to_be_visible(timeout=SOON)
        page.get_by_test_id("player-speed").select_option("100")  # it plays at once
        expect(page.get_by_test_id("replay-status")).to_contain_text("completed", timeout=SOON)
        context.close()
    assert watch.verdict() == []
