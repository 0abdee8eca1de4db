"""Requests as values: their masks, edits, body, address, and the program that makes them again."""

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headlight import Cell, Masks, Request, RequestError, UnknownNameError
from headlight.interventions import Intervention, patch, scale, zero
from headlight.request.link import link
from headlight.request.request import Options
from headlight.run.look import TENSORS
from model.interventions import Intervention as OfModel
from model.masks.rules import MaskSettings
from model.trace import tensors
from server.api.schemas import TraceRequest
from server.api.schemas.interventions import interventions
from server.api.schemas.settings import SETTINGS
from server.pages.export.asked import asked
from server.settings import Settings

PLAIN = Request.of("a")
SENT_BACK = {"select", "parts", "analyse", "predict"}  # what a request says besides its run
RENDERED = {"messages"}  # they are texts before the run: of `trace`, not of its request


def test_a_request_has_every_setting_of_the_api() -> None:
    others = SETTINGS.keys() - {"scratch"}  # of sources that somebody has added
    fields = set(TraceRequest.model_fields) - SENT_BACK - RENDERED - others
    assert {field.name for field in dataclasses.fields(Request)} == fields | {"single"}
    assert set(Options.__annotations__) == fields - {"texts"}


def test_masks_have_every_mask_of_the_api_with_its_default() -> None:
    def defaults(masks: Any) -> dict[str, Any]:
        return {field.name: getattr(masks, field.name) for field in dataclasses.fields(masks)}

    assert defaults(Masks()) == defaults(MaskSettings())


def test_interventions_have_every_field_of_the_model() -> None:
    mine, other = (
        [field.name for field in dataclasses.fields(each)] for each in (Intervention, OfModel)
    )
    assert mine == other


def test_every_tensor_of_the_model_has_its_axes() -> None:
    rows = {name: row.axes for name, row in tensors.TENSORS.items()}
    assert {
        name: tuple({"query": "row"}.get(axis, axis) for axis in axes)
        for name, axes in TENSORS.items()
    } == rows


index = st.none() | st.integers(0, 12)
cells = st.builds(
    Cell,
    text=st.none() | st.just(0),
    layer=index,
    head=index,
    query=index,
    key=index,
    kind=st.sampled_from([None, "cross", "encoder"]),
)
requests = st.builds(
    Request.of,
    st.lists(st.text(max_size=5).filter(lambda text: text.isprintable()), min_size=1, max_size=2),
    masks=st.builds(
        Masks,
        causal=st.sampled_from([None, True, False]),
        padding=st.booleans(),
        padding_side=st.sampled_from(["left", "right"]),
        window=st.none() | st.integers(1, 9),
        blocked=st.lists(cells, max_size=6).map(tuple),
        allowed=st.lists(cells, max_size=3).map(tuple),
    ),
    muted=st.lists(
        st.tuples(st.integers(0, 5), st.integers(0, 9))
        | st.tuples(st.integers(0, 5), st.integers(0, 9), st.just("cross")),
        max_size=3,
    ),
    interventions=st.lists(
        st.builds(zero, layer=st.integers(0, 5), at=st.sampled_from(["mlp", "resid_pre"]))
        | st.builds(scale, st.floats(-9, 9), layer=st.integers(0, 5), head=index)
        | st.builds(patch, st.text(max_size=5), layer=st.just(1), pairs=st.just([(0, 1), (2, 2)])),
        max_size=3,
    ),
)


@settings(derandomize=True, deadline=None)
@given(requests)
def test_an_address_says_all_of_a_request(request: Request) -> None:
    """The server reads it back as it reads the page's own."""
    [sent, read] = [
        TraceRequest.model_validate(json.loads(json.dumps(body)))
        for body in (
            request.body(),
            asked(link(request, "m", {})[1:]).model_dump(exclude_unset=True),
        )
    ]
    assert read.texts == sent.texts
    assert read.masks.to_settings() == sent.masks.to_settings()
    assert read.muted == sent.muted
    limits = Settings()
    assert len(interventions(sent.interventions, limits)) == len(request.interventions)


# read by tests/js/interventions.test.mjs, too
INTERVENTIONS = json.loads((Path(__file__).parents[1] / "interventions.json").read_text())


@pytest.mark.parametrize("case", INTERVENTIONS, ids=lambda case: case["text"])
def test_an_intervention_in_an_address(case: dict[str, Any]) -> None:
    request = Request.of("a", interventions=[case["document"]])
    assert request.body()["interventions"] == [case["document"]]
    query = parse_qs(link(request, "m", {})[2:], keep_blank_values=True)
    assert query["intervention"] == [case["text"]]


def test_interventions_are_added_and_withdrawn() -> None:
    first, second = zero(at="mlp", layer=1), scale(0.5, layer=2, head=3)
    edited = PLAIN.intervene(first).intervene(second, first)
    assert edited.interventions == (first, second, first)
    assert edited.withdraw(first).interventions == (second,)
    assert edited.withdraw() == PLAIN
    with pytest.raises(UnknownNameError, match=r"Did you mean factor\?"):
        PLAIN.intervene({"kind": "scale", "facto": 2})


@settings(derandomize=True, deadline=None)
@given(requests)
def test_a_request_prints_as_what_makes_it_again(request: Request) -> None:
    assert eval(repr(request), {"Request": Request}) == request


def test_what_an_address_cannot_hold_is_said() -> None:
    with pytest.raises(RequestError, match="generated"):
        link(Request.of("a", generate={"n_tokens": 2}), "shipped", {})
    with pytest.raises(RequestError, match="weights"):
        link(Request.of("a", scratch={"weights": b"1"}), "scratch", {})


def test_settings_of_a_mechanism_are_in_the_address() -> None:
    request = Request.of("a", scratch={"mechanism": "single-head", "residual": True})
    assert "scratch.mechanism=single-head&scratch.residual=true" in link(request, "scratch", {})


def test_neighbouring_cells_are_a_run_in_the_address() -> None:
    request = Request.of("a").block(2, [1, 3, 4]).block(2, 0, layer=1)
    assert "&block=*.*.*_2.1_2.3-4&block=*.1.*_2.0&" in unquote(link(request, "m", {}))


def test_edits_leave_the_request_as_it_is() -> None:
    plain = Request.of(["a b", "c d"])
    edited = plain.mute((2, 3), (2, 3)).mask(window=2).block(query=[0, 1], key=1, text=1)
    assert plain == Request.of(["a b", "c d"])
    assert edited.muted == ((2, 3),)
    assert edited.masks.blocked == tuple(Cell(text=1, query=query, key=1) for query in (0, 1))
    assert edited.unmute((2, 3)).mask(window=None, blocked=()) == plain
    assert edited.replace(texts="e").masks.window == 2


@pytest.mark.parametrize(
    ("ask", "field", "words"),
    [
        (lambda: PLAIN.mask(casual=False), "masks.casual", "Did you mean causal?"),
        (lambda: Request.of("a", masks={"windo": 3}), "masks.windo", "Did you mean window?"),
        (
            lambda: Request.of("a", masks={"allowed": [{"qery": 1}]}),
            "masks.allowed.qery",
            "text, layer, head, query, key, kind; got qery. Did you mean query?",
        ),
        (lambda: PLAIN.replace(mask={"causal": False}), "mask", "Did you mean masks?"),
        (lambda: Request.of("a", zzz=1), "zzz", "got zzz."),
    ],
)
def test_a_name_that_is_not_known_is_refused_with_the_nearest(
    ask: Callable[[], object], field: str, words: str
) -> None:
    with pytest.raises(UnknownNameError) as caught:
        ask()
    assert isinstance(caught.value, TypeError) and caught.value.field == field
    assert caught.value.message.startswith("Expected one of ") and words in caught.value.message


def test_texts_of_a_part_count_from_zero() -> None:
    request = Request.of(["a", "b", "c"], masks={"blocked": [{"text": 0}, {"text": 2}, {}]})
    request = request.intervene(zero(text=0, layer=1), zero(text=2, layer=1), zero(layer=1))
    part = request.only(range(1, 3))
    assert part.interventions == (zero(text=1, layer=1), zero(layer=1))
    assert part.texts == ("b", "c")
    assert part.masks.blocked == (Cell(text=1), Cell())
