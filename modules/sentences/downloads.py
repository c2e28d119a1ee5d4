"""Messages about web addresses and failed downloads."""

from __future__ import annotations

from modules.sentences.sentence import Sentence, name_sentences

_AN_ADDRESS = (
    "Use https://HOST/FILE without user name or password. To verify the file, append #sha256= and "
    "its 64 hexadecimal digits."
)
NO_ADDRESS = Sentence("Invalid file address {text!r}.", _AN_ADDRESS)
NO_HASH = Sentence("Invalid file hash {text!r}.", _AN_ADDRESS)
PASSWORD = Sentence(
    "{text!r} contains a password, which would be visible in the pipeline.", _AN_ADDRESS
)
NOT_ENCRYPTED = Sentence(
    "{url} is not encrypted: the file could be changed during the download.",
    "Use https, add #sha256= with the hash of the file, or add the host to {variable}.",
)
LEAVES_ENCRYPTION = Sentence(
    "{url} redirects to {target}, which is not encrypted.",
    "Use the address of a server that does not redirect away from https.",
)
PRIVATE_ADDRESS = Sentence(
    "{host} is {ip}, an address of this machine or of a private network.",
    "Use a public server. Or add {host} to {variable} and restart the server and its runner.",
)

NOT_DOWNLOADED = Sentence(
    "{url} could not be downloaded: {why}.",
    "Check the address and the network, then run again to resume. Or copy the file to {folder} as "
    "{name}.",
)
TOO_MANY_REDIRECTS = Sentence("it redirects more than {limit} times")
NO_IP = Sentence("it has no IP address")
OTHER_PROXY = Sentence("unsupported proxy {proxy}: it must start with http://")
SERVER_ANSWERS = Sentence("the server responded with {status} {said}")
ENDED_EARLY = Sentence("the connection ended with {missing:,} bytes missing")
CHANGED_ON_SERVER = Sentence("the file has changed on the server")
TOO_LONG = Sentence("it took longer than {hours:g} hours")
TOO_SLOW = Sentence("it transferred only {num_bytes:,} bytes in a minute")

OTHER_FILE = Sentence(
    "The file from {url} does not match the expected hash. Its SHA-256 is {sha256}.",
    "If the publisher lists this hash, write it after #sha256=. Otherwise do not use the file. It "
    "was deleted.",
)
NO_ROOM = Sentence(
    "{url} needs {missing} more, but the disk of {folder} has only {free} free.",
    "Free disk space there, then run again.",
)
TOO_BIG = Sentence(
    "{url} is larger than the limit of {limit:,} bytes.",
    "Set a larger {variable} and restart the server and its runner.",
)

name_sentences(globals())
