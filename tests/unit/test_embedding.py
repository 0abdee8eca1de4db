"""Positions, against loops that follow the papers' formulas."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from model.core.embedding import Embedding, rotary, rotate, sinusoidal
from model.errors import InputError


def test_sinusoidal_positions_follow_the_formula() -> None:
    positions = torch.tensor([[0, 1, 5], [7, 2, 63]])
    got = sinusoidal(positions, 8)
    assert got.shape == (2, 3, 8)
    for b in range(2):
        for t in range(3):
            for i in range(4):
                angle = positions[b, t].item() / 10_000 ** (2 * i / 8)
                assert got[b, t, 2 * i].item() == pytest.approx(math.sin(angle), abs=1e-5)
                assert got[b, t, 2 * i + 1].item() == pytest.approx(math.cos(angle), abs=1e-5)


@pytest.mark.parametrize("base", [10_000.0, 500.0])
def test_rotary_turns_pairs_of_channels_by_the_angle_of_the_position(base: float) -> None:
    torch.manual_seed(0)
    positions = torch.tensor([[3, 0, 11, 4, 1], [0, 1, 2, 3, 40]])
    x = torch.randn(2, 3, 5, 6)
    got = rotate(x, rotary(positions, 6, base))
    for b in range(2):
        for h in range(3):
            for t in range(5):
                for i in range(3):
                    angle = positions[b, t].item() / base ** (2 * i / 6)
                    left, right = x[b, h, t, i].item(), x[b, h, t, i + 3].item()
                    turned = (
                        left * math.cos(angle) - right * math.sin(angle),
                        right * math.cos(angle) + left * math.sin(angle),
                    )
                    assert got[b, h, t, i].item() == pytest.approx(turned[0], abs=1e-5)
                    assert got[b, h, t, i + 3].item() == pytest.approx(turned[1], abs=1e-5)


@given(st.integers(0, 200), st.integers(0, 200), st.integers(0, 300), st.integers(0, 2**20))
def test_rotary_scores_depend_on_the_distance_alone(
    query: int, key: int, shift: int, seed: int
) -> None:
    generator = torch.Generator().manual_seed(seed)
    q, k = torch.randn(2, 1, 1, 1, 6, generator=generator)

    def score(at_query: int, at_key: int) -> float:
        turned_q = rotate(q, rotary(torch.tensor([[at_query]]), 6))
        turned_k = rotate(k, rotary(torch.tensor([[at_key]]), 6))
        return (turned_q * turned_k).sum().item()

    near, far = score(query, key), score(query + shift, key + shift)
    assert far == pytest.approx(near, abs=1e-3)
    turned = rotate(q, rotary(torch.tensor([[query]]), 6))
    assert turned.norm().item() == pytest.approx(q.norm().item(), rel=1e-5)


def test_rotary_scores_do_depend_on_the_distance() -> None:
    q = torch.ones(1, 1, 1, 6)
    near, far = (rotate(q, rotary(torch.tensor([[n]]), 6)) for n in (1, 2))
    assert abs((q * near).sum() - (q * far).sum()) > 0.1


def test_embedding_adds_the_positions_that_it_names() -> None:
    torch.manual_seed(0)
    ids, positions = torch.tensor([[4, 0, 4]]), torch.tensor([[2, 0, 5]])
    bare, learned, waves, turned = (
        Embedding(7, 10, kind, max_tokens=6) for kind in ("none", "learned", "sinusoidal", "rotary")
    )
    for embedding in (learned, waves, turned):
        embedding.token.load_state_dict(bare.token.state_dict())
    tokens = bare.token.weight[ids]
    torch.testing.assert_close(bare(ids, positions), tokens)
    torch.testing.assert_close(turned(ids, positions), tokens)
    torch.testing.assert_close(waves(ids, positions), tokens + sinusoidal(positions, 10))
    assert learned.learned is not None
    expected = tokens + learned.learned.weight[positions]
    torch.testing.assert_close(learned(ids, positions), expected)


def test_odd_sizes_are_refused() -> None:
    with pytest.raises(InputError, match="d_head must be even; got 5"):
        rotary(torch.tensor([[0]]), 5)
    with pytest.raises(InputError, match="d_model must be even; got 7"):
        sinusoidal(torch.tensor([[0]]), 7)
