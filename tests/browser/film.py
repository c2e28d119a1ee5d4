"""Film for Chromium's fake camera: two things in turn, each in many positions."""

from __future__ import annotations

import io
import random
from pathlib import Path

from PIL import Image, ImageDraw
from playwright.sync_api import FilePayload, Page

WIDTH, HEIGHT = 320, 240
FRAMES_OF_EACH = 90
"""Three seconds at the 30 frames a second of the fake camera."""
PHASE = """() => {
  const video = document.querySelector("video");
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 1;
  const context = canvas.getContext("2d");
  context.drawImage(video, 0, 0, 1, 1);
  const [red, , blue] = context.getImageData(0, 0, 1, 1).data;
  return red > blue ? "disc" : "stripes";
}"""


def write_film(path: Path) -> None:
    """Write a film (.mjpeg) of a disc on a red background, then stripes on a blue one."""
    draw = random.Random(5)
    with path.open("wb") as film:
        for frame in range(2 * FRAMES_OF_EACH):
            content = _disc(draw) if frame < FRAMES_OF_EACH else _stripes(draw)
            made = io.BytesIO()
            content.save(made, "JPEG", quality=85)
            film.write(made.getvalue())


def still(name: str) -> FilePayload:
    """Return an image of a ``Disc`` or of ``Stripes`` as a file to choose."""
    draw, made = random.Random(77), io.BytesIO()
    content = _disc(draw) if name == "Disc" else _stripes(draw)
    content.save(made, "JPEG", quality=85)
    return {"name": f"{name}.jpg", "mimeType": "image/jpeg", "buffer": made.getvalue()}


def wait_for_start(page: Page, thing: str) -> None:
    """Wait until the film has just changed to ``disc`` or ``stripes``."""
    while page.evaluate(PHASE) == thing:  # the policy of the page allows no wait_for_function
        page.wait_for_timeout(50)
    while page.evaluate(PHASE) != thing:
        page.wait_for_timeout(50)


def _disc(draw: random.Random) -> Image.Image:
    image = Image.new("RGB", (WIDTH, HEIGHT), (draw.randint(190, 240), 60, 50))
    x, y, radius = draw.randint(90, 230), draw.randint(80, 160), draw.randint(40, 70)
    ImageDraw.Draw(image).ellipse((x - radius, y - radius, x + radius, y + radius), "#ffe08a")
    return image


def _stripes(draw: random.Random) -> Image.Image:
    image = Image.new("RGB", (WIDTH, HEIGHT), (40, 60, draw.randint(190, 240)))
    start, step = draw.randint(0, 30), draw.randint(28, 44)
    for x in range(start, WIDTH, step):
        ImageDraw.Draw(image).rectangle((x, 0, x + 10, HEIGHT), "#e8f4ff")
    return image
