"""scikit-learn's logistic regression on the network's features, each image computed once."""

from __future__ import annotations

from typing import Any

import torch
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from benchmarks.peers.few import Clock, FewWork, new_body, read_few_work
from benchmarks.peers.few_loaders import plain_loader


@torch.inference_mode()
def features(work: FewWork) -> list[tuple[Any, Any]]:
    """Features and labels of the training and the validation pictures."""
    body = new_body(work).eval()
    results = []
    for folder in (work.train, work.validation):
        batches = [(body(images), labels) for images, labels in plain_loader(folder)]
        x, y = zip(*batches, strict=True)
        results.append((torch.cat(x).numpy(), torch.cat(y).numpy()))
    return results


def main() -> None:
    """Fit and judge."""
    work = read_few_work()
    clock = Clock(work)
    (x, y), (other_x, other_y) = features(work)
    head = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)).fit(x, y)
    clock.judged(head.score(other_x, other_y))
    clock.finish("scikit-learn", "timm")


if __name__ == "__main__":
    main()
