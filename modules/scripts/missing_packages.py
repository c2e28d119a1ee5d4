"""Package names of modules that could not be imported, if the two differ."""

from __future__ import annotations

import sys
from collections.abc import Mapping

DISTRIBUTIONS: Mapping[str, str] = {
    "attr": "attrs",
    "bs4": "beautifulsoup4",
    "cairosvg": "CairoSVG",
    "cv2": "opencv-python-headless",
    "Crypto": "pycryptodome",
    "dateutil": "python-dateutil",
    "dotenv": "python-dotenv",
    "faiss": "faiss-cpu",
    "fitz": "PyMuPDF",
    "git": "GitPython",
    "google.protobuf": "protobuf",
    "hydra": "hydra-core",
    "igraph": "python-igraph",
    "jwt": "PyJWT",
    "lightning_fabric": "lightning",
    "magic": "python-magic",
    "mpl_toolkits": "matplotlib",
    "MySQLdb": "mysqlclient",
    "OpenSSL": "pyOpenSSL",
    "PIL": "pillow",
    "pkg_resources": "setuptools",
    "psycopg2": "psycopg2-binary",
    "pytorch_lightning": "pytorch-lightning",
    "serial": "pyserial",
    "skimage": "scikit-image",
    "sklearn": "scikit-learn",
    "slugify": "python-slugify",
    "tensorflow": "tensorflow-cpu",
    "tensorflow_datasets": "tensorflow-datasets",
    "torch_geometric": "torch-geometric",
    "usb": "pyusb",
    "yaml": "PyYAML",
    "zmq": "pyzmq",
}


def distribution_of(name: str) -> str | None:
    """Return the package of a module; None for one of Python itself."""
    top = name.partition(".")[0]
    if not top or top in sys.stdlib_module_names:
        return None
    return DISTRIBUTIONS.get(name) or DISTRIBUTIONS.get(top) or top
