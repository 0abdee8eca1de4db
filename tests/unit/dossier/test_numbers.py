"""The numbers of a dossier against plain loops, on a small model whose sizes all differ."""

import math
from itertools import pairwise
from random import Random

import pytest
import torch

from model.analysis.weights.copying import ELSEWHERE, NO_STREAM
from model.analysis.weights.unembedding import Unembedding
from model.core.tokenizer import Token
from model.dossier.copying import Copied, copied
from model.dossier.distances import BUCKETS, bucket_of
from model.dossier.heads import heads_of
from model.dossier.likeness import between, within
from model.dossier.muting import NO_NEXT, mute
from model.dossier.patterns import read_patterns
from model.dossier.resampling import interval, times_drawn
from model.dossier.words import word_cells
from model.sources.native import NativeSource
from model.sources.source import Inputs, MutedHead
from model.trace.trace import Trace
from tests.unit.analysis.building import stored, trace_of

TEXT = "the cat saw the small dog and the dog ran."
INPUTS = Inputs(texts=(TEXT,), stream=True)


@pytest.fixture(scope="module")
def trace(source: NativeSource) -> Trace:
    return source.trace(INPUTS)


def patterns_of(trace: Trace) -> list[list[list[float]]]:
    """[head][query][key] of all sites in a row."""
    found: list[list[list[float]]] = []
    for site in trace.sites:
        found += site.derive(["pattern"])["pattern"][0].double().tolist()
    return found


def test_largest_weight_and_distances(trace: Trace) -> None:
    read = read_patterns(trace, 0)
    n = len(trace.tokens[0])
    for head, pattern in enumerate(patterns_of(trace)):
        peaks = [max(pattern[i]) for i in range(1, n)]  # [BOS] does not count
        assert read.peak[head].item() == pytest.approx(sum(peaks), abs=1e-5)
        assert read.peak_over[head] == n - 1
        mass = [0.0] * len(BUCKETS)
        for i in range(1, n):
            for j in range(n):
                [bucket] = [at for at, (low, high) in enumerate(BUCKETS) if low <= i - j <= high]
                mass[bucket] += pattern[i][j]
        assert read.profile[head].tolist() == pytest.approx(mass, abs=1e-5)
        assert sum(mass) == pytest.approx(read.profile_over[head].item(), abs=1e-5)


def test_a_query_with_one_key_has_no_largest_weight(source: NativeSource) -> None:
    """Without [BOS] the first query sees itself alone."""
    trace = source.trace(Inputs(texts=(TEXT,), special_tokens=False))
    read = read_patterns(trace, 0)
    n = len(trace.tokens[0])
    for head, pattern in enumerate(patterns_of(trace)):
        assert read.peak_over[head] == n - 1
        expected = sum(max(pattern[i]) for i in range(1, n))
        assert read.peak[head].item() == pytest.approx(expected, abs=1e-5)


def test_buckets_meet_without_gaps() -> None:
    assert all(one.last + 1 == other.first for one, other in pairwise(BUCKETS))
    for offset, first, last in (
        (0, 0, 0),
        (1, 1, 1),
        (4, 3, 4),
        (5, 5, 8),
        (-2, -2, -2),
        (-3, -4, -3),
    ):
        assert BUCKETS[int(bucket_of(torch.tensor(offset)))] == (first, last)


def test_best_cells(trace: Trace) -> None:
    """The strongest cell by excess over an equal share, and the best one of a metric."""
    read = read_patterns(trace, 7)
    tokens = trace.tokens[0]
    for head, pattern in enumerate(patterns_of(trace)):
        best = max(
            (pattern[i][j] - 1 / (i + 1), i, j)
            for i in range(1, len(tokens))
            for j in range(1, i + 1)
        )
        found = read.examples["strongest"][head]
        assert (found.query, found.key, found.text) == (best[1], best[2], 7)
        assert found.value == pytest.approx(best[0], abs=1e-5)
        assert found.weight == pytest.approx(best[0] + 1 / (best[1] + 1), abs=1e-5)
        assert found.query_token == tokens[found.query].text
        before = max((pattern[i][i - 1], i) for i in range(2, len(tokens)))
        found = read.examples["previous_token"][head]
        assert (found.query, found.key) == (before[1], before[1] - 1)
        assert found.value == pytest.approx(before[0], abs=1e-5)


def test_what_a_head_copies(trace: Trace, source: NativeSource) -> None:
    """By the definition, in double precision, without einsum and without frozen norms."""
    found = copied(trace, {})
    weights = {name: tensor.double() for name, tensor in source.model.state_dict().items()}
    unembedding = weights["embedding.token.weight"]
    mean_row = sum(unembedding[id] for id in range(len(unembedding))) / len(unembedding)
    tokens, info = trace.tokens[0], source.info
    ran = source.model(
        torch.tensor([[token.id for token in tokens]]),
        masks=[site.mask.allows() for site in trace.sites],
        record=True,
    )
    patterns = patterns_of(trace)
    for index, head in enumerate(heads_of(trace.sites)):
        w_o = weights[f"blocks.{head.layer}.attention.w_o.weight"]
        block = w_o[:, head.head * info.d_head : (head.head + 1) * info.d_head]
        v = trace.sites[head.layer].v
        assert v is not None
        lift = raised = mass = 0.0
        for i in range(1, len(tokens)):
            x = ran.layers[-1].resid_post[0, i].double()
            std = math.sqrt(((x - x.mean()) ** 2).mean().item() + 1e-5)
            for j in range(1, i + 1):
                out = block @ v[0, head.head, j].double()
                normed = (out - out.mean()) / std * weights["norm.weight"]
                logit = float(normed @ (unembedding[tokens[j].id] - mean_row))
                lift += patterns[index][i][j] * logit
                raised += patterns[index][i][j] * (logit > 0)
                mass += patterns[index][i][j]
        assert found.lift[index].item() == pytest.approx(lift, abs=1e-4)
        assert found.raised[index].item() == pytest.approx(raised, abs=1e-5)
        assert found.mass[index].item() == pytest.approx(mass, abs=1e-5)
    assert found.queries == len(tokens) - 1
    assert found.reasons == [""] * len(patterns)


def test_copying_says_why_not(source: NativeSource) -> None:
    def read(trace: Trace) -> Copied:
        return copied(trace, {})

    without = source.trace(Inputs(texts=(TEXT,)))
    assert set(read(without).reasons) == {NO_STREAM}
    alone = trace_of([1, 3, 4], sites=(stored(torch.eye(3).expand(1, 2, 3, 3)),))
    assert read(alone).reasons == ["the model predicts nothing"] * 2
    assert ELSEWHERE  # the reason of an encoder's heads: see the families


def test_an_unembedding_that_is_not_linear_is_refused() -> None:
    matrix = torch.arange(12.0).reshape(4, 3)
    assert Unembedding(lambda x: x @ matrix.T + 1, 3).is_affine
    assert not Unembedding(lambda x: (x @ matrix.T).tanh(), 3).is_affine
    rows = Unembedding(lambda x: x @ matrix.T + 1, 3).rows([2, 0])
    assert rows.tolist() == [
        (matrix[2] - matrix.mean(0)).tolist(),
        (matrix[0] - matrix.mean(0)).tolist(),
    ]


def test_mute_reads_the_actual_next_token(trace: Trace, source: NativeSource) -> None:
    found = mute(source, INPUTS, trace, number=3, seed=5, positions=2)
    tokens = trace.tokens[0]
    chosen = Random("5 3").sample(range(len(tokens) - 1), 2)

    def log_p(muted: tuple[MutedHead, ...], at: int) -> float:
        ran = source.trace(Inputs(texts=(TEXT,), muted=muted))
        assert ran.stages is not None and ran.unembed is not None
        logits = ran.unembed(ran.stages[-1, 0, at]).double().tolist()
        largest = max(logits)
        total = sum(math.exp(each - largest) for each in logits)
        return float(logits[tokens[at + 1].id] - largest - math.log(total))

    for index, head in enumerate(heads_of(trace.sites)):
        muted = (MutedHead(head.layer, head.head),)
        changes = [log_p(muted, at) - log_p((), at) for at in chosen]
        assert found.change[index].item() == pytest.approx(sum(changes) / 2, abs=1e-5)
    assert bool(found.known.all())
    assert mute(source, INPUTS, trace, number=0, seed=0, positions=0).known.any() == torch.tensor(
        False
    )
    assert (
        mute(
            source, INPUTS, trace_of([1, 2], sites=trace.sites), number=0, seed=0, positions=1
        ).reason
        == NO_NEXT
    )


def correlation(one: list[float], other: list[float]) -> float:
    top = sum(a * b for a, b in zip(one, other, strict=True))
    return top / math.sqrt(sum(a * a for a in one) * sum(b * b for b in other))


def test_likeness_of_heads(trace: Trace) -> None:
    found = within(trace)
    cells = []
    for pattern in patterns_of(trace):
        flat = list[float]()
        for i in range(1, len(pattern)):
            mean = sum(pattern[i][: i + 1]) / (i + 1)
            flat += [weight - mean for weight in pattern[i][: i + 1]]
        cells.append(flat)
    for a, one in enumerate(cells):
        for b, other in enumerate(cells):
            assert found.value[a, b].item() == pytest.approx(correlation(one, other), abs=1e-5)
    assert bool(found.known.all())


def test_a_head_without_preference_is_like_no_other() -> None:
    even = torch.full((3, 3), 1 / 3)
    site = stored(torch.stack([even, torch.eye(3)])[None])
    found = within(trace_of([5, 3, 4], sites=(site,)))
    assert found.known.tolist() == [[False, False], [False, True]]
    assert found.value.tolist() == [[0.0, 0.0], [0.0, pytest.approx(1.0)]]


def test_models_that_cut_text_alike_are_compared_cell_by_cell(trace: Trace) -> None:
    found = between(trace, trace, TEXT)
    assert found is not None
    assert torch.allclose(found.value, within(trace).value, atol=1e-9)


def spread(words: list[str], text: str) -> tuple[Token, ...]:
    found, start = [], 0
    for id, word in enumerate(words, start=3):
        start = text.index(word, start)
        found.append(Token(id, word, start, start + len(word), special=False))
        start += len(word)
    return tuple(found)


def test_models_that_cut_text_apart_are_compared_word_by_word() -> None:
    text = "unseen cats, sleep"
    one, other = (spread(words, text) for words in (
        ["un", "seen", " cats", ",", " sleep"], ["unseen", " ca", "ts", ",", " sl", "eep"],
    ))  # fmt: skip
    words = {"unseen": 0, "cats": 1, ",": 2, "sleep": 3}
    of_token = [[0, 0, 1, 2, 3], [0, 1, 1, 2, 3, 3]]
    generator = torch.Generator().manual_seed(2)
    patterns = [
        torch.rand(2 + n, len(row), len(row), generator=generator).softmax(-1)
        for n, row in enumerate(of_token)
    ]
    traces = []
    for tokens, pattern in zip((one, other), patterns, strict=True):
        ids = [token.id for token in tokens]
        made = trace_of(ids, sites=(stored(pattern[None]),))
        traces.append(Trace(model="m", tokens=(tokens,), sites=made.sites))
    found = between(traces[0], traces[1], text)
    assert found is not None

    def in_words(pattern: list[list[float]], row: list[int]) -> list[float]:
        flat = list[float]()
        for a in words.values():
            weights = []
            for b in words.values():
                from_a = [i for i, word in enumerate(row) if word == a]
                sums = [
                    sum(pattern[i][j] for j, word in enumerate(row) if word == b) for i in from_a
                ]
                weights.append(sum(sums) / len(sums))
            mean = sum(weights) / len(weights)
            flat += [weight - mean for weight in weights]
        return flat

    for a in range(2):
        for b in range(3):
            expected = correlation(
                in_words(patterns[0][a].tolist(), of_token[0]),
                in_words(patterns[1][b].tolist(), of_token[1]),
            )
            assert found.value[a, b].item() == pytest.approx(expected, abs=1e-5)
    cells = word_cells(one, text).tokens
    assert cells.long().argmax(0).tolist() == of_token[0]


def test_intervals_against_plain_resampling() -> None:
    values = [0.1, 0.4, 0.2, 0.9, 0.35]
    replicates = 60
    times = [times_drawn(4, number, replicates) for number in range(len(values))]
    assert 0.5 < torch.stack(times).mean().item() < 1.5
    assert not torch.equal(times[0], times[1])
    means = []
    for replicate in range(replicates):
        drawn = [float(each[replicate]) for each in times]
        if sum(drawn):
            means.append(sum(a * b for a, b in zip(values, drawn, strict=True)) / sum(drawn))
    means.sort()

    def quantile(q: float) -> float:
        at = q * (len(means) - 1)
        low = math.floor(at)
        high = min(low + 1, len(means) - 1)
        return means[low] + (at - low) * (means[high] - means[low])

    sums = sum(
        (value * each for value, each in zip(values, times, strict=True)),
        torch.zeros(replicates).double(),
    )
    low, high = interval(sums, torch.stack(times).sum(0))
    assert (low.item(), high.item()) == pytest.approx((quantile(0.025), quantile(0.975)))
    assert min(values) <= low.item() <= sum(values) / 5 <= high.item() <= max(values)
    # a text's numbers do not depend on what came before
    assert torch.equal(times_drawn(4, 2, replicates), times[2])
    assert [each.item() for each in interval(torch.zeros(3), torch.zeros(3))] == [0, 0]
