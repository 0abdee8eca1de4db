"""The patch bench in encoder–decoders: each cell and each estimate equals a run with hooks."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import torch
from torch import Tensor

from model.analysis.patching import Patching, patching
from model.errors import InputError
from model.interventions import Donor, Intervention
from model.masks.rules import MaskSettings
from model.sources.generation import Generate
from model.sources.intervening import donor_inputs
from model.sources.source import Inputs
from tests.unit.sources.pretrained.conftest import Load

pytestmark = pytest.mark.long

TEXTS, CLEAN = ("the cat sat on the old mat", "a dog"), "a dog is near her old cabinet"
TARGETS = ("her cat", "the mat is on her cat")
TOKEN, AGAINST = 9, 14
Z = {
    "t5": {
        "encoder": "encoder.block.{}.layer.0.SelfAttention.o",
        "decoder": "decoder.block.{}.layer.0.SelfAttention.o",
        "cross": "decoder.block.{}.layer.1.EncDecAttention.o",
    },
    "bart": {
        "encoder": "model.encoder.layers.{}.self_attn.out_proj",
        "decoder": "model.decoder.layers.{}.self_attn.out_proj",
        "cross": "model.decoder.layers.{}.encoder_attn.out_proj",
    },
}
LAYERS = {
    "t5": {"encoder": "encoder.block.{}", "decoder": "decoder.block.{}"},
    "bart": {"encoder": "model.encoder.layers.{}", "decoder": "model.decoder.layers.{}"},
}
Hook = Callable[[Tensor], Tensor]


def patched(source: Any, inputs: Inputs, clean: str = CLEAN, **asked: Any) -> list[Patching]:
    with torch.inference_mode():  # as on a server
        trace = source.trace(inputs)
        with torch.inference_mode(False):
            runner = source.runner(inputs)
            other = source.runner(donor_inputs(inputs, Donor((clean,), ("It",))))
        return patching(trace, runner, other, source.info, **asked)


def given(source: Any, text: str, target: str) -> dict[str, Tensor]:
    trace = source.trace(Inputs((text,), targets=(target,)))
    rows = {"input_ids": trace.tokens, "decoder_input_ids": trace.target_tokens}
    return {name: torch.tensor([[token.id for token in row[0]]]) for name, row in rows.items()}


@contextmanager
def entering(model: Any, name: str, change: Hook) -> Iterator[None]:
    """Change what goes into a module (batch pos channels)."""

    def hook(part: object, args: tuple[Tensor, ...], named: dict[str, Any]) -> Any:
        if args:
            return (change(args[0].clone()), *args[1:]), named
        return args, {**named, "hidden_states": change(named["hidden_states"].clone())}

    handle = model.get_submodule(name).register_forward_pre_hook(hook, with_kwargs=True)
    try:
        yield
    finally:
        handle.remove()


class ByHand:
    """A text and its target, run with a change of what enters one module."""

    def __init__(self, source: Any, model: Any, name: str, text: str, target: str, at: int) -> None:
        self.model, self.name, self.at = model, name, at
        self.own, self.clean = given(source, text, target), given(source, CLEAN, target)

    def metric(self, inputs: dict[str, Tensor], change: Hook) -> Tensor:
        with entering(self.model, self.name, change):
            logits: Tensor = self.model(**inputs).logits[0, self.at]
        return logits[TOKEN] - logits[AGAINST]

    def kept(self, inputs: dict[str, Tensor]) -> tuple[float, Tensor]:
        """The metric, and what entered the module."""
        found: list[Tensor] = []

        def keep(x: Tensor) -> Tensor:
            found.append(x)
            return x

        with torch.no_grad():
            value = self.metric(inputs, keep).item()
        return value, found[0]

    def patched(self, patch: Tensor) -> float:
        with torch.no_grad():
            return self.metric(self.own, lambda _: patch).item()

    def gradient(self, like: Tensor) -> Tensor:
        nudge = torch.zeros_like(like, requires_grad=True)
        (found,) = torch.autograd.grad(self.metric(self.own, lambda x: x + nudge), nudge)
        return found


@pytest.mark.parametrize(
    ("family", "kind", "at", "by"),
    [
        ("t5", "encoder", "head", "head"),
        ("t5", "decoder", "head", "head"),
        ("t5", "cross", "head", "head"),
        ("t5", "cross", "head", "position"),
        ("t5", "encoder", "resid_pre", "position"),
        ("t5", "decoder", "resid_pre", "position"),
        ("bart", "encoder", "head", "position"),
        ("bart", "cross", "head", "head"),
    ],
)
@pytest.mark.parametrize("text", [0, 1])
def test_cells_and_estimates_equal_hooks(
    load: Load, eager: Any, family: str, kind: str, at: str, by: str, text: int
) -> None:
    """Of two texts and two targets, each padded beside the other."""
    source, model, layer = load(family), eager(family), 1
    read = 1
    name = (Z if at == "head" else LAYERS)[family][kind].format(layer)
    # the second text is shorter than the clean sentence: its two tokens are aligned by hand
    pairs = None if text == 0 else [(0, 0), (4, 1), (len(CLEAN.split()), 2)]
    asked: dict[str, Any] = {
        "at": at,
        "by": by,
        "position": read,
        "token": TOKEN,
        "against": AGAINST,
    }
    inputs = Inputs(TEXTS, targets=TARGETS)
    (found,) = patched(source, inputs, text=text, pairs=pairs, **asked)
    hand = ByHand(source, model, name, TEXTS[text], TARGETS[text], read)
    (clean, there), (corrupted, here) = hand.kept(hand.clean), hand.kept(hand.own)
    gradient = hand.gradient(here)
    assert found.clean == pytest.approx(clean, abs=1e-4)
    assert found.corrupted == pytest.approx(corrupted, abs=1e-4)
    target = tuple((n, n) for n in range(hand.own["decoder_input_ids"].shape[1]))
    assert found.target_pairs == target
    aligned = found.pairs if kind == "encoder" else target
    (row,) = (row for row in found.layers if (row.kind, row.layer) == (kind, layer))
    assert len(row.cells) == (4 if by == "head" else len(aligned))
    width = here.shape[-1] // 4
    for index, cell in enumerate(row.cells):
        patch = here.clone()
        columns = slice(index * width, (index + 1) * width) if by == "head" else slice(None)
        for one, other in aligned if by == "head" else [aligned[index]]:
            patch[0, other, columns] = there[0, one, columns]
        value = hand.patched(patch)
        estimate = ((patch - here) * gradient).sum().item() / (clean - corrupted)
        assert cell.metric == pytest.approx(value, abs=1e-4)
        assert cell.restored == pytest.approx((value - corrupted) / (clean - corrupted), abs=1e-3)
        assert cell.estimate == pytest.approx(estimate, abs=1e-3)


def test_the_places_of_both_stacks(load: Load) -> None:
    """Each stack has a stream and networks of its own; only heads have cross-attention."""
    source, inputs = load("t5"), Inputs(TEXTS[:1], targets=TARGETS[:1])
    (heads,) = patched(source, inputs, at="head", by="head")
    (stream,) = patched(source, inputs, at="resid_pre")
    assert [(row.kind, row.layer) for row in heads.layers] == [
        (site.kind, site.layer) for site in source.info.sites
    ]
    stacks = [("encoder", 0), ("encoder", 1), ("decoder", 0), ("decoder", 1), ("decoder", 2)]
    assert [(row.kind, row.layer) for row in stream.layers] == stacks
    # both runs read the same target, so the first stream of the decoder is the same in both
    assert [cell.restored for cell in stream.layers[2].cells] == pytest.approx(
        [0] * len(stream.layers[2].cells), abs=1e-5
    )
    # what enters the encoder is all that differs, so each cell is the run with one other token
    assert any(abs(cell.restored or 0) > 1e-3 for cell in stream.layers[0].cells)


def test_a_cell_is_the_intervention_that_patches_it(load: Load) -> None:
    source = load("t5")
    inputs = Inputs(TEXTS[:1], targets=TARGETS[:1], masks=MaskSettings(window=3))
    (found,) = patched(source, inputs, at="head", token=TOKEN, metric="logit")
    for row, position in ((0, 2), (len(found.layers) - 1, 1)):
        kind, layer = found.layers[row].kind, found.layers[row].layer
        one = Intervention(
            kind="patch", at="head", layer=layer, site=kind, positions=(position,), source=CLEAN
        )
        trace = source.trace(
            Inputs(TEXTS[:1], targets=TARGETS[:1], masks=inputs.masks, interventions=(one,))
        )
        assert trace.stages is not None and trace.unembed is not None
        expected = trace.unembed(trace.stages[-1, 0, found.position])[TOKEN].item()
        assert found.layers[row].cells[position].metric == pytest.approx(expected, abs=1e-4)


def test_sentences_that_do_not_align_are_refused(load: Load) -> None:
    with pytest.raises(InputError, match="do not align") as caught:
        patched(load("t5"), Inputs(TEXTS[1:], targets=TARGETS[1:]), at="head")
    assert caught.value.field == "analyse.patching.clean"


SEGMENTS = ("her cat is old", "a mat")


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("text", [0, 1])
def test_both_sentences_have_the_second_segment_of_the_text(
    load: Load, eager: Any, text: int, side: Any
) -> None:
    """Of two texts with segments of two lengths, in BERT."""
    source, model, layer, read = load("bert"), eager("bert"), 1, 2
    texts, clean = ("the cat sat", "a dog ran"), "her mat is"
    inputs = Inputs(texts, pairs=SEGMENTS, masks=MaskSettings(padding_side=side))
    row = source.trace(inputs).tokens[text]
    first = next(at for at, token in enumerate(row) if not token.padding)
    asked: dict[str, Any] = {"at": "head", "token": TOKEN, "against": AGAINST}
    (found,) = patched(source, inputs, clean, text=text, position=first + read, **asked)

    def run(sentence: str, change: Hook) -> float:
        alone = source.trace(Inputs((sentence,), pairs=SEGMENTS[text : text + 1]))
        ids, segments = (
            torch.tensor([[getattr(token, name) for token in alone.tokens[0]]])
            for name in ("id", "segment")
        )
        with torch.no_grad(), entering(model, name, change):
            logits = model(input_ids=ids, token_type_ids=segments).logits[0, read]
        return float(logits[TOKEN] - logits[AGAINST])

    name = f"bert.encoder.layer.{layer}.attention.output.dense"
    kept: list[Tensor] = []

    def keep(x: Tensor) -> Tensor:
        kept.append(x)
        return x

    assert found.clean == pytest.approx(run(clean, keep), abs=1e-4)
    assert found.corrupted == pytest.approx(run(texts[text], keep), abs=1e-4)
    there, here = kept
    assert [pair[0] for pair in found.pairs] == list(range(here.shape[1]))
    for (one, other), cell in zip(found.pairs, found.layers[layer].cells, strict=True):
        patch = here.clone()
        patch[0, other - first] = there[0, one]

        def patched_z(_: Tensor, patch: Tensor = patch) -> Tensor:
            return patch

        assert cell.metric == pytest.approx(run(texts[text], patched_z), abs=1e-4)


def test_ids_and_texts_align_with_the_same_target(load: Load) -> None:
    """Ids get no special tokens, but their target does, as it does beside the clean sentence."""
    source = load("bart")
    ids = tuple(token.id for token in source.trace(Inputs(TEXTS[1:])).tokens[0])
    inputs = Inputs((), ids=(ids,), targets=TARGETS[:1])
    clean = source.trace(Inputs((CLEAN,), special_tokens=False)).tokens[0]
    pairs = [(at, at) for at in range(min(len(ids), len(clean)))]
    (found,) = patched(source, inputs, at="head", by="head", pairs=pairs)
    target = source.trace(inputs).target_tokens
    assert target is not None
    assert found.target_pairs == tuple((n, n) for n in range(len(target[0])))


@pytest.mark.parametrize(
    ("more", "position", "words"),
    [
        ({}, 5, "Position 5 of the target of text 1 is padding, so the clean run has no"),
        ({"generate": Generate(2)}, None, "of the target of text 1 was generated by the model, so"),
    ],
)
def test_an_answer_is_read_where_the_clean_run_has_a_token(
    load: Load, more: dict[str, Any], position: int | None, words: str
) -> None:
    inputs = Inputs(TEXTS, targets=TARGETS, **more)
    with pytest.raises(InputError, match=words) as caught:
        patched(load("t5"), inputs, at="head", text=0, position=position)
    assert caught.value.field == "analyse.patching.position"
