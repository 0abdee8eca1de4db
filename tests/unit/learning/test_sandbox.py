"""Templates of lessons are limited, and within the limits they give what Jinja gives."""

import pytest

from server.pages.learning import sandbox
from server.pages.learning.problems import LessonError
from server.pages.learning.sandbox import CLOSE, EXTENDS, MAX_CHARACTERS, OPEN, compiled, rendered

DOUBLED = "{% set n.s = n.s ~ n.s %}"
NESTED = "{% for a in r %}{% for b in r %}{% endfor %}{% endfor %}"


def text_of(source: str) -> str:
    return rendered(compiled(EXTENDS + OPEN + source + CLOSE, "a.html", "/lessons/a.html"), {})


@pytest.mark.parametrize(
    "source",
    [
        "{% set r = range(100000) %}" + NESTED,
        "{% set r = range(100000) %}{% set x %}" + NESTED + "{% endset %}",
        "{% macro m(n) %}{% if n %}{{ m(n - 1) ~ m(n - 1) }}{% endif %}{% endmacro %}{{ m(60) }}",
    ],
)
def test_long_loops_are_ended(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "MAX_SECONDS", 0.1)
    with pytest.raises(LessonError, match=r"took longer than 0\.1 s"):
        text_of(source)


@pytest.mark.parametrize(
    "source",
    [
        "{% for a in range(100000) %}<p>a paragraph</p>{% endfor %}",
        "{{ 'a' * 10 ** 12 }}",
        "{{ 10 ** 12 * 'a' }}",
        "{{ [1] * 10 ** 12 }}",
        "{% set s = 'ab' %}" + "{% set s = s ~ s %}" * 60,
        "{% set s = 'ab' %}" + "{% set s = s + s %}" * 60,
        "{% set n = namespace(s='a') %}{% for a in range(60) %}" + DOUBLED + "{% endfor %}",
    ],
)
def test_long_texts_are_refused(source: str) -> None:
    with pytest.raises(LessonError, match=f"at most {MAX_CHARACTERS:,} characters"):
        text_of(source)


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("{% for a in 'ab' %}{{ loop.index }}{{ a }}{% else %}none{% endfor %}", "1a2b"),
        ("{% for a in '' %}{{ a }}{% else %}none{% endfor %}", "none"),
        ("{% macro m(x) %}<b>{{ x }}</b>{% endmacro %}{{ m('<') }}", "<b>&lt;</b>"),
        ("{{ 1 ~ '<' ~ (2 + 3 * 4) }}", "1&lt;14"),
        ("{{ 'ab' * 3 }}{{ [1] + [2] }}", "ababab[1, 2]"),
    ],
)
def test_what_is_within_the_bounds_is_as_ever(source: str, text: str) -> None:
    assert text_of(source) == text
