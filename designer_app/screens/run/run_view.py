"""The run that its page shows: read from the store once a visit."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from designer_app.application import Application
from modules.catalog import Catalog
from modules.spec import Module
from pipelines.documents.document import Node, PipelineDocument, parse_document
from pipelines.documents.expansion import expanded
from pipelines.events import RunState
from pipelines.store.history import RunRow
from pipelines.store.runs import RunRecord


@dataclass(frozen=True)
class RunView:
    """One run as it stands at this moment."""

    application: Application
    record: RunRecord
    row: RunRow
    state: RunState

    @property
    def id(self) -> str:
        return self.record.id

    @property
    def is_live(self) -> bool:
        """True while more of it can happen."""
        return not self.state.is_finished

    @cached_property
    def document(self) -> PipelineDocument:
        """The pipeline as it was submitted, its sub-pipelines put in place."""
        return expanded(parse_document(self.record.document))

    @cached_property
    def catalog(self) -> Catalog:
        return self.application.session.catalog

    def module(self, node: Node) -> Module | None:
        """The module of a node, where it is installed."""
        return self.catalog.get(node.module)

    def title(self, node_id: str) -> str:
        """What a node is called on the canvas."""
        node = self.document.node(node_id)
        return node_id if node is None else self._called(node)

    @cached_property
    def titles(self) -> dict[str, str]:
        """Node to title; nodes of the same title have their ids beside it."""
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
    """The run of an id; None where there is none."""
    record = application.session.runs.store.record(run_id)
    if record is None:
        return None
    try:
        row = application.session.history.row(run_id)
    except LookupError:  # deleted this moment
        return None
    return RunView(application, record, row, application.session.runs.store.state(run_id))
