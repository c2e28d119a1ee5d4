"""Recordings: what is stored, for how long, and what is refused."""

from __future__ import annotations

import io
import json
import os
import secrets
import struct
import zipfile
import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from designer_app.api.recordings import RecordingAnswer
from modules.datasets.registered import versions_of
from pipelines.registry import recordings as registry
from pipelines.registry.recorded_pictures import LONGEST_EDGE
from pipelines.workspace import Workspace
from tests.designer_app.http import Answer, Client, Server
from tests.small_disks import small_disk_at

JPEG = {"Content_Type": "image/jpeg"}


def picture_id(number: int) -> str:
    return f"{number:024x}"


def jpeg(shade: int = 0, size: tuple[int, int] = (64, 48), **options: Any) -> bytes:
    made = io.BytesIO()
    Image.new("RGB", size, (shade % 256, 80, 120)).save(made, "JPEG", **options)
    return made.getvalue()


class Recorder:
    """A recording as a tab uses it."""

    def __init__(self, client: Client, name: str) -> None:
        self.client, self.name = client, name
        self.path = f"/api/recordings/{name}"
        assert client.post("/api/recordings", {"name": name}).status == 201

    def add_class(self, name: str) -> str:
        answer = self.client.post(f"{self.path}/classes", {"name": name})
        assert answer.status == 201, answer.body
        return str(answer.json["id"])

    def place(self, class_id: str, number: int) -> str:
        return f"{self.path}/classes/{class_id}/pictures/{picture_id(number)}"

    def store(self, class_id: str, number: int, content: bytes | None = None) -> Answer:
        body = jpeg(number) if content is None else content
        return self.client.put(self.place(class_id, number), body, **JPEG)

    def state(self) -> RecordingAnswer:
        return RecordingAnswer.model_validate(self.client.get(self.path).json)

    def pictures(self) -> dict[str, list[str]]:
        return {category.name: category.pictures for category in self.state().classes}


@pytest.fixture
def recorder(client: Client) -> Recorder:
    return Recorder(client, f"set-{secrets.token_hex(6)}")


def folder(server: Server, recorder: Recorder) -> Path:
    return server.application.settings.workspace.recordings_dir / recorder.name


def test_pictures_become_a_dataset_like_any_other(client: Client, recorder: Recorder) -> None:
    cup, pen = recorder.add_class("Cup"), recorder.add_class("None of these")
    for number in range(4):
        assert recorder.store((cup, pen)[number % 2], number).json == {
            "id": picture_id(number),
            "class_id": (cup, pen)[number % 2],
        }
    state = recorder.state()
    assert (state.version, state.is_saved) == (0, False)
    saved = client.post(f"{recorder.path}/save")
    assert (saved.status, saved.json["source"]) == (201, f"dataset:{recorder.name}@1")
    assert saved.json["preview"]["classes"] == [
        {"name": "Cup", "images": 2},
        {"name": "None of these", "images": 2},
    ]
    assert recorder.state().is_saved
    assert client.post(f"{recorder.path}/save").json["version"] == 1, "nothing has changed"
    recorder.store(cup, 9)
    assert not recorder.state().is_saved
    assert client.post(f"{recorder.path}/save").json["version"] == 2


def test_a_repeated_request_stores_one_picture(recorder: Recorder) -> None:
    cup = recorder.add_class("Cup")
    for _ in range(3):
        assert recorder.store(cup, 1).status == 200
    assert recorder.pictures() == {"Cup": [picture_id(1)]}


def test_two_tabs_record_the_same_class_and_both_are_kept(recorder: Recorder) -> None:
    def tab(start: int) -> list[int]:
        cup = recorder.add_class("Cup")
        return [recorder.store(cup, start + number).status for number in range(12)]

    with ThreadPoolExecutor(2) as tabs:
        statuses = [status for made in tabs.map(tab, (100, 200)) for status in made]
    assert statuses == [200] * 24
    numbers = [*range(100, 112), *range(200, 212)]
    assert recorder.pictures() == {"Cup": [picture_id(number) for number in numbers]}


def test_location_and_other_metadata_are_removed(client: Client, recorder: Recorder) -> None:
    exif = Image.Exif()
    exif[0x010F] = "Secret Camera"
    exif[0x0112] = 6
    exif.get_ifd(0x8825)[2] = (48.0, 12.0, 30.0)
    content = jpeg(5, (40, 20), exif=exif, comment=b"48.2N 16.3E", icc_profile=b"Secret profile")
    cup = recorder.add_class("Cup")
    assert recorder.store(cup, 1, content).status == 200
    stored = client.get(recorder.place(cup, 1))
    assert stored.headers["content-type"] == "image/jpeg"
    assert b"Secret" not in stored.body
    assert b"48.2N" not in stored.body
    with Image.open(io.BytesIO(stored.body)) as image:
        assert image.size == (20, 40), "it was turned upright"
        assert dict(image.getexif()) == {}
        assert not {"comment", "icc_profile", "exif"} & set(image.info)


def test_large_pictures_are_reduced(client: Client, recorder: Recorder) -> None:
    cup = recorder.add_class("Cup")
    assert recorder.store(cup, 1, jpeg(size=(3000, 1500))).status == 200
    for query, edge in (("", LONGEST_EDGE), ("?edge=100", 100), ("?edge=1", 32)):
        body = client.get(recorder.place(cup, 1) + query).body
        assert max(Image.open(io.BytesIO(body)).size) == edge
    assert client.get(recorder.place(cup, 1) + "?edge=100000").status == 400


def bomb(width: int, height: int) -> bytes:
    """A PNG of few bytes that announces many pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        checksum = struct.pack(">I", zlib.crc32(kind + data))
        return struct.pack(">I", len(data)) + kind + data + checksum

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    data = zlib.compress(b"\0" * 1_000_000)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")
    )


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"no picture at all",
        b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
        b"GIF89a" + b"\0" * 50,
        b"%PDF-1.7 " + b"x" * 100,
        jpeg()[:200],
        bomb(40_000, 40_000),
        bomb(8_000, 8_000),
    ],
    ids=["nothing", "text", "svg", "gif", "pdf", "cut", "bomb", "64-megapixels"],
)
def test_what_is_no_picture_is_refused(server: Server, recorder: Recorder, content: bytes) -> None:
    cup = recorder.add_class("Cup")
    answer = recorder.store(cup, 1, content)
    assert answer.status == 422, answer.body
    assert answer.error
    assert recorder.pictures() == {"Cup": []}
    assert [path.name for path in (folder(server, recorder) / cup).iterdir()] == ["class.json"]


def test_a_body_of_another_kind_or_size_is_refused(client: Client, recorder: Recorder) -> None:
    path = recorder.place(recorder.add_class("Cup"), 1)
    assert client.put(path, b"{}", Content_Type="text/html").error == "wrong_content_type"
    assert client.put(path, b"", **JPEG, Content_Length=str(2**30)).error == "too_large"
    assert client.put(path, jpeg(), Content_Type="image/jpeg", X_Designer_Token=None).status == 401


@pytest.mark.parametrize(
    "name", ["", "  ", "../up", "a/b", "a\\b", ".hidden", "x" * 61, "a\0b", "a\u202eb", "Thumbs.db"]
)
def test_a_class_needs_a_name_that_a_folder_can_have(recorder: Recorder, name: str) -> None:
    answer = recorder.client.post(f"{recorder.path}/classes", {"name": name})
    assert answer.status == 422, answer.body
    assert recorder.pictures() == {}


def test_names_that_mean_parts_of_a_dataset_are_refused_when_saved(recorder: Recorder) -> None:
    for number, name in enumerate(("train", "test")):
        recorder.store(recorder.add_class(name), number)
    answer = recorder.client.post(f"{recorder.path}/save")
    assert (answer.status, "train" in answer.json["error"]["message"]) == (422, True)
    assert recorder.state().version == 0


def test_classes_are_renamed_and_removed_and_restored(recorder: Recorder) -> None:
    cup, pen = recorder.add_class("Cup"), recorder.add_class("Pen")
    recorder.store(cup, 1)
    client, path = recorder.client, f"{recorder.path}/classes"
    assert client.put(f"{path}/{cup}", {"name": "pen"}).error == "name_taken"
    assert client.put(f"{path}/{cup}", {"name": "Mug"}).json["pictures"] == [picture_id(1)]
    assert recorder.store(cup, 2).status == 200, "another tab knows the class by its id"
    assert client.delete(f"{path}/{cup}").status == 200
    assert recorder.pictures() == {"Pen": []}
    assert recorder.store(cup, 3).status == 404
    assert client.post(f"{path}/{cup}/restore").json["name"] == "Mug"
    assert len(recorder.pictures()["Mug"]) == 2
    assert client.delete(recorder.place(cup, 1)).status == 200
    assert client.get(recorder.place(cup, 1)).status == 404
    assert client.post(recorder.place(cup, 1) + "/restore").status == 200
    assert client.delete(f"{path}/{pen}").status == 200
    assert client.post(f"{recorder.path}/save").status == 201
    assert client.post(f"{path}/{pen}/restore").status == 404, "saving forgets what was removed"


def test_a_set_has_limits(recorder: Recorder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "MAX_PICTURES", 2)
    monkeypatch.setattr(registry, "MAX_CLASSES", 1)
    cup = recorder.add_class("Cup")
    assert recorder.client.post(f"{recorder.path}/classes", {"name": "Pen"}).status == 422
    assert [recorder.store(cup, number).status for number in range(3)] == [200, 200, 422]


def test_a_recording_never_adds_to_a_dataset_of_other_origin(client: Client) -> None:
    body = io.BytesIO()
    with zipfile.ZipFile(body, "w") as archive:
        archive.writestr("cat/1.jpg", jpeg())
    kind = {"Content_Type": "application/zip"}
    assert client.post("/api/datasets?name=uploaded", body.getvalue(), **kind).status == 201
    answer = client.post("/api/recordings", {"name": "uploaded"})
    assert (answer.status, answer.error) == (409, "name_taken")
    made = [client.post("/api/recordings", {}).json["name"] for _ in range(2)]
    assert made[0] != made[1]


def test_a_recording_is_deleted_and_its_dataset_stays(server: Server, recorder: Recorder) -> None:
    recorder.store(recorder.add_class("Cup"), 1)
    recorder.client.post(f"{recorder.path}/save")
    assert recorder.client.delete(recorder.path).status == 200
    assert recorder.client.get(recorder.path).status == 404
    names = [one["name"] for one in recorder.client.get("/api/recordings").json["recordings"]]
    assert recorder.name not in names
    datasets = server.application.settings.workspace.datasets_dir
    assert versions_of(datasets, recorder.name) == (1,)


def test_a_training_needs_two_classes_with_two_pictures(recorder: Recorder) -> None:
    recorder.store(recorder.add_class("Cup"), 1)
    recorder.store(recorder.add_class("Pen"), 2)
    assert recorder.client.post(f"{recorder.path}/train").status == 422
    assert recorder.state().run_id is None


@pytest.fixture
def on_small_disk(tmp_path: Path) -> Iterator[Server]:
    """A server whose workspace is on a disk of six megabytes."""
    with small_disk_at(tmp_path / "disk", 6 * 2**20) as place:
        made = Server(Workspace.at(place / "workspace").make(), data_roots=(), more_hosts=())
        yield made
        made.stop()


def test_a_full_disk_is_said_and_what_was_acknowledged_stays(on_small_disk: Server) -> None:
    recorder = Recorder(on_small_disk.client, "full")
    cup = recorder.add_class("Cup")
    noise = Image.frombytes("RGB", (480, 360), os.urandom(3 * 480 * 360))
    made = io.BytesIO()
    noise.save(made, "JPEG", quality=95)
    statuses = []
    for number in range(200):
        answer = recorder.store(cup, number, made.getvalue())
        statuses.append(answer.status)
        if answer.status != 200:
            break
    assert statuses[0] == 200
    assert (statuses[-1], answer.error) == (507, "disk_full")
    kept = [picture_id(number) for number in range(len(statuses) - 1)]
    assert recorder.pictures() == {"Cup": kept}
    home = folder(on_small_disk, recorder) / cup
    assert not list(home.glob(".*")), "nothing half-written is left"
    for name in kept[-2:]:
        assert (
            recorder.client.delete(f"{recorder.path}/classes/{cup}/pictures/{name}").status == 200
        )
    for path in home.glob("*.removed"):
        path.unlink()
    assert recorder.store(cup, 300, made.getvalue()).status == 200, "there is room again"


def test_damaged_files_of_a_recording_are_no_obstacle(server: Server, recorder: Recorder) -> None:
    cup = recorder.add_class("Cup")
    recorder.store(cup, 1)
    home = folder(server, recorder)
    (home / "saved.json").write_text("{")
    (home / ("0" * 16)).mkdir()
    (home / cup / ".half.jpg.1234.tmp").write_bytes(b"half")
    (home / "notes.txt").write_text("mine")
    state = recorder.state()
    assert [(one.name, len(one.pictures)) for one in state.classes] == [("Cup", 1)]
    assert recorder.client.post(f"{recorder.path}/save").json["version"] == 1
    assert json.loads((home / "saved.json").read_text())["versions"] == [1]
