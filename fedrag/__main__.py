"""``python -m fedrag`` is the ``fedrag`` command."""

from fedrag.cli import main

if __name__ == "__main__":
    main()
