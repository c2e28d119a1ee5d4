"""A page that is the model, from a plain web server, in a browser without a network."""

from __future__ import annotations

import functools
import io
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from modules.artifacts import TrainedModel
from modules.export.agreement import scored
from modules.export.exported_file import Export
from modules.export.network import load_network
from modules.export.preparation import Preparation
from modules.export.shared_page import write_page, zip_folder
from modules.models.abstention import ABSTENTION, threshold_of
from modules.transforms.operations import apply_prefix
from tests.modules.export.pictures import CLASSES, SIZES, lively_model, soft_picture

pytestmark = pytest.mark.browser
WITHIN = 0.002
READY = 60_000
"""Milliseconds until the model is open on a busy machine."""


class _Silent(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def serving(folder: Path) -> Iterator[tuple[str, ThreadingHTTPServer]]:
    """The address of a plain server for a folder."""
    handler = functools.partial(_Silent, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://localhost:{server.server_address[1]}/", server
        server.shutdown()


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> TrainedModel:
    """A model that abstains for the picture of which it is least sure."""
    folder = tmp_path_factory.mktemp("model")
    sure = lively_model(folder / "sure", "resnet18", 64)
    probabilities = scored_pictures(sure, len(SIZES))
    least, next_to_it, *_ = sorted(each.max() for each in probabilities)
    threshold: Any = {"threshold": float(least + next_to_it) / 2, "answered": 0.5, "wrong": 0.01}
    facts: Any = {ABSTENTION: {**threshold, "num_images": 100}}
    return lively_model(folder / "abstaining", "resnet18", 64, None, **facts)


@pytest.fixture(scope="module")
def shared(model: TrainedModel, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the page; tests share it and change nothing."""
    return written(tmp_path_factory.mktemp("shared"), model)


def scored_pictures(model: TrainedModel, count: int) -> list[Any]:
    """The probabilities of pictures of all sizes in turn, without an export."""
    preparation, network = Preparation.of(model), load_network(model)
    pictures = [soft_picture(*SIZES[number % len(SIZES)], seed=number) for number in range(count)]
    seen = [np.asarray(apply_prefix(each, preparation.operations)) for each in pictures]
    return [scored(network, preparation.normalisation, [each])[0] for each in seen]


def written(folder: Path, model: TrainedModel) -> Path:
    page = folder / "page"
    page.mkdir()
    card = Export(model, "Pets <b>", "onnx").write(page / "model.onnx")
    write_page(page, card, model.classes)
    return page


@contextmanager
def opened(browser: Browser, address: str, **options: Any) -> Iterator[Page]:
    """The page with its model open; requests to other addresses fail the test."""
    context = browser.new_context(**options)
    page = context.new_page()
    abroad: list[str] = []
    complaints: list[str] = []
    page.on(
        "request",
        lambda request: (
            None
            if request.url.startswith((address, "blob:", "data:"))
            else abroad.append(request.url)
        ),
    )
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "console",
        lambda message: complaints.append(message.text) if message.type == "error" else None,
    )
    page.goto(address)
    page.locator("body[data-state=ready]").wait_for(timeout=READY)
    yield page
    assert (abroad, complaints) == ([], [])
    context.close()


def recognized(page: Page, name: str, content: bytes) -> tuple[str, Any, float]:
    """Give the page a file; return the label, the probabilities and the milliseconds."""
    result = page.locator("#result")
    count = int(result.get_attribute("data-count") or 0)
    page.set_input_files("#chosen", {"name": name, "mimeType": "image/png", "buffer": content})
    page.locator(f"#result[data-count='{count + 1}']").wait_for(timeout=READY)
    facts = {
        name: result.get_attribute(f"data-{name}")
        for name in ("label", "probabilities", "milliseconds")
    }
    return (
        str(facts["label"]),
        np.array(json.loads(str(facts["probabilities"]))),
        float(str(facts["milliseconds"])),
    )


def png(image: Image.Image) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()


@pytest.mark.parametrize("num_images", [len(SIZES), pytest.param(50, marks=pytest.mark.full)])
def test_the_page_answers_as_score_does(
    browser: Browser, model: TrainedModel, shared: Path, num_images: int
) -> None:
    threshold = threshold_of(model)
    assert threshold is not None
    agreed, largest, answers = 0, 0.0, set()
    with serving(shared) as (address, _), opened(browser, address) as page:
        expect(page.get_by_role("heading", level=1)).to_have_text("Pets <b>")
        for number, wanted in enumerate(scored_pictures(model, num_images)):
            image = soft_picture(*SIZES[number % len(SIZES)], seed=number)
            label, probabilities, _ = recognized(page, f"{number}.png", png(image))
            agreed += label == CLASSES[int(wanted.argmax())]
            largest = max(largest, float(np.abs(probabilities - wanted).max()))
            if abs(wanted.max() - threshold) > WITHIN:
                answer = label if wanted.max() > threshold else "I do not know"
                expect(page.get_by_role("heading", level=2)).to_have_text(answer)
                answers.add(answer)
    assert len(answers) > 2
    assert "I do not know" in answers
    assert agreed == num_images
    assert largest <= WITHIN


@pytest.mark.full  # time: test_the_page_answers_as_score_does has the same steps
def test_the_first_class_is_there_within_two_seconds(browser: Browser, tmp_path: Path) -> None:
    operations = [{"operation": "resize", "size": 256}, {"operation": "center_crop", "size": 224}]
    size = {"height": 224, "width": 224}
    model = lively_model(tmp_path / "model", "resnet18", 64, operations, input_size=size)
    with serving(written(tmp_path, model)) as (address, _), opened(browser, address) as page:
        _, _, milliseconds = recognized(page, "photo.png", png(soft_picture(640, 480, 1)))
        print(f"first class after {milliseconds:.0f} ms")
        assert milliseconds < 2000


def test_the_page_works_without_its_server(browser: Browser, shared: Path) -> None:
    with serving(shared) as (address, server), opened(browser, address) as page:
        page.locator("body[data-offline=ready]").wait_for(timeout=READY)
        first = recognized(page, "a.png", png(soft_picture(90, 70, 1)))
        server.shutdown()
        server.server_close()
        page.reload()
        page.locator("body[data-state=ready]").wait_for(timeout=READY)
        again = recognized(page, "a.png", png(soft_picture(90, 70, 1)))
        assert first[0] == again[0]
        assert np.array_equal(first[1], again[1])


def test_files_that_are_no_images_and_drawings(browser: Browser, shared: Path) -> None:
    with serving(shared) as (address, _), opened(browser, address) as page:
        page.set_input_files(
            "#chosen", {"name": "a.png", "mimeType": "image/png", "buffer": b"no image"}
        )
        expect(page.get_by_role("alert")).to_contain_text("not an image")
        page.get_by_role("tab", name="Drawing").click()
        board = page.locator("#board")
        box = board.bounding_box()
        assert box is not None
        page.mouse.move(box["x"] + 60, box["y"] + 60)
        page.mouse.down()
        page.mouse.move(box["x"] + 200, box["y"] + 200, steps=5)
        page.mouse.up()
        expect(page.locator("#result")).to_have_attribute("data-count", "1", timeout=READY)
        page.get_by_role("tab", name="Drawing").press("ArrowLeft")
        expect(page.locator("#camera-state")).not_to_be_empty()


def test_a_page_on_a_phone_does_not_scroll_sideways(browser: Browser, shared: Path) -> None:
    phone: dict[str, Any] = {
        "viewport": {"width": 390, "height": 844},
        "is_mobile": True,
        "has_touch": True,
    }
    with serving(shared) as (address, _), opened(browser, address, **phone) as page:
        recognized(page, "a.png", png(soft_picture(500, 375, 1)))
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_equal_pages_are_equal_archives(tmp_path: Path) -> None:
    folder = tmp_path / "page"
    folder.mkdir()
    (folder / "model.onnx").write_bytes(b"weights")
    card: dict[str, Any] = {
        "name": "m",
        "architecture": "a",
        "format": "onnx",
        "input": "",
        "limits": [],
    }
    card |= {"preparation": [], "preparation_inside": True, "input_size": {}}
    write_page(folder, card, CLASSES)
    zip_folder(folder, tmp_path / "a.zip")
    zip_folder(folder, tmp_path / "b.zip")
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()
    texts = [
        path.read_text() for path in folder.iterdir() if path.suffix in (".html", ".css", ".js")
    ]
    assert not any("http://" in text or "https://" in text for text in texts)
