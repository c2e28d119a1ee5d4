"""The part of Horovod that training scripts for PyTorch use, over torch.distributed."""

from __future__ import annotations

from .lacks import lacking

__version__ = "0.28.1+designer"
__getattr__ = lacking("horovod")

if __name__ == "horovod":  # imported by a script, not by the designer
    from designer_installed import prefer_installed

    prefer_installed(__name__, __path__)
