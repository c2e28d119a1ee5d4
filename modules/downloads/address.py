"""Addresses of files on the web in the form ``https://host/file.zip#sha256=HEX``."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from urllib.parse import quote, unquote, urljoin, urlsplit

from modules.errors import NotInRangeValueError
from modules.files.names import folder_name
from modules.sentences import downloads as say
from modules.sentences.sentence import Sentence

PORTS = {"https": 443, "http": 80}
_NAME_BYTES = 150


@dataclass(frozen=True)
class Address:
    """One address, without its fragment."""

    scheme: str
    host: str
    port: int
    target: str
    """Path and query of the request."""
    sha256: str | None = None
    """Expected hash of the file in hex."""

    @property
    def authority(self) -> str:
        """Return the host and, if it is not the default, the port."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def url(self) -> str:
        return f"{self.scheme}://{self.authority}{self.target}"

    @property
    def file_name(self) -> str:
        """Return the last part of the path, as a name that is valid on any disk."""
        name = folder_name(unquote(self.target.partition("?")[0].rpartition("/")[2]))
        name = re.sub(r"[^\w.\-+ ]", "_", name)
        return "archive" if name == "_" else name.encode()[:_NAME_BYTES].decode(errors="ignore")

    @property
    def folder_name(self) -> str:
        """Return a separate folder name for each address and expected hash."""
        digest = hashlib.sha256(f"{self.url}#{self.sha256 or ''}".encode()).hexdigest()[:16]
        return f"{re.sub(r'[^a-z0-9.-]', '_', self.host)[:80]}-{digest}"

    def joined(self, location: str) -> Address:
        """Return the target of a redirect; the expected hash stays the same."""
        to = parse_address(urljoin(self.url, location.partition("#")[0]))
        return Address(to.scheme, to.host, to.port, to.target, self.sha256)


def parse_address(text: str) -> Address:
    """Parse an address; raise ``NotInRangeValueError`` if it is invalid or not supported."""
    if any(ord(character) < 32 for character in text):  # urlsplit would drop them
        raise _refused(say.NO_ADDRESS, text)
    try:
        parts = urlsplit(text)
        host = (parts.hostname or "").rstrip(".")
        host = host if ":" in host else host.encode("idna").decode()
        port = parts.port or PORTS.get(parts.scheme, 0)
    except ValueError:  # an invalid port, an unclosed bracket, an invalid name
        raise _refused(say.NO_ADDRESS, text) from None
    if parts.scheme not in PORTS or not re.fullmatch(r"[A-Za-z0-9._:-]+", host):
        raise _refused(say.NO_ADDRESS, text)
    if "@" in parts.netloc:
        raise _refused(say.PASSWORD, parts.hostname or "")
    path = quote(parts.path or "/", safe="/%:@!$&'()*+,;=~-._")
    query = quote(parts.query, safe="/%:@!$&'()*+,;=~-._?")
    target = f"{path}?{query}" if query else path
    return Address(parts.scheme, host.lower(), port, target, _expected(parts.fragment))


def _expected(fragment: str) -> str | None:
    if not fragment:
        return None
    match = re.fullmatch(r"sha256=([0-9a-fA-F]{64})", fragment)
    if match is None:
        raise _refused(say.NO_HASH, f"#{fragment}")
    return match[1].lower()


def _refused(sentence: Sentence, text: str) -> NotInRangeValueError:
    return NotInRangeValueError(sentence, text=text[:200], parameter="source")
