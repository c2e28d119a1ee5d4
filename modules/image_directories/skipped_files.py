"""Images and folders that a conversion skips, by kind: nothing is skipped silently."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import PurePath

from modules.files.archive_kinds import archive_stem
from modules.files.names import printable
from modules.files.scanning import FOLDER_LINK, NOWHERE, OUTSIDE
from modules.image_loading.image_formats import EXTENSIONS, OtherFormat, other_format_of_name
from modules.sentences import skipped_files as say
from modules.sentences.sentence import Sentence, Statement

_MAX_EXAMPLES = 3


@dataclass(frozen=True)
class _LinkKind:
    """Links of one kind: their message, and their entry in a summary."""

    warning: Sentence
    count: Sentence


_LINKED_FOLDERS = _LinkKind(say.FOLDERS_LINKED_OUTSIDE, say.LINKED_FOLDERS)
_FOLDERS_INSIDE = _LinkKind(say.FOLDERS_LINKED_INSIDE, say.LINKED_FOLDERS)
_LINKED_FILES = _LinkKind(say.FILES_LINKED_OUTSIDE, say.LINKED_FILES)
_BROKEN_LINKS = _LinkKind(say.LINKS_BROKEN, say.BROKEN_LINKS)


@dataclass
class SkippedFiles:
    """Paths by kind, of everything that may be an image or a whole class."""

    formats: dict[OtherFormat, list[str]] = field(default_factory=dict)
    links: dict[_LinkKind, list[str]] = field(default_factory=dict)
    archives: list[str] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)
    """Images that cannot be decoded."""

    def add_format(self, path: str, format: OtherFormat) -> None:
        """Add an image in an unsupported format."""
        self.formats.setdefault(format, []).append(path)

    def add_links(
        self, passed_over: Iterable[tuple[str, str]], folder_links: Collection[str]
    ) -> None:
        """Add the links among the skipped paths."""
        for path, reason in passed_over:
            kind = _kind_of_link(reason, is_folder=path in folder_links)
            if kind is not None:
                self.links.setdefault(kind, []).append(printable(path))

    def add_archives(self, paths: Iterable[str], images: Iterable[str]) -> None:
        """Add the archives among the paths, unless images are in a folder of the same name."""
        archives = [(path, stem) for path in paths if (stem := archive_stem(path)) is not None]
        if archives:
            folders = {part for path in images for part in PurePath(path).parts[:-1]}
            self.archives += [path for path, stem in archives if stem not in folders]

    @property
    def warnings(self) -> Iterator[Statement]:
        """Return a statement for each kind, with its fix."""
        yield from self.not_taken
        if self.unreadable:
            yield _about_links(say.IMAGES_UNREADABLE, self.unreadable)

    @property
    def not_taken(self) -> Iterator[Statement]:
        """Return the same without damaged images."""
        for format, paths in self.formats.items():
            yield _about_format(say.FORMAT_SKIPPED, format, paths)
        for kind, paths in self.links.items():
            yield _about_links(kind.warning, paths)
        if self.archives:
            yield _about_links(say.ARCHIVES_INSIDE, self.archives)

    @property
    def errors(self) -> Iterator[Statement]:
        """Return an error statement for each kind that has images."""
        for format, paths in self.formats.items():
            yield _about_format(say.FORMAT_UNREADABLE, format, paths)
        for kind, paths in self.links.items():
            images = [path for path in paths if kind.count is say.LINKED_FOLDERS or _is_image(path)]
            if images:
                yield _about_links(kind.warning, images)

    @property
    def counts(self) -> list[Statement]:
        """Return the count of each kind, for the summary of the node."""
        return [
            *(
                say.OF_FORMAT.about({"files": len(paths), "format": format.name})
                for format, paths in self.formats.items()
            ),
            *(kind.count.about({"files": len(paths)}) for kind, paths in self.links.items()),
            *([say.ARCHIVES.about({"files": len(self.archives)})] if self.archives else []),
        ]


def _kind_of_link(reason: str, *, is_folder: bool) -> _LinkKind | None:
    if reason == OUTSIDE:
        return _LINKED_FOLDERS if is_folder else _LINKED_FILES
    return {FOLDER_LINK: _FOLDERS_INSIDE, NOWHERE: _BROKEN_LINKS}.get(reason)


def _is_image(path: str) -> bool:
    return PurePath(path).suffix.lower() in EXTENSIONS or other_format_of_name(path) is not None


def _about_format(sentence: Sentence, format: OtherFormat, paths: list[str]) -> Statement:
    facts = {"format": format.name, "fix": format.fix.about({})}
    return sentence.about({**facts, "files": len(paths), "names": paths[:_MAX_EXAMPLES]})


def _about_links(sentence: Sentence, paths: list[str]) -> Statement:
    return sentence.about({"files": len(paths), "names": paths[:_MAX_EXAMPLES]})
