"""Names of variables in code: node ids as Python names, each used once."""

from __future__ import annotations

import keyword
from collections.abc import Collection, Iterable

from modules.sentences.sentence import Statement
from pipelines.problems import did_you_mean
from pipelines.sentences import python_code

PIPELINE, MODULES = "p", "m"
"""Variables of the pipeline and of the namespace with all modules."""
_TAKEN = frozenset({PIPELINE, MODULES, "Pipeline"})
MAX_COMPARED = 500
"""Limit of names that are searched for a similar one."""
NODE_KEYWORDS = frozenset(
    {"id", "title", "color", "comment", "disabled", "pin", "version", "parameters", "run_settings"}
)
"""Keywords of a module's call that are not parameters of the module."""


def variable_names(
    ids: Iterable[str], taken: Collection[str] = (), suffix: str = "_"
) -> dict[str, str]:
    """Return a variable for each id: the id itself, if it is a valid and free name.

    Others get the suffix, and a number if that is not enough.
    """
    ids = list(ids)
    used = {*_TAKEN, *taken}
    # An id that is a name keeps it, whatever other ids become: ``a_b`` before ``a-b``.
    names = {node_id: node_id for node_id in ids if _is_free(node_id, used)}
    used |= names.keys()
    numbers: dict[str, int] = {}
    for node_id in ids:
        if node_id not in names:
            names[node_id] = name = _free_name(node_id, suffix, used, numbers)
            used.add(name)
    return names


def is_keyword_argument(name: str) -> bool:
    """Return True if a parameter or input of this name can be an argument of a module's call."""
    return not (keyword.iskeyword(name) or name in NODE_KEYWORDS or name == "__debug__")


def similar_name(name: str, names: Collection[str]) -> Statement:
    """Return ``Did you mean 'train'?``; comparing thousands of names would take too long."""
    if len(names) > MAX_COMPARED:
        return python_code.DEFINE_FIRST.about({})
    return did_you_mean(name, names)


def _is_free(name: str, used: Collection[str]) -> bool:
    return name.isidentifier() and not keyword.iskeyword(name) and name not in used


def _free_name(node_id: str, suffix: str, used: Collection[str], numbers: dict[str, int]) -> str:
    """Return a free variable for an id; ``numbers`` are the last ones by name."""
    name = node_id.replace("-", "_")
    if name[0].isdigit():
        name = f"n_{name}"
    candidate = name if _is_free(name, used) else f"{name}{suffix}"
    while not _is_free(candidate, used):
        numbers[name] = numbers.get(name, 1) + 1
        candidate = f"{name}_{numbers[name]}"
    return candidate
