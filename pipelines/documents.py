"""Earlier name of ``pipelines.document``, which scripts of users import from."""

import sys

from pipelines.document import document

sys.modules[f"{__name__}.document"] = document
