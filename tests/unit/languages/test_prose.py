"""The course in each language: blocks are found, translated whole, and keep what is no word."""

import re
from collections import Counter
from functools import cache

import pytest

from scripts.messages import DOMAINS, said
from server.languages.catalogue import catalogue, read
from server.languages.prose import COURSE, Prose, blocks, reworded, reworded_data
from server.languages.pseudo import END, START
from server.languages.table import BY_CODE, ENGLISH, LANGUAGES, PSEUDO, Language
from server.pages.assets.pages import templates
from server.pages.learning.lessons import Lessons

TRANSLATED = [each for each in LANGUAGES if each.has_course and each != ENGLISH]
# What a translation has as its English does: expressions, code, formulas, tags
KEPT = re.compile(r"{{.*?}}|{%.*?%}|<code>.*?</code>|<math.*?</math>|<[^>]+>", re.DOTALL)
# Of a sentence that has a label for those who hear it, the label would stay English
ATTRIBUTE = re.compile(r'\b(?:aria-label|alt|title|placeholder)="')


def loud(text: str) -> str:
    return text.upper()


class Loud(Prose):
    """As a language that shouts, with German numbers."""

    def __init__(self, language: Language) -> None:
        super().__init__(language)
        self.say = loud


@pytest.mark.parametrize(
    ("template", "found"),
    [
        ("<p>A <b>head</b>\n  looks.</p>", ["A <b>head</b> looks."]),
        ("<li>\n<p>One</p>\n<p>Two</p></li>", ["One", "Two"]),
        ("<p>{{ n }} · <code>softmax</code> &nbsp; <math><mi>ab</mi></math></p>", []),
        ('<p>{{ _("Said elsewhere") }}</p>', []),
        ('{{ part("break", "Mute it") }}', ["Mute it"]),
        ('{% call term("bos", "[BOS]", "a", "", "a start") %}It is {% endcall %}', None),
        ('<svg aria-label="A picture"><text x="1">past</text></svg>', ["A picture", "past"]),
        (
            '<p>See <a href="/" aria-label="Home">it</a></p>',
            ['See <a href="/" aria-label="Home">it</a>'],
        ),
        (
            '<th><a href="{{ q("a" ~ b) }}" aria-label="Picture {{ x }}">{{ x }}</a></th>',
            ["Picture {{ x }}"],
        ),
        ("<pre><code>x = 1  # a loop\ny = 2\n</code></pre>", ["a loop"]),
        (
            "{% block title %}Words · {{ x }}{% endblock %}{% block skip %}Skip{% endblock %}",
            ["Skip"],
        ),
        ("<math><mtext>row of </mtext><mi>i</mi></math>", ["row of"]),
    ],
)
def test_blocks_are_found_whole(template: str, found: list[str] | None) -> None:
    wanted = ["[BOS]", "a start", "It is"] if found is None else found
    assert [text for _, _, text in blocks(template)] == wanted


def test_a_template_keeps_all_but_its_words() -> None:
    figures = '<text x="1.5">−0.2 · 86%</text><td>0.5 nats</td><mn>0.5</mn><code>0.5</code>'
    in_german = '<text x="1.5">−0,2 · 86\u00a0%</text><td>0.5 NATS</td><mn>0,5</mn><code>0.5</code>'
    template = (
        f'<p class="x">One\n  <b>two</b></p>{{{{ figure("past") }}}}<p>{{{{ n }}}}</p>{figures}\n'
    )
    said_so = (
        f'<p class="x">ONE <B>TWO</B></p>{{{{ figure("past") }}}}<p>{{{{ n }}}}</p>{in_german}\n'
    )
    assert reworded(template, Loud(BY_CODE["de"])) == said_so


def test_of_a_lesson_s_data_readers_see_words_alone() -> None:
    data = {
        "title": "A lesson",
        "figures": {
            "past": {
                "link": "?text=The cat",
                "caption": "Look.",
                "switches": [
                    {"name": "Words", "options": [{"label": "six", "set": "text=a"}]},
                    {"name": "Scale", "options": [{"label": "0.1", "set": ""}]},
                ],
            }
        },
        "programs": {
            "ways": {"caption": "Run", "code": ["x = 1  # a loop", '# "no"', "y = '# z'"]}
        },
        "questions": [{"ask": "Why?", "options": ["yes"], "answer": 0, "set": {"Words": "six"}}],
    }
    said_so = {
        "title": "A LESSON",
        "figures": {
            "past": {
                "link": "?text=The cat",
                "caption": "LOOK.",
                "switches": [
                    {"name": "WORDS", "options": [{"label": "SIX", "set": "text=a"}]},
                    {"name": "SCALE", "options": [{"label": "0,1", "set": ""}]},
                ],
            }
        },
        "programs": {
            "ways": {"caption": "RUN", "code": ["x = 1  # A LOOP", '# "NO"', "y = '# z'"]}
        },
        "questions": [{"ask": "WHY?", "options": ["YES"], "answer": 0, "set": {"WORDS": "SIX"}}],
    }
    assert reworded_data(data, Loud(BY_CODE["de"]).text) == said_so


def test_a_block_with_words_has_no_label_of_its_own_within() -> None:
    for entry in said(DOMAINS[1]):
        assert not ATTRIBUTE.search(str(entry.id)), "say it by {{ _() }} in the template"


def test_each_language_of_the_course_has_a_catalogue_and_no_other_is_there() -> None:
    assert {path.stem for path in COURSE.glob("*.po")} == {each.code for each in TRANSLATED}


@pytest.mark.parametrize("language", TRANSLATED, ids=lambda each: each.code)
def test_a_translation_keeps_what_is_no_word(language: Language) -> None:
    for entry in read(language, COURSE):
        if entry.id and entry.string:
            english, words = str(entry.id), str(entry.string)
            assert Counter(KEPT.findall(words)) == Counter(KEPT.findall(english)), words


@cache
def lessons(language: Language) -> Lessons:
    return Lessons(None, templates(language), ("shipped", "scratch", "film"), language)


@pytest.mark.parametrize("language", [*TRANSLATED, PSEUDO], ids=lambda each: each.code)
def test_the_course_is_the_same_in_each_language(language: Language) -> None:
    course, english = lessons(language), lessons(ENGLISH)
    assert not course.problems and len(course.all) == len(english.all)
    for one, other in zip(course.all, english.all, strict=True):
        assert (one.slug, one.tasks, one.models) == (other.slug, other.tasks, other.models)
        assert (one.article.shown, [*one.article.parts]) == (
            other.article.shown,
            [*other.article.parts],
        )
        assert one.article.html != other.article.html
        for asked, in_english in zip(one.content.questions, other.content.questions, strict=True):
            assert (asked.answer, asked.number) == (in_english.answer, in_english.number)
            switches = {
                each.name: [option.label for option in each.options]
                for each in (one.content.figures[asked.figure].switches if asked.figure else ())
            }
            assert all(label in switches[name] for name, label in asked.set.items())


def test_a_program_is_translated_in_its_comments_alone() -> None:
    def code(language: Language) -> str:
        lesson = next(each for each in lessons(language).all if each.slug == "averaging")
        return lesson.content.programs["ways"].text

    german, english = code(BY_CODE["de"]), code(ENGLISH)
    assert german != english
    assert re.sub("#.*", "", german) == re.sub("#.*", "", english)


def test_the_language_of_tests_keeps_expressions_and_formulas() -> None:
    told = catalogue(PSEUDO).say("See {{ to('a') }} and <code>x</code>, <math><mi>a</mi></math>.")
    assert told.startswith(START) and told.endswith(END)
    for each in ("{{ to('a') }}", "<code>x</code>", "<math><mi>a</mi></math>"):
        assert each in told


def test_a_lesson_takes_about_as_long_to_read_in_each_language() -> None:
    for languages in zip(*(lessons(each).all for each in (ENGLISH, *TRANSLATED)), strict=True):
        minutes = [each.minutes for each in languages]
        assert max(minutes) <= 1.5 * min(minutes) + 1, (languages[0].slug, minutes)
