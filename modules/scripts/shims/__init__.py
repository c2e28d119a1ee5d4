"""Modules that scripts may import in their own Python, 3.6 to 3.13.

``SHIMS`` is last on their path. Nothing here needs the designer, or a package of its environment:
``designer_log``, and stand-ins for ``azureml.core`` and ``horovod.torch``, which are overridden by
installed ones.
"""

from pathlib import Path

SHIMS = Path(__file__).resolve().parent
