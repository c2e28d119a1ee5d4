"""What is said of addresses, and of servers that do not give what is asked for."""

from __future__ import annotations

from modules.sentences.sentence import Sentence

_AN_ADDRESS = (
    "Write https://HOST/FILE, and behind it #sha256= with 64 hexadecimal digits if you know what "
    "its bytes hash to; no user name and no password."
)
NO_ADDRESS = Sentence("no_address", "{text!r} is not the address of a file.", _AN_ADDRESS)
NO_HASH = Sentence("no_hash", "{text!r} is not a hash of a file.", _AN_ADDRESS)
PASSWORD = Sentence(
    "password",
    "{text!r} comes with a password, which the pipeline would show to others.",
    _AN_ADDRESS,
)
NOT_ENCRYPTED = Sentence(
    "not_encrypted",
    "{url} is not encrypted: what comes may have been changed on its way.",
    "Write https:, or add #sha256= and what the file hashes to, or name the host in {variable}.",
)
LEAVES_ENCRYPTION = Sentence(
    "leaves_encryption",
    "{url} redirects to {target}, which is not encrypted.",
    "Give the address of a server that stays with https.",
)
PRIVATE_ADDRESS = Sentence(
    "private_address",
    "{host} is {ip}, an address of this machine or of a private network.",
    "Give the address of a public server, or name {host} in {variable} and start the server and "
    "its runner again.",
)

NOT_DOWNLOADED = Sentence(
    "not_downloaded",
    "{url} could not be downloaded: {why}.",
    "Check the address and this machine's network, then run again: it goes on where it stopped. "
    "Or put the file there yourself, as {name} in {folder}.",
)
TOO_MANY_REDIRECTS = Sentence("too_many_redirects", "it redirects more than {limit} times")
NO_IP = Sentence("no_ip", "it has no IP address")
OTHER_PROXY = Sentence("other_proxy", "the proxy {proxy} is not http://")
SERVER_ANSWERS = Sentence("server_answers", "the server answers {status} {said}")
ENDED_EARLY = Sentence("ended_early", "it ended {missing:,} bytes early")
CHANGED_ON_SERVER = Sentence("changed_on_server", "the file has changed on the server")
TOO_LONG = Sentence("too_long", "it took longer than {hours:g} hours")
TOO_SLOW = Sentence("too_slow", "it brought {num_bytes:,} bytes in a minute")

OTHER_FILE = Sentence(
    "other_file",
    "What {url} gave is not the file that was asked for: it hashes to {sha256}.",
    "If its publisher names this hash, write it behind #sha256=; else the file was changed: do "
    "not use it. Nothing of it was kept.",
)
NO_ROOM = Sentence(
    "no_room",
    "{url} has {missing} more, and the disk of {folder} has {free} free.",
    "Free some space there, then run again.",
)
TOO_BIG = Sentence(
    "too_big",
    "{url} has more than {limit:,} bytes.",
    "Set a larger {variable} and start the server and its runner again.",
)
