"""Messages about replays that cannot be opened or created."""

from __future__ import annotations

from modules.sentences.sentence import Sentence

NO_REPLAY_FILE = Sentence(
    "no_replay_file",
    "Invalid replay file. {why}",
    "Get the file again, or export the run again with `designer replay export RUN`.",
)
NEWER_REPLAY = Sentence(
    "newer_replay",
    "This replay was created by a newer version of Pipeline Designer (format {format}).",
    "Update Pipeline Designer, or export the run with this version.",
)
RUN_NOT_ENDED = Sentence(
    "run_not_ended", "Run {run} is still active.", "Wait until it ends, or cancel it first."
)

# why it cannot be opened

TOO_LARGE = Sentence("replay_too_large", "It is larger than {mebibytes} MiB.")
UNPACKED_TOO_LARGE = Sentence(
    "replay_unpacked_too_large", "Its unpacked contents are larger than {mebibytes} MiB."
)
NO_ARCHIVE = Sentence("replay_no_archive", "It is not an archive, or it is truncated.")
DAMAGED = Sentence("replay_damaged", "It is damaged or truncated.")
TOO_MANY_PARTS = Sentence("replay_too_many_parts", "It contains more than {most:,} parts.")
SAME_PART = Sentence("replay_same_part", "It contains two parts with the same name.")
PART_NO_FILE = Sentence("replay_part_no_file", "Its part {part} is a link, a device or encrypted.")
PART_COMPRESSION = Sentence(
    "replay_part_compression", "Its part {part} uses an unsupported compression."
)
PART_TOO_LARGE = Sentence("replay_part_too_large", "Its part {part} is larger than {most:,} bytes.")
PART_OTHER_SIZE = Sentence(
    "replay_part_other_size", "The size of its part {part} differs from the archive's directory."
)
PART_STRANGE = Sentence("replay_part_strange", "It contains the unexpected part {part}.")
PART_MISSING = Sentence("replay_part_missing", "Its part {part} is missing.")
PART_UNREADABLE = Sentence("replay_part_unreadable", "Cannot read {part}: {fault}")
PART_WRONG = Sentence("replay_part_wrong", "{part}: {fault}")
LINE_WRONG = Sentence("replay_line_wrong", "{part}, line {line}: {fault}")
NO_FORMAT = Sentence("replay_no_format", "{part} has no known format.")
PIPELINE_UNREADABLE = Sentence("replay_pipeline_unreadable", "Cannot read its pipeline: {fault}")
EVENTS_MISSING = Sentence("replay_events_missing", "It contains {count:,} of {promised:,} events.")
EVENTS_OUT_OF_ORDER = Sentence(
    "replay_events_out_of_order", "Its events are not in chronological order."
)
EVENT_WRONG = Sentence("replay_event_wrong", "Event {number:,} ({kind}) has invalid data.")
STRANGE_NODE = Sentence(
    "replay_strange_node", "It refers to node {name!r}, which its pipeline does not contain."
)
OTHER_LOGS = Sentence("replay_other_logs", "Its list of logs does not match its logs.")
PICTURE_MISSING = Sentence(
    "replay_picture_missing", "One of its previews refers to a missing picture."
)
PICTURE_STRANGE = Sentence("replay_picture_strange", "It contains pictures that no preview shows.")
PICTURE_NO_JPEG = Sentence("replay_picture_no_jpeg", "Its picture {picture} is not a JPEG.")
PICTURE_DAMAGED = Sentence("replay_picture_damaged", "Its picture {picture} is a damaged JPEG.")
PICTURE_TOO_LARGE = Sentence(
    "replay_picture_too_large", "Its picture {picture} is wider or higher than {most} pixels."
)
MATRIX_NOT_SQUARE = Sentence(
    "replay_matrix_not_square", "The confusion matrix of {name} is not square."
)
