"""Objects for which the editor has TypeScript types besides those of the HTTP API."""

from __future__ import annotations

from modules.catalog_spec import CatalogSpec
from modules.json_model import JsonModel
from pipelines.document.document import PipelineDocument
from pipelines.document.graph_difference import PipelineDifference
from pipelines.document.target_offer import TargetOffer
from pipelines.events import Event, RunState
from pipelines.problems import Problem


class EditorTypes(JsonModel):
    """All objects for which the editor has a type."""

    document: PipelineDocument
    catalog: CatalogSpec
    problem: Problem
    target: TargetOffer
    event: Event
    run_state: RunState
    difference: PipelineDifference
