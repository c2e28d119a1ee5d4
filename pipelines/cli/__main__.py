"""``python -m pipelines.cli``: the command ``designer`` without its console script."""

from pipelines.cli import main

if __name__ == "__main__":
    main()
