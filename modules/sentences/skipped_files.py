"""Messages about images and folders that a conversion leaves out."""

from __future__ import annotations

from modules.sentences.sentence import Sentence

FORMAT_SKIPPED = Sentence(
    "format_skipped",
    "{files:,} {format} {files:image was|images were} skipped: {names}.",
    "{fix}",
)
FORMAT_UNREADABLE = Sentence(
    "format_unreadable",
    "{files:,} {format} {files:image|images} cannot be read: {names}.",
    "{fix} Or set On unreadable image to skip and list.",
)
_ALLOW = "Copy the files into the source, or allow their folder with DESIGNER_DATA_ROOTS."
FILES_LINKED_OUTSIDE = Sentence(
    "files_linked_outside",
    "{files:,} linked {files:file is|files are} outside of the source: {names}.",
    _ALLOW,
)
FOLDERS_LINKED_OUTSIDE = Sentence(
    "folders_linked_outside",
    "{files:,} linked {files:folder is|folders are} outside of the source: {names}.",
    _ALLOW,
)
FOLDERS_LINKED_INSIDE = Sentence(
    "folders_linked_inside",
    "{files:,} symbolic {files:link|links} to a folder inside the source {files:was|were} not "
    "followed: {names}.",
    "Replace each symbolic link with a copy of its folder.",
)
LINKS_BROKEN = Sentence(
    "links_broken",
    "{files:,} symbolic {files:link points|links point} to a missing file: {names}.",
    "Restore the files, or delete the symbolic links.",
)
ARCHIVES_INSIDE = Sentence(
    "archives_inside",
    "{files:,} {files:archive|archives} inside the source {files:was|were} not unpacked: {names}.",
    "Unpack {files:it|them} and use the folder with the unpacked files.",
)
IMAGES_UNREADABLE = Sentence(
    "images_unreadable",
    "{files:,} unreadable {files:image was|images were} skipped: {names}.",
    "Replace or delete {files:it|them}. The node's result lists the reasons.",
)
NONE_READ = Sentence(
    "none_read",
    "{name} contains no valid images: {skipped}",
    "{fix}",
)

# Counts in the summary of a node

OF_FORMAT = Sentence("of_format", "{files:,} {format}")
LINKED_FOLDERS = Sentence("linked_folders", "{files:,} linked {files:folder|folders}")
LINKED_FILES = Sentence("linked_files", "{files:,} linked {files:file|files}")
ARCHIVES = Sentence("archives", "{files:,} {files:archive|archives}")
BROKEN_LINKS = Sentence("broken_links", "{files:,} broken symbolic {files:link|links}")
