"""What a user gives and is not right: refused in words, and counted as the user counts."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

import headlight.interventions
from headlight import AsyncClient, Client, HeadlightError, Request, RequestError, UnknownNameError
from headlight.interventions import mean, resample, scale, zero

TEXTS = ["a"] * 4 + ["a b c d"]  # the server takes 3 at once
Ask = Callable[[Any], Any]
given: Any = headlight.interventions  # what no type checker would let through


def test_one_text_of_a_mean_is_not_its_letters() -> None:
    assert mean("cat", layer=1) == mean(["cat"], layer=1)
    document = {"kind": "mean", "texts": "cat", "layer": 1}
    assert Request.of("a", interventions=[document]).interventions[0].texts == ("cat",)


def test_one_position_is_a_list_of_it() -> None:
    assert zero(layer=1, positions=3) == zero(layer=1, positions=[3])


@pytest.mark.parametrize(
    ("make", "field", "words"),
    [
        (lambda: given.zero(), "layer", "Expected the layer of the intervention; got none"),
        (lambda: given.zero(layer=None), "layer", "Add it, such as layer=1"),
        (lambda: given.Intervention.of({"layer": 1}), "kind", "Expected the kind"),
        (lambda: given.Intervention.of("zero"), None, "Expected an intervention.* got 'zero'"),
        (lambda: given.zero(layer=1, positions=[0.5]), "positions", r"such as 3 or .*got \[0.5\]"),
        (lambda: given.zero(layer=1, positions="3"), "positions", "got '3'"),
        (
            lambda: given.patch("a", layer=1, pairs=[(1,)]),
            "pairs",
            r"Expected pairs .*got \[\(1,\)\]",
        ),
        (lambda: given.patch("a", layer=1, pairs=3), "pairs", "got 3"),
        (lambda: given.mean(3, layer=1), "texts", "Expected a text, or a list of texts; got 3"),
        (
            lambda: Request.of("a", interventions=[{"kind": "zero", "layer": 1}, {"kind": "zero"}]),
            "interventions.1.layer",
            "Expected the layer",
        ),
        (
            lambda: Request.of("a", interventions=scale(2, layer=1)),
            "interventions",
            "Put it in brackets",
        ),
        (
            lambda: Request.of("a").intervene({"kind": "scale", "layer": 1, "facto": 2}),
            "interventions.0.facto",
            "Did you mean factor",
        ),
    ],
)
def test_an_intervention_says_what_it_expects(
    make: Callable[[], object], field: str | None, words: str
) -> None:
    with pytest.raises(RequestError, match=words) as caught:
        make()
    assert caught.value.field == field


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda hl: given.zero(layer=1, factor=2), "positions; got factor"),
        (lambda hl: hl.trace("a").block(layr=1), "Did you mean layer"),
        (lambda hl: hl.trace("a").explanations(nope=1), "position, token, against, .*got nope"),
        (lambda hl: hl.trace("a").explanation_agreement(special=True), "Did you mean specials"),
        (lambda hl: hl.trace("a").paths(limits=1), "Did you mean limit"),
        (lambda hl: hl.trace("a").why(layers=1), "Did you mean layer"),
        (lambda hl: hl.trace("a").save("a.json", tensor=["q"]), "Did you mean tensors"),
        (lambda hl: hl.circuits(layer=0, head=0, pair=False), "Did you mean pairs"),
        (lambda hl: hl.models(nope=1), "Expected no arguments with a name; got nope"),
    ],
)
def test_every_argument_that_is_not_known_is_refused_alike(
    hl: Client, ask: Ask, words: str
) -> None:
    with pytest.raises(UnknownNameError, match=words) as caught:
        ask(hl)
    assert isinstance(caught.value, TypeError) and caught.value.code == "unknown_name"


@pytest.mark.parametrize(
    ("edits", "field"),
    [
        ({"interventions": [zero(layer=1), zero(layer=1, text=5)]}, "interventions.1.text"),
        ({"interventions": [zero(layer=1, text=-1)]}, "interventions.0.text"),
        ({"masks": {"blocked": [{"text": 5, "key": 0}]}}, "masks.blocked.0.text"),
        ({"masks": {"allowed": [{"key": 0}, {"text": 9}]}}, "masks.allowed.1.text"),
    ],
)
def test_an_edit_of_a_text_that_is_not_there_is_refused(
    hl: Client, edits: dict[str, Any], field: str
) -> None:
    asks: list[Callable[[], object]] = [
        lambda: hl.trace(TEXTS, **edits),
        lambda: hl.trace(TEXTS).replace(**edits).trace(),
        lambda: list(hl.each(TEXTS, **edits)),
        lambda: list(hl.each(iter(TEXTS), **edits)),
    ]
    for ask in asks:
        with pytest.raises(RequestError, match="texts 0 to 4; got ") as caught:
            ask()
        assert caught.value.field == field


def test_an_event_loop_refuses_alike(address: str) -> None:
    async def refused(ask: Ask) -> HeadlightError:
        async with AsyncClient(address) as hl:
            with pytest.raises(RequestError) as caught:
                await ask(hl)
            return caught.value

    absent = asyncio.run(refused(lambda hl: hl.trace("a", interventions=[zero(layer=1, text=1)])))
    assert absent.message.startswith("This run has texts 0 to 0; got 1.")

    async def paths(hl: Any) -> object:
        return await (await hl.trace("a")).paths(nope=1)

    assert isinstance(asyncio.run(refused(paths)), UnknownNameError)


def test_options_of_a_generator_count_all_its_texts(
    hl: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("headlight.client._CHUNK", 2)
    masks = {"blocked": [{"text": 3, "key": 0}]}
    weights = [run.pattern[0, 0, 2, 0] for run in hl.each(iter(["a b"] * 5), masks=masks)]
    assert [weight == 0 for weight in weights] == [False, False, False, True, False]


@pytest.mark.parametrize(
    ("ask", "field", "start"),
    [
        (lambda run: run.patching("a"), "analyse.patching.clean", "Text 5 has 5 tokens"),
        (
            lambda run: run.intervene(resample("a", layer=1)).trace(),
            "interventions.0.source",
            "Text 5 has 5 tokens",
        ),
        (
            lambda run: (
                run.intervene(resample("", layer=1, text=4)).replace(special_tokens=False).trace()
            ),
            "interventions.0.source",
            "The source has no tokens",
        ),
        (
            lambda run: run.replace(texts=["a"] * 4 + [""], special_tokens=False).trace(),
            "texts.4",
            "Text 5 has no tokens",
        ),
        (
            lambda run: run.intervene(zero(layer=0, text=0), zero(layer=9, text=4)).trace(),
            "interventions.1.layer",
            "shipped has layers 0 to 2; got 9",
        ),
        (
            lambda run: run.intervene(
                zero(layer=0, text=0), given.scale("much", layer=1, text=4)
            ).trace(),
            "interventions.1.factor",
            "interventions.1.factor: input should be a valid number",
        ),
        (
            lambda run: run.block(query=0, text=0).block(query=-1, text=4).trace(),
            "masks.blocked.1.query",
            "masks.blocked.1.query: input should be",
        ),
    ],
)
def test_errors_count_the_texts_and_edits_that_were_given(
    hl: Client, ask: Ask, field: str, start: str
) -> None:
    with pytest.raises(RequestError) as caught:
        ask(hl.trace(TEXTS))
    assert caught.value.field == field
    assert caught.value.message.startswith(start)
