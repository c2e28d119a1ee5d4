"""Not available: see ``lacks.py``."""

from .lacks import explain_missing_names

explain_missing_names(__name__)
