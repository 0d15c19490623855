"""The ``fedrag`` command: the answer on stdout, everything else on stderr.

Commands import what they need when they run, so that ``fedrag --help`` stays fast.
"""

from fedrag.cli.main import main

__all__ = ["main"]
