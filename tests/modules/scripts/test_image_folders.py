"""Images as folders of links: one folder a class, never one for two."""

from __future__ import annotations

import hashlib
import io
from pathlib import Path

import pandas as pd
import pytest
from PIL import Image
from torchvision.datasets import ImageFolder

from modules.artifacts import ImageDirectory
from modules.errors import InvalidDatasetError
from modules.scripts.image_folders import write_image_folder
from tests.modules.scripts.conftest import ScriptStep
from tests.modules.training.noise import noise_squares


def test_each_class_has_a_folder_of_links(tmp_path: Path) -> None:
    images = noise_squares(tmp_path / "store/a/out", ["a/b", ".hidden", "plain"], per_class=2)
    write_image_folder(images, tmp_path / "folder")
    found = {each.name: len(list(each.iterdir())) for each in (tmp_path / "folder").iterdir()}
    assert found == {"a_b": 2, "hidden": 2, "plain": 2}


def directory(folder: Path, files: dict[str, tuple[str, bytes]]) -> ImageDirectory:
    """Images by name, each with its class and its bytes."""
    (folder / "images").mkdir(parents=True)
    rows = []
    for name, (label, content) in files.items():
        (folder / "images" / name).write_bytes(content)
        digest = hashlib.sha256(content).hexdigest()
        rows.append([name, label, 8, 8, len(content), digest, ""])
    table = pd.DataFrame(rows, columns=list(ImageDirectory.COLUMNS))
    return ImageDirectory.write(folder, table, ["cat", "dog", "rare"])


def encoded(format: str) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (8, 8), "red").save(buffer, format)
    return buffer.getvalue()


def test_image_folder_of_torchvision_sees_every_image(tmp_path: Path) -> None:
    """A class without images has no folder, at which ``ImageFolder`` would end."""
    files = {
        "a.jfif": ("cat", encoded("JPEG")),
        "b.jpe": ("cat", encoded("JPEG")),
        "c": ("cat", encoded("PNG")),
        "d.gif": ("cat", encoded("GIF")),
        "0.5": ("dog", encoded("WEBP")),
        "e.JPG": ("dog", encoded("PNG")),
        "f.dib": ("dog", encoded("BMP")),
        "g.pnm": ("dog", encoded("PPM")),
        "h.img": ("dog", encoded("TIFF")),
    }
    write_image_folder(directory(tmp_path / "store/a/out", files), tmp_path / "folder")
    seen = ImageFolder(str(tmp_path / "folder"))
    assert seen.classes == ["cat", "dog"]
    names = [Path(path).name for path, _ in seen.samples]
    assert names == [
        *("a.jpg", "b.jpg", "c.png", "d.png"),
        *("0.5.webp", "e.JPG", "f.bmp", "g.ppm", "h.img.tif"),
    ]
    assert len([seen[index] for index in range(len(seen))]) == len(files)


def test_equal_names_behind_the_extension_get_a_number(tmp_path: Path) -> None:
    files = {"a.jfif": ("cat", encoded("JPEG")), "a.jpg": ("cat", encoded("JPEG"))}
    write_image_folder(directory(tmp_path / "store/a/out", files), tmp_path / "folder")
    assert sorted(path.name for path in (tmp_path / "folder/cat").iterdir()) == [
        *("a.jpg", "a~2.jpg"),
    ]


@pytest.mark.parametrize(
    ("one", "other"), [("a/b", "a_b"), ("a\\b", "a/b"), (" cat", "cat "), (".cat", "cat")]
)
def test_classes_that_would_share_a_folder_are_refused(
    tmp_path: Path, one: str, other: str
) -> None:
    images = noise_squares(tmp_path / "store/a/out", ["plain", one, other], per_class=2)
    with pytest.raises(InvalidDatasetError, match="would share one folder") as caught:
        write_image_folder(images, tmp_path / "folder")
    assert caught.value.port == "images"
    assert repr(one) in caught.value.message
    assert repr(other) in caught.value.message


READING = (
    "import sys\n"
    "from torchvision.datasets import ImageFolder\n"
    "print('classes', ImageFolder(sys.argv[1]).classes)\n"
)


@pytest.mark.extended
def test_a_class_without_images_does_not_end_a_script(step: ScriptStep, tmp_path: Path) -> None:
    images = noise_squares(tmp_path / "store/a/out", ["cat", "dog", "rare"], per_class=2)
    (tmp_path / "store/b/out").mkdir(parents=True)
    rows = images.images[images.images["label"] != "rare"]
    part = images.derive(tmp_path / "store/b/out", rows)
    arguments = ["{{inputs.images}}"]
    step.run(READING, inputs={"images": part}, arguments=arguments)
    assert "classes ['cat', 'dog']" in step.log()
    assert [each for each in step.warnings if "no images of rare, so the script" in each]

    both = {"images": images, "more_images": part}
    step.run("pass", inputs=both)
    assert [each for each in step.warnings if "more_images has no images of rare, but" in each]
