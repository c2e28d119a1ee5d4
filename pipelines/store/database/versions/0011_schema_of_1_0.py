"""Schema of version 1.0, on which later migrations are based.

It creates nothing: ``Database.make`` creates new databases with the newest schema, and those of
earlier versions reach this one by ``before_1_0.py``.
"""

from __future__ import annotations

revision = "0011"
down_revision = None


def upgrade() -> None:
    """Do nothing."""
