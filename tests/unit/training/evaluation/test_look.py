"""Measuring a relation: the same numbers as from a trace of each sentence alone."""

import torch

from model.sources.native import NativeSource
from model.sources.source import Inputs
from model.training.evaluation.look import look, place
from model.training.grammar.grammar import Example

EXAMPLES = [
    Example("the ", "dog", " ran under the ", "mat", ("cat", "tree")),
    Example("a small ", "cat", " and then a red dog ", "sat", ("ran",)),
    Example("the ", "wombat", " on a tree saw the ", "mat", None),  # in pieces
]


def test_each_row_is_the_mean_over_the_sentences_traced_alone(source: NativeSource) -> None:
    looked = look(source.model, source.tokenizer, iter(EXAMPLES).__next__, len(EXAMPLES))
    token, predicting, right = [], [], []
    for example in EXAMPLES:
        placed = place(source.tokenizer, example)
        trace = source.trace(Inputs((example.text,)))
        pattern = torch.stack([site.derive(["pattern"])["pattern"][0] for site in trace.sites])
        mass = pattern[..., placed.target].sum(-1)  # layer head query
        token.append(mass[..., placed.last])
        predicting.append(mass[..., placed.first - 1])
        best = trace.predict(top_k=source.info.vocab_size, position=placed.first - 1)[0]
        rank = {candidate.id: index for index, candidate in enumerate(best)}
        rivals = rank if placed.others is None else placed.others
        predicted = placed.ids[placed.first]
        right.append(all(rank[predicted] < rank[rival] for rival in rivals if rival != predicted))
    torch.testing.assert_close(looked.token, torch.stack(token).mean(0))
    torch.testing.assert_close(looked.predicting, torch.stack(predicting).mean(0))
    assert looked.right.tolist() == right
    assert looked.n == len(EXAMPLES)


def test_a_word_in_pieces_counts_with_all_of_them(source: NativeSource) -> None:
    placed = place(source.tokenizer, EXAMPLES[2])
    assert len(placed.target) > 1
    assert placed.first == placed.last == len(placed.ids) - 1


def test_sentences_longer_than_the_trained_context_are_passed_over(source: NativeSource) -> None:
    long = Example("the cat " * 20, "dog", " ran under the ", "mat", ("cat",))
    drawn = iter([long, *EXAMPLES, long, long] * 9)
    looked = look(source.model, source.tokenizer, drawn.__next__, 5)
    assert looked.n == 5
