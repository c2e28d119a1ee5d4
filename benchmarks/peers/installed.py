"""Versions of the packages of the command line in this environment."""

from __future__ import annotations

import sys

from benchmarks.peers.telling import tell, versions_of

if __name__ == "__main__":
    tell({"versions": versions_of(*sys.argv[1:])})
