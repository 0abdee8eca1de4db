"""The space of queries and keys: what is moved moves no pattern, and the plane by numpy."""

from itertools import pairwise

import numpy as np
import pytest
import torch

from model.analysis.space import Space, methods, space_of, space_over, spearman
from model.core.checkpoint import SHIPPED
from model.errors import InputError, UnavailableError
from model.masks.rules import MaskSettings
from model.slices import sliced
from model.sources.native import NativeSource
from model.sources.source import Inputs, MutedHead

TEXTS = ("Mary near the boys saw herself in the mirror.", "The dog that ran saw the cat.")


@pytest.fixture(scope="module")
def shipped() -> NativeSource:
    return NativeSource("shipped", SHIPPED)


def by_hand(
    source: NativeSource, texts: tuple[str, ...], layer: int, head: int
) -> dict[str, np.ndarray]:
    """The plane with numpy's own decomposition, and the scores of all pairs that are seen."""
    q, k = [], []
    for text in texts:
        site = source.trace(Inputs((text,))).sites[layer]
        assert site.q is not None and site.k is not None
        own_q, own_k = site.q[0, head, 1:].numpy(), site.k[0, head, 1:].numpy()  # without [BOS]
        q.append(own_q)
        k.append(own_k)
    queries, keys = np.concatenate(q).astype(float), np.concatenate(k).astype(float)
    keys = keys - keys.mean(0)
    lengths = [len(one) for one in q]
    ends = np.cumsum([0, *lengths])
    scores = [
        queries[i] @ keys[j]
        for start, end in pairwise(ends)
        for i in range(start, end)
        for j in range(start, i + 1)
    ]
    factor = np.sqrt(np.linalg.norm(queries, axis=1).mean() / np.linalg.norm(keys, axis=1).mean())
    both = np.concatenate([queries / factor, keys * factor])
    both = both - both.mean(0)
    _, sizes, axes = np.linalg.svd(both, full_matrices=False)
    return {
        "at": both @ axes[:2].T,
        "shares": sizes[:2] ** 2 / (sizes**2).sum(),
        "scores": np.array(scores),
        "lengths": np.array(lengths),
        "factor": np.array(factor),
    }


def check(found: Space, expected: dict[str, np.ndarray]) -> None:
    at = np.array([(point.x, point.y) for point in found.points])
    for axis in (0, 1):  # a component is known up to its sign
        own, other = at[:, axis], expected["at"][:, axis]
        assert min(np.abs(own - other).max(), np.abs(own + other).max()) < 1e-3
    assert found.shares == pytest.approx(tuple(expected["shares"]), abs=1e-4)
    assert found.matched == pytest.approx(float(expected["factor"]), rel=1e-4)


def test_the_plane_is_that_of_the_main_components(shipped: NativeSource) -> None:
    trace = shipped.trace(Inputs(TEXTS))
    for layer, head in ((0, 2), (2, 3)):
        expected = by_hand(shipped, TEXTS, layer, head)
        found = space_of(trace, trace.sites[layer], head, specials=False)
        check(found, expected)
        assert found.n_pairs == len(expected["scores"])
        # the same sentences, run apart from the trace
        other = shipped.trace(Inputs(("The cat",)))
        runner = shipped.runner(Inputs(TEXTS))
        apart = space_over(runner, other, other.sites[layer], head, causal=True, specials=False)
        check(apart, expected)
        assert apart.correlation == pytest.approx(found.correlation, abs=1e-4)
        near = _nearness(found, expected["lengths"].tolist())
        assert found.correlation == pytest.approx(
            _rank_correlation(expected["scores"], near), abs=1e-3
        )


def _nearness(found: Space, lengths: list[int]) -> np.ndarray:
    at = np.array([(point.x, point.y) for point in found.points])
    n = sum(lengths)
    near, start = [], 0
    for length in lengths:
        for i in range(start, start + length):
            near += [-np.linalg.norm(at[i] - at[n + j]) for j in range(start, i + 1)]
        start += length
    return np.array(near)


def _rank_correlation(one: np.ndarray, other: np.ndarray) -> float:
    ranks = [np.argsort(np.argsort(each)).astype(float) for each in (one, other)]
    return float(np.corrcoef(ranks[0], ranks[1])[0, 1])


def test_a_point_knows_its_token_and_its_sentence(shipped: NativeSource) -> None:
    trace = shipped.trace(Inputs(TEXTS))
    found = space_of(trace, trace.sites[1], 0, specials=False)
    named = [(point.side, point.text, point.position, point.token) for point in found.points]
    tokens = [
        (text, at, token.text)
        for text, row in enumerate(trace.tokens)
        for at, token in enumerate(row)
        if not token.padding and not token.special
    ]
    assert named == [(side, *token) for side in ("query", "key") for token in tokens]
    whole = space_of(trace, trace.sites[1], 0, specials=True)
    assert len(whole.points) == len(found.points) + 4
    assert sum(point.special for point in whole.points) == 4


def test_moving_keys_and_matching_lengths_changes_no_pattern(shipped: NativeSource) -> None:
    site = shipped.trace(Inputs(TEXTS[:1])).sites[2]
    assert site.q is not None and site.k is not None
    found = space_of(shipped.trace(Inputs(TEXTS[:1])), site, 3, specials=True)
    q = site.q[0, 3] / found.matched
    k = (site.k[0, 3] - site.k[0, 3].mean(0)) * found.matched
    open_cells = torch.ones(len(q), len(k)).tril().bool()
    scores = (q @ k.T * site.scale).masked_fill(~open_cells, -torch.inf)
    pattern = site.derive(["pattern"], heads=[3])["pattern"][0, 0]
    assert (scores.softmax(-1) - pattern).abs().max() < 1e-5


def test_masks_say_which_pairs_count(shipped: NativeSource) -> None:
    masks = MaskSettings(window=2)
    trace = shipped.trace(Inputs(TEXTS[:1], masks=masks, muted=(MutedHead(0, 0),)))
    n = sum(not token.special for token in trace.tokens[0])
    found = space_of(trace, trace.sites[1], 0, specials=False)
    assert found.n_pairs == 2 * n - 1


def test_ranks_have_ties_at_their_mean() -> None:
    one = torch.tensor([1.0, 2.0, 2.0, 3.0])
    assert spearman(one, one) == pytest.approx(1.0)
    assert spearman(one, -one) == pytest.approx(-1.0)
    # ranks 1, 2.5, 2.5, 4 against 1, 2, 3, 4
    assert spearman(one, torch.arange(4.0)) == pytest.approx(4.5 / (4.5 * 5) ** 0.5)
    assert spearman(one, torch.ones(4)) is None and spearman(one[:2], one[:2]) is None


def test_what_has_no_plane_is_told(shipped: NativeSource) -> None:
    trace = shipped.trace(Inputs(("",)))
    with pytest.raises(InputError, match="two tokens"):
        space_of(trace, trace.sites[0], 0, specials=False)
    with pytest.raises(InputError, match="heads 0 to 7"):
        space_of(trace, trace.sites[0], 8, specials=True)


@pytest.mark.long
def test_neighbours_stay_neighbours(shipped: NativeSource) -> None:
    trace = shipped.trace(Inputs(TEXTS))
    plane, near = (
        space_of(trace, trace.sites[0], 2, specials=False, method=method)
        for method in ("pca", "tsne")
    )
    assert near.shares is None and plane.shares is not None
    assert [point[:5] for point in near.points] == [point[:5] for point in plane.points]
    again = space_of(trace, trace.sites[0], 2, specials=False, method="tsne")
    assert again == near  # it is drawn from a seed

    q, k = [], []
    for text in TEXTS:
        site = shipped.trace(Inputs((text,))).sites[0]
        assert site.q is not None and site.k is not None
        q.append(site.q[0, 2, 1:])
        k.append(site.k[0, 2, 1:])
    keys = torch.cat(k)
    whole = torch.cat([torch.cat(q) / near.matched, (keys - keys.mean(0)) * near.matched])
    at = torch.tensor([(point.x, point.y) for point in near.points])

    def nearest(points: torch.Tensor) -> list[set[int]]:
        order = torch.cdist(points, points).argsort(dim=1)[:, 1:6]
        return [set(row) for row in order.tolist()]

    kept = [len(a & b) for a, b in zip(nearest(whole), nearest(at), strict=True)]
    chance = 5 * 5 / (len(at) - 1)
    assert sum(kept) / len(kept) > 2 * chance


def test_without_the_package_the_plane_says_so(
    shipped: NativeSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("model.analysis.space.find_spec", lambda name: None)
    assert methods() == ["pca"]
    trace = shipped.trace(Inputs(TEXTS))
    with pytest.raises(UnavailableError, match=r"headlight-attention\[tsne\]"):
        space_of(trace, trace.sites[0], 2, specials=False, method="tsne")


def test_the_neighbours_of_other_texts_tell_how_far_they_are(shipped: NativeSource) -> None:
    trace = shipped.trace(Inputs(TEXTS[:1]))
    told = list[tuple[int, int]]()
    with torch.no_grad(), sliced(lambda done, total: told.append((done, total))):
        found = space_over(
            shipped.runner(Inputs(TEXTS)),
            trace,
            trace.sites[0],
            2,
            causal=True,
            specials=False,
            method="tsne",
        )
    assert found.shares is None and len(found.points) == 2 * (10 + 8)
    of_points = [one for one in told if one[1] > 0]
    assert [one[0] for one in of_points] == sorted(one[0] for one in of_points)
    assert of_points[-1][0] == of_points[-1][1] and len(of_points) > 50
