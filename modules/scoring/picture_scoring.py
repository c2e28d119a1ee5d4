"""Scoring of single pictures by a model that stays in memory, with Score Image Model's own code.

Shape letters: N images, K classes, H height, W width, C = 3 channels.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from modules.artifacts import TrainedModel
from modules.compute.distributed import ProcessGroup, process_group
from modules.compute.switches import ENDPOINT_RUNTIMES, is_on
from modules.context import Context
from modules.errors import ImageExceedsLimitError, InvalidDatasetError, InvalidModelDirectoryError
from modules.files.hashing import hash_file
from modules.image_directories.image_checking import require_image
from modules.image_loading.decoding import (
    DEFAULT_MAX_PIXELS,
    UnreadableImageError,
    open_rgb,
    read_header,
)
from modules.image_loading.image_formats import SIGNATURE_BYTES
from modules.image_loading.sizes import Size
from modules.scoring.guarded_runtime import GuardedRuntime, open_guarded, require_equal
from modules.sentences import image_loading
from modules.sentences import scoring as say
from modules.transforms.operations import (
    FOR_INFERENCE,
    apply_prefix,
    common_output_size,
    is_unbounded,
    select,
)

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from modules.scoring.inference import Floats, Scorer
    from modules.scoring.kept_runtimes import KeptRuntime
    from modules.sentences.sentence import Statement


class PictureScorer:
    """A trained model in memory. Use ``probabilities`` only in the thread that opened it."""

    def __init__(self, model: TrainedModel, scorer: Scorer, size: Size) -> None:
        self.classes: tuple[str, ...] = tuple(model.classes)
        self.size = size
        """Height and width of the model's input."""
        self.batch_size = scorer.batch_size(size)
        """Number of pictures that Score Image Model would score at once."""
        self.class_counts: dict[str, int] = dict(model.description.get("class_counts") or {})
        """Training images of each class; empty for models of earlier versions."""
        stored: Any = model.description.get("inference_transformation", [])
        self._operations = select(stored, FOR_INFERENCE)
        self.scorer = scorer

    @classmethod
    def open(cls, model: TrainedModel, group: ProcessGroup) -> PictureScorer:
        """Load a model.

        Raises ``InvalidModelDirectoryError`` if it is damaged or its input size is unknown.
        """
        from modules.scoring.score_image_model import opened_scorer

        model.check()
        size = _input_size(model)
        return cls(model, opened_scorer(model, size, group), size)

    def pixels(
        self, content: bytes, *, max_pixels: int = DEFAULT_MAX_PIXELS
    ) -> npt.NDArray[np.uint8]:
        """Return a picture as Score Image Model reads it, shape (H, W, C); safe in any thread.

        Raises ``InvalidDatasetError`` if it cannot be decoded completely or does not have the size
        of the model, ``ImageExceedsLimitError`` before decoding more than ``max_pixels``.
        """
        import numpy as np

        try:
            require_image(content[:SIGNATURE_BYTES], "")
            picture = self._transformed(content, max_pixels)
        except UnreadableImageError as error:
            raise InvalidDatasetError(say.UNREADABLE_IMAGE_SENT, why=error.statement) from None
        width, height = picture.size
        if (height, width) != self.size:
            raise InvalidDatasetError(
                say.PICTURE_OF_OTHER_SIZE,
                width=width,
                height=height,
                wanted_width=self.size[1],
                wanted_height=self.size[0],
            )
        return np.array(picture, dtype=np.uint8)

    def _transformed(self, content: bytes, max_pixels: int) -> Any:
        """Return the picture after the operations, decoded at its full size."""
        header, _ = read_header(content, max_pixels=max_pixels)
        width, height = header.width, header.height
        if is_unbounded(self._operations, height, width):
            raise ImageExceedsLimitError(
                image_loading.STRIP_TOO_LONG, image="in the request", width=width, height=height
            )
        picture = open_rgb(content, max_pixels=max_pixels)
        return apply_prefix(picture, self._operations)

    def probabilities(self, pictures: Sequence[npt.NDArray[np.uint8]]) -> Floats:
        """Return the probabilities of pictures from ``pixels``, shape (N, K)."""
        import numpy as np

        return self.scorer.probabilities(np.stack(pictures))

    # another runtime than torch

    @property
    def why_torch(self) -> Statement | None:
        """Return why torch computes in any case; None if another runtime may."""
        from modules.scoring.backends import installed_runtimes

        if not is_on(ENDPOINT_RUNTIMES):
            return say.RUNTIMES_SWITCHED_OFF.about({"switch": ENDPOINT_RUNTIMES})
        chooser, precision = self.scorer.chooser, self.scorer.torch_runtime.precision
        if not installed_runtimes():
            return say.RUNTIMES_NOT_INSTALLED.about({})
        if chooser is None:
            return say.RUNTIME_STAYS.about({})
        if precision.name != "fp32":
            return say.RUNTIME_ROUNDS.about({"format": precision.name})
        return None

    def runtime_key(self, model: TrainedModel) -> str:
        """Return the key of the choice of a runtime for this model; reads its weights."""
        assert self.scorer.chooser is not None
        parts = (self.scorer.chooser.key, hash_file(model.weights_path))
        return hashlib.sha256(" ".join(parts).encode()).hexdigest()[:32]

    @property
    def num_threads(self) -> int:
        """Return the most threads that compute."""
        assert self.scorer.chooser is not None
        return self.scorer.chooser.threads

    @property
    def runtime(self) -> tuple[str, Statement | None]:
        """Return the runtime that computes, and why the one it was changed to does not."""
        runtime = self.scorer.choice.runtime
        return runtime.name, runtime.failure if isinstance(runtime, GuardedRuntime) else None

    def open_runtime(self, kept: KeptRuntime) -> GuardedRuntime:
        """Open a kept runtime for ``change_runtime``, in any thread: it takes up to a second."""
        return open_guarded(kept, self.scorer)

    def change_runtime(self, runtime: GuardedRuntime) -> None:
        """Compute with this runtime from now on; with torch if it is wrong here or fails."""
        require_equal(runtime, self.scorer, self.size)
        self.scorer.choice.runtime = runtime


@contextmanager
def open_picture_scorer(model: TrainedModel, context: Context) -> Iterator[PictureScorer]:
    """Load a model for the duration of the block, in which this thread scores pictures.

    Raises the errors of ``PictureScorer.open``.
    """
    with process_group(context) as group:
        yield PictureScorer.open(model, group)


def _input_size(model: TrainedModel) -> Size:
    """Return the height and width of the images that the model was trained on."""
    recorded = model.description.get("input_size") or {}
    if "height" in recorded and "width" in recorded:
        return int(recorded["height"]), int(recorded["width"])
    stored: Any = model.description.get("inference_transformation", [])
    size = common_output_size(select(stored, FOR_INFERENCE))
    if size is None:
        raise InvalidModelDirectoryError(say.MODEL_WITHOUT_SIZE, port="trained_model")
    return size
