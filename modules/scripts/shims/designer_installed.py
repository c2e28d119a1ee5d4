"""Gives way to a package that is installed: a folder of ``PYTHONPATH`` comes before those."""

import os
import sys
from importlib.machinery import PathFinder
from importlib.util import module_from_spec
from typing import MutableSequence

SHIMS = os.path.dirname(os.path.realpath(__file__))


def prefer_installed(name: str, path: "MutableSequence[str]") -> None:
    """Put the installed package of a name in the place of the stand-in that calls this.

    ``path``: the stand-in's ``__path__``; where the other one has no code of its own (a namespace
    package), its folders come first in it.
    """
    others = [each for each in sys.path if os.path.realpath(each or ".") != SHIMS]
    spec = PathFinder.find_spec(name, others)
    if spec is None:
        return
    if spec.loader is None:
        path[:0] = list(spec.submodule_search_locations or ())
        return
    module = sys.modules[name] = module_from_spec(spec)
    spec.loader.exec_module(module)
