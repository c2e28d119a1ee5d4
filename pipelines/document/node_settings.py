"""Settings of a node in a run, and their labels in sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError
from pydantic_core import to_jsonable_python

from modules.spec import Module
from pipelines.document.checks.parameters import parameters_of
from pipelines.document.document import Node, PipelineDocument
from pipelines.document.node_titles import setting_title

NodeSettings = Mapping[str, Any]
"""Parameters and run settings of a node by name, as JSON."""
PLAIN = PipelineDocument(id="plain")
"""Empty pipeline settings: what a pipeline sets for all nodes is not a change of each."""


def settings_of(node: Node, module: Module | None, document: PipelineDocument) -> NodeSettings:
    """Return every parameter with its value or default, and the run settings, as JSON."""
    own: NodeSettings = {}
    if module is not None:
        try:
            own = parameters_of(node, module, document).model_dump(mode="json")
        except ValidationError:  # of another version of the module: with its own values as they are
            own = {**_defaults(module), **node.parameters}
    return {**node.parameters, **own, **node.run_settings.model_dump()}


def _defaults(module: Module) -> NodeSettings:
    fields = module.parameters_type.model_fields.items()
    return {
        name: to_jsonable_python(field.get_default(call_default_factory=True))
        for name, field in fields
        if not field.is_required()
    }


def setting_label(name: str, module: Module | None) -> str:
    """Return the parameter's title in the form for a sentence: ``learning rate``."""
    title = setting_title(name, module)
    return title if title[1:2].isupper() else title[:1].lower() + title[1:]
