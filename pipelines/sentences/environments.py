"""What is said of environments: their requirements, their locks, and building them."""

from __future__ import annotations

from modules.sentences.sentence import Sentence

# lists of requirements

LINES_REFUSED = Sentence(
    "lines_refused",
    "{reasons: }",
    "Write a name and its versions on each line, as in `lightning>=2.6`.",
)
LINE_IS_OPTION = Sentence(
    "line_is_option",
    "Line {line} ({text!r}) is an option of an installer: a list cannot set any.",
    "Where packages come from is set on this machine, for pip or uv.",
)
LINE_IS_ADDRESS = Sentence(
    "line_is_address",
    "Line {line} ({text!r}) is an address: packages come by name, from the index, alone.",
    "Write the package's name.",
)
LINE_IS_PATH = Sentence(
    "line_is_path",
    "Line {line} ({text!r}) is a path: its code would run before it is wanted.",
    "Put your own code into the source folder of the node.",
)
LINE_UNREADABLE = Sentence(
    "line_unreadable",
    "Line {line} ({text!r}) is no name with versions.",
    "Write it as in `lightning>=2.6`.",
)
TOO_MANY_REQUIREMENTS = Sentence(
    "too_many_requirements",
    "Line {line} ({text!r}) is one more than the {most} requirements that a list may have.",
    "Leave out what others bring along.",
)

# resolving and building

NO_UV = Sentence(
    "no_uv",
    "Packages cannot be installed: uv is not there.",
    'Install it with pip install "pipeline-designer[environments]", or by its own installer.',
)
UV_FAILED = Sentence(
    "uv_failed", "The packages cannot be installed: {reported}.", "Change the list, then again."
)
PACKAGE_UNKNOWN = Sentence(
    "package_unknown", "There is no such package: {reported}.", "Correct its name."
)
NO_WHEEL_FOR_PYTHON = Sentence(
    "no_wheel_for_python",
    "A package was not made for this Python: {reported}.",
    "Choose a Python that is named there, with the base Isolated, or another version of it.",
)
ONLY_SOURCE = Sentence(
    "only_source",
    "A package would have to be built, which runs its code: {reported}.",
    "Ask for another version of it, or allow building from source where you trust it.",
)
BUILD_FAILED = Sentence(
    "build_failed",
    "A package could not be built from its source: {reported}.",
    "Ask for a version that has wheels.",
)
NO_SOLUTION = Sentence(
    "no_solution",
    "The packages do not fit together: {reported}.",
    "Loosen a version; where it is torch's, choose the base Isolated.",
)
HASH_MISMATCH = Sentence(
    "hash_mismatch",
    "A package is not the one that was locked: {reported}.",
    "Ask whoever runs the index; do not install it.",
)
UNREACHABLE = Sentence(
    "packages_unreachable",
    "Packages are neither in the cache nor to be had: {reported}.",
    "Try again with a network; what was built or downloaded once is had without one.",
)
NO_SUCH_PYTHON = Sentence(
    "no_such_python",
    "There is no Python {python} on this machine.",
    "Install it, or choose of those that are here: {installed}.",
)
PYTHON_IS_DESIGNERS = Sentence(
    "python_is_designers",
    "On the designer's torch runs the designer's own Python {own} alone, not {python}.",
    "Choose the base Isolated, or leave the Python open.",
)
BASE_CHANGED = Sentence(
    "base_changed",
    "Environment {environment} was locked for other versions of the designer's own packages "
    "than there are: {packages}.",
    "Resolve it again: its next version fits.",
)
NO_DAY = Sentence("no_day", "{text!r} is no day.", "Write it as in 2021-04-22.")
DAY_TO_COME = Sentence("day_to_come", "{text} is yet to come.", "Choose an earlier day.")
NO_VENV = Sentence(
    "no_venv",
    "{python} makes no virtual environments: {reported}.",
    "Install its venv package (Debian: apt install python3-venv).",
)

# images as the base

NO_REFERENCE = Sentence(
    "no_image_reference",
    "{text!r} is no reference of an image.",
    "Write it as podman or docker lists it, as in registry.example.org/name:tag.",
)
NO_CONTAINERS = Sentence(
    "no_containers",
    "The image {image!r} cannot be had here: {found}.",
    "Install podman (apt install podman), or start docker's service; or build on packages.",
)
NO_SUCH_IMAGE = Sentence(
    "no_such_image",
    "There is no image {image!r} on this machine.",
    "Fetch or build it first ({program} pull, build or load).",
)
IMAGE_GONE = Sentence(
    "environment_image_gone",
    "The image that {environment} was locked for ({id}) is not on this machine any more.",
    "Load that one again, or keep {image!r} as it now is as the next version.",
)
IMAGE_MOVED = Sentence(
    "image_moved",
    "{image!r} is another image by now: {environment} stays with the one that it was locked for.",
    "To run with the new one, build {image!r} as the next version of the environment.",
)
IMAGE_NOT_EXPORTED = Sentence(
    "image_not_exported",
    "The files of image {image!r} cannot be taken out of it: {reported}.",
    "Look whether podman or docker can export it, then again.",
)
IMAGE_REFUSED = Sentence(
    "image_refused",
    "The image {image!r} is not taken: its entry {entry!r} {what}.",
    "Build it anew: no tool of images makes such an entry.",
)
NO_USUAL_PATH = Sentence("image_entry_no_path", "leads out of it")
ENTRY_TWICE = Sentence("image_entry_twice", "is in the place of another one")
NO_LINK_TARGET = Sentence("image_entry_no_target", "is another name of a file that is not there")
NO_PYTHON_IN_IMAGE = Sentence(
    "no_python_in_image",
    "No Python 3 answers in the image {image!r}: {reported}.",
    "Use an image for this machine's processor, with python3 on its PATH.",
)
IMAGE_AND_PACKAGES = Sentence(
    "image_and_packages",
    "An image brings its own Python and packages: {what} cannot be asked for beside it.",
    "Put it into the image, or choose another base.",
)
PACKAGES_WORD = Sentence("packages_beside_image", "packages")
PYTHON_WORD = Sentence("python_beside_image", "a Python")
NO_IMAGE_NAMED = Sentence(
    "no_image_named", "The base Image needs an image.", "Name it, as in name:tag."
)
IMAGE_WITHOUT_BASE = Sentence(
    "image_without_base",
    "The image {image!r} is for the base Image; the base is {base}.",
    "Choose the base Image, or name no image.",
)
NO_LIST_OF_IMAGE = Sentence(
    "no_list_of_image",
    "{environment} is an image: it is no list of packages.",
    "Ask for the format lock, which names it.",
)
TAKING_IMAGE = Sentence(
    "taking_image", "Taking the files of image {image} ({id}) for {environment}."
)

BUILT_ELSEWHERE = Sentence(
    "built_elsewhere", "Another process builds {environment}: waiting for it."
)
BUILT_BY_RUN = Sentence("built_by_run", "The run {run} builds {environment}: waiting for it.")
BUILDING = Sentence(
    "building",
    "Building {environment}: Python {python}, {count} {count:package|packages} of its own.",
)

# files that say what is needed

FILE_TOO_LONG = Sentence(
    "requirements_too_long",
    "{file} has more than {most:,} bytes: it is no list of requirements.",
    "Choose a requirements.txt, a pyproject.toml, a script or a conda file.",
)
FILE_UNREADABLE = Sentence(
    "requirements_unreadable", "{file} cannot be read: {reported}.", "Correct it there."
)
NO_LIST = Sentence("no_list_of_packages", "it has no list of packages")
MORE_LINES = Sentence(
    "more_lines_refused",
    "{count:,} more {count:line is|lines are} not listed.",
    "Fix the listed lines first.",
)
NOT_TEXTS = Sentence("no_list_of_texts", "{part} must be a list of texts")
FILE_TOO_DEEP = Sentence("requirements_too_deep", "it is nested too deeply")
NO_ALIASES = Sentence(
    "requirements_no_aliases", "aliases (*name) and tags (!name) are not supported"
)
KEY_TWICE = Sentence(
    "requirements_key_twice", "a key is used twice in one mapping, or is not a text"
)
PYTHON_NOT_TEXT = Sentence(
    "requirements_python", "requires-python must be a text of at most {most} characters"
)
NO_HEADER = Sentence(
    "no_script_header",
    "{file} does not say what it needs: it has no header `# /// script`.",
    "List its packages yourself, or write the header as PEP 723 has it.",
)
NO_GROUP = Sentence(
    "no_dependency_group", "The project has no group {group!r}.", "Choose of: {groups}."
)
CHANNELS_LEFT_OUT = Sentence(
    "channels_left_out", "Channels ({what}) are not used: packages come from the index of wheels."
)
OPTION_LEFT_OUT = Sentence("option_left_out", "{what} is an option of pip: left out.")
ANSWERED_LEFT_OUT = Sentence(
    "answered_left_out", "{what} is left out: what scripts import of it, the designer answers."
)
BROUGHT_LEFT_OUT = Sentence(
    "brought_left_out", "{what} is left out: wheels bring along what they need of it."
)
SYSTEM_LEFT_OUT = Sentence(
    "system_left_out", "{what} is no Python package: left out; install it with the system."
)
PATCH_LEFT_OUT = Sentence("patch_left_out", "Python {what} is taken as any patch of that version.")
NO_FORM = Sentence("no_export_form", "There is no format {form!r}.", "Choose of: {forms}.")
NO_BASE = Sentence("no_environment_base", "There is no base {base!r}.", "Choose of: {bases}.")
