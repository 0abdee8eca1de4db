"""Links of lessons: their parameters are those of the page, and options change them as there."""

from urllib.parse import quote

import pytest

from server.pages.learning.links import changes, link, pairs
from server.pages.learning.states import changed, link_problems


def test_link_is_taken_from_its_question_mark_on() -> None:
    assert link("http://localhost:8000/?model=scratch&text=a b") == "?model=scratch&text=a b"
    assert link("?") == "?"
    assert changes("?causal=false") == "causal=false"
    assert changes("") == ""


def test_values_are_read_as_a_browser_reads_them() -> None:
    query = "text=a+b%26c&text=%E2%88%9A&scratch.scale=1/sqrt(d_head)&causal="
    with pytest.raises(ValueError, match="causal is one of"):
        pairs(query)
    assert pairs(query.removesuffix("&causal=")) == [
        ("text", "a b&c"),
        ("text", "√"),
        ("scratch.scale", "1/sqrt(d_head)"),
    ]


def test_option_replaces_keys_and_takes_some_away() -> None:
    state = pairs("text=a&text=b&head=1&layer=2")
    assert changed(state, "") == state
    assert changed(state, "text=c") == [("head", "1"), ("layer", "2"), ("text", "c")]
    assert changed(state, "text=c&text=d&without=head,layer") == [("text", "c"), ("text", "d")]


def test_first_combination_that_cannot_be_shown_is_reported_with_its_path() -> None:
    models = ("shipped", "scratch")
    heads = [("four", ""), ("three", "scratch.n_heads=3")]
    wide = [("32", ""), ("33", "scratch.d_model=33")]
    start = "?model=scratch&text=a"
    assert not list(link_problems(start, [], models))
    assert not list(link_problems("?text=a", [], models))
    [(path, what)] = link_problems(start, [heads], models)
    assert path == ("switches", 0, "options", 1, "set")
    assert "d_model = 32 cannot be divided evenly among 3 heads" in what
    [(path, what)] = link_problems(start, [wide], models)
    assert path == ("switches", 0, "options", 1, "set")
    both = [[("four", ""), ("two", "scratch.d_head=7")], [("none", ""), ("turned", ROTARY)]]
    [(path, what)] = link_problems(start, both, models)
    assert path == ("switches",)
    assert what.startswith("'two' and 'turned' together cannot be shown: Rotary")


def test_each_option_is_tried_before_the_many_combinations() -> None:
    seeds = [[(f"{n}", f"scratch.seed={n}") for n in range(8)] for _ in range(4)]
    wrong = [("four", ""), ("three", "scratch.n_heads=3")]
    [(path, what)] = link_problems("?model=scratch&text=a", [wrong, *seeds], ("scratch",))
    assert path == ("switches", 0, "options", 1, "set")
    assert "3 heads" in what
    two = [[("none", ""), ("turned", ROTARY)], *seeds, [("8", ""), ("7", "scratch.d_head=7")]]
    [(path, what)] = link_problems("?model=scratch&text=a", two, ("scratch",))
    assert path == ("switches",)
    assert what.startswith("'turned' and '7' together cannot be shown: Rotary")


@pytest.mark.parametrize(
    ("against", "told"),
    [
        ("transposed=true", None),
        ("without=scratch.n_heads", None),
        ("model=shipped&without=scratch.n_heads", None),
        ("scratch.n_heads=5", "side A (against=…): d_model = 32 cannot be divided evenly"),
        ("scratch.scale=101", "side A (against=…): scratch.scale: expected '1/sqrt(d_head)', "),
        ("model=none", "side A (against=…): there is no model 'none'"),
        ("model=shipped", "side A (against=…): scratch.n_heads needs model=scratch"),
        ("without=text", "side A (against=…): expected text=…"),
    ],
)
def test_a_of_a_comparison_is_tried_too(against: str, told: str | None) -> None:
    start = f"?model=scratch&text=a&scratch.n_heads=2&against={quote(against)}"
    found = [what for _, what in link_problems(start, [], ("shipped", "scratch"))]
    assert len(found) == (told is not None)
    assert told is None or found[0].startswith(told)


ROTARY = "scratch.positions=rotary"
