"""Not here: see ``absent.py``."""

from .absent import refuse_other_names

refuse_other_names(__name__)
