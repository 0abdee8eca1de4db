"""The files of a page that lie beside it, in the folder of an exported course."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from markupsafe import Markup

from server.languages.table import ENGLISH, Language
from server.pages.assets.packing import DIGEST_LENGTH
from server.pages.assets.release import Release
from server.pages.assets.translated import translations
from server.pages.export.carried import script_of
from server.pages.export.page import WORKERS, packed_file, script
from server.pages.export.policy import shared_policy

_SCRIPTS = ("main.js", "learn.js")
_SHEETS = ("page.css", "learn.css")
_PLAIN = {"icon.svg": "icon.svg", "js/scheme.js": "scheme.js", "js/depth.js": "depth.js"}


class Shared:
    """What the pages of a course share. All of it lies in a folder that is named after it.

    The scripts are classic ones, and data are scripts, too: a browser loads neither modules nor
    data for a page that it opened from a disk.
    """

    def __init__(
        self, release: Release, data: Mapping[str, Mapping[str, bytes]], language: Language
    ) -> None:
        """
        Args:
            data: what a page can carry inside, by the name of the script that brings it.
            language: of the pages.

        Raises:
            NotPackedError: the page is not packed.
        """
        texts = {
            **{name: release.files[path].decode() for path, name in _PLAIN.items()},
            **{name: packed_file(release, name) for name in _SHEETS},
            **{name: _classic(script(release, name)) for name in _SCRIPTS},
            **{name: script_of(contents) for name, contents in data.items()},
        }
        if language != ENGLISH:
            for name in _SCRIPTS:
                said = translations(release, language, name, "whole")
                texts[_translated(name)] = said.source
        self.language = language
        self.policy = shared_policy(script(release, name) for name in WORKERS)
        hashed = hashlib.sha256()
        for name, text in texts.items():
            hashed.update(f"{name} {len(text)}\n{text}".encode())
        self.folder = f"files/{hashed.hexdigest()[:DIGEST_LENGTH]}"
        self.files = {f"{self.folder}/{name}": text.encode() for name, text in texts.items()}


def _translated(name: str) -> str:
    return f"translations-{name}"


def _classic(module: str) -> str:
    """A packed module as a script whose names stay its own."""
    return f'(() => {{\n"use strict";\n{module}\n}})();\n'


@dataclass(frozen=True)
class CourseRelease:
    """Stands in for the release in templates: its files lie beside the page."""

    shared: Shared
    root: str  # the way from the page to the top of the folder: "" or "../"
    data: Iterable[str]  # the scripts whose data this page carries
    about: tuple[str, ...]

    def address(self, path: str) -> str:
        return self._url(_PLAIN[path])

    def style(self, name: str) -> Markup:
        return Markup('<link rel="stylesheet" href="{}">').format(self._url(name))

    def classic(self, path: str) -> Markup:
        return Markup('<script src="{}"></script>').format(self.address(path))

    def module(self, name: str) -> Markup:
        element = Markup('<script defer src="{}"></script>')
        names = (*self.data, name)
        return Markup("\n    ").join(element.format(self._url(each)) for each in names)

    def translations(self, language: Language, name: str) -> Markup:
        """The element for what a script says in a language."""
        return Markup('<script src="{}"></script>').format(self._url(_translated(name)))

    @property
    def policy(self) -> str:
        return self.shared.policy

    def _url(self, name: str) -> str:
        return f"{self.root}{self.shared.folder}/{name}"
