"""Stand-in for ``azureml.core``: ``Run``; other names raise an error when used."""

import sys

from .absent import stand_in_for_others
from .run import Run

__all__ = ["Run"]

if __name__ == "azureml.core":  # imported by a script, not by the designer
    stand_in_for_others(sys.modules[__name__])
