"""What is said of folders, archives and disks."""

from __future__ import annotations

from modules.sentences.sentence import Sentence

UNREADABLE_FOLDER = Sentence(
    "unreadable_folder",
    "The folder {folder} cannot be read: {error}.",
    "Check that it is there and that this server may read it.",
)
UNREADABLE_FILE = Sentence(
    "unreadable_file",
    "The file {file} cannot be read: {error}.",
    "Check that it is there and that this server may read it.",
)
DATABASE_FILE = Sentence(
    "database_file",
    "The file {file} cannot be read: it belongs to the designer's own database.",
    "Give a folder of images, or a {accepted} archive.",
)
OUTSIDE = Sentence(
    "outside",
    "{file} lies outside the folders this server may read.",
    "Move it below one of: {roots}.",
)
NO_ROOTS = Sentence("no_roots", "(none is set up)")
DISK_FULL = Sentence(
    "disk_full",
    "The disk that holds {folder} is full.",
    "Free some space there (designer gc removes what nothing refers to), run again.",
)
WORKSPACE_NOT_READ = Sentence(
    "workspace_not_read",
    "The folder is the designer's workspace: what it keeps there itself is not read.",
)
WORKSPACE_INSIDE_NOT_READ = Sentence(
    "workspace_inside_not_read",
    "The designer's workspace lies in the folder and is not read: {folders}.",
)

NO_ARCHIVE = Sentence(
    "no_archive",
    "The archive {archive} is no archive.",
    "Give a folder, or a {accepted} archive.",
)
EMPTY_FILE = Sentence(
    "empty_file_for_archive",
    "The archive {archive} is an empty file.",
    "Copy or download it again, or give a folder.",
)
WEB_PAGE = Sentence(
    "web_page_for_archive",
    "The archive {archive} is a web page.",
    "Download the archive itself: the server may ask you to sign in or to confirm first.",
)
LFS_POINTER = Sentence(
    "lfs_pointer_for_archive",
    "The archive {archive} is a pointer of Git LFS.",
    "Run git lfs pull in its repository to get the archive.",
)
OTHER_ARCHIVE = Sentence(
    "other_archive",
    "The archive {archive} is a {kind} archive, which is not read here.",
    "Unpack it and give the folder, or pack it again as {accepted}.",
)
SPLIT_ARCHIVE = Sentence(
    "split_archive",
    "The archive {archive} is one part of a split archive.",
    "Put all parts into one folder and unpack the first part, for example with 7-Zip. "
    "Then give the unpacked folder.",
)
OTHER_COMPRESSION = Sentence(
    "other_compression",
    "The archive {archive} is compressed with {method}, which is not read here.",
    "Unpack it and give the folder, or pack it again as tar or as zip with Deflate.",
)
NAMES_DECODED = Sentence(
    "names_decoded",
    "The archive does not state the encoding of its names: they were read as {encoding}.",
    "If names are wrong, pack it again with UTF-8 names, or unpack it and give the folder.",
)
NO_TAR_INSIDE = Sentence(
    "no_tar_inside",
    "The archive {archive} is a compressed file with no tar archive in it.",
    "Give a folder, or a {accepted} archive.",
)
EMPTY_ARCHIVE = Sentence(
    "empty_archive", "The archive {archive} holds no files.", "Choose one with images in it."
)
DAMAGED_ARCHIVE = Sentence(
    "damaged_archive",
    "The archive {archive} is damaged or cut off ({error}).",
    "Copy or download it once more.",
)
NO_END_MARK = Sentence("no_end_mark", "its end mark is missing")
LONG_HEADER = Sentence("long_header", "a header of it is impossibly long")
ENCRYPTED_ARCHIVE = Sentence(
    "encrypted_archive",
    "The archive {archive} is encrypted.",
    "Make it again without a password, or unpack it.",
)
TOO_MANY_BYTES = Sentence(
    "too_many_bytes",
    "The archive {archive} holds more than {limit:,} bytes.",
    "Split it into smaller ones, or unpack it yourself and give the folder.",
)
TOO_MANY_FILES = Sentence(
    "too_many_files",
    "The archive {archive} holds more than {limit:,} files.",
    "Split it into smaller ones, or unpack it yourself and give the folder.",
)
BOMB = Sentence(
    "bomb",
    "The archive {archive} unpacks to more than {ratio:,.0f} times its size, as bombs do.",
    "If you trust it, unpack it yourself and give the folder.",
)
UNSAFE = Sentence(
    "unsafe",
    "The archive {archive} is not safe: {entry!r} is {what}.",
    "Make it again with plain files and folders only.",
)
LINK = Sentence("link", "a link")
DEVICE = Sentence("device", "a device")
NO_USABLE_NAME = Sentence("no_usable_name", "no usable name")
ABSOLUTE_PATH = Sentence("absolute_path", "an absolute path")
HARD_LINK_ASTRAY = Sentence(
    "hard_link_astray", "a hard link to {target!r}, which is not a file before it"
)
WAY_OUT = Sentence("way_out", "a path that leads out of the archive")
NAME_KEPT = Sentence("name_kept", "a name that this system keeps for itself")
TWO_SPELLINGS = Sentence("two_spellings", "in a folder that is {folder!r} too on this disk")
NAME_NOT_TAKEN = Sentence("name_not_taken", "a name this disk cannot hold ({error})")

SHARD_UNREADABLE = Sentence(
    "shard_unreadable",
    "The shard {shard} cannot be read: {error}.",
    "Put it back where it was, or have Import Images read the shards where they are now.",
)
SHARD_CHANGED = Sentence(
    "shard_changed",
    "The shard {shard} has changed: what lies at the place of {file} is not what its index says.",
    "Copy the shards and their index once more, or make them anew with `designer dataset shard`.",
)
SHARD_GONE = Sentence(
    "shard_gone",
    "The shard {shard} is not there.",
    "Copy the shards and their index once more.",
)
SHARD_CUT = Sentence(
    "shard_cut",
    "The shard {shard} has {size:,} bytes, its index says {expected:,}: it was cut off or changed.",
    "Copy the shards and their index once more.",
)
FETCHED_CUT = Sentence(
    "fetched_cut",
    "The shard {shard} came with {size:,} bytes, its index says {expected:,}: it was changed in "
    "the store, or cut off on its way.",
    "Run again; if it comes back, write the index anew with `designer dataset index`, and import "
    "the images once more.",
)
FETCHED_CHANGED = Sentence(
    "fetched_changed",
    "The shard {shard} is not what its index says: it was changed in the store.",
    "Put back the shard that was there, or write the index anew with `designer dataset index` and "
    "import the images once more.",
)
SHARD_GONE_THERE = Sentence(
    "shard_gone_there",
    "The shard {shard} is no longer in the store.",
    "Put it back, or write the index anew with `designer dataset index` and import the images "
    "once more.",
)
SHARD_CACHE_UNUSABLE = Sentence(
    "shard_cache_unusable",
    "Shards cannot be kept in {folder}: {error}.",
    "See to it that whoever runs the step may write there, on a disk of that machine.",
)
NO_OBJECT_ADDRESS = Sentence(
    "no_object_address",
    "That is no address in an object store.",
    "Write it as s3://BUCKET/FOLDER, abfs://CONTAINER/FOLDER or gs://BUCKET/FOLDER.",
)
OBJECT_ADDRESS_WITH_SECRET = Sentence(
    "object_address_with_secret",
    "The address holds more than a place in an object store.",
    "Leave names, passwords and options out of it: the environment and the files of the store's "
    "own tools say who you are.",
)
OBJECT_PACKAGE_MISSING = Sentence(
    "object_package_missing",
    "{place} needs the package {package}, which is not installed.",
    "Install the extra {extra}: pip install {package}.",
)
OBJECT_PLACE_AWAY = Sentence(
    "object_place_away",
    "{place} does not answer: {why}.",
    "Look at the network, the store and its endpoint, then run again: shards that are here stay.",
)
OBJECT_PLACE_REFUSES = Sentence(
    "object_place_refuses",
    "{place} lets nobody in with these rights: {why}.",
    "Give who runs the designer the rights to list and read there; `designer dataset shard` and "
    "`designer dataset index` write there too.",
)
NO_INDEX_THERE = Sentence(
    "no_index_there",
    "There is no {index} in {place}.",
    "Look at the address; where plain tar files lie there, write their index with "
    "`designer dataset index {place}`.",
)
NO_SHARDS_THERE = Sentence(
    "no_shards_there",
    "{place} holds no tar files.",
    "Make shards of a folder of images there with `designer dataset shard`.",
)
NO_BUCKET = Sentence(
    "no_bucket",
    "There is no bucket for {place}.",
    "Make it with the store's own tool, or mend the address.",
)
CHANGED_THERE = Sentence(
    "changed_there",
    "The shard {shard} does not hold what was put there.",
    "Check that nobody else writes there; then give the same command again.",
)
INDEX_DAMAGED = Sentence(
    "index_damaged",
    "The index {index} is damaged: {error}.",
    "Copy it once more, or write it anew with `designer dataset index`.",
)
SHARD_NAME = Sentence("shard_name", "{name!r} is no name of a shard beside it")
NOT_BESIDE = Sentence("not_beside", "its shards are not beside it")
NO_SUCH_SHARD = Sentence("no_such_shard", "it names a shard that it does not have")
OUTSIDE_SHARD = Sentence("outside_shard", "{file!r} lies outside its shard")
NO_PATH = Sentence("no_path", "{path!r} is no path of a file")
TWICE_IN_INDEX = Sentence("twice_in_index", "{file!r} is there twice")
TWICE_IN_SHARDS = Sentence(
    "twice_in_shards",
    "The shards in {folder} hold {file!r} twice.",
    "Give each file a name of its own.",
)
FOLDER_NOT_WRITABLE = Sentence(
    "folder_not_writable",
    "The folder {folder} cannot be written to: {error}.",
    "Give one that you may write to.",
)
COMPRESSED_SHARD = Sentence(
    "compressed_shard",
    "The shard {shard} is no plain tar: files in a compressed one cannot be read in place.",
    "Unpack it once with gunzip or the like, or import it as an archive.",
)
SPARSE = Sentence("sparse", "a sparse file")
NO_SHARDS = Sentence(
    "no_shards",
    "The folder {folder} holds no tar files.",
    "Make shards of a folder of images with `designer dataset shard`.",
)
OTHER_FILES_THERE = Sentence(
    "other_files_there",
    "The folder {folder} holds other files: {files}.",
    "Give a new or empty folder for the shards.",
)
SHARDS_WITHIN = Sentence(
    "shards_within",
    "The shards cannot go into {folder}: that lies in the folder they are made of.",
    "Give a folder outside of it.",
)
CHANGED_WHILE_READ = Sentence(
    "changed_while_read",
    "The shard {shard} does not hold what was written into it.",
    "Check its disk, and that nobody else writes there; then give the same command again.",
)
