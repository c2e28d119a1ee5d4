"""Module Web Service Output: the answers of an inference pipeline as a table and as CSV."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, NamedTuple

from modules.artifacts import ScoredImages, Table
from modules.context import Context
from modules.declare import module
from modules.forecast import ArtifactForecast, StepForecast
from modules.scoring.score_table import CONFIDENCE, LABEL, PATH, PROBABILITY_PREFIX
from modules.sentences import scoring as say
from modules.spec import PortDoc

if TYPE_CHECKING:
    import pandas as pd

CSV_NAME = "predictions.csv"
FILE, PREDICTED = "file", "label"
PROBABILITY = "probability "
"""Start of the columns of probabilities: a class may be named like another column."""


class WebServiceOutputOutputs(NamedTuple):
    predictions: Annotated[
        Table, PortDoc("One row per image: file, label, confidence, probabilities.")
    ]


def _forecast(
    inputs: Mapping[str, ArtifactForecast],
    parameters: object,  # noqa: ARG001 - every forecast is given the same three
    context: Context,  # noqa: ARG001 - every forecast is given the same three
) -> StepForecast:
    scored = inputs.get("scored_dataset", ArtifactForecast())
    return StepForecast({"predictions": ArtifactForecast(num_images=scored.num_images)})


@module(
    title="Web Service Output",
    category="Web Service",
    summary="End of an inference pipeline: labels and probabilities.",
    icon="download",
    keywords=("endpoint", "deploy", "inference", "batch", "csv", "predictions"),
    libraries=("pandas",),
    bridges=(),
    forecast=_forecast,
)
def web_service_output(
    scored_dataset: Annotated[ScoredImages, PortDoc("From Score Image Model.")],
    context: Context,
) -> WebServiceOutputOutputs:
    """Output one row per image, as a Parquet table and as the file `predictions.csv`.

    The columns are `file`, `label`, `confidence`, and `probability NAME` of each class. An endpoint
    answers each request with the same values.
    """
    scored_dataset.check()
    folder = context.new_folder()
    rows = _answers(scored_dataset.rows)
    table = Table.write(folder, rows)
    rows.to_csv(folder / CSV_NAME, index=False)
    context.summary(say.ANSWERED, images=len(rows))
    return WebServiceOutputOutputs(table)


def _answers(scored: pd.DataFrame) -> pd.DataFrame:
    """Return the columns that callers need, without what is known only of labelled images."""
    probabilities = {
        name: PROBABILITY + name.removeprefix(PROBABILITY_PREFIX)
        for name in scored.columns
        if name.startswith(PROBABILITY_PREFIX)
    }
    names = {PATH: FILE, LABEL: PREDICTED, CONFIDENCE: CONFIDENCE, **probabilities}
    return scored[list(names)].rename(columns=names)
