"""Stand-in for the part of Azure Machine Learning's SDK v1 that training scripts use.

That is ``azureml.core.Run``. Scripts for SDK v2 (``azure.ai.ml``) log by MLflow, which the designer
supports by an address: they need no stand-in, and none may hide the namespace package ``azure``.
"""

import importlib
import sys

if __name__ == "azureml":  # imported by a script, not by the designer
    from designer_installed import prefer_installed

    prefer_installed(__name__, __path__)
    if getattr(sys.modules[__name__], "__file__", None) == __file__:
        importlib.import_module("azureml.core")  # it also provides the other parts
