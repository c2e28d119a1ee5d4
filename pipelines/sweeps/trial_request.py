"""Request of the run of a trial."""

from __future__ import annotations

from collections import Counter

from modules.operating_system.machine import gpu_names, num_cores
from modules.search.spaces import value_text
from pipelines.document.document import PipelineDocument, parse_document
from pipelines.document.node_settings import setting_label
from pipelines.document.settings import SweepSettings
from pipelines.runs.run_request import RunRequest
from pipelines.runs.run_service import RunService
from pipelines.store.database.sweeps import SweepRow, TrialRow
from pipelines.sweeps.space import TrialShare, with_shares, with_values


def trial_request(
    runs: RunService,
    sweep: SweepRow,
    settings: SweepSettings,
    trial: TrialRow,
    pause: dict[str, int] | None,
) -> RunRequest:
    """Return the request; parallel trials on this machine share its cores and GPUs."""
    options = sweep.options
    roots = options.get("allowed_roots")
    return RunRequest(
        _document(runs, sweep, settings, trial),
        name=_name(runs, sweep, trial),
        experiment=options.get("experiment"),
        description=options.get("description", ""),
        pipeline_id=sweep.pipeline_id,
        to_node=options.get("to_node"),
        allowed_roots=None if roots is None else tuple(roots),
        sweep={"id": sweep.id, "number": trial.number},
        pause=pause,
    )


def _name(runs: RunService, sweep: SweepRow, trial: TrialRow) -> str:
    """Return ``3: learning rate 0.02, batch size 32``, as names of runs say it."""
    modules = {node.id: node.module for node in parse_document(sweep.document).nodes}
    labels = {}
    for place in trial.values:
        node, _dot, name = place.rpartition(".")
        module = runs.catalog.get(modules[node]) if node in modules else None
        labels[place] = setting_label(name, module)
    counts = Counter(labels.values())
    texts = [
        f"{labels[place] if counts[labels[place]] == 1 else place} {value_text(value)}"
        for place, value in trial.values.items()
    ]
    return f"{trial.number}: {', '.join(texts)}"[:200]


def _document(
    runs: RunService, sweep: SweepRow, settings: SweepSettings, trial: TrialRow
) -> PipelineDocument:
    document = with_values(parse_document(sweep.document), trial.values)
    if settings.parallel == 1:
        return document
    remote = {name for name, offer in runs.checks.offers().items() if offer.is_remote}
    share = TrialShare(settings.parallel, num_cores(), len(gpu_names()))
    return with_shares(document, share, runs.catalog, remote)
