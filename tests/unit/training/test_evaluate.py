"""The figures of a model, on patterns made by hand."""

import torch

from model.training.evaluate import induction, previous_token


def test_previous_token_is_the_mean_of_the_diagonal_below() -> None:
    patterns = torch.zeros(1, 2, 3, 4, 4)
    patterns[0, 0, 1] = torch.diag(torch.tensor([0.9, 0.6, 0.3]), -1)
    patterns[0, 1, 1] = torch.diag(torch.tensor([0.5, 0.4, 0.9]), -1)
    scores = previous_token(patterns)
    assert scores.shape == (1, 3)
    torch.testing.assert_close(scores[0], torch.tensor([0.0, 0.6, 0.0]))


def test_induction_is_the_mean_weight_on_what_followed_the_same_token() -> None:
    # [BOS] a b c a b c: the second a, b, c (places 4, 5, 6) look at places 2, 3, 4
    patterns = torch.zeros(1, 1, 2, 7, 7)
    for query, key, weight in ((4, 2, 1.0), (5, 3, 0.5), (6, 4, 0.3), (3, 1, 1.0), (2, 2, 1.0)):
        patterns[0, 0, 1, query, key] = weight
    torch.testing.assert_close(induction(patterns, 3), torch.tensor([[0.0, 0.6]]))
