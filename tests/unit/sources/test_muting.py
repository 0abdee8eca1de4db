"""The effect of muting each head, many heads in one pass: equal to one trace per head."""

import math
from pathlib import Path
from typing import Any

import pytest
import torch

from model.core.checkpoint import Checkpoint, save_checkpoint
from model.core.tokenizer import Tokenizer
from model.core.transformer import TransformerConfig
from model.errors import InputError, NumericsError
from model.masks.rules import Cell, MaskSettings, PaddingSide
from model.sources import muting
from model.sources.native import NativeSource
from model.sources.source import Inputs, MutedHead
from model.trace.predictions import MuteEffects
from model.trace.trace import Trace
from tests.unit.conftest import lively

pytestmark = pytest.mark.long

TEXTS = ("the red cat sat on a mat", "a dog")
PAINTED = MaskSettings(
    window=3,
    padding_side="left",
    blocked=(Cell(layer=1, head=2, key=3), Cell(text=1, layer=0, query=6)),
)


def log_p(trace: Trace, text: int, position: int, token: int) -> float:
    assert trace.stages is not None and trace.unembed is not None
    logits = trace.unembed(trace.stages[-1, text, position]).double()
    return float(logits[token] - logits.logsumexp(0))


def changes(found: MuteEffects) -> dict[tuple[int, int], float | None]:
    return {(effect.layer, effect.head): effect.change for effect in found.effects}


@pytest.mark.parametrize("rows_a_pass", [1, 4, 1000])
@pytest.mark.parametrize(
    ("masks", "muted", "position", "token"),
    [
        (MaskSettings(), (), None, None),
        (MaskSettings(causal=False, padding=False), (), 1, 7),
        (PAINTED, (MutedHead(1, 0), MutedHead(0, 2)), 7, None),
    ],
)
def test_each_effect_is_the_difference_of_two_traces(
    source: NativeSource,
    monkeypatch: pytest.MonkeyPatch,
    rows_a_pass: int,
    masks: MaskSettings,
    muted: tuple[MutedHead, ...],
    position: int | None,
    token: int | None,
) -> None:
    inputs = Inputs(TEXTS, masks=masks, muted=muted)
    plain = source.trace(inputs)
    monkeypatch.setattr(muting, "PASS_TOKENS", rows_a_pass * len(plain.tokens[0]) + 1)
    found = source.mute_effects(inputs, position=position, token=token)
    predicted = plain.predict(top_k=1, position=position)
    places = plain.read_positions(position, "")
    assert len(found) == len(TEXTS)
    for text, (effects, place) in enumerate(zip(found, places, strict=True)):
        assert effects.position == place
        assert effects.token.id == (predicted[text][0].id if token is None else token)
        assert effects.token.text == source.tokenizer.token_text(effects.token.id)
        before = log_p(plain, text, place, effects.token.id)
        assert effects.token.probability == pytest.approx(math.exp(before))
        heads = [(layer, head) for layer in range(2) for head in range(3)]
        assert list(changes(effects)) == heads
        for effect in effects.effects:
            assert effect.kind == "self"
            head = MutedHead(effect.layer, effect.head)
            if head in muted:
                assert (effect.change, effect.reason) == (None, "this head is muted already")
                continue
            one_more = Inputs(TEXTS, masks=masks, muted=(*muted, head))
            after = log_p(source.trace(one_more), text, place, effects.token.id)
            assert effect.reason is None
            assert effect.change == pytest.approx(after - before, abs=1e-5)
    largest = max(abs(change or 0.0) for effects in found for change in changes(effects).values())
    assert largest > 1e-2


def test_a_pass_is_bounded(source: NativeSource, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    hook = source.model.register_forward_hook(
        lambda _model, _args, ran: seen.append(ran.resid.shape[0])  # one row may become more
    )
    n = len(source.trace(Inputs(TEXTS)).tokens[0])
    for tokens, rows in ((4 * n, [4, 2] * 2), (5 * n - 1, [4, 2] * 2), (1, [1] * 12)):
        seen.clear()
        monkeypatch.setattr(muting, "PASS_TOKENS", tokens)
        source.mute_effects(Inputs(TEXTS))
        assert seen == [2, *rows]  # as it is, and then each text's six heads
    hook.remove()


@pytest.fixture
def learned(tmp_path: Path, tokenizer: Tokenizer) -> NativeSource:
    """A source with absolute positions, because rotary ones do not notice a shift."""
    config = TransformerConfig(
        tokenizer.vocab_size, n_layers=2, n_heads=3, d_model=10, d_head=4, positions="learned"
    )
    save_checkpoint(tmp_path, Checkpoint(lively(config), tokenizer, "", ""))
    return NativeSource("learned", tmp_path)


@pytest.mark.parametrize("side", ["left", "right"])
def test_padding_changes_no_effect(learned: NativeSource, side: PaddingSide) -> None:
    _, batched = learned.mute_effects(Inputs(TEXTS, masks=MaskSettings(padding_side=side)))
    (alone,) = learned.mute_effects(Inputs(TEXTS[1:]))
    assert batched.token.id == alone.token.id
    assert changes(batched) == pytest.approx(changes(alone), abs=1e-5)


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        ({"position": 8}, "analyse.mute_effects.position"),
        ({"position": -1}, "analyse.mute_effects.position"),
        ({"token": -1}, "analyse.mute_effects.token"),
        ({"token": 10_000}, "analyse.mute_effects.token"),
        ({"max_tokens": 7}, "texts.0"),
    ],
)
def test_an_impossible_effect_is_refused(
    source: NativeSource, settings: dict[str, Any], field: str
) -> None:
    with pytest.raises(InputError) as caught:
        source.mute_effects(Inputs(TEXTS), **settings)
    assert caught.value.field == field


def test_the_last_token_of_the_vocabulary_can_be_asked_for(source: NativeSource) -> None:
    size = source.tokenizer.vocab_size
    assert source.mute_effects(Inputs(("a",)), token=size - 1)[0].token.id == size - 1
    with pytest.raises(InputError, match=f"token ids 0 to {size - 1}; got {size}"):
        source.mute_effects(Inputs(("a",)), token=size)


def test_logits_that_are_not_finite_raise(
    source: NativeSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source.model, "unembed", lambda x: torch.full((*x.shape[:-1], 9), math.nan))
    with pytest.raises(NumericsError):
        source.mute_effects(Inputs(("a",)))
