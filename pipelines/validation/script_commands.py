"""Validation of the launch of a script: its command and required settings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from modules.catalog import Catalog
from modules.errors import InvalidScriptError
from modules.scripts.arguments import command_words
from modules.scripts.launchers import USUAL
from modules.scripts.launchers.mpi import mpirun
from modules.scripts.starters import (
    launch_settings,
    require_no_second_launcher,
    require_same_counts,
)
from modules.sentences import scripts as say
from pipelines.document.document import Node, PipelineDocument
from pipelines.document.target_offer import TargetOffer
from pipelines.problems import Problem


def command_problems(
    document: PipelineDocument, catalog: Catalog, offers: Mapping[str, TargetOffer]
) -> Iterator[Problem]:
    """Yield errors that a step would report at its start, for each node of an expanded document."""
    for node in document.nodes:
        module = catalog.get(node.module)
        if module is None or not module.launches or node.disabled:
            continue
        offer = offers.get(node.run_settings.target or document.settings.target)
        if node.run_settings.launcher == "mpi" and offer and not offer.is_remote and not mpirun():
            yield Problem.from_error(
                InvalidScriptError(say.MPIRUN_MISSING, parameter="launcher"), node.id
            )
        problem = _problem(node)
        if problem is not None:
            yield problem


def _problem(node: Node) -> Problem | None:
    words, settings = _words(node), node.run_settings
    if not words:
        return None
    nodes = settings.node_count
    launcher, per_node = launch_settings(
        words, settings.launcher, nodes, settings.process_count_per_node, USUAL
    )
    try:
        require_no_second_launcher(words, launcher)
        require_same_counts(words, launcher, nodes, per_node)
    except InvalidScriptError as error:
        return Problem.from_error(error, node.id)
    return None


def _words(node: Node) -> list[str]:
    """Return the words of the command; none if it is invalid, which the parameter check reports."""
    command = node.parameters.get("command")
    if not isinstance(command, str) or not command:
        return []
    try:
        return command_words(command)
    except InvalidScriptError:
        return []
