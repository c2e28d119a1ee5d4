"""Messages about environments: requirements, locks, builds and images."""

from __future__ import annotations

from modules.sentences.sentence import Sentence, name_sentences

# lists of requirements

LINES_REFUSED = Sentence(
    "{reasons: }", "Write one package with its versions on each line, for example `lightning>=2.6`."
)
LINE_IS_OPTION = Sentence(
    "Line {line} ({text!r}) is an installer option, which lists of requirements cannot contain.",
    "Remove it. Package indexes are configured in pip or uv on this machine.",
)
LINE_IS_ADDRESS = Sentence(
    "Line {line} ({text!r}) is a URL, but packages are installed only by name from the index.",
    "Replace it with the package's name.",
)
LINE_IS_PATH = Sentence(
    "Line {line} ({text!r}) is a path, and its code would run during installation.",
    "Move your own code to the node's source folder.",
)
LINE_UNREADABLE = Sentence(
    "Line {line} ({text!r}) is not a package name with versions.",
    "Use a form such as `lightning>=2.6`.",
)
TOO_MANY_REQUIREMENTS = Sentence(
    "Line {line} ({text!r}) exceeds the limit of {most} requirements.",
    "Remove packages that other packages install anyway.",
)

# resolving and building

NO_UV = Sentence(
    "Packages cannot be installed, because uv was not found.",
    'Install it with `pip install "pipeline-designer[environments]"` or its own installer.',
)
UV_FAILED = Sentence(
    "The packages cannot be installed: {reported}.", "Change the list of packages and try again."
)
PACKAGE_UNKNOWN = Sentence("Package not found: {reported}.", "Correct its name.")
NO_WHEEL_FOR_PYTHON = Sentence(
    "A package does not support this Python version: {reported}.",
    "Choose another version of the package, or the base Isolated and a supported Python version.",
)
ONLY_SOURCE = Sentence(
    "A package has no wheel, and a build would run its code: {reported}.",
    "Choose another version, or allow builds from source if you trust the package.",
)
BUILD_FAILED = Sentence(
    "A package could not be built from source: {reported}.", "Choose a version that has wheels."
)
NO_SOLUTION = Sentence(
    "The package versions conflict: {reported}.",
    "Relax a version. If torch causes the conflict, choose the base Isolated.",
)
HASH_MISMATCH = Sentence(
    "A package differs from the locked one: {reported}.",
    "Do not install it. Ask the operator of the package index.",
)
UNREACHABLE = Sentence(
    "Packages are neither cached nor available online: {reported}.",
    "Try again when the network is available. Cached packages and built environments work offline.",
    key="packages_unreachable",
)
NO_SUCH_PYTHON = Sentence(
    "Python {python} was not found on this machine.",
    "Install it, or choose one of the installed versions: {installed}.",
)
PYTHON_IS_DESIGNERS = Sentence(
    "The designer's torch needs the designer's own Python {own}, but the environment asks "
    "for {python}.",
    "Choose the base Isolated, or remove the Python version.",
)
BASE_CHANGED = Sentence(
    "Environment {environment} was locked with other versions of the designer's own "
    "packages: {packages}.",
    "Resolve it again to create a matching version.",
)
NO_DAY = Sentence("Invalid date {text!r}.", "Use the form 2021-04-22.")
DAY_TO_COME = Sentence("The date {text} is in the future.", "Choose an earlier date.")
NO_VENV = Sentence(
    "{python} cannot create virtual environments: {reported}.",
    "Install its venv package (Debian: `apt install python3-venv`).",
)

# images as the base

NO_REFERENCE = Sentence(
    "Invalid image reference {text!r}.",
    "Use the name that podman or docker lists, for example registry.example.org/name:tag.",
    key="no_image_reference",
)
NO_CONTAINERS = Sentence(
    "The image {image!r} is not available on this machine: {found}.",
    "Install podman (`apt install podman`) or start the docker service, or use packages instead.",
)
NO_SUCH_IMAGE = Sentence(
    "Image {image!r} not found on this machine.", "Pull, build or load it with {program}."
)
IMAGE_GONE = Sentence(
    "The locked image of {environment} ({id}) is no longer on this machine.",
    "Load this image again, or create a new version of the environment with the current {image!r}.",
    key="environment_image_gone",
)
IMAGE_MOVED = Sentence(
    "{image!r} now refers to another image, but {environment} still uses the locked one.",
    "To use the new image, build {image!r} as the next version of the environment.",
)
IMAGE_NOT_EXPORTED = Sentence(
    "The files of image {image!r} cannot be exported: {reported}.",
    "Check that podman or docker can export it, then try again.",
)
IMAGE_REFUSED = Sentence(
    "Invalid image {image!r}: its entry {entry!r} {what}.", "Rebuild it with podman or docker."
)
NO_USUAL_PATH = Sentence("points outside the image", key="image_entry_no_path")
ENTRY_TWICE = Sentence("replaces another entry", key="image_entry_twice")
NO_LINK_TARGET = Sentence("refers to a missing file", key="image_entry_no_target")
NO_PYTHON_IN_IMAGE = Sentence(
    "No working Python 3 was found in the image {image!r}: {reported}.",
    "Use an image for this machine's processor, with python3 on its PATH.",
)
IMAGE_AND_PACKAGES = Sentence(
    "The base Image cannot be combined with {what}, because an image has its own Python and "
    "packages.",
    "Add them to the image or choose another base.",
)
PACKAGES_WORD = Sentence("packages", key="packages_beside_image")
PYTHON_WORD = Sentence("a Python version", key="python_beside_image")
NO_IMAGE_NAMED = Sentence(
    "The base Image requires an image.", "Enter its name, for example name:tag."
)
IMAGE_WITHOUT_BASE = Sentence(
    "The image {image!r} requires the base Image, but the base is {base}.",
    "Choose the base Image or remove the image.",
)
NO_LIST_OF_IMAGE = Sentence(
    "{environment} is an image and cannot be exported as a list of packages.",
    "Choose the format lock.",
)
TAKING_IMAGE = Sentence("Extracting the files of image {image} ({id}) for {environment}.")

BUILT_ELSEWHERE = Sentence("Waiting for another process to build {environment}.")
BUILT_BY_RUN = Sentence("Waiting for run {run} to build {environment}.")
BUILDING = Sentence(
    "Building {environment} with Python {python} and {count} additional {count:package|packages}."
)

# files that list requirements

FILE_TOO_LONG = Sentence(
    "{file} has more than {most:,} bytes, too many for a list of requirements.",
    "Choose a requirements.txt, a pyproject.toml, a script or a conda file.",
    key="requirements_too_long",
)
FILE_UNREADABLE = Sentence(
    "Cannot read {file}: {reported}.", "Correct the file.", key="requirements_unreadable"
)
NO_LIST = Sentence("it does not contain a list of packages", key="no_list_of_packages")
MORE_LINES = Sentence(
    "{count:,} more {count:line is|lines are} not listed.",
    "Fix the listed lines first.",
    key="more_lines_refused",
)
NOT_TEXTS = Sentence("{part} must be a list of texts", key="no_list_of_texts")
FILE_TOO_DEEP = Sentence("it is nested too deeply", key="requirements_too_deep")
NO_ALIASES = Sentence(
    "aliases (*name) and tags (!name) are not supported", key="requirements_no_aliases"
)
KEY_TWICE = Sentence(
    "a key is used twice in one mapping, or is not a text", key="requirements_key_twice"
)
PYTHON_NOT_TEXT = Sentence(
    "requires-python must be a text of at most {most} characters", key="requirements_python"
)
NO_HEADER = Sentence(
    "{file} does not list its requirements: the header `# /// script` is missing.",
    "List its packages yourself, or add the header (PEP 723).",
    key="no_script_header",
)
NO_GROUP = Sentence(
    "Dependency group {group!r} not found in the project.",
    "Choose one of {groups}.",
    key="no_dependency_group",
)
CHANNELS_LEFT_OUT = Sentence(
    "Channels ({what}) are ignored, because packages come from the index of wheels."
)
OPTION_LEFT_OUT = Sentence("{what} is ignored, because it is a pip option.")
ANSWERED_LEFT_OUT = Sentence(
    "{what} is ignored, because the designer replaces its imports in scripts."
)
BROUGHT_LEFT_OUT = Sentence("{what} is ignored, because wheels include it.")
SYSTEM_LEFT_OUT = Sentence(
    "{what} is ignored, because it is not a Python package. Install it with the system's "
    "package manager."
)
PATCH_LEFT_OUT = Sentence("For Python {what}, any patch release of this version is accepted.")
NO_FORM = Sentence("Unknown format {form!r}.", "Choose one of {forms}.", key="no_export_form")
NO_BASE = Sentence("Unknown base {base!r}.", "Choose one of {bases}.", key="no_environment_base")

name_sentences(globals())
