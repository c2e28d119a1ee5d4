"""The page of a sweep: its trials, its charts, stop and resume."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageCms
from streamlit.dataframe_util import convert_arrow_bytes_to_pandas_df
from streamlit.testing.v1 import AppTest

import designer_app
from designer_app.screens.sweep_charts import DARK, LIGHT, best_rows
from designer_app.screens.sweep_coordinates import DARK_TEXT, LIGHT_TEXT, trials_in
from pipelines.store.database.sweeps import SweepStore, TrialRow
from tests.designer_app.http import Server
from tests.designer_app.stylesheets import contrast
from tests.pipelines.sweeps.conftest import SCORE, between, choices, curve

CONFIG = ".streamlit/config.toml"


def show_page() -> None:
    from designer_app.screens import navigation, sweep
    from designer_app.screens.pages import pages

    navigation.use(pages())
    sweep.show()


def show_runs() -> None:
    from designer_app.screens import navigation, runs
    from designer_app.screens.pages import pages

    navigation.use(pages())
    runs.show()


def written(server: Server, *objectives: float | None, state: Any = "completed") -> str:
    """A sweep whose trials have these objectives; those without one have failed."""
    spaces = {"curve.x": between(0.1, 10, "log"), "curve.label": choices("a", ["b"])}
    settings = {"parameters": spaces, "objective": SCORE, "strategy": "random", "max_trials": 20}
    document = curve(settings)
    sweep = document.settings.sweep
    assert sweep is not None
    store = SweepStore(server.application.session.database)
    sweep_id = store.add("Curve", document.to_json(), sweep.model_dump(mode="json"), {}, None)
    for number, objective in enumerate(objectives):
        values = {"curve.x": 0.1 + number, "curve.label": "a" if number % 2 else ["b"]}
        store.plan(sweep_id, number, values, None)
        reason = None if objective is not None else {"message": "It went wrong.", "cure": ""}
        ended = "failed" if objective is None else "completed"
        facts = {"state": ended, "objective": objective, "reason": reason, "finished": 9e9}
        store.set_trial(sweep_id, number, **facts)
    store.set_state(sweep_id, state, only_from=("running",))
    return sweep_id


def opened(server: Server, monkeypatch: pytest.MonkeyPatch, sweep_id: str | None) -> AppTest:
    monkeypatch.setattr("designer_app.application._current", server.application)
    page = AppTest.from_function(show_page, default_timeout=120)
    if sweep_id is not None:
        page.query_params["sweep"] = sweep_id
    return page.run()


def mounted(page: AppTest) -> Any:
    """What the table of trials is mounted with."""
    texts = [element.proto.json for element in page.get("bidi_component")]
    [mount] = [json.loads(text)["mount"] for text in texts if "mount" in json.loads(text)]
    return json.loads(mount)["trials"]


def test_an_ended_sweep(quiet: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    sweep_id = written(quiet, 1.0, None, 7.0, 2.5, 3.5, 4.5, 5.5, 6.5, 0.5)
    page = opened(quiet, monkeypatch, sweep_id)
    assert not page.exception
    shown = {metric.label.replace("\\", ""): metric.value for metric in page.metric}
    assert shown == {"Score": "7", "X": "2.1", "Label": '["b"]'}
    assert "9 of 20 trials ended · best 7" in [caption.value for caption in page.caption]
    assert mounted(page) == {
        "sweep": sweep_id,
        "titles": {"curve.x": "X", "curve.label": "Label"},
        "numbers": None,
    }
    assert any("random forest" in caption.value for caption in page.caption)
    page.button(key="sweep-resume").click().run()
    assert SweepStore(quiet.application.session.database).get(sweep_id).state == "running"  # type: ignore[union-attr]
    assert page.button(key="sweep-stop")


def texts_of(proto: Any) -> dict[str, list[str]]:
    """The texts that a chart has at each of its axes, from bottom to top."""
    layers = json.loads(proto.spec)["layer"]
    [name] = {layer["data"]["name"] for layer in layers if layer["mark"]["type"] == "text"}
    [table] = [data.data.data for data in proto.datasets if data.name == name]
    rows = convert_arrow_bytes_to_pandas_df(table).sort_values("height")
    return {str(axis): list(own["label"]) for axis, own in rows.groupby("axis")}


def test_the_axes_of_the_trials_have_values(quiet: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    page = opened(quiet, monkeypatch, written(quiet, 1.0, 7.0, 2.5))
    charts = [chart.proto for chart in page.get("vega_lite_chart")]
    [lines] = [chart for chart in charts if "params" in json.loads(chart.spec)]
    assert texts_of(lines) == {
        "X": ["0.1", "1", "10"],
        "Label": ["a", '["b"]'],
        "Score": ["1", "2", "4", "6", "7"],
    }


@pytest.mark.parametrize("objectives", [(), (None,), (float("1e300"),), (2.0, 2.0)])
def test_sweeps_with_few_results(
    quiet: Server, monkeypatch: pytest.MonkeyPatch, objectives: tuple[float | None, ...]
) -> None:
    page = opened(quiet, monkeypatch, written(quiet, *objectives, state="failed"))
    assert not page.exception


@pytest.mark.extended
def test_a_thousand_trials(quiet: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    objectives = [None if number % 10 == 0 else float(number) for number in range(1000)]
    page = opened(quiet, monkeypatch, written(quiet, *objectives))
    assert not page.exception
    assert mounted(page)["numbers"] is None
    assert any("best 999" in caption.value for caption in page.caption)


def test_the_list_and_addresses_that_are_wrong(
    quiet: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert [title.value for title in opened(quiet, monkeypatch, None).title] == ["Sweeps"]
    written(quiet, 1.0)
    page = opened(quiet, monkeypatch, None)
    assert not page.exception
    assert any("best 1 · started " in caption.value for caption in page.caption)
    for wrong in ("20260101-000000-abcd", "nonsense"):
        page = opened(quiet, monkeypatch, wrong)
        assert not page.exception
        assert "Sweep not found" in [heading.value for heading in page.subheader]


def test_the_page_of_runs_leads_to_the_sweeps(
    quiet: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("designer_app.application._current", quiet.application)
    page = AppTest.from_function(show_runs, default_timeout=120).run()
    assert not page.exception
    assert [link.proto.label for link in page.get("page_link")] == ["Sweeps"]


def test_repetitions_of_the_best_trials(quiet: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    sweep_id = written(quiet, 1.0, 7.0, 6.5)
    store = SweepStore(quiet.application.session.database)
    for number, (of, seed, objective) in enumerate(((1, 2, 3.0), (2, 2, 6.0), (2, 3, None)), 3):
        values = {**store.trials(sweep_id)[of].values, "curve.random_seed": seed}
        store.plan_repeats(sweep_id, number, [values], only_from=("completed", "running"))
        if objective is not None:
            facts = {"state": "completed", "objective": objective, "finished": 9e9}
            store.set_trial(sweep_id, number, **facts)
    store.end_repeats(sweep_id, "completed")
    page = opened(quiet, monkeypatch, sweep_id)
    assert not page.exception
    assert any("2 of 3 repetitions ended" in caption.value for caption in page.caption)
    repeated = page.dataframe[0].value
    assert list(repeated["Trial"]) == [2, 1]
    assert list(repeated["Mean"]) == ["6.25", "5"]
    assert list(repeated["Seeds"]) == ["2 of 3", "2 of 2"]
    assert list(repeated["State"]) == ["Running", "Ended"]
    assert any("may be chance" in caption.value for caption in page.caption)
    assert page.metric[0].value == "7", "of the best single trial"


def test_a_sweep_that_cannot_be_repeated_says_why(
    quiet: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    sweep_id = written(quiet, 1.0, 2.0)  # its modules are not in this workspace
    page = opened(quiet, monkeypatch, sweep_id)
    page.button(key="sweep-repeat").click().run()
    assert ["has a random seed" in error.value for error in page.error] == [True]


def trial(number: int, state: Any, objective: float | None, finished: float) -> TrialRow:
    return TrialRow("s", number, {}, state, None, objective, None, None, 0.0, finished)


def test_the_best_value_so_far_counts_all_reported_values() -> None:
    trials = [
        trial(0, "stopped", 2.3, 60.0),
        trial(1, "completed", 0.2, 240.0),
        trial(2, "stopped", 1.0, 120.0),
        trial(3, "stopped", 300.0, 180.0),
        trial(4, "failed", None, 90.0),
    ]
    rows = best_rows(trials, 0.0, is_max=False)
    assert [(row["minutes"], row["best"]) for row in rows] == [
        (1, 2.3),
        (2, 1.0),
        (3, 1.0),
        (4, 0.2),
    ]
    rows = best_rows(trials, 0.0, is_max=True)
    assert [row["best"] for row in rows] == [2.3, 2.3, 300.0, 300.0]


@pytest.mark.parametrize(("theme", "colors"), [("light", LIGHT), ("dark", DARK)])
def test_lines_of_trials_are_visible_in_both_themes(theme: str, colors: tuple[str, ...]) -> None:
    content = tomllib.loads((Path(designer_app.__file__).parent / CONFIG).read_text("utf-8"))
    background = content["theme"][theme]["backgroundColor"]
    best, worst, trial = colors
    lines = [trial, *(mixed(best, worst, share / 10) for share in range(11))]
    assert [line for line in lines if contrast(line, background) < 4] == []
    text, outline = {"light": LIGHT_TEXT, "dark": DARK_TEXT}[theme]
    assert outline == background
    assert contrast(text, background) >= 4.5


def mixed(one: str, other: str, share: float) -> str:
    """A colour between two, in Lab as Vega interpolates it; Pillow's Lab is coarse but near."""
    rgb, lab = ImageCms.createProfile("sRGB"), ImageCms.createProfile("LAB")
    to_lab = ImageCms.buildTransform(rgb, lab, "RGB", "LAB")
    to_rgb = ImageCms.buildTransform(lab, rgb, "LAB", "RGB")
    ends = [ImageCms.applyTransform(Image.new("RGB", (1, 1), end), to_lab) for end in (one, other)]
    assert ends[0] is not None
    assert ends[1] is not None
    pixel = ImageCms.applyTransform(Image.blend(ends[0], ends[1], share), to_rgb)
    assert pixel is not None
    return "#" + bytes(pixel.getpixel((0, 0))).hex()  # type: ignore[arg-type]  # three numbers


@pytest.mark.parametrize(
    ("area", "numbers"),
    [
        ({}, None),
        ({"axis": [], "height": [0, 1]}, None),
        ({"axis": ["x"], "height": [0.4, 1]}, {1, 2}),
        ({"axis": ["x", "score"], "height": [0.6, 0.4]}, {1}),
        ({"axis": ["score"], "height": [0.6, 0.7]}, set()),
        ({"axis": ["gone"], "height": [0, 1]}, set()),
    ],
)
def test_the_area_selects_trials(area: dict[str, Any], numbers: set[int] | None) -> None:
    heights = {
        0: {"x": 0.0, "score": 0.5},
        1: {"x": 0.5, "score": 0.5},
        2: {"x": 1.0, "score": 0.0},
    }
    assert trials_in(heights, area) == numbers
