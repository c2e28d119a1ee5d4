"""Messages about images and folders that a conversion leaves out."""

from __future__ import annotations

from modules.sentences.sentence import Sentence, name_sentences

FORMAT_SKIPPED = Sentence(
    "{files:,} {format} {files:image was|images were} skipped: {names}.", "{fix}"
)
FORMAT_UNREADABLE = Sentence(
    "{files:,} {format} {files:image|images} cannot be read: {names}.",
    "{fix} Or set On unreadable image to skip and list.",
)
_ALLOW = "Copy the files into the source, or allow their folder with DESIGNER_DATA_ROOTS."
FILES_LINKED_OUTSIDE = Sentence(
    "{files:,} linked {files:file is|files are} outside of the source: {names}.", _ALLOW
)
FOLDERS_LINKED_OUTSIDE = Sentence(
    "{files:,} linked {files:folder is|folders are} outside of the source: {names}.", _ALLOW
)
FOLDERS_LINKED_INSIDE = Sentence(
    "{files:,} symbolic {files:link|links} to a folder inside the source {files:was|were} not "
    "followed: {names}.",
    "Replace each symbolic link with a copy of its folder.",
)
LINKS_BROKEN = Sentence(
    "{files:,} symbolic {files:link points|links point} to a missing file: {names}.",
    "Restore the files, or delete the symbolic links.",
)
ARCHIVES_INSIDE = Sentence(
    "{files:,} {files:archive|archives} inside the source {files:was|were} not unpacked: {names}.",
    "Unpack {files:it|them} and use the folder with the unpacked files.",
)
IMAGES_UNREADABLE = Sentence(
    "{files:,} unreadable {files:image was|images were} skipped: {names}.",
    "Replace or delete {files:it|them}. The node's result lists the reasons.",
)
NONE_READ = Sentence("{name} contains no valid images: {skipped}", "{fix}")

# Counts in the summary of a node

OF_FORMAT = Sentence("{files:,} {format}")
LINKED_FOLDERS = Sentence("{files:,} linked {files:folder|folders}")
LINKED_FILES = Sentence("{files:,} linked {files:file|files}")
ARCHIVES = Sentence("{files:,} {files:archive|archives}")
BROKEN_LINKS = Sentence("{files:,} broken symbolic {files:link|links}")

name_sentences(globals())
