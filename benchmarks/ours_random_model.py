"""A trained model of random weights, for who scores without having trained."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from benchmarks.peers.telling import tell


def write_model(folder: Path, architecture: str, classes: Sequence[str]) -> None:
    """A trained model of random weights, whose normalisation layers have seen noise."""
    import pandas as pd
    import torch

    from modules.models.build import IMAGENET_MEAN, IMAGENET_STD, build_model
    from modules.models.recipe import Recipe
    from modules.models.serialization import save_trained

    recipe = Recipe(family="", architecture=architecture)
    network = build_model(recipe, len(classes), weights_dir=None, seed=0)
    with torch.no_grad():
        network(torch.randn(16, 3, 64, 64, generator=torch.Generator().manual_seed(0)))
    facts = {
        "recipe": recipe.to_json(),
        "classes": list(classes),
        "normalisation": {"mean": IMAGENET_MEAN, "std": IMAGENET_STD},
        "precision": "bf16",
    }
    folder.mkdir(parents=True)
    save_trained(folder, network, facts, pd.DataFrame())


def main() -> None:
    """Write the model that the command line asks for."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--architecture", required=True)
    parser.add_argument("--classes", nargs="+", required=True)
    asked = parser.parse_args()
    write_model(asked.folder, asked.architecture, asked.classes)
    tell({})


if __name__ == "__main__":
    main()
