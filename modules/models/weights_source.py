"""Sources of a network's ImageNet weights, known before a run: without a network, without torch."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from modules.downloads.offline import is_offline
from modules.models.included_weights import INCLUDED, included_file
from modules.models.pretrained_weights import PUBLISHED
from modules.sentences import models as say
from modules.sentences.sentence import Statement


def weights_source(architecture: str, weights_dir: Path | None) -> Statement | None:
    """Return the source of the weights of one network, as ``weights_sources`` does."""
    return weights_sources((architecture,), weights_dir).get(architecture)


def weights_sources(
    architectures: Iterable[str], weights_dir: Path | None
) -> Mapping[str, Statement]:
    """Return the sources by architecture: included, on this machine, a download, or unavailable.

    Networks without published weights are left out. Without ``weights_dir`` the result is the same
    on every machine.
    """
    stored = _names_in(weights_dir)
    cannot_download = weights_dir is not None and is_offline()
    sources = {}
    for architecture in architectures:
        published = PUBLISHED.get(architecture)
        if architecture in INCLUDED and INCLUDED[architecture].is_extra:
            is_here = weights_dir is not None and included_file(architecture) is not None
            source = say.SOURCE_LOCAL if is_here else say.SOURCE_EXTRA
            sources[architecture] = source.about({"package": INCLUDED[architecture].package})
        elif architecture in INCLUDED:
            sources[architecture] = say.SOURCE_INCLUDED.about({})
        elif published is not None and published.name in stored:
            sources[architecture] = say.SOURCE_LOCAL.about({})
        elif published is not None and cannot_download:
            sources[architecture] = say.SOURCE_UNAVAILABLE.about({})
        elif published is not None:
            facts = {"megabytes": published.megabytes}
            sources[architecture] = say.SOURCE_DOWNLOAD.about(facts)
    return sources


def _names_in(folder: Path | None) -> frozenset[str]:
    if folder is None or not folder.is_dir():
        return frozenset()
    return frozenset(path.name for path in folder.iterdir())
