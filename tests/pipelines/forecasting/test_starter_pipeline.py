"""A first pipeline for one's own pictures: right for them, complete, and within five minutes."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from pipelines.document.document import PipelineDocument
from pipelines.errors import RefusedError
from pipelines.forecasting import starter_pipeline as starter
from pipelines.forecasting.starter_pipeline import starter_of_dataset, starter_pipeline
from pipelines.problems import errors_in
from pipelines.session import WorkspaceSession
from pipelines.workspace import Workspace
from tests.pipelines.forecasting.own_images import kept, pictures


def test_it_has_no_problem(tmp_path: Path) -> None:
    with WorkspaceSession(Workspace.at(tmp_path / "workspace")) as session:
        source, summary = kept(session, pictures(tmp_path / "mine", "bee", "ant"))
        made = starter_pipeline(session.runs, source, "My pictures", summary)
        assert errors_in(session.checks.problems(made.document)) == ()
        assert made.document.name == "My pictures"
        network = made.document.node("image_model")
        assert network is not None
        assert network.parameters["pretrained"], "its weights are included"
        assert 0 < made.seconds <= starter.SECONDS


def test_a_slower_machine_gets_smaller_pictures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with WorkspaceSession(Workspace.at(tmp_path / "workspace")) as session:
        source, summary = kept(session, pictures(tmp_path / "mine", "bee", "ant"))

        def pixels_within(seconds: float) -> object:
            monkeypatch.setattr(starter, "SECONDS", seconds)
            made = starter_pipeline(session.runs, source, "Mine", summary)
            node = made.document.node("transformation")
            return node and node.parameters["crop_size"]

        assert [pixels_within(1e9), pixels_within(0.0)] == [224, 128]


def uses(made: PipelineDocument) -> dict[str, str]:
    """Input of Train or Score -> the part whose images it gets, a split's in words."""
    links = {(link.to.node, link.to.port): link.from_ for link in made.links}

    def part_of(node: str, port: str) -> str:
        before = links[node, port]
        if before.node == "split":
            return f"{part_of('split', 'input_image_directory')} {before.port[-1]}"
        result = made.node(before.node)
        assert result is not None
        if result.module == "convert_to_image_directory":
            return str(result.parameters["part"])
        return part_of(before.node, "input_image_directory")

    inputs = [("train", "training_dataset"), ("train", "validation_dataset"), ("score", "dataset")]
    return {f"{node} {port}": part_of(node, port) for node, port in inputs}


@pytest.mark.parametrize(
    ("parts", "used"),
    [
        (("train", "valid", "test"), ["train", "validation", "test"]),
        (("train", "val"), ["train", "validation", "validation"]),
        (("training", "test1"), ["train 1", "train 2", "test"]),
    ],
)
def test_parts_do_what_their_names_say(
    parts: tuple[str, ...], used: list[str], tmp_path: Path
) -> None:
    for part in parts:
        pictures(tmp_path / "mine", "bee", "ant", below=part)
    with WorkspaceSession(Workspace.at(tmp_path / "workspace")) as session:
        source, summary = kept(session, tmp_path / "mine")
        made = starter_pipeline(session.runs, source, "Mine", summary).document
        assert list(uses(made).values()) == used
        assert errors_in(session.checks.problems(made)) == ()
        assert len({(node.position.x, node.position.y) for node in made.nodes}) == len(made.nodes)


def test_flat_parts_are_labelled_by_their_tables_and_names(tmp_path: Path) -> None:
    for part, named in (("train", "{name}.{number}.png"), ("test", "{number}.png")):
        folder = tmp_path / "mine" / part
        folder.mkdir(parents=True)
        for number in range(6):
            file = named.format(name=("cat", "dog")[number % 2], number=number)
            Image.new("RGB", (40, 40), (number * 9, 0, 0)).save(folder / file)
    with WorkspaceSession(Workspace.at(tmp_path / "workspace")) as session:
        source, summary = kept(session, tmp_path / "mine")
        made = starter_pipeline(session.runs, source, "Mine", summary).document
        convert = made.node("convert")
        assert convert is not None
        assert convert.parameters == {"part": "train", "class_from": "file name"}
        assert list(uses(made).values()) == ["train 1", "train 2", "train 2"]


def test_tables_named_like_parts_do_what_their_names_say(tmp_path: Path) -> None:
    images = tmp_path / "mine" / "images"
    images.mkdir(parents=True)
    for number in range(12):
        Image.new("RGB", (40, 40), (number * 9, 0, 0)).save(images / f"{number}.png")
    rows = [f"{number}.png,{('cat', 'dog')[number % 2]}" for number in range(12)]
    for table, own in (("train.csv", rows[:8]), ("val.csv", rows[8:])):
        text = "\n".join(["file,label", *own])
        (tmp_path / "mine" / table).write_text(text, encoding="utf-8")
    with WorkspaceSession(Workspace.at(tmp_path / "workspace")) as session:
        source, summary = kept(session, tmp_path / "mine")
        made = starter_pipeline(session.runs, source, "Mine", summary).document
        assert list(uses(made).values()) == ["train", "validation", "validation"]
        assert errors_in(session.checks.problems(made)) == ()


def test_another_way_to_label_has_its_own_classes(tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    rows = []
    for number in range(8):
        file = mine / f"part_{number // 4}" / f"{number}.png"
        file.parent.mkdir(parents=True, exist_ok=True)
        Image.new("RGB", (40, 40), (number * 9, 0, 0)).save(file)
        rows.append(f"{number},{('cat', 'dog', 'fox', 'owl')[number % 4]}")
    (mine / "meta.csv").write_text("\n".join(["image_id,label", *rows]), encoding="utf-8")
    with WorkspaceSession(Workspace.at(tmp_path / "workspace")) as session:
        kept(session, mine)
        _, result = starter_of_dataset(session.runs, session.datasets, "mine", 1)
        assert [item.name for item in result.classes] == ["cat", "dog", "fox", "owl"]
        _, result = starter_of_dataset(
            session.runs, session.datasets, "mine", 1, class_from="folders only"
        )
        assert [item.name for item in result.classes] == ["part_0", "part_1"]
        assert (result.num_classes, result.images) == (2, 8)


def test_one_class_is_refused_with_what_to_do(tmp_path: Path) -> None:
    with WorkspaceSession(Workspace.at(tmp_path / "workspace")) as session:
        source, summary = kept(session, pictures(tmp_path / "mine", "bee"))
        with pytest.raises(RefusedError, match="into a separate folder"):
            starter_pipeline(session.runs, source, "Mine", summary)


def test_a_column_of_labels_that_must_be_chosen_is_named(tmp_path: Path) -> None:
    folder = pictures(tmp_path / "mine", "images", count=4)
    rows = ["0,nv,back", "1,mel,face", "2,nv,face", "3,mel,back"]
    (folder / "meta.csv").write_text("\n".join(["image_id,kind,place", *rows]))
    with WorkspaceSession(Workspace.at(tmp_path / "workspace")) as session:
        source, _ = kept(session, folder)
        name, _, version = source.removeprefix("dataset:").partition("@")
        with pytest.raises(RefusedError, match="may contain the labels: kind, place"):
            starter_of_dataset(session.runs, session.datasets, name, int(version))


def test_unclear_class_numbers_are_asked_for(tmp_path: Path) -> None:
    folder = pictures(tmp_path / "mine", "images", count=4)
    rows = [f"images/{at}.png,{at % 2 + 1}" for at in range(4)]
    (folder / "labels.csv").write_text("\n".join(["image,label", *rows]))
    (folder / "classes.txt").write_text("cat\ndog\npug\n")
    with WorkspaceSession(Workspace.at(tmp_path / "workspace")) as session:
        source, summary = kept(session, folder)
        with pytest.raises(RefusedError, match=r"counted from 0 and from 1\.") as error:
            starter_pipeline(session.runs, source, "Mine", summary)
        assert "First class number" in error.value.cure


def test_a_table_that_contradicts_folders_labels_the_images(tmp_path: Path) -> None:
    folder = pictures(tmp_path / "mine", "part_1", "part_2", count=4)
    rows = [
        f"{place}/{at}.png,{('cat', 'dog')[at % 2]}"
        for place in ("part_1", "part_2")
        for at in range(4)
    ]
    (folder / "meta.csv").write_text("\n".join(["image,label", *rows]))
    with WorkspaceSession(Workspace.at(tmp_path / "workspace")) as session:
        source, _ = kept(session, folder)
        name, _, version = source.removeprefix("dataset:").partition("@")
        made, result = starter_of_dataset(session.runs, session.datasets, name, int(version))
        convert = made.document.node("convert")
        assert convert is not None
        assert convert.parameters == {"class_from": "CSV column"}
        assert result.num_classes == 2


def test_a_part_with_other_classes_is_not_used(tmp_path: Path) -> None:
    pictures(tmp_path / "mine" / "train", "bee", "ant")
    pictures(tmp_path / "mine" / "test", "0", "1")
    with WorkspaceSession(Workspace.at(tmp_path / "workspace")) as session:
        source, summary = kept(session, tmp_path / "mine")
        made = starter_pipeline(session.runs, source, "Mine", summary)
        assert made.parts == ("train",)


def test_every_choice_is_a_variant_with_its_estimate(tmp_path: Path) -> None:
    with WorkspaceSession(Workspace.at(tmp_path / "workspace")) as session:
        source, summary = kept(session, pictures(tmp_path / "mine", "bee", "ant"))
        made = starter_pipeline(session.runs, source, "Mine", summary)
        choices = {choice.id: choice for choice in starter.starter_choices(session.runs, made)}
        assert list(choices) == ["quick", "better", "fine-tuned"]
        assert [choice.pixels for choice in choices.values()] == [128, 224, 128]
        assert choices["better"].seconds == made.seconds
        assert choices["quick"].seconds < made.seconds
        assert choices["quick"].seconds < choices["fine-tuned"].seconds
        catalog = session.catalog
        whole = starter.with_choice(made.document, catalog, "fine-tuned", 128)
        assert errors_in(session.checks.problems(whole)) == ()
        network, train = whole.node("image_model"), whole.node("train")
        assert network is not None
        assert network.parameters["freeze"] == "none"
        assert train is not None
        assert train.parameters["optimizer"] == "adamw"
        # back to what it was: unset parameters suit a frozen network
        assert starter.with_choice(whole, catalog, "better", 224) == made.document
