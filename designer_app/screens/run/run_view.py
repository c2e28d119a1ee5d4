"""Run shown by the run page, read from the store once per visit."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from designer_app.application import Application
from modules.catalog import Catalog
from modules.spec import Module
from pipelines.document.document import Node, PipelineDocument, parse_document
from pipelines.document.expansion import expanded
from pipelines.events import RunState
from pipelines.store.database.history import RunRow
from pipelines.store.database.runs import RunRecord


@dataclass(frozen=True)
class RunView:
    """Current state of one run."""

    application: Application
    record: RunRecord
    row: RunRow
    state: RunState

    @property
    def id(self) -> str:
        return self.record.id

    @property
    def is_live(self) -> bool:
        """Return True while the run can still change."""
        return not self.state.is_finished

    @cached_property
    def document(self) -> PipelineDocument:
        """Return the submitted pipeline with expanded sub-pipelines."""
        return expanded(parse_document(self.record.document))

    @cached_property
    def catalog(self) -> Catalog:
        return self.application.session.catalog

    def module(self, node: Node) -> Module | None:
        """Return the module of a node if it is installed."""
        return self.catalog.get(node.module)

    def title(self, node_id: str) -> str:
        """Return the title of a node on the canvas."""
        node = self.document.node(node_id)
        return node_id if node is None else self._called(node)

    @cached_property
    def titles(self) -> dict[str, str]:
        """Return titles by node; nodes with the same title also show their ids."""
        titles = {node.id: self._called(node) for node in self.document.nodes}
        often = Counter(titles.values())
        return {
            node: title if often[title] == 1 else f"{title} ({node})"
            for node, title in titles.items()
        }

    def _called(self, node: Node) -> str:
        module = self.module(node)
        return node.title or (module.title if module else node.module)


def find_run(application: Application, run_id: str) -> RunView | None:
    """Return the run with an id; None if there is none."""
    record = application.session.runs.store.record(run_id)
    if record is None:
        return None
    try:
        row = application.session.history.row(run_id)
    except LookupError:  # deleted in the meantime
        return None
    return RunView(application, record, row, application.session.runs.store.state(run_id))
