"""Head scores: compared with plain loops over the cells, and what never changes them."""

import math
from dataclasses import dataclass, replace

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import model.masks.mask
from model.analysis import METRICS, HeadScores, head_scores
from model.masks.mask import Mask
from model.masks.rules import Cell, MaskSettings, PaddingSide
from model.sources.native import NativeSource
from model.sources.source import Inputs
from model.trace.site import Site
from model.trace.trace import Trace
from tests.unit.analysis.building import BOS, COMMA, PAD, stored, trace_of

pytestmark = pytest.mark.long

NAMES = [metric.name for metric in METRICS]
HEADS = 3


def looped(
    trace: Trace, site: Site, text: int, head: int, specials: bool
) -> dict[str, list[float]]:
    """The contribution of each query to each metric, cell by cell."""
    row = trace.tokens[text]
    n = len(row)
    pattern = site.derive(["pattern"])["pattern"][text, head].tolist()
    allows = site.mask.allows()
    allowed = allows[text, head if allows.shape[1] > 1 else 0].tolist()
    real = [t.id != PAD for t in row]
    counts = [real[i] and (specials or not row[i].special) for i in range(n)]
    found: dict[str, list[float]] = {name: [] for name in NAMES}
    for i in range(n):
        if not counts[i]:
            continue
        keys: dict[str, list[int]] = {
            "previous_token": [j for j in range(n) if j == i - 1 and counts[j]],
            "next_token": [j for j in range(n) if j == i + 1 and counts[j]],
            "same_token": [j for j in range(i) if counts[j] and row[j].id == row[i].id],
            "induction": [
                j for j in range(1, i) if counts[j] and real[j - 1] and row[j - 1].id == row[i].id
            ],
            "first_token": [real.index(True)] if real.index(True) < i else [],
            "special_mass": [j for j in range(n) if real[j] and row[j].special],
            "punctuation_mass": [j for j in range(n) if row[j].text == ","],
        }
        for name, places in keys.items():
            if any(allowed[i][j] for j in places):
                found[name].append(sum(pattern[i][j] for j in places))
        open_keys = sum(allowed[i])
        entropy = -sum(a * math.log(a) for a in pattern[i] if a > 0)
        if open_keys > 0:
            found["entropy"].append(entropy)
            offset = sum(pattern[i][j] * (i - j) for j in range(n))
            found["mean_offset"].append(offset)
            found["distance"].append(sum(pattern[i][j] * abs(i - j) for j in range(n)))
        if open_keys > 1:
            found["normalised_entropy"].append(entropy / math.log(open_keys))
    return found


@dataclass(frozen=True)
class Case:
    """Two padded texts under a mask. A strategy cannot build the trace: shape checks are random."""

    rows: list[list[int]]
    causal: bool
    window: int | None
    padding: bool
    blocked: list[Cell]
    allowed: list[Cell]
    stored: bool  # by its pattern alone, instead of q, k, v
    seed: int

    def trace(self) -> Trace:
        n = len(self.rows[0])
        real = torch.tensor([[id != PAD for id in row] for row in self.rows])
        mask = Mask(
            n,
            n,
            MaskSettings(
                causal=self.causal,
                window=self.window,
                blocked=tuple(self.blocked),
                allowed=tuple(self.allowed),
            ),
            real_keys=real if self.padding else None,
            batch=2,
            n_heads=HEADS,
        )
        g = torch.Generator().manual_seed(self.seed)
        q, k, v = (torch.randn(2, HEADS, n, 4, generator=g) for _ in range(3))
        site = stored(torch.empty(2, HEADS, n, n), mask, stored_pattern=None, q=q, k=k, v=v)
        if self.stored:
            site = stored(site.derive(["pattern"])["pattern"], mask)
        return trace_of(*self.rows, sites=(site,))


@st.composite
def cases(draw: st.DrawFn) -> Case:
    n = draw(st.integers(1, 7))
    rows = []
    for _ in range(2):
        ids = draw(st.lists(st.sampled_from([BOS, COMMA, 4, 5]), max_size=n))
        padding = [PAD] * (n - len(ids))
        rows.append(padding + ids if draw(st.booleans()) else ids + padding)
    cells = st.lists(
        st.builds(
            Cell,
            text=st.none() | st.integers(0, 1),
            head=st.none() | st.integers(0, HEADS - 1),
            query=st.none() | st.integers(0, n - 1),
            key=st.none() | st.integers(0, n - 1),
        ),
        max_size=3,
    )
    return Case(
        rows,
        causal=draw(st.booleans()),
        window=draw(st.none() | st.integers(1, n)),
        padding=draw(st.booleans()),
        blocked=draw(cells),
        allowed=draw(cells),
        stored=draw(st.booleans()),
        seed=draw(st.integers(0, 99)),
    )


@settings(max_examples=150)
@given(case=cases(), specials=st.booleans(), stripe=st.sampled_from([2, 256]))
def test_every_score_equals_a_loop_over_its_cells(case: Case, specials: bool, stripe: int) -> None:
    trace = case.trace()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(model.masks.mask, "STRIPE", stripe)
        found = [head_scores(trace, text, specials=specials) for text in range(2)]
    whole = [head_scores(trace, text, specials=specials) for text in range(2)]
    for text, heads in enumerate(found):
        assert_close(heads, whole[text])  # the reasons too
        assert [scores.head for scores in heads] == list(range(HEADS))
        for scores in heads:
            expected = looped(trace, trace.sites[0], text, scores.head, specials)
            assert list(scores.scores) == NAMES
            for name, score in scores.scores.items():
                values = expected[name]
                assert score.over == len(values), name
                assert (score.value is None) == (score.reason is not None) == (not values)
                if values:
                    assert score.value == pytest.approx(sum(values) / len(values), abs=1e-5), name


@given(case=cases(), specials=st.booleans())
def test_scores_stay_in_their_bounds(case: Case, specials: bool) -> None:
    trace = case.trace()
    n = len(trace.tokens[0])
    for scores in (*head_scores(trace, 0, specials=specials), *head_scores(trace, 1)):
        for metric in METRICS:
            value = scores.scores[metric.name].value
            if value is None:
                continue
            if metric.unit in ("share of attention", "0 to 1"):
                assert -1e-6 <= value <= 1 + 1e-5
            elif metric.unit == "nats":
                assert 0 <= value <= math.log(n) + 1e-5
            else:
                assert abs(value) <= n - 1
                assert value >= 0 or not case.causal or case.allowed


@given(case=cases(), order=st.permutations(range(HEADS)), specials=st.booleans())
def test_permuted_heads_have_permuted_scores(case: Case, order: list[int], specials: bool) -> None:
    def head_of(cell: Cell) -> Cell:
        return cell if cell.head is None else replace(cell, head=order.index(cell.head))

    trace = case.trace()
    (site,) = trace.sites
    asked = site.mask.settings
    settings = replace(
        asked,
        blocked=tuple(map(head_of, asked.blocked)),
        allowed=tuple(map(head_of, asked.allowed)),
    )
    mask = replace(site.mask, settings=settings)
    pattern = site.derive(["pattern"])["pattern"]
    permuted = replace(trace, sites=(stored(pattern[:, order], mask),))
    plain = head_scores(trace, 1, specials=specials)
    for found, head in zip(head_scores(permuted, 1, specials=specials), order, strict=True):
        for name, score in found.scores.items():
            expected = plain[head].scores[name]
            assert (score.over, score.reason) == (expected.over, expected.reason)
            assert score.value == pytest.approx(expected.value, abs=1e-5)


@given(case=cases(), shift=st.integers(1, 50), specials=st.booleans())
def test_only_which_ids_are_equal_matters(case: Case, shift: int, specials: bool) -> None:
    trace = case.trace()
    renamed = [
        tuple(t if t.special else replace(t, id=t.id * 100 + shift) for t in row)
        for row in trace.tokens
    ]
    other = replace(trace, tokens=tuple(renamed))
    assert head_scores(other, 0, specials=specials) == head_scores(trace, 0, specials=specials)


words = st.lists(st.sampled_from("the the cat cat , sat . a".split()), max_size=12).map(" ".join)


def assert_close(found: list[HeadScores], expected: list[HeadScores]) -> None:
    for one, other in zip(found, expected, strict=True):
        assert (one.site, one.layer, one.head) == (other.site, other.layer, other.head)
        for name, score in one.scores.items():
            assert (score.over, score.reason) == (
                other.scores[name].over,
                other.scores[name].reason,
            )
            assert score.value == pytest.approx(other.scores[name].value, abs=1e-4)


@settings(max_examples=20)
@given(
    first=words,
    second=words,
    side=st.sampled_from(["left", "right"]),
    window=st.sampled_from([None, 3]),
    specials=st.booleans(),
)
def test_padding_and_batching_change_no_score(
    source: NativeSource,
    first: str,
    second: str,
    side: PaddingSide,
    window: int | None,
    specials: bool,
) -> None:
    masks = MaskSettings(padding_side=side, window=window)
    together = source.trace(Inputs((first, second), masks=masks))
    for text, typed in enumerate((first, second)):
        alone = source.trace(Inputs((typed,), masks=masks))
        assert_close(
            head_scores(together, text, specials=specials), head_scores(alone, 0, specials=specials)
        )


def test_a_text_of_several_stripes_is_read_as_in_one(source: NativeSource) -> None:
    trace = source.trace(Inputs(("the cat sat on , a dog " * 46,)))
    assert len(trace.tokens[0]) > 256
    found = head_scores(trace, 0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(model.masks.mask, "STRIPE", 1000)
        assert_close(found, head_scores(trace, 0))
    assert [(scores.layer, scores.head) for scores in found] == [
        (layer, head) for layer in range(2) for head in range(3)
    ]
    assert all(scores.scores["induction"].over > 256 for scores in found)
