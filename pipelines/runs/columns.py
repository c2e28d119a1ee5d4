"""Columns of run lists: the available metrics and parameters, and each run's values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal

from pydantic import Field, JsonValue

from modules.catalog import Catalog
from modules.json_model import JsonModel
from modules.schema_reference import DocumentData
from pipelines.document.document import parse_document
from pipelines.document.expansion import expanded
from pipelines.document.node_settings import setting_label, settings_of
from pipelines.problems import PipelineError
from pipelines.runs.headline import figure_of
from pipelines.runs.metric_words import higher_is_better, metric_words
from pipelines.store.database.history import RunRow
from pipelines.store.database.run_results import RunResultStore

if TYPE_CHECKING:
    from pipelines.runs.run_service import RunService

METRIC, PARAMETER = "metric:", "parameter:"
"""Prefixes of the keys of columns, followed by the metric or ``<module>.<parameter>``."""


class RunColumn(JsonModel):
    """Property that distinguishes runs."""

    key: str = Field(
        description="Identifier, for example `metric:Valid loss` or `parameter:resnet.pretrained`."
    )
    kind: Literal["metric", "parameter"]
    label: str
    module: str = Field(description="Title of the parameter's module. Empty for metrics.")
    higher_is_better: bool | None


class RunColumns:
    """Columns of the runs of one workspace."""

    def __init__(self, runs: RunService) -> None:
        self._catalog = runs.catalog
        self._store = RunResultStore(runs.database)

    def available(self, rows: Sequence[RunRow]) -> list[RunColumn]:
        """Return every metric that one of the runs has, and every parameter whose values differ."""
        names = dict.fromkeys(name for row in rows for name in _metric_names(row))
        return [*map(_metric_column, names), *self._differing(rows)]

    def values(self, rows: Sequence[RunRow], keys: Sequence[str]) -> list[list[JsonValue]]:
        """Return the values of the columns row by row; None if a run has none."""
        parameters = self._parameters(rows) if any(map(_is_parameter, keys)) else {}
        return [
            [
                parameters[row.id].get(key) if _is_parameter(key) else _value(row, key)
                for key in keys
            ]
            for row in rows
        ]

    def _differing(self, rows: Sequence[RunRow]) -> Iterator[RunColumn]:
        parameters = list(self._parameters(rows).values())
        for key in dict.fromkeys(key for own in parameters for key in own):
            values = [own[key] for own in parameters if key in own]
            if any(value != values[0] for value in values):
                yield _parameter_column(key, self._catalog)

    def _parameters(self, rows: Sequence[RunRow]) -> dict[str, dict[str, JsonValue]]:
        """Return parameters by run and key with defaults; of a module's nodes, the first's."""
        documents = self._store.documents([row.id for row in rows])
        return {row.id: _parameters_in(documents[row.id], self._catalog) for row in rows}


def _is_parameter(key: str) -> bool:
    return key.startswith(PARAMETER)


def _metric_names(row: RunRow) -> Iterator[str]:
    for named in row.results.metrics.values() if row.results else ():
        yield from named


def _metric_column(name: str) -> RunColumn:
    return RunColumn(
        key=METRIC + name,
        kind="metric",
        label=metric_words(name),
        module="",
        higher_is_better=higher_is_better(name),
    )


def _parameter_column(key: str, catalog: Catalog) -> RunColumn:
    module_id, _, name = key.removeprefix(PARAMETER).partition(".")
    module = catalog.get(module_id)
    return RunColumn(
        key=key,
        kind="parameter",
        label=setting_label(name, module),
        module=module.title if module else module_id,
        higher_is_better=None,
    )


def _value(row: RunRow, key: str) -> float | None:
    """Return the value of the last node with the metric."""
    metrics = row.results.metrics if row.results else {}
    name = key.removeprefix(METRIC)
    owners = [node for node, named in metrics.items() if name in named]
    figure = figure_of(metrics, owners[-1], name) if owners else None
    return None if figure is None else figure.value


def _parameters_in(stored: DocumentData, catalog: Catalog) -> dict[str, JsonValue]:
    try:
        document = expanded(parse_document(stored))
    except PipelineError:  # of a newer version of the program
        return {}
    parameters: dict[str, JsonValue] = {}
    for node in document.nodes:
        for name, value in settings_of(node, catalog.get(node.module), document).items():
            parameters.setdefault(f"{PARAMETER}{node.module}.{name}", value)
    return parameters
