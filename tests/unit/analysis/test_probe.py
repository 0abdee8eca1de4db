"""The probe: its runs, and its means over all queries of all rows."""

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest

from model.analysis import METRICS, head_scores, probe, sink_share
from model.errors import UnavailableError
from model.sources.native import NativeSource
from model.sources.runner import Runner
from model.sources.source import Inputs, SourceInfo
from model.trace.predictions import MuteEffects
from model.trace.trace import Trace

pytestmark = pytest.mark.long


class Spy:
    """A source that records its rows, and can have fewer tokens or accept fewer."""

    def __init__(
        self, source: NativeSource, ids: int | None = None, max_tokens: int | None = None
    ) -> None:
        self._source = source
        self.ordinary_ids: Sequence[int] = source.ordinary_ids[:ids]
        limit = source.info.max_tokens if max_tokens is None else max_tokens
        self.info: SourceInfo = replace(source.info, max_tokens=limit)
        self.rows: list[list[int]] = []

    def trace_ids(self, rows: Sequence[Sequence[int]]) -> Trace:
        self.rows += [list(row) for row in rows]
        return self._source.trace_ids(rows)

    def trace(self, inputs: Inputs, *, max_tokens: int | None = None) -> Trace:
        assert inputs.stream  # to read how the model predicts: one token is enough
        assert inputs.ids == ((self.ordinary_ids[0],),)
        return self._source.trace(inputs)

    def mute_effects(
        self,
        inputs: Inputs,
        *,
        position: int | None = None,
        token: int | None = None,
        max_tokens: int | None = None,
    ) -> list[MuteEffects]:
        raise AssertionError("a probe mutes nothing")

    def runner(self, inputs: Inputs, *, max_tokens: int | None = None) -> Runner:
        raise AssertionError("a probe edits nothing")


def test_rows_are_random_ordinary_tokens_twice_with_a_fixed_seed(source: NativeSource) -> None:
    spy, steps = Spy(source), []
    found = probe(spy, lambda done, total: steps.append((done, total)))
    assert len(spy.rows) == found.rows == 16
    chance = random.Random(found.seed)
    for row in spy.rows:
        assert row[:25] == row[25:] == chance.sample(source.ordinary_ids, 25)
    assert (found.length, found.copies, found.seed) == (25, 2, 0)
    assert found.description == (
        "16 rows of 25 different random tokens, each row twice in a row, seed 0"
    )
    texts = [source.tokenizer.token_text(id) for id in spy.rows[0]]
    assert found.example == ("[BOS]", *texts)
    assert steps == [(done, 16) for done in range(1, 17)]
    assert probe(source) == found


def test_a_score_is_the_mean_over_all_queries_of_all_rows(source: NativeSource) -> None:
    spy = Spy(source)
    found = probe(spy)
    rows = [head_scores(source.trace_ids([row]), 0) for row in spy.rows]
    assert [(one.site, one.layer, one.head) for one in found.heads] == [
        (one.site, one.layer, one.head) for one in rows[0]
    ]
    uneven = False
    for index, head in enumerate(found.heads):
        for metric in METRICS:
            scores = [row[index].scores[metric.name] for row in rows]
            over = sum(score.over for score in scores)
            total = sum((score.value or 0.0) * score.over for score in scores)
            got = head.scores[metric.name]
            assert got.over == over
            if metric.name == "next_token":  # which a causal mask never shows
                assert (got.value, over) == (None, 0)
                continue
            assert got.value == pytest.approx(total / over)
            uneven |= len({score.over for score in scores}) > 1
        # each token of the second copy has one earlier self, and one token after that
        assert head.scores["same_token"].over == head.scores["induction"].over == 16 * 25
        assert head.scores["previous_token"].over == 16 * 49  # the first one follows [BOS]
        assert head.scores["first_token"].over == 16 * 50
    assert uneven  # punctuation falls differently in each row: a mean of means would differ
    assert found.sink_share == sink_share(found.heads)


@pytest.mark.parametrize(
    ("ids", "max_tokens", "length"), [(7, None, 7), (None, 17, 7), (None, 52, 25), (None, 51, 24)]
)
def test_a_small_source_is_probed_with_what_there_is(
    source: NativeSource, ids: int | None, max_tokens: int | None, length: int
) -> None:
    spy = Spy(source, ids, max_tokens)
    found = probe(spy)
    assert found.length == length
    assert all(len(row) == 2 * length == 2 * len(set(row)) for row in spy.rows)
    assert ("not 25" in found.description) == (length < 25)
    assert f"of {length} different" in found.description


@pytest.mark.parametrize(
    ("ids", "max_tokens", "message"), [(0, None, "no vocabulary"), (None, 3, "too few tokens")]
)
def test_a_source_without_room_cannot_be_probed(
    source: NativeSource, ids: int | None, max_tokens: int | None, message: str
) -> None:
    with pytest.raises(UnavailableError, match=message):
        probe(Spy(source, ids, max_tokens))
