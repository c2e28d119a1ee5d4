"""The part of Horovod that training scripts for PyTorch use, over torch.distributed."""

from .lacks import explain_missing_names

__version__ = "0.28.1+designer"
explain_missing_names(__name__)

if __name__ == "horovod":  # imported by a script, not by the designer
    from designer_installed import prefer_installed

    prefer_installed(__name__, __path__)
