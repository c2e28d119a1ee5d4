"""Result of a lesson as SVG: images with their predictions, and the confusion matrix."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from functools import lru_cache
from html import escape
from pathlib import Path

from designer_app.translation import _
from pipelines.inspection.preview_models import EvaluationPreview, Prediction, PredictionsPreview
from pipelines.problems import PipelineError
from pipelines.replay.archive import OpenReplay, read_file, unpack
from pipelines.replay.library import ReplayShelf

WIDTH, HEIGHT = 300, 120
COLUMNS, ROWS = 4, 2
THUMBNAIL, STEP_X, STEP_Y = 34, 43, 53
LEFT, TOP = 14, 12
MATRIX, MATRIX_LEFT, MATRIX_TOP = 84, 202, 10
MAX_LABEL = 9
ACCURACY = "Overall_Accuracy"


def lesson_picture(shelf: ReplayShelf, slug: str) -> str:
    """Return the picture of the recording with that id; empty if it contains no result."""
    if not shelf.has(slug):
        return ""
    path = shelf.path(slug)
    return _picture(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=32)
def _picture(path: Path, _changed: int) -> str:
    try:
        opened = unpack(read_file(path))
    except PipelineError:  # a user's file of that name, and damaged
        return ""
    previews = opened.replay.previews
    evaluated = next(
        (preview for preview in previews if isinstance(preview, EvaluationPreview)), None
    )
    scored = next(
        (preview for preview in previews if isinstance(preview, PredictionsPreview)), None
    )
    if evaluated is None or scored is None or not evaluated.confusion:
        return ""
    share = evaluated.metrics.get(ACCURACY) or 0
    accuracy = f"{100 * share:.0f} %"
    thumbnails = _thumbnails(opened, scored, share)
    content = "".join([*thumbnails, *_matrix(evaluated), _caption(accuracy)])
    label = _(
        "Sample images with predictions, and the confusion matrix: {accuracy} correct",
        accuracy=accuracy,
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{escape(label)}">{content}</svg>'
    )


def shown(samples: list[Prediction], accuracy: float) -> list[Prediction]:
    """Return as many images as fit, with as many mistakes among them as the accuracy has.

    First one of each class, then others.
    """
    fitting = COLUMNS * ROWS
    wrong = [sample for sample in samples if sample.actual != sample.predicted]
    num_wrong = max(round(fitting * (1 - accuracy)), fitting + len(wrong) - len(samples))
    left_out = wrong[num_wrong:]
    classes: set[str | None] = set()
    firsts: list[Prediction] = []
    others: list[Prediction] = []
    for sample in (sample for sample in samples if sample not in left_out):
        (others if sample.actual in classes else firsts).append(sample)
        classes.add(sample.actual)
    return [*firsts, *others][:fitting]


def _thumbnails(opened: OpenReplay, scored: PredictionsPreview, accuracy: float) -> Iterator[str]:
    pictured = [candidate for candidate in scored.samples if candidate.picture]
    for place, sample in enumerate(shown(pictured, accuracy)):
        x, y = LEFT + place % COLUMNS * STEP_X, TOP + place // COLUMNS * STEP_Y
        picture = b64encode(opened.pictures[sample.picture or ""]).decode()
        colour = _colour(is_right=sample.actual == sample.predicted)
        yield (
            f'<image x="{x}" y="{y}" width="{THUMBNAIL}" height="{THUMBNAIL}" '
            f'preserveAspectRatio="xMidYMid slice" href="data:image/jpeg;base64,{picture}"/>'
            f'<rect x="{x}" y="{y}" width="{THUMBNAIL}" height="{THUMBNAIL}" rx="2" fill="none" '
            f'stroke="{colour}" stroke-width="1.5"/>'
            f'<text x="{x + THUMBNAIL / 2}" y="{y + THUMBNAIL + 10}" font-size="8.5" '
            f'text-anchor="middle" fill="currentColor">{escape(_short(sample.predicted))}</text>'
        )


def _matrix(evaluated: EvaluationPreview) -> Iterator[str]:
    size = MATRIX / len(evaluated.confusion)
    gap = min(1.0, size * 0.08)
    for row, counts in enumerate(evaluated.confusion):
        total = sum(counts) or 1
        for column, count in enumerate(counts):
            share = count / total
            colour = _colour(is_right=row == column) if count else "currentColor"
            yield (
                f'<rect x="{MATRIX_LEFT + column * size:.1f}" y="{MATRIX_TOP + row * size:.1f}" '
                f'width="{size - gap:.1f}" height="{size - gap:.1f}" fill="{colour}" '
                f'fill-opacity="{0.25 + 0.75 * share if count else 0.08:.2f}"/>'
            )


def _caption(accuracy: str) -> str:
    x, y = MATRIX_LEFT + MATRIX / 2, MATRIX_TOP + MATRIX + 14
    words = _("{accuracy} correct", accuracy=accuracy)
    return (
        f'<text x="{x}" y="{y}" font-size="10.5" font-weight="650" text-anchor="middle" '
        f'fill="currentColor">{escape(words)}</text>'
    )


def _colour(*, is_right: bool) -> str:
    return f"var(--st-{'green' if is_right else 'red'}-color, currentColor)"


def _short(label: str) -> str:
    return label if len(label) <= MAX_LABEL else f"{label[: MAX_LABEL - 1]}\u2026"
