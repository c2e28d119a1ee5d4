"""Messages about folders, archives, shards and disks."""

from __future__ import annotations

from modules.sentences.sentence import Sentence, name_sentences

UNREADABLE_FOLDER = Sentence(
    "The folder {folder} cannot be read: {error}.",
    "Check that it exists and that this server may read it.",
)
UNREADABLE_FILE = Sentence(
    "The file {file} cannot be read: {error}.",
    "Check that it exists and that this server may read it.",
)
SPECIAL_FILE = Sentence("it is a pipe or a device, not a file")
DATABASE_FILE = Sentence(
    "The file {file} cannot be read: it belongs to the designer's own database.",
    "Choose a folder of images, or a {accepted} archive.",
)
OUTSIDE = Sentence(
    "{file} is outside the folders this server may read.", "Move it into one of: {roots}."
)
NO_ROOTS = Sentence("(none configured)")
DISK_FULL = Sentence(
    "The disk that holds {folder} is full.",
    "Free disk space (designer gc removes unreferenced data), then run again.",
)
WORKSPACE_NOT_READ = Sentence(
    "The folder is the designer's workspace. The designer's own files in it are not read."
)
WORKSPACE_INSIDE_NOT_READ = Sentence(
    "The folder contains the designer's workspace, which is not read: {folders}."
)

NO_ARCHIVE = Sentence("{archive} is not an archive.", "Choose a folder, or a {accepted} archive.")
EMPTY_FILE = Sentence(
    "The archive {archive} is an empty file.",
    "Copy or download it again, or choose a folder.",
    key="empty_file_for_archive",
)
WEB_PAGE = Sentence(
    "The archive {archive} is a web page.",
    "Download the archive itself. The server may require you to sign in or to confirm first.",
    key="web_page_for_archive",
)
LFS_POINTER = Sentence(
    "The archive {archive} is a pointer of Git LFS.",
    "Run git lfs pull in its repository to get the archive.",
    key="lfs_pointer_for_archive",
)
OTHER_ARCHIVE = Sentence(
    "The archive {archive} is a {kind} archive, which is not supported.",
    "Unpack it and choose the folder, or pack it again as {accepted}.",
)
SPLIT_ARCHIVE = Sentence(
    "The archive {archive} is one part of a split archive.",
    "Put all parts into one folder and unpack the first part, for example with 7-Zip. Then choose "
    "the unpacked folder.",
)
OTHER_COMPRESSION = Sentence(
    "The archive {archive} is compressed with {method}, which is not supported.",
    "Unpack it and choose the folder, or pack it again as tar or as zip with Deflate.",
)
NAMES_DECODED = Sentence(
    "The archive does not specify the encoding of its file names. They were read as {encoding}.",
    "If names are wrong, pack it again with UTF-8 names, or unpack it and choose the folder.",
)
NO_TAR_INSIDE = Sentence(
    "The archive {archive} is a compressed file with no tar archive in it.",
    "Choose a folder, or a {accepted} archive.",
)
EMPTY_ARCHIVE = Sentence(
    "The archive {archive} contains no files.", "Choose an archive that contains images."
)
DAMAGED_ARCHIVE = Sentence(
    "The archive {archive} is damaged or truncated ({error}).", "Copy or download it again."
)
NO_END_MARK = Sentence("its end mark is missing")
LONG_HEADER = Sentence("a header is too long")
ENCRYPTED_ARCHIVE = Sentence(
    "The archive {archive} is encrypted.", "Create it again without a password, or unpack it."
)
TOO_MANY_BYTES = Sentence(
    "The archive {archive} contains more than {limit:,} bytes.",
    "Split it into smaller archives, or unpack it yourself and choose the folder.",
)
TOO_MANY_FILES = Sentence(
    "The archive {archive} contains more than {limit:,} files.",
    "Split it into smaller archives, or unpack it yourself and choose the folder.",
)
BOMB = Sentence(
    "The archive {archive} unpacks to more than {ratio:,.0f} times its size and may be a zip bomb.",
    "If you trust it, unpack it yourself and choose the folder.",
)
UNSAFE = Sentence(
    "The archive {archive} is not safe: {entry!r} is {what}.",
    "Create it again with plain files and folders only.",
)
LINK = Sentence("a link")
DEVICE = Sentence("a device")
NO_USABLE_NAME = Sentence("not a usable name")
ABSOLUTE_PATH = Sentence("an absolute path")
HARD_LINK_ASTRAY = Sentence(
    "a hard link to {target!r}, which is not an earlier file of the archive"
)
WAY_OUT = Sentence("a path that leads out of the archive")
NAME_KEPT = Sentence("a name reserved by this operating system")
TWO_SPELLINGS = Sentence("in a folder that is the same as {folder!r} on this disk")
NAME_NOT_TAKEN = Sentence("a name that this disk cannot store ({error})")

SHARD_UNREADABLE = Sentence(
    "The shard {shard} cannot be read: {error}.",
    "Restore it, or change Import Images to the current location of the shards.",
)
SHARD_CHANGED = Sentence(
    "The shard {shard} has changed: the contents of {file} do not match its index.",
    "Copy the shards and their index again, or create them again with `designer dataset shard`.",
)
SHARD_GONE = Sentence("The shard {shard} was not found.", "Copy the shards and their index again.")
SHARD_CUT = Sentence(
    "The shard {shard} has {size:,} bytes instead of {expected:,}. It was truncated or changed.",
    "Copy the shards and their index again.",
)
FETCHED_CUT = Sentence(
    "The shard {shard} was received with {size:,} bytes instead of {expected:,}. It was changed in "
    "the store or truncated.",
    "Run again. If it fails again, recreate the index with `designer dataset index` and import the "
    "images again.",
)
FETCHED_CHANGED = Sentence(
    "The shard {shard} does not match its index: it was changed in the store.",
    "Restore the original shard, or recreate the index with `designer dataset index` and import "
    "the images again.",
)
SHARD_GONE_THERE = Sentence(
    "The shard {shard} is no longer in the store.",
    "Restore it, or recreate the index with `designer dataset index` and import the images again.",
)
SHARD_CACHE_UNUSABLE = Sentence(
    "Shards cannot be cached in {folder}: {error}.",
    "Allow the user of the runner to write there. The folder must be on a local disk of that "
    "machine.",
)
NO_OBJECT_ADDRESS = Sentence(
    "Invalid address of an object store.",
    "Use s3://BUCKET/FOLDER, abfs://CONTAINER/FOLDER or gs://BUCKET/FOLDER.",
)
OBJECT_ADDRESS_WITH_SECRET = Sentence(
    "The address contains credentials or options.",
    "Remove user names, passwords and options. Credentials come from the environment or the files "
    "of the store's tools.",
)
OBJECT_PACKAGE_MISSING = Sentence(
    "{place} needs the package {package}, which is not installed.",
    "Install the extra {extra}: pip install {package}.",
)
OBJECT_PLACE_AWAY = Sentence(
    "{place} does not respond: {why}.",
    "Check the network, the store and its endpoint, then run again. Shards already downloaded are "
    "kept.",
)
OBJECT_PLACE_REFUSES = Sentence(
    "Access to {place} was denied: {why}.",
    "Grant the designer permission to list and read. `designer dataset shard` and `designer "
    "dataset index` also need to write.",
)
NO_INDEX_THERE = Sentence(
    "{place} contains no {index}.",
    "Check the address. For plain tar files, create the index with `designer dataset index "
    "{place}`.",
)
NO_SHARDS_THERE = Sentence(
    "{place} contains no tar files.",
    "Create shards there from a folder of images with `designer dataset shard`.",
)
NO_BUCKET = Sentence(
    "The bucket of {place} does not exist.",
    "Create it with the store's own tool, or correct the address.",
)
CHANGED_THERE = Sentence(
    "The shard {shard} does not contain what was uploaded.",
    "Check that nobody else writes there, then run the command again.",
)
INDEX_DAMAGED = Sentence(
    "The index {index} is damaged: {error}.",
    "Copy it again, or recreate it with `designer dataset index`.",
)
SHARD_NAME = Sentence("{name!r} is not the name of a shard in the same folder")
NOT_BESIDE = Sentence("its shards are not in the same folder")
NO_SUCH_SHARD = Sentence("it refers to a shard that it does not list")
OUTSIDE_SHARD = Sentence("{file!r} is outside of its shard")
NO_PATH = Sentence("{path!r} is not a valid file path")
TWICE_IN_INDEX = Sentence("{file!r} is listed twice")
TWICE_IN_SHARDS = Sentence(
    "The shards in {folder} contain {file!r} twice.", "Give each file a unique name."
)
FOLDER_NOT_WRITABLE = Sentence(
    "The folder {folder} cannot be written to: {error}.", "Choose a folder that you may write to."
)
COMPRESSED_SHARD = Sentence(
    "The shard {shard} is compressed: its files cannot be read in place.",
    "Decompress it, for example with gunzip, or import it as an archive.",
)
SPARSE = Sentence("a sparse file")
NO_SHARDS = Sentence(
    "The folder {folder} contains no tar files.",
    "Create shards from a folder of images with `designer dataset shard`.",
)
OTHER_FILES_THERE = Sentence(
    "The folder {folder} contains other files: {files}.",
    "Choose a new or empty folder for the shards.",
)
SHARDS_WITHIN = Sentence(
    "The shards cannot be written to {folder}, which is inside the folder of the images.",
    "Choose a folder outside of it.",
)
CHANGED_WHILE_READ = Sentence(
    "The shard {shard} does not contain what was written to it.",
    "Check its disk, and that nobody else writes there. Then run the command again.",
)

name_sentences(globals())
