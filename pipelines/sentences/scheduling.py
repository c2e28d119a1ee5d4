"""Messages about schedules."""

from __future__ import annotations

from modules.sentences.sentence import Sentence, name_sentences

NO_SCHEDULE = Sentence("Schedule {name!r} not found.", "List them: `designer schedules list`.")
SCHEDULE_TAKEN = Sentence(
    "Schedule {name!r} already exists.", "Choose another name, or remove it first."
)
NO_SCHEDULE_NAME = Sentence(
    "Invalid name {text!r}.",
    "Use up to 100 letters, digits, dots, dashes and underscores. Start with a letter or digit.",
)
NO_ZONE = Sentence(
    "Unknown time zone {zone!r}.",
    "Use an IANA name such as Europe/Berlin. On Windows, install the package tzdata.",
)
NO_CRON = Sentence(
    "Invalid cron expression {expression!r}: {why}.",
    "Use five fields: minute, hour, day, month, weekday. `0 8 * * 1-5` is 8:00 on workdays.",
)
ONE_TRIGGER = Sentence(
    "A schedule needs one trigger.", "Add --cron EXPRESSION, --every MINUTES or --when SOURCE."
)
NO_UNTIL = Sentence(
    "Invalid time {text!r}.", "Use the form 2027-01-31 or 2027-01-31T18:00, in the future."
)
NO_VALUE = Sentence("Invalid value of {option}: {why}.", "See `designer schedules add --help`.")
NOT_WATCHED = Sentence(
    "{source!r} cannot be watched: {why}.", "Use dataset:NAME or an existing folder."
)
NO_DATASET_THERE = Sentence("the dataset does not exist")
NO_FOLDER_THERE = Sentence("the folder does not exist or cannot be read")
PUBLISHED_SCHEDULED = Sentence(
    "{what} is run by {count} {count:schedule|schedules} ({users}).", "Remove the schedules first."
)

# reasons of firings

MISSED_FIRING = Sentence("Nothing ran at that time.")
OVERLAPPED = Sentence("The run before had not ended.")
NOT_SUBMITTED = Sentence("The run was not started: {why}")
PAUSED_BY_USER = Sentence("paused by hand")
PAUSED_BY_FAILURES = Sentence("paused after {count} failures in a row")

name_sentences(globals())
