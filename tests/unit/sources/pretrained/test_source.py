"""A checkpoint as a source: its tokens, description, limits and predictions."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
import torch

from model.analysis import head_scores, probe, rollout
from model.core.checkpoint import SHIPPED
from model.errors import InputError, LimitError, TextError, UnavailableError
from model.masks.rules import Cell, MaskSettings
from model.sources.branching import branches
from model.sources.generation import Generate
from model.sources.native import NativeSource
from model.sources.opening import open_source
from model.sources.pretrained.body import Body
from model.sources.source import Inputs, MutedHead, Source
from tests.unit.sources.pretrained.checkpoints import CLS, END, PAD, SEP, VOCAB, N
from tests.unit.sources.pretrained.conftest import Folder, Load

pytestmark = pytest.mark.long


def test_sites_are_named_and_counted(load: Load) -> None:
    assert isinstance(load("bert"), Source)
    names = [(s.name, s.kind, s.layer, s.n_heads) for s in load("bart").info.sites]
    assert names == [
        ("encoder.layers.0", "encoder", 0, 3),
        ("encoder.layers.1", "encoder", 1, 3),
        ("decoder.layers.0.self", "decoder", 0, 4),
        ("decoder.layers.0.cross", "cross", 0, 4),
        ("decoder.layers.1.self", "decoder", 1, 4),
        ("decoder.layers.1.cross", "cross", 1, 4),
        ("decoder.layers.2.self", "decoder", 2, 4),
        ("decoder.layers.2.cross", "cross", 2, 4),
    ]
    info = load("llama").info
    assert (info.n_layers, info.n_heads, info.d_model, info.d_head) == (3, 6, 24, 4)
    assert (info.d_ff, info.norm, info.residual) == (None, None, True)  # not said by a checkpoint
    assert (info.causal, info.predicts, info.vocab_size) == (True, "next", N)
    assert load("llama").trace(Inputs(("a cat",))).sites[0].n_kv_heads == 2
    assert (load("bert").info.causal, load("bert").info.predicts) == (False, "fill")
    assert (load("bert").info.takes_pairs, load("gpt2").info.takes_pairs) == (True, False)
    assert (load("t5").info.takes_targets, load("gpt2").info.takes_targets) == (True, False)
    for family in ("bert", "gpt2", "t5"):
        tensors = load(family).info.tensors
        targets = ("a",) if family == "t5" else None
        for site in load(family).trace(Inputs(("a cat",), targets=targets)).sites:
            own = {"bias"} if site.bias is not None else set()  # told of each site
            assert set(site.tensors) == {*tensors, *own}


def test_rules_of_a_familys_own(load: Load) -> None:
    sliding, whole, again = load("gemma2").trace(Inputs(("the cat sat on the mat",))).sites
    assert (sliding.mask.settings.causal, sliding.mask.settings.window) == (True, 3)
    assert (whole.mask.settings.causal, whole.mask.settings.window) == (True, None)
    assert again.mask.settings.window == 3
    assert (sliding.soft_cap, sliding.n_kv_heads) == (1.5, 2)
    assert sliding.scale == pytest.approx(5**-0.5)
    site = load("t5").trace(Inputs(("the cat sat",), targets=("a dog",))).sites[0]
    assert site.bias is not None and site.scale == 1.0


def test_tokens_stand_where_they_were_typed(load: Load) -> None:
    typed = "the  cat sat, qqq!"
    (row,) = load("bert").trace(Inputs((typed,))).tokens
    words = [token for token in row if not token.special]
    assert [token.text for token in words] == ["the", "cat", "sat", ",", "qqq", "!"]
    assert all(typed[token.start : token.end] == token.text for token in words)
    assert [(t.id, t.text, t.start, t.end) for t in row if t.special] == [
        (CLS, "[CLS]", 0, 0),
        (SEP, "[SEP]", 18, 18),
    ]


def test_padding_and_truncation_of_the_tokenizers_file_are_not_ours(load: Load) -> None:
    long, short = load("bert").trace(Inputs(("the cat " * 10, "a"))).tokens
    assert len(long) == 22
    assert [t.id for t in short][:3] == [CLS, VOCAB["a"], SEP]
    assert all(t.padding and t.id == PAD for t in short[3:])


def test_second_segments_are_distinguished(load: Load) -> None:
    inputs = Inputs(("the cat", "a"), pairs=("a dog sat", "the dog is"))
    first, _ = load("bert").trace(inputs).tokens
    assert [t.segment for t in first] == [0, 0, 0, 0, 1, 1, 1, 1]
    assert [t.text for t in first if t.segment == 1 and not t.special] == ["a", "dog", "sat"]
    assert [(t.start, t.end) for t in first if t.segment == 1][:2] == [(0, 1), (2, 5)]
    plain = load("bert").trace(Inputs(("the cat",)))
    assert {t.segment for t in plain.tokens[0]} == {0}


def test_a_decoder_begins_with_its_start_token_and_is_never_ended(load: Load) -> None:
    trace = load("bart").trace(Inputs(("the cat", "a"), targets=("her dog", "")))
    assert trace.target_tokens is not None
    typed, nothing = trace.target_tokens
    assert [t.id for t in typed] == [SEP, CLS, VOCAB["her"], VOCAB["dog"]]
    assert [t.id for t in nothing if not t.padding] == [SEP, CLS]
    t5 = load("t5").trace(Inputs(("the cat",), targets=("her dog",)))
    assert t5.target_tokens is not None
    assert [t.id for t in t5.target_tokens[0]] == [PAD, VOCAB["her"], VOCAB["dog"]]
    assert not t5.target_tokens[0][0].padding  # it starts with that id
    assert t5.tokens[0][-1].id == END
    assert load("t5").trace(Inputs(("the cat",))).read_positions(None, "") == [0]


def test_a_fill_is_read_at_the_mask(load: Load) -> None:
    trace = load("bert").trace(Inputs(("the [MASK] sat on the [MASK]", "the cat")))
    assert trace.read_at == (2, None)
    assert trace.read_positions(None, "") == [2, 3]
    assert trace.tokens[0][2].text == "[MASK]" and trace.tokens[0][2].special


def test_ids_are_traced_as_if_they_had_been_typed(load: Load) -> None:
    ids = [VOCAB[word] for word in "the cat sat".split()]
    for family in ("bert", "llama", "bart"):
        spelled = load(family).trace_ids([ids])
        typed = load(family).trace(Inputs(("the cat sat",)))
        assert [t.id for t in spelled.tokens[0]] == [t.id for t in typed.tokens[0]]
        got, expected = (t.sites[0].derive(["pattern"])["pattern"] for t in (spelled, typed))
        torch.testing.assert_close(got, expected)
    with pytest.raises(InputError, match="special"):
        load("bert").trace_ids([[PAD]])
    with pytest.raises(InputError):
        load("bert").trace_ids([])


@pytest.mark.parametrize("family", ("bert", "gpt2", "t5", "bloom"))
def test_the_instruments_work_here(load: Load, family: str) -> None:
    source = load(family)
    scored = probe(source)
    assert len(scored.heads) == sum(site.n_heads for site in source.info.sites)
    targets = ("a dog sat",) if family == "t5" else None
    trace = source.trace(Inputs(("the cat sat on the mat",), targets=targets))
    assert len(head_scores(trace, 0)) == len(scored.heads)
    mixed = rollout(trace)
    torch.testing.assert_close(mixed.sum(-1), torch.ones(mixed.shape[:2]))


@pytest.mark.parametrize(
    ("family", "inputs", "field"),
    [
        ("bert", Inputs(()), "texts"),
        ("gpt2", Inputs(("a",), targets=("b",)), "targets"),
        ("gpt2", Inputs(("a",), pairs=("b",)), "pairs"),
        ("bert", Inputs(("a",), pairs=("b", "c")), "pairs"),
        ("bert", Inputs(("a",), muted=(MutedHead(3, 0),)), "muted"),
        ("bert", Inputs(("a",), muted=(MutedHead(0, 2),)), "muted"),
        ("bert", Inputs(("a",), muted=(MutedHead(0, 0, "cross"),)), "muted"),
        ("bart", Inputs(("a",), muted=(MutedHead(1, 3, "encoder"),)), "muted"),
        ("bart", Inputs(("a",), muted=(MutedHead(2, 0, "encoder"),)), "muted"),
        ("bert", Inputs(("a",), masks=MaskSettings(blocked=(Cell(layer=3),))), "masks.blocked"),
        ("bert", Inputs(("a",), masks=MaskSettings(allowed=(Cell(key=3),))), "masks.allowed"),
    ],
)
def test_inputs_that_do_not_suit_are_refused(
    load: Load, family: str, inputs: Inputs, field: str
) -> None:
    with pytest.raises(InputError) as caught:
        load(family).trace(inputs)
    assert caught.value.field == field


def test_a_text_past_the_position_limit_is_refused_by_number(load: Load) -> None:
    assert load("bert").info.max_tokens == 40
    with pytest.raises(LimitError, match="Text 2 has 42 tokens; bert takes at most 40") as caught:
        load("bert").trace(Inputs(("a", "cat " * 40)))
    assert (caught.value.code, caught.value.field, caught.value.limit) == (
        "too_many_tokens",
        "texts.1",
        40,
    )
    with pytest.raises(LimitError, match="at most 9"):
        load("bert").trace(Inputs(("cat " * 20,)), max_tokens=9)
    with pytest.raises(LimitError) as caught:
        load("bart").trace(Inputs(("a",), targets=("cat " * 40,)))
    assert caught.value.field == "targets.0"


def test_half_a_character_is_refused(load: Load) -> None:
    for inputs in (Inputs(("a \ud83d",)), Inputs(("a",), pairs=("\ud83d",))):
        with pytest.raises(TextError):
            load("bert").trace(inputs)


def test_no_text_at_all_is_traced(load: Load) -> None:
    for family in ("bert", "llama", "t5"):
        trace = load(family).trace(Inputs(("",)))
        assert all(token.special for token in trace.tokens[0])
        assert trace.predict(top_k=1)[0][0].probability > 0


def test_a_family_with_its_own_attention_refuses_edits_and_says_why(load: Load) -> None:
    source = load("bloom")
    for inputs, field in (
        (Inputs(("a",), masks=MaskSettings(causal=False)), "masks"),
        (Inputs(("a",), muted=(MutedHead(0, 0),)), "muted"),
    ):
        with pytest.raises(UnavailableError, match="computes attention itself") as caught:
            source.trace(inputs)
        assert caught.value.field == field
    with pytest.raises(UnavailableError, match="computes attention itself"):
        source.mute_effects(Inputs(("a",)))


def test_padding_on_the_left_is_refused_where_it_would_move_words(load: Load) -> None:
    left = MaskSettings(padding_side="left")
    with pytest.raises(UnavailableError, match="counts positions from the first token") as caught:
        load("bart").trace(Inputs(("the cat sat", "a"), targets=("a", "a"), masks=left))
    assert caught.value.field == "masks.padding_side"
    load("bart").trace(Inputs(("the cat", "a dog"), targets=("a", "a"), masks=left))


def test_a_long_text_holds_tokens_not_their_square(load: Load) -> None:
    sizes = [load("llama").trace(Inputs(("cat " * n,))).nbytes for n in (300, 600, 1_200)]
    grown = [later / earlier for earlier, later in pairwise(sizes)]
    assert all(1.9 < ratio < 2.1 for ratio in grown)


def test_either_kind_of_checkpoint_opens(folder: Folder) -> None:
    assert isinstance(open_source("mine", str(SHIPPED)), NativeSource)
    assert open_source("other", str(folder("gpt2"))).info.name == "other"


@pytest.mark.parametrize("family", ("gpt2", "llama", "bart", "bloom"))
def test_generated_tokens_are_the_likeliest_one_after_another(load: Load, family: str) -> None:
    source, is_decoder = load(family), family == "bart"
    texts, targets = ("the cat sat", "a"), ("her", "") if is_decoder else None
    trace = source.trace(Inputs(texts, targets=targets, generate=Generate(4)))
    plain = source.trace(Inputs(texts, targets=targets))
    ends = {END, SEP}
    for text, row in enumerate(trace.read_tokens):
        typed = [t for t in row if not t.generated and not t.padding]
        assert typed == [t for t in plain.read_tokens[text] if not t.padding]
        generated = [t for t in row if t.generated]
        assert len(generated) == 4 or generated[-1].id in ends
        assert all(t.start == t.end == typed[-1].end for t in generated)
        for count in range(len(generated)):
            settings = Generate(count) if count else None
            before = source.trace(Inputs(texts, targets=targets, generate=settings))
            assert before.predict(top_k=1)[text][0].id == generated[count].id
    inputs = Inputs(texts, targets=targets)
    each = branches(plain, inputs, source.continued, position=None, top_k=2, n_tokens=4)
    for one, row in zip(each, trace.read_tokens, strict=True):
        likeliest = one.branches[0]
        ids = [likeliest.token.id, *(token.id for token in likeliest.follows)]
        assert ids == [t.id for t in row if t.generated]
        assert likeliest.ended == (ids[-1] in ends)


def test_sampling_goes_by_the_seed_and_each_text_by_itself(load: Load) -> None:
    def ids_of(*texts: str, seed: int, temperature: float = 1.0) -> list[list[int]]:
        settings = Generate(6, sampled=True, temperature=temperature, seed=seed)
        trace = load("llama").trace(Inputs(texts, generate=settings))
        return [[t.id for t in row if t.generated] for row in trace.tokens]

    assert ids_of("the cat", seed=3) == ids_of("the cat", seed=3)
    assert ids_of("the cat", "a", seed=3)[0] == ids_of("the cat", seed=3)[0]
    assert len({tuple(ids_of("the cat", seed=seed)[0]) for seed in range(6)}) > 3
    greedy = load("llama").trace(Inputs(("the cat",), generate=Generate(6)))
    cold = ids_of("the cat", seed=1, temperature=0.001)[0]
    assert cold == [t.id for t in greedy.tokens[0] if t.generated]


def test_what_cannot_go_on_says_so(load: Load) -> None:
    with pytest.raises(UnavailableError, match="does not predict next tokens") as caught:
        load("bert").trace(Inputs(("the",), generate=Generate(1)))
    assert caught.value.field == "generate"
    with pytest.raises(LimitError, match="has 30 tokens, and 20 more are to be generated"):
        load("gpt2").trace(Inputs(("cat " * 30,), generate=Generate(20)))
    wrong_ones: list[dict[str, Any]] = [{"n_tokens": 0}, {"n_tokens": 1, "temperature": 0.0}]
    for wrong in wrong_ones:
        with pytest.raises(InputError):
            Generate(**wrong)


def test_masks_and_mutes_reach_what_is_generated(load: Load) -> None:
    painted, later = Cell(text=1, key=1), Cell(query=6, key=5)
    edited = Inputs(
        ("the cat", "a dog sat"),
        masks=MaskSettings(blocked=(painted,)),
        muted=(MutedHead(1, 0),),
    )
    first = [row[0].id for row in load("gpt2").trace(edited).predict(top_k=1)]
    assert first != [row[0].id for row in load("gpt2").trace(Inputs(edited.texts)).predict(top_k=1)]
    # a cell of a token that is still to come does not stand in the way
    masks = MaskSettings(blocked=(painted, later))
    trace = load("gpt2").trace(replace(edited, masks=masks, generate=Generate(5)))
    generated = [[t.id for t in row if t.generated] for row in trace.tokens]
    assert [ids[0] for ids in generated] == first
    assert trace.sites[1].muted == (0,)
    assert trace.sites[0].derive(["pattern"])["pattern"][:, :, 6, 5].eq(0).all()


@pytest.mark.parametrize(
    ("family", "what"), [("t5", "position biases"), ("bloom", "patterns"), ("llama", None)]
)
def test_whole_matrices_are_limited_before_anything_runs(
    load: Load, family: str, what: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("model.sources.pretrained.text.limits.SQUARE_BYTES", 4 * 20**2 * 8)
    load(family).trace(Inputs(("cat " * 8,)))
    if what is None:
        load(family).trace(Inputs(("cat " * 300,)))
        return
    monkeypatch.setattr(Body, "_run", None)
    with pytest.raises(LimitError, match=f"needs whole matrices \\({what}\\)") as caught:
        load(family).trace(Inputs(("cat " * 300,)))
    assert caught.value.code == "too_many_cells"


def test_a_cell_freed_far_in_the_future_reaches_the_pass(load: Load) -> None:
    text = ("the cat " * 160,)  # longer than a stripe of rows
    freed = MaskSettings(allowed=(Cell(layer=0, query=3, key=300),))
    plain, trace = (load("llama").trace(Inputs(text, masks=m)) for m in (MaskSettings(), freed))
    assert plain.stages is not None and trace.stages is not None
    apart = (trace.stages[-1] - plain.stages[-1]).abs().amax(dim=(0, 2))
    assert apart[3] > 1e-4
    assert apart[:3].eq(0).all()


@pytest.mark.parametrize("texts", (("",), ("the cat", ""), ("   ",)))
def test_a_text_without_any_token_is_refused(load: Load, texts: tuple[str, ...]) -> None:
    with pytest.raises(TextError, match="has no tokens, and gpt2 adds none") as caught:
        load("gpt2").trace(Inputs(texts))
    assert (caught.value.code, caught.value.field) == ("no_tokens", f"texts.{len(texts) - 1}")
