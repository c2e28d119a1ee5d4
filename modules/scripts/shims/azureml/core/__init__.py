"""``Run``; every other name of ``azureml.core`` says that it is not here."""

from .absent import refuse_other_names
from .run import Run

__all__ = ["Run"]
refuse_other_names(__name__)
