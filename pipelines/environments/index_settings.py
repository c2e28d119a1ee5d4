"""Package sources as configured by this machine's user for pip or uv, and no others.

Neither a list of requirements nor a lock names an index. Settings of pip, from variables or
configuration files, are passed to uv by its variables, which no process list shows.
"""

from __future__ import annotations

import configparser
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from modules.files.names import word_list

PASSED_ON = word_list(
    "ALL_PROXY APPDATA HOME HTTPS_PROXY HTTP_PROXY LANG LOCALAPPDATA NETRC NO_PROXY PATH "
    "SSL_CERT_DIR SSL_CERT_FILE SYSTEMROOT TEMP TMPDIR USERPROFILE "
    "UV_CONCURRENT_DOWNLOADS UV_DEFAULT_INDEX UV_EXTRA_INDEX_URL UV_FIND_LINKS "
    "UV_HTTP_TIMEOUT UV_INDEX UV_INDEX_STRATEGY UV_INDEX_URL UV_INSECURE_HOST "
    "UV_KEYRING_PROVIDER UV_LINK_MODE UV_NATIVE_TLS UV_SYSTEM_CERTS"
)
"""Variables passed to uv: none that changes what is resolved."""
CREDENTIALS = ("UV_INDEX_", ("_USERNAME", "_PASSWORD"))
OF_PIP = {
    "index-url": "UV_DEFAULT_INDEX",
    "extra-index-url": "UV_INDEX",
    "find-links": "UV_FIND_LINKS",
    "trusted-host": "UV_INSECURE_HOST",
    "cert": "SSL_CERT_FILE",
}
"""Settings of pip and the equivalent variables of uv."""
SEPARATORS = {"UV_FIND_LINKS": ","}


def uv_variables(around: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return uv's environment: the user's settings of uv, otherwise those of pip."""
    around = os.environ if around is None else around
    variables = {name: value for name, value in around.items() if _is_passed_on(name)}
    settings = _settings_of_pip(around)
    index_variables = variables.keys() & {
        "UV_DEFAULT_INDEX",
        "UV_INDEX_URL",
        "UV_INDEX",
        "UV_FIND_LINKS",
    }
    if not index_variables:
        for setting, name in OF_PIP.items():
            if setting in settings and name not in variables:
                variables[name] = SEPARATORS.get(name, " ").join(settings[setting].split())
        if (
            len(settings.get("extra-index-url", "").split())
            and "UV_INDEX_STRATEGY" not in variables
        ):
            variables["UV_INDEX_STRATEGY"] = "unsafe-best-match"  # like pip
    return variables


def is_without_index(around: Mapping[str, str] | None = None) -> bool:
    """Return True if packages come only from the user's own folders."""
    around = os.environ if around is None else around
    value = around.get("UV_NO_INDEX", _settings_of_pip(around).get("no-index", ""))
    return value.lower() in ("1", "true", "yes", "on")


def _is_passed_on(name: str) -> bool:
    prefix, endings = CREDENTIALS
    is_credential = name.startswith(prefix) and name.endswith(endings)
    return name.upper() in PASSED_ON or is_credential


def _settings_of_pip(around: Mapping[str, str]) -> dict[str, str]:
    """Return the settings of pip: its files in order of precedence, then its variables."""
    settings: dict[str, str] = {}
    for path in _files_of_pip(around):
        parser = configparser.RawConfigParser()
        try:
            parser.read(path, encoding="utf-8")
        except (configparser.Error, UnicodeDecodeError):
            continue
        if parser.has_section("global"):
            settings |= {name.replace("_", "-"): value for name, value in parser.items("global")}
    names = (*OF_PIP, "no-index")
    variables = {name: around.get(f"PIP_{name.upper().replace('-', '_')}", "") for name in names}
    return settings | {name: value for name, value in variables.items() if value}


def _files_of_pip(around: Mapping[str, str]) -> Iterator[Path]:
    only = around.get("PIP_CONFIG_FILE")
    if only is not None:
        yield from [] if only == os.devnull else [Path(only)]
        return
    home = Path(around.get("HOME") or Path.home())
    name = "pip.ini" if sys.platform == "win32" else "pip.conf"
    if sys.platform == "win32":
        yield Path(around.get("APPDATA", home)) / "pip" / name
    else:
        yield from (Path("/etc/xdg/pip") / name, Path("/etc") / name)
        yield Path(around.get("XDG_CONFIG_HOME") or home / ".config") / "pip" / name
    yield home / ("pip" if sys.platform == "win32" else ".pip") / name
    yield Path(sys.prefix) / name
