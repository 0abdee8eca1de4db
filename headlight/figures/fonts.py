"""Fonts for every character of a figure: matplotlib's own, then installed ones that have the rest.

What no font has is written as its code, such as U+4f60, and a warning says what to install.
"""

import logging
import re
import unicodedata
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from typing import Any

import matplotlib as mpl
from matplotlib import font_manager, ft2font

from headlight.errors import RequestError
from headlight.figures import words
from headlight.figures.cells import FigureWarning
from headlight.figures.panel import Panel
from headlight.figures.reasons import blocked_by, drawn
from headlight.figures.style import Style

# What to install, with its package in Debian; what the names of East Asian characters begin with
_EAST_ASIAN = ("Noto Sans CJK", "fonts-noto-cjk")
_SYMBOLS = ("Symbola", "fonts-symbola")
_OTHERS = ("Noto Sans", "fonts-noto-core")
_NAMED = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO", "IDEOGRAPHIC", "FULLWIDTH")
# Of matplotlib: a box for every character; signs of TeX in the places of others
_NOT_FOR_TEXT = re.compile("Last Resort|cm[a-z]+10|STIX(NonUnicode|Size)")
LACKING = "Glyph .* missing"  # what matplotlib warns of
_SHOWN = 8  # characters in a warning
# Whether matplotlib joins Arabic letters and turns them: before 3.11 it draws one after the other.
JOINS = hasattr(ft2font, "__libraqm_version__")
ISOLATES = {0x2068, 0x2069}  # which it then draws as boxes
UNJOINED = (
    f"matplotlib {mpl.__version__} cannot join the letters of this language. Install 3.11 or "
    "newer, save the figure as .svg, which whoever shows it draws, or leave out the language."
)
# Fonts that are drawn for reading, before others that happen to have a character
_PREFERRED = ("noto sans", "noto", "source han", "pingfang", "hiragino", "yahei", "arial unicode")


@contextmanager
def readable(panels: Any, style: Style, *, by_viewer: bool = False) -> Iterator[tuple[Any, Style]]:
    """Draw with fonts that have all characters; panels and style have codes for the others.

    Args:
        panels: one, or lists of them.
        by_viewer: whoever shows the file chooses fonts, as of an SVG, so nothing is replaced.

    Raises:
        RequestError: no font has the letters of the figure's language, or nothing joins them.
    """
    own = "".join(text for panel in _flat(panels) for text in _words(panel, style))
    said = own + "".join(
        [each for each in (style.title, style.caption) if isinstance(each, str)]
        + [text for panel in _flat(panels) for text in _texts(panel)]
    )
    with _quiet():
        families, missing = _families(said)
    if not by_viewer:
        spoken = {panel.language for panel in _flat(panels)}
        if not JOINS and any(language.is_turned for language in spoken):
            raise RequestError(UNJOINED, field="language")
        if lost := missing.intersection(own):
            raise RequestError(_refusal(lost), field="language")
    with mpl.rc_context({"font.family": families}), warnings.catch_warnings(), _quiet():
        if by_viewer:
            warnings.filterwarnings("ignore", LACKING)
            missing = frozenset()
        if missing:
            warnings.warn(_advice(missing), FigureWarning, stacklevel=3)
        codes = str.maketrans({mark: f"U+{ord(mark):04x}" for mark in missing})
        if not (by_viewer or JOINS):
            codes |= dict.fromkeys(ISOLATES, "")
        yield _coded(panels, codes), _coded_style(style, codes)


@contextmanager
def _quiet() -> Iterator[None]:
    """Without what matplotlib logs of a title where a font has no bold letters."""
    log = logging.getLogger("matplotlib.font_manager")
    before = log.level
    log.setLevel(logging.ERROR)
    try:
        yield
    finally:
        log.setLevel(before)


def _flat(panels: Any) -> Iterator[Panel]:
    if isinstance(panels, Panel):
        yield panels
    else:
        for each in panels:
            yield from _flat(each)


def _texts(panel: Panel) -> Iterable[str]:
    return (*panel.queries, *panel.keys, *panel.caption)


def _words(panel: Panel, style: Style) -> Iterable[str]:
    """What it says in another language; English has no letter that a font could lack."""
    language = panel.language
    if language.code == "en":
        return ()
    return (
        words.title(panel) if style.title is True else "",
        *words.axis_titles(language, panel.kind),
        *words.side_names(language, panel.kind),
        *(blocked_by(reason, language) for reason, _ in drawn(panel.blocked)),
        panel.unit,
    )


def _coded(panels: Any, codes: dict[int, str]) -> Any:
    if not codes:
        return panels
    if not isinstance(panels, Panel):
        return [_coded(each, codes) for each in panels]
    queries, keys, caption = (
        tuple(text.translate(codes) for text in texts)
        for texts in (panels.queries, panels.keys, panels.caption)
    )
    spoken = panels.language.plain() if codes.keys() >= ISOLATES else panels.language
    return replace(panels, queries=queries, keys=keys, caption=caption, language=spoken)


def _coded_style(style: Style, codes: dict[int, str]) -> Style:
    title, caption = (
        each.translate(codes) if isinstance(each, str) else each
        for each in (style.title, style.caption)
    )
    return replace(style, title=title, caption=caption)


def _families(text: str) -> tuple[list[str], frozenset[str]]:
    """The families to draw a text with, in order, and the characters that none of them has."""
    families: list[str] = list(mpl.rcParams["font.family"])
    missing = {mark for mark in text if unicodedata.category(mark)[0] not in "CZ"}
    for family in families:
        missing -= _characters(family)
    for family in _installed() if missing else ():
        if found := missing & _characters(family):
            families.append(family)
            missing -= found
    return families, frozenset(missing)


def _installed() -> list[str]:
    """The families on this machine now, those that are made for reading first."""
    manager = font_manager.fontManager
    known = {entry.fname for entry in manager.ttflist}
    for path in font_manager.findSystemFonts():  # also those since matplotlib last looked
        if path not in known:
            try:
                manager.addfont(path)
            except (OSError, RuntimeError):  # not a font that it can draw
                continue

    def turn(family: str) -> tuple[int, str]:
        name = family.lower()
        places = (at for at, part in enumerate(_PREFERRED) if part in name)
        return next(places, len(_PREFERRED)), name

    names = {
        entry.name
        for entry in manager.ttflist
        if (entry.style, entry.weight) == ("normal", 400) and not _NOT_FOR_TEXT.match(entry.name)
    }
    return sorted(names, key=turn)


def _characters(family: str) -> frozenset[str]:
    """What a family has, in regular and, for titles, in bold."""
    regular, bold = (
        font_manager.findfont(font_manager.FontProperties(family=[family], weight=weight))
        for weight in ("normal", "bold")
    )
    return _outlines(str(regular)) & _outlines(str(bold))


@lru_cache(maxsize=512)
def _outlines(path: str) -> frozenset[str]:
    """The characters of a font that is not made of pictures."""
    try:
        font = font_manager.get_font(path)
    except (OSError, RuntimeError):
        return frozenset()
    if not font.scalable:
        return frozenset()
    return frozenset(chr(code) for code in font.get_charmap())


def _advice(missing: frozenset[str]) -> str:
    letters = _sorted(missing)
    return (
        f"No installed font has {_shown(letters)}, so the figure shows their codes, such as "
        f"U+{ord(letters[0]):04x}. Install {_fonts_for(letters)}, and draw it again."
    )


def _refusal(missing: frozenset[str]) -> str:
    letters = _sorted(missing)
    return (
        f"No installed font has {_shown(letters)} of the language. Install {_fonts_for(letters)}, "
        "save the figure as .svg, which is shown in the reader's fonts, or leave out the language."
    )


def _sorted(missing: frozenset[str]) -> list[str]:
    return sorted(missing, key=lambda mark: (unicodedata.combining(mark) > 0, mark))


def _shown(letters: list[str]) -> str:
    return " ".join(letters[:_SHOWN]) + (" …" if len(letters) > _SHOWN else "")


def _fonts_for(letters: list[str]) -> str:
    fonts = dict.fromkeys(_font_for(mark) for mark in sorted(letters))
    return " and ".join(f"{name} (Debian: {package})" for name, package in fonts)


def _font_for(mark: str) -> tuple[str, str]:
    if unicodedata.category(mark)[0] == "S":
        return _SYMBOLS
    return _EAST_ASIAN if unicodedata.name(mark, "").startswith(_NAMED) else _OTHERS
