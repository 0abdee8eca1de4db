"""Training by hand: a network learns its task, and can be opened like any other."""

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
import torch

from model.errors import HeadlightError
from model.film import read_film
from model.scratch.mechanisms import MECHANISMS, MechanismId
from model.sources.native import NativeSource
from model.sources.source import Inputs
from model.training.recipe.interrupted import STATE
from model.training.tasks.fit import MAX_FRAMES, Point, fit, has_ended, look
from model.training.tasks.learner import TRAINABLE, Learner, Network, answers, network_of
from model.training.tasks.tasks import TASKS, own_text

PREVIOUS = TASKS["previous"]
SMALL: dict[str, Any] = {"n_layers": 1, "n_heads": 1, "d_model": 8, "d_head": 4, "d_mlp": 0}


def trained(folder: Path, network: Network, stop_at: int | None = None) -> list[Point]:
    points: list[Point] = []
    fit(
        [(Learner(PREVIOUS, network), folder)],
        lambda _, point: points.append(point),
        lambda: bool(points) and points[-1].step == stop_at,
    )
    return points


def test_a_network_learns_its_task_and_opens_as_a_model_with_a_film(tmp_path: Path) -> None:
    points = trained(tmp_path, network_of(PREVIOUS, {}))
    first, last = points[0], points[-1]
    shares = [0.0 if point.score is None else point.score.accuracy for point in points]
    assert last.ended == "goal" and shares[-1] >= PREVIOUS.goal
    assert shares[0] < 3 * PREVIOUS.chance and first.step == 0
    film = read_film(tmp_path)
    assert film is not None and film.steps == tuple(point.step for point in points)
    assert film.curves["accuracy"] == shares
    source = NativeSource("mine", tmp_path)
    line = last.shown[0].line
    trace = source.trace(Inputs((line,), stream=True)).with_patterns()
    pattern = trace.sites[0].stored_pattern
    assert pattern is not None
    told = torch.frombuffer(bytearray(last.pattern), dtype=torch.uint8).view(pattern.shape)
    assert (told / 255 - pattern).abs().max() < 0.5 / 255 + 1e-5
    said = {at: one for at, one in zip(last.shown[0].asked, last.shown[0].said, strict=True)}
    assert sum(line[at] == one for at, one in said.items()) >= 0.9 * len(said)
    early = NativeSource("mine@0", tmp_path, 0)  # as it was drawn
    assert not torch.equal(early.model.embedding.token.weight, source.model.embedding.token.weight)


def test_what_is_asked_is_the_token_after_the_place_before_it() -> None:
    learner = Learner(PREVIOUS, Network(**SMALL))
    example = PREVIOUS.draw(Random(3), 4)
    read = learner.read([example])
    said = [learner.tokenizer.token_text(id) for id in answers(read).tolist()]
    assert said == [example.line[at] for at in example.asked]
    before = [learner.tokenizer.token_text(id) for id in read.ids[0][read.asked[0]].tolist()]
    assert before == [example.line[at - 1] for at in example.asked]


def test_an_interrupted_training_gives_the_same_weights(tmp_path: Path) -> None:
    network = Network(**SMALL, steps=130)
    whole = trained(tmp_path / "whole", network)
    learner, points = Learner(PREVIOUS, network), list[Point]()

    def dies(_: int, point: Point) -> None:
        points.append(point)
        if point.step == 125:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fit([(learner, tmp_path / "cut")], dies)
    assert (tmp_path / "cut" / STATE).is_file()
    again = trained(tmp_path / "cut", network)
    assert again[0].step == 100  # the last state that was saved
    weights = [NativeSource("x", tmp_path / name).model.state_dict() for name in ("whole", "cut")]
    assert all(torch.equal(weights[0][name], weights[1][name]) for name in weights[0])
    films = [read_film(tmp_path / name) for name in ("whole", "cut")]
    assert films[0] == films[1]
    assert not (tmp_path / "cut" / STATE).exists()
    assert whole[-1].ended == "steps"


def test_numbers_that_grow_beyond_float32_end_a_training_without_a_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    step = Learner.step
    grown = {31: float("inf")}
    monkeypatch.setattr(Learner, "step", lambda self, at: step(self, at) + grown.get(at, 0.0))
    points = trained(tmp_path, Network(**SMALL, steps=500))
    assert (points[-1].step, points[-1].score, points[-1].ended) == (31, None, "diverged")
    assert points[-1].told()["score"] is None
    assert not has_ended(tmp_path)


def test_a_training_that_is_stopped_keeps_what_it_has(tmp_path: Path) -> None:
    points = trained(tmp_path, Network(**SMALL, steps=500), stop_at=25)
    assert [point.ended for point in points[-2:]] == [None, "stopped"]
    film = read_film(tmp_path)
    assert film is not None and film.steps[-1] == points[-1].step == 50
    assert NativeSource("mine", tmp_path).info.n_heads == 1


def test_a_network_that_has_ended_is_not_trained_again_when_another_goes_on(
    tmp_path: Path,
) -> None:
    network = Network(**SMALL, steps=10)
    trained(tmp_path / "a", network)
    before = (tmp_path / "a" / "model.safetensors").read_bytes()
    told: list[int] = []
    both = [(Learner(PREVIOUS, network), tmp_path / name) for name in "ab"]
    fit(both, lambda lane, point: told.append(lane))
    assert set(told) == {1}
    assert (tmp_path / "a" / "model.safetensors").read_bytes() == before


def test_two_networks_learn_in_turns_and_do_not_disturb_each_other(tmp_path: Path) -> None:
    one = Network(**SMALL, steps=30)
    other = replace(one, seed=2)
    trained(tmp_path / "alone", other)
    order: list[int] = []
    fit(
        [(Learner(PREVIOUS, one), tmp_path / "a"), (Learner(PREVIOUS, other), tmp_path / "b")],
        lambda lane, point: order.append(lane),
    )
    assert order == [0, 1] * (len(order) // 2)
    alone, beside = (
        NativeSource("x", tmp_path / name).model.state_dict() for name in ("alone", "b")
    )
    assert all(torch.equal(alone[name], beside[name]) for name in alone)


def test_a_long_training_keeps_some_of_its_steps(tmp_path: Path) -> None:
    trained(tmp_path, Network(**SMALL, steps=1_200, learning_rate=1e-6))
    film = read_film(tmp_path)
    assert film is not None
    assert MAX_FRAMES / 2 < len(film.steps) <= MAX_FRAMES + 1
    assert film.steps[0] == 0 and film.steps[-1] == 1_200


def test_lines_of_several_lengths_are_padded_and_the_padding_is_not_read() -> None:
    task = own_text("\n".join(f"{'ab' * n}{n}" for n in range(1, 20)))
    learner = Learner(task, Network(**SMALL, causal=False))
    examples = learner.held_out[:4]
    together = learner.logits(learner.read(examples))
    alone = torch.cat([learner.logits(learner.read([example])) for example in examples])
    assert torch.allclose(together, alone, atol=1e-5)


def test_what_is_said_is_compared_with_the_line_spaces_too(monkeypatch: pytest.MonkeyPatch) -> None:
    learner = Learner(own_text("\n".join(f"a b {n}" for n in range(12))), Network(**SMALL))
    vocab_size = learner.tokenizer.vocab_size
    monkeypatch.setattr(
        learner, "logits", lambda read: torch.nn.functional.one_hot(answers(read), vocab_size)
    )
    shown, _ = look(learner)
    assert ["".join(each.said) for each in shown] == [each.line for each in shown]
    assert len({each.line for each in shown}) == len(shown) == 2  # each once


@pytest.mark.parametrize(
    ("chosen", "says"),
    [
        ({"layers": 1}, "There is no setting 'layers'. Expected one of mechanism, n_layers,"),
        ({"n_layers": 1.5}, "n_layers: expected a whole number; got 1.5."),
        ({"causal": 1}, "causal: expected true or false; got 1."),
        ({"n_layers": 5}, "Expected n_layers to be from 1 to 4; got 5."),
        ({"positions": "alibi"}, "positions: expected 'none' or 'learned'"),
        ({"scale": "half"}, "scale: expected '1/sqrt(d_head)' or '1/sqrt(d_model)' or a number"),
        ({"positions": "rotary", "d_head": 5}, "d_head must be even; got 5"),
        ({"mechanism": "average"}, "mechanism: expected 'multi-head' or 'grouped-query' or"),
        ({"mechanism": "differential", "n_heads": 3}, "an even number of heads; got 3."),
        ({"mechanism": "grouped-query", "n_heads": 1}, "an even number of heads; got 1."),
        ({"learning_rate": 0}, "Expected a learning_rate from 0 to 0.1; got 0."),
    ],
)
def test_settings_that_do_not_fit_are_refused(chosen: dict[str, Any], says: str) -> None:
    with pytest.raises(HeadlightError) as refused:
        network_of(PREVIOUS, chosen)
    assert says in refused.value.message


@pytest.mark.parametrize(
    "chosen",
    [
        {"residual": False},
        {"norm": "post"},
        {"norm": "none", "scale": 0},
        {"causal": False, "positions": "none", "d_mlp": 16},
    ],
)
def test_other_networks_train_and_open_too(tmp_path: Path, chosen: dict[str, Any]) -> None:
    trained(tmp_path, network_of(PREVIOUS, {**SMALL, "steps": 10, **chosen}))
    source = NativeSource("mine", tmp_path)
    assert source.info.residual is chosen.get("residual", True)
    trace = source.trace(Inputs(("aba",), stream=True))
    is_sum = "residual" not in chosen and chosen.get("norm") != "post"
    assert bool(source.info.stream_lacks) == bool(trace.stream_lacks) == (not is_sum)
    assert bool(trace.streams) == is_sum


@pytest.mark.parametrize("mechanism", TRAINABLE)
def test_each_mechanism_trains_and_opens_with_what_it_has(
    tmp_path: Path, mechanism: MechanismId
) -> None:
    network = network_of(PREVIOUS, {**SMALL, "n_heads": 2, "steps": 10, "mechanism": mechanism})
    points = trained(tmp_path, network)
    source = NativeSource("mine", tmp_path)
    inputs = Inputs(("abacab",), stream=True)
    trace = source.trace(inputs)
    site, own = trace.sites[0], MECHANISMS[mechanism].own
    assert set(source.info.tensors) == set(site.tensors)
    assert ("gate" in site.tensors, "net" in site.tensors) == (own.gate, own.minus is not None)
    assert site.n_kv_heads == (2 if own.n_kv_heads is None else 1)
    seen = site.derive(["blocked_by"])["blocked_by"][0, 0, 6] == 0
    assert seen.sum() == (7 if own.window is None else own.window)
    # what is derived of the trace is what the network did
    ids = torch.tensor([[token.id for token in trace.tokens[0]]])
    passed = source.model(ids, record=True).attention[0].output[0]
    written = site.derive(["result"])["result"][0].sum(0)
    torch.testing.assert_close(written, passed, atol=1e-5, rtol=1e-4)
    assert bool(trace.streams) == (own.kernel == "exp" and not own.gate) == (not trace.stream_lacks)
    (alone,) = source.trace_together([inputs])
    for name, tensor in alone.sites[0].derive(["pattern", "z"]).items():
        torch.testing.assert_close(tensor, site.derive([name])[name], atol=1e-5, rtol=1e-4)
    line = points[-1].shown[0].line
    pattern = source.trace(Inputs((line,))).sites[0].derive(["pattern"])["pattern"]
    told = torch.frombuffer(bytearray(points[-1].pattern), dtype=torch.uint8).view(pattern.shape)
    assert (told / 255 - pattern).abs().max() < 0.5 / 255 + 1e-5
