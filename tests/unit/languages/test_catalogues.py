"""The catalogues: nothing unused, nothing missing, and the same values in every sentence."""

import json
import pickle
import re
import string
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract

from model.message import Message
from scripts import messages
from scripts.extract import facts, gallery
from scripts.messages import DOMAINS, KEYWORDS, METHODS, said, words_of
from server.languages.catalogue import FOLDER, catalogue, read
from server.languages.pseudo import END, START
from server.languages.table import BY_CODE, ENGLISH, LANGUAGES, PSEUDO, Language

OTHERS = [each for each in LANGUAGES if each != ENGLISH]
WORDS = "static/js/live/words.js"
TAG = re.compile("<[^>]*>")
PEOPLE = ("{n} person", "{n} people")


@pytest.fixture(scope="module")
def template() -> Catalog:
    return said(DOMAINS[0])


@pytest.mark.parametrize(
    ("suffix", "source", "found"),
    [
        ("py", 'Message("One {a} {b}", a=1, b=2)', ["One {a} {b}"]),
        ("py", 'Message("{n} cat", "{n} cats", n=n, b=b)', [("{n} cat", "{n} cats")]),
        ("py", '_class_error("code", 404, "A " "sentence.")', ["A sentence."]),
        ("html", '<p title="{{ _("A title") }}">', ["A title"]),
        (
            "html",
            '{{ _("{n} cat", "{n} cats", n=n) }}',
            [("{n} cat", "{n} cats")],
        ),
        ("js", 'ngettext("{n} cat", "{n} cats", n, { b })', [("{n} cat", "{n} cats")]),
        ("js", '`${gettext("In a template")}`', ["In a template"]),
        ("js", 'gettext("One {a}", { a: gettext("Within") })', ["One {a}", "Within"]),
        ("js", 'parts("A {b}", { b: bold(b) }); // gettext("no")', ["A {b}"]),
        ("html", '{{ marked("A <b>head</b>") }}', ["A <b>head</b>"]),
    ],
)
def test_a_message_is_found_where_it_is_said(suffix: str, source: str, found: list[object]) -> None:
    catalog, methods = Catalog(), {pattern.rpartition(".")[2]: named for pattern, named in METHODS}
    lines = extract(methods[suffix], BytesIO(source.encode()), keywords=KEYWORDS)
    for _, message, _, _ in lines:
        catalog.add(message)
    assert [entry.id for entry in catalog if entry.id] == found


def test_tables_and_examples_have_messages(tmp_path: Path) -> None:
    table = {"rows": {"a": {"words": {"1": "1 cat", "other": "{n} cats", "0": "none"}, "key": "p"}}}
    rows = [{"title": "Title", "texts": ["no"], "label": "subject"}]
    for name, content in (("masks", table), ("gallery", rows)):
        (tmp_path / f"{name}.json").write_text(json.dumps(content))
    for name, method, found in (
        ("masks", facts, [("1 cat", "{n} cats"), ("none",)]),
        ("gallery", gallery, [("Title",), ("subject",)]),
    ):
        with (tmp_path / f"{name}.json").open("rb") as file:
            assert [each[2] for each in method(file, (), (), {})] == found


def values(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_each_language_has_a_catalogue_and_no_other_is_there() -> None:
    assert {path.stem for path in FOLDER.glob("*.po")} == {each.code for each in OTHERS}


def test_what_is_said_is_in_the_catalogues_before_it_is_released(
    template: Catalog, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """`make lint` checks ours; a row that somebody adds is English until it is translated."""
    for each in OTHERS:
        (tmp_path / f"{each.code}.po").write_bytes((FOLDER / f"{each.code}.po").read_bytes())
    monkeypatch.setattr(messages, "FOLDER", tmp_path)
    monkeypatch.setattr(messages, "DOMAINS", [replace(DOMAINS[0], folder=tmp_path)])
    grown = Catalog()
    for entry in template:
        grown.add(entry.id, locations=entry.locations)
    grown.add("A new word", locations=[("static/js/new.js", 0)])
    monkeypatch.setattr(messages, "said", lambda domain: grown)
    monkeypatch.setattr("sys.argv", ["messages", "--check"])
    with pytest.raises(SystemExit, match="Out of date: de"):
        messages.main()
    monkeypatch.setattr("sys.argv", ["messages"])
    messages.main()
    assert "A new word" in messages.missing(read(BY_CODE["de"], tmp_path))
    monkeypatch.setattr("sys.argv", ["messages", "--check"])
    with pytest.raises(SystemExit, match="Not translated"):
        messages.main()
    assert catalogue(BY_CODE["de"]).say("A new word") == "A new word"


def test_a_translation_that_needs_another_look_is_none_yet() -> None:
    catalog = Catalog()
    catalog.add("Head", "Kopf")
    catalog.add("Layer", "Schicht", flags=["fuzzy"])
    assert messages.missing(catalog) == ["Layer"]


@pytest.mark.parametrize("language", OTHERS, ids=lambda each: each.code)
def test_a_translation_has_the_values_of_its_english(language: Language) -> None:
    for entry in read(language):
        if entry.id:
            english = words_of(entry.id)[-1]
            for words in filter(None, words_of(entry.string)):
                # "one person" may go without its number
                assert values(words) in (values(english), values(english) - {"n"}), words
                is_short = " " not in english  # it may be an abbreviation
                assert (words[-1] in "….。") == (english[-1] in "….") or is_short, words
                assert TAG.findall(words) == TAG.findall(english), words


@pytest.mark.parametrize(
    ("code", "n", "words"),
    [
        ("en", 1, "1 person"),
        ("en", 1200, "1,200 people"),
        ("de", 1, "1 Person"),
        ("de", 1200, "1.200 Personen"),
        ("es", 1, "1 persona"),
        ("es", 1_000_000, "1.000.000 de personas"),
        ("zh-Hans", 3, "3 人"),
        ("ar", 2, "شخصان"),
        ("ar", 5, "5 أشخاص"),
        ("ar", 11, "11 شخصًا"),
        ("ar", 100, "100 شخص"),
    ],
)
def test_a_number_decides_the_form(code: str, n: int, words: str) -> None:
    assert catalogue(BY_CODE[code]).say(*PEOPLE, n=n) == words


def test_a_script_has_a_form_for_each_category_of_its_language() -> None:
    forms = {each.code: catalogue(each).scripts([WORDS]).get(PEOPLE[0]) for each in LANGUAGES}
    assert forms["en"] is None, "English stands where it is used"
    assert forms["zh-Hans"] == {"other": "{n} 人"}
    assert list(forms["ar"] or ()) == ["zero", "one", "two", "few", "many", "other"]
    assert set(forms["es"] or ()) == {"one", "many", "other"}


def test_a_page_carries_what_its_own_scripts_say() -> None:
    carried = catalogue(PSEUDO).scripts(["static/js/words/problem.js"])
    assert any("server" in english for english in carried) and PEOPLE[0] not in carried


def test_a_message_is_english_and_becomes_another_language() -> None:
    message = Message("Back to the class {code}", code="ABC 1234")
    assert message == "Back to the class ABC 1234"
    assert catalogue(BY_CODE["de"]).text(message) == "Zurück zur Klasse ABC 1234"
    assert catalogue(ENGLISH).text(message) == message
    sent = pickle.loads(pickle.dumps(message))  # from one replica of a cluster to another
    assert (sent, catalogue(BY_CODE["de"]).text(sent)) == (message, "Zurück zur Klasse ABC 1234")
    assert (
        catalogue(BY_CODE["de"]).text(Message("No catalogue has this.")) == "No catalogue has this."
    )


def test_messages_among_the_values_of_one_are_translated_too() -> None:
    share = Message("{n}%", n=97)
    told = Message("{share} chose “{choice}”.", share=share, choice="{n} cats")
    assert told == "97% chose “{n} cats”."
    assert catalogue(BY_CODE["de"]).text(told) == "97\u00a0% haben „{n} cats“ gewählt."
    assert catalogue(BY_CODE["de"]).text("typed") == "typed"


def test_a_name_keeps_its_place_in_a_sentence_from_right_to_left() -> None:
    asked = Message("There is no such model. This server has {models}.", models="shipped")
    assert catalogue(BY_CODE["ar"]).text(asked).endswith(": \u2068shipped\u2069.")
    assert "\u2068" not in catalogue(BY_CODE["de"]).text(asked)
    others = Message("The target of text {n}", n=2)
    said = catalogue(BY_CODE["ar"]).text(Message("{model} is {n}", model=others, n=1))
    assert "\u2068" not in said, "a message is in the language of the sentence"


def test_what_is_typed_is_no_markup_and_no_template() -> None:
    shown = catalogue(BY_CODE["de"]).html("Join at {address}", address="<b>{code}</b>")
    assert shown == "Beitreten unter &lt;b&gt;{code}&lt;/b&gt;"


def test_the_language_of_tests_is_english_longer_and_marked() -> None:
    shown = catalogue(PSEUDO).say("Join at {address}", address="here")
    assert shown.startswith(START) and shown.endswith(END) and "here" in shown
    assert len(shown) >= 1.3 * len("Join at here")
