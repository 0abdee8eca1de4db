"""What a page's scripts say: what they need first, what their parts need later, and their keys."""

import json
from typing import Any

import pytest

from server.languages.catalogue import read
from server.languages.table import BY_CODE, ENGLISH, LANGUAGES, Language
from server.pages.assets.packing import IN_PARTS, SCRIPTS
from server.pages.assets.pages import templates
from server.pages.assets.release import current
from server.pages.assets.translated import Share, key_of, translations
from server.pages.examples import gallery
from server.settings import Settings

FIRST_VIEW = 25 * 1024  # bytes, compressed
OTHERS = [each for each in LANGUAGES if each != ENGLISH]


def said(language: Language, script: str, share: Share) -> dict[str, Any]:
    source = translations(current(), language, script, share).source
    words: dict[str, Any] = json.loads(source[source.index("), {") + 3 : source.index(");\n")])
    return words


def test_a_key_is_that_of_the_page() -> None:
    """tests/js/gettext.test.mjs has the same; the first three are published test vectors."""
    keys = {english: key_of(english) for english in ("", "a", "foobar", "½ · α, β …")}
    assert list(keys.values()) == ["811c9dc5", "e40c292c", "bf9cf968", "f3947ffe"]


def test_no_two_messages_share_a_key() -> None:
    english = [each.id for each in read(LANGUAGES[-1]) if each.id]
    singular = [each if isinstance(each, str) else each[0] for each in english]
    assert len({key_of(each) for each in singular}) == len(set(singular)) > 3000


@pytest.mark.parametrize("language", OTHERS, ids=lambda each: each.code)
def test_the_first_view_needs_few_words(language: Language) -> None:
    assert len(translations(current(), language, "main.js").body.encoded("br")) <= FIRST_VIEW


@pytest.mark.parametrize("script", SCRIPTS)
def test_what_is_said_later_is_all_that_is_not_said_first(script: str) -> None:
    first, later, whole = (said(OTHERS[0], script, share) for share in ("first", "later", "whole"))
    assert whole == first | later
    assert (len(later) > 0) == (script in IN_PARTS)


def test_what_parts_say_is_asked_for_by_an_address_that_the_page_is_told() -> None:
    told = translations(current(), OTHERS[0], "main.js")
    later = translations(current(), OTHERS[0], "main.js", "later")
    assert f'headlightLater = "{later.address}"' in told.source
    assert (
        "headlightLater" not in later.source + translations(current(), OTHERS[0], "join.js").source
    )


@pytest.mark.parametrize(
    ("share", "english"),
    [
        ("first", "causal mask"),  # a table of facts
        ("first", "the masks block every cell that it reads"),  # a table in Python
        ("later", "Raw weight"),  # one that a view shows
        ("later", "Patching each part in turn …"),
    ],
)
def test_words_come_with_what_shows_them(share: Share, english: str) -> None:
    other: Share = "later" if share == "first" else "first"
    assert key_of(english) in said(OTHERS[0], "main.js", share)
    assert key_of(english) not in said(OTHERS[0], "main.js", other)


def test_examples_are_in_the_language_of_their_page() -> None:
    """They need no words of its scripts."""
    page = templates(BY_CODE["de"]).from_string("{{ spoken(examples) | tojson }}")
    shown = page.render(examples=gallery("shipped", Settings()))
    assert "Key und Value" in shown and "Key and value" not in shown
