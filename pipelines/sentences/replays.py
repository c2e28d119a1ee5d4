"""What is said of replays that cannot be opened or made."""

from __future__ import annotations

from modules.sentences.sentence import Sentence

NO_REPLAY_FILE = Sentence(
    "no_replay_file",
    "This is not a replay that can be opened. {why}",
    "Ask for the file again, or export the run anew: `designer replay export RUN`.",
)
NEWER_REPLAY = Sentence(
    "newer_replay",
    "A newer version of the program made this replay (format {format}).",
    "Update the program, or have the run exported with this version.",
)
RUN_NOT_ENDED = Sentence(
    "run_not_ended", "Run {run} has not ended.", "Wait for its end, or cancel it first."
)

# why it cannot be opened

TOO_LARGE = Sentence("replay_too_large", "It is larger than {mebibytes} MiB.")
UNPACKED_TOO_LARGE = Sentence(
    "replay_unpacked_too_large", "Unpacked it is larger than {mebibytes} MiB."
)
NO_ARCHIVE = Sentence("replay_no_archive", "It is no such file, or it was cut off.")
DAMAGED = Sentence("replay_damaged", "It is damaged or was cut off.")
TOO_MANY_PARTS = Sentence("replay_too_many_parts", "It holds more than {most:,} parts.")
SAME_PART = Sentence("replay_same_part", "It holds two parts of the same name.")
PART_NO_FILE = Sentence("replay_part_no_file", "Its part {part} is a link, a device or encrypted.")
PART_COMPRESSION = Sentence(
    "replay_part_compression", "Its part {part} is compressed in another way."
)
PART_TOO_LARGE = Sentence("replay_part_too_large", "Its part {part} is larger than {most:,} bytes.")
PART_OTHER_SIZE = Sentence("replay_part_other_size", "Its part {part} is not as large as it says.")
PART_STRANGE = Sentence("replay_part_strange", "It holds {part}, which is no part of a replay.")
PART_MISSING = Sentence("replay_part_missing", "It holds no {part}.")
PART_UNREADABLE = Sentence("replay_part_unreadable", "{part} cannot be read: {fault}")
PART_WRONG = Sentence("replay_part_wrong", "{part}: {fault}")
LINE_WRONG = Sentence("replay_line_wrong", "{part}, line {line}: {fault}")
NO_FORMAT = Sentence("replay_no_format", "{part} names no format of this program.")
PIPELINE_UNREADABLE = Sentence("replay_pipeline_unreadable", "Its pipeline cannot be read: {fault}")
EVENTS_MISSING = Sentence(
    "replay_events_missing", "It promises {promised:,} events and holds {count:,}."
)
EVENTS_OUT_OF_ORDER = Sentence(
    "replay_events_out_of_order", "Its events are not in the order of their times."
)
EVENT_WRONG = Sentence(
    "replay_event_wrong", "Event {number:,} ({kind}) is not what such an event holds."
)
STRANGE_NODE = Sentence(
    "replay_strange_node", "It tells of {name!r}, which its pipeline does not have."
)
OTHER_LOGS = Sentence("replay_other_logs", "Its list of logs is not that of the logs it holds.")
PICTURE_MISSING = Sentence(
    "replay_picture_missing", "A preview names a picture that it does not hold."
)
PICTURE_STRANGE = Sentence("replay_picture_strange", "It holds pictures that no preview shows.")
PICTURE_NO_JPEG = Sentence("replay_picture_no_jpeg", "Its picture {picture} is no JPEG.")
PICTURE_DAMAGED = Sentence("replay_picture_damaged", "Its picture {picture} is a damaged JPEG.")
PICTURE_TOO_LARGE = Sentence(
    "replay_picture_too_large",
    "Its picture {picture} has more than {most} pixels on an edge.",
)
MATRIX_NOT_SQUARE = Sentence(
    "replay_matrix_not_square", "The confusion matrix of {name} is not square."
)
