"""Messages about replays that cannot be opened or created."""

from __future__ import annotations

from modules.sentences.sentence import Sentence, name_sentences

NO_REPLAY_FILE = Sentence(
    "Invalid replay file. {why}",
    "Get the file again, or export the run again with `designer replay export RUN`.",
    key="no_replay_file",
)
NEWER_REPLAY = Sentence(
    "This replay was created by a newer version of Pipeline Designer (format {format}).",
    "Update Pipeline Designer, or export the run with this version.",
    key="newer_replay",
)
RUN_NOT_ENDED = Sentence(
    "Run {run} is still active.", "Wait until it ends, or cancel it first.", key="run_not_ended"
)

# why it cannot be opened

TOO_LARGE = Sentence("It is larger than {mebibytes} MiB.")
UNPACKED_TOO_LARGE = Sentence("Its unpacked contents are larger than {mebibytes} MiB.")
NO_ARCHIVE = Sentence("It is not an archive, or it is truncated.")
DAMAGED = Sentence("It is damaged or truncated.")
TOO_MANY_PARTS = Sentence("It contains more than {most:,} parts.")
SAME_PART = Sentence("It contains two parts with the same name.")
PART_NO_FILE = Sentence("Its part {part} is a link, a device or encrypted.")
PART_COMPRESSION = Sentence("Its part {part} uses an unsupported compression.")
PART_TOO_LARGE = Sentence("Its part {part} is larger than {most:,} bytes.")
PART_OTHER_SIZE = Sentence("The size of its part {part} differs from the archive's directory.")
PART_STRANGE = Sentence("It contains the unexpected part {part}.")
PART_MISSING = Sentence("Its part {part} is missing.")
PART_UNREADABLE = Sentence("Cannot read {part}: {fault}")
PART_WRONG = Sentence("{part}: {fault}")
LINE_WRONG = Sentence("{part}, line {line}: {fault}")
NO_FORMAT = Sentence("{part} has no known format.")
PIPELINE_UNREADABLE = Sentence("Cannot read its pipeline: {fault}")
EVENTS_MISSING = Sentence("It contains {count:,} of {promised:,} events.")
EVENTS_OUT_OF_ORDER = Sentence("Its events are not in chronological order.")
EVENT_WRONG = Sentence("Event {number:,} ({kind}) has invalid data.")
STRANGE_NODE = Sentence("It refers to node {name!r}, which its pipeline does not contain.")
OTHER_LOGS = Sentence("Its list of logs does not match its logs.")
PICTURE_MISSING = Sentence("One of its previews refers to a missing picture.")
PICTURE_STRANGE = Sentence("It contains pictures that no preview shows.")
PICTURE_NO_JPEG = Sentence("Its picture {picture} is not a JPEG.")
PICTURE_DAMAGED = Sentence("Its picture {picture} is a damaged JPEG.")
PICTURE_TOO_LARGE = Sentence("Its picture {picture} is wider or higher than {most} pixels.")
MATRIX_NOT_SQUARE = Sentence("The confusion matrix of {name} is not square.")

name_sentences(globals(), prefix="replay_")
