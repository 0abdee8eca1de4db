"""Interventions on other families equal hooks on the model that Transformers runs by itself."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import torch
from torch import Tensor

from model.analysis.attribution import attribution
from model.analysis.patching import patching
from model.core.editing import Place
from model.errors import LimitError, UnavailableError
from model.interventions import Intervention
from model.sources.source import Inputs, MutedHead
from model.trace.trace import Trace
from tests.unit.sources.pretrained.conftest import Load

pytestmark = pytest.mark.long

TEXT, OTHER, SHORT = "the cat sat on the old mat", "a dog is near her old cabinet", "a dog"
OUT = {
    "gpt2": "transformer.h.{}.attn.c_proj",
    "llama": "model.layers.{}.self_attn.o_proj",
    "bert": "bert.encoder.layer.{}.attention.output.dense",
}
Hook = Callable[[Tensor], Tensor]


def given(trace: Trace) -> dict[str, Tensor]:
    ids = torch.tensor([[token.id for token in row] for row in trace.tokens])
    return {"input_ids": ids, "attention_mask": torch.ones_like(ids)}


def decoded(trace: Trace) -> dict[str, Tensor]:
    rows = trace.target_tokens or ()
    return {"decoder_input_ids": torch.tensor([[token.id for token in row] for row in rows])}


def z_at(trace: Trace, name: str) -> Tensor:
    """The z of a site of the trace: text pos head d_head."""
    (site,) = (site for site in trace.sites if site.name == name)
    return site.derive(["z"])["z"].transpose(1, 2)


@contextmanager
def before(model: Any, name: str, change: Hook) -> Iterator[None]:
    """Change what goes into a module (batch pos channels)."""

    def entering(part: object, args: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        return (change(args[0].clone()), *args[1:])

    handle = model.get_submodule(name).register_forward_pre_hook(entering)
    try:
        yield
    finally:
        handle.remove()


def z_of(model: Any, name: str, inputs: dict[str, Tensor]) -> Tensor:
    found: list[Tensor] = []

    def keep(z: Tensor) -> Tensor:
        found.append(z.clone())
        return z

    with before(model, name, keep):
        model(**inputs)
    return found[0]


def logits(trace: Trace) -> Tensor:
    assert trace.stages is not None and trace.unembed is not None
    return trace.unembed(trace.stages[-1])


@torch.inference_mode()
@pytest.mark.parametrize("family", ["gpt2", "llama", "bert"])
@pytest.mark.parametrize("kind", ["zero", "scale", "mean", "patch"])
@pytest.mark.parametrize("positions", [None, (2, 5)])
def test_a_changed_head_equals_a_hook(
    load: Load, eager: Any, family: str, kind: Any, positions: tuple[int, ...] | None
) -> None:
    source, model, layer, head = load(family), eager(family), 1, 1
    name = OUT[family].format(layer)
    more = {
        "zero": {},
        "scale": {"factor": 2.5},
        "mean": {"texts": (OTHER, SHORT)},
        "patch": {"source": OTHER},
    }[kind]
    one = Intervention(kind=kind, at="head", layer=layer, head=head, positions=positions, **more)  # type: ignore[arg-type]
    trace = source.trace(Inputs((TEXT,), interventions=(one,)))
    d_head = source.info.d_head
    columns = slice(head * d_head, (head + 1) * d_head)
    other = z_of(model, name, given(source.trace(Inputs((OTHER,)))))[0, :, columns]
    short = z_of(model, name, given(source.trace(Inputs((SHORT,)))))[0, :, columns]
    mean = sum([*other, *short]) / (len(other) + len(short))

    def change(z: Tensor) -> Tensor:
        for position in range(z.shape[1]) if positions is None else positions:
            was = z[0, position, columns]
            z[0, position, columns] = {
                "zero": was * 0,
                "scale": was * 2.5,
                "mean": mean,
                "patch": other[position],
            }[kind]
        return z

    with before(model, name, change):
        expected = model(**given(trace)).logits
    plain = model(**given(trace)).logits
    assert torch.allclose(logits(trace), expected, atol=1e-4)
    assert not torch.allclose(expected, plain, atol=1e-3)


@torch.inference_mode()
def test_freezing_the_pattern_of_a_head_of_grouped_queries(load: Load, eager: Any) -> None:
    source, model = load("llama"), eager("llama")
    zero = Intervention(kind="zero", at="head", layer=0, head=0)
    freeze = Intervention(kind="freeze_pattern", at="head", layer=1, head=4)
    trace = source.trace(Inputs((TEXT,), interventions=(zero, freeze)))
    inputs, d_head = given(trace), source.info.d_head
    pattern = model(**inputs, output_attentions=True).attentions[1][0, 4]
    values: list[Tensor] = []
    model.get_submodule("model.layers.1.self_attn.v_proj").register_forward_hook(
        lambda part, args, out: values.append(out)
    )

    def mute(z: Tensor) -> Tensor:
        z[:, :, :d_head] = 0
        return z

    def freeze_by_hand(z: Tensor) -> Tensor:
        shared = values[-1][0, :, d_head : 2 * d_head]  # heads 3, 4, 5 share the second group
        z[0, :, 4 * d_head : 5 * d_head] = pattern @ shared
        return z

    first, second = (OUT["llama"].format(layer) for layer in (0, 1))
    with before(model, first, mute):
        thawed = model(**inputs).logits
        with before(model, second, freeze_by_hand):
            expected = model(**inputs).logits
    assert torch.allclose(logits(trace), expected, atol=1e-4)
    assert not torch.allclose(expected, thawed, atol=1e-4)


@pytest.mark.parametrize("family", ["gpt2", "gemma2", "t5", "bart"])
def test_zero_equals_a_mute_at_every_kind_of_site(load: Load, family: str) -> None:
    source = load(family)
    targets = ("her cat is",) if source.info.takes_targets else None
    for site in source.info.sites:
        zero = Intervention(kind="zero", at="head", layer=site.layer, head=1, site=site.kind)
        muted = MutedHead(site.layer, 1, site.kind)
        one = source.trace(Inputs((TEXT,), targets=targets, interventions=(zero,)))
        other = source.trace(Inputs((TEXT,), targets=targets, muted=(muted,)))
        assert torch.allclose(logits(one), logits(other), atol=1e-5)
        runner = source.runner(Inputs((TEXT,), targets=targets))

        def edit(place: Place, x: Tensor, layer: int = site.layer, kind: str = site.kind) -> Tensor:
            if place != ("z", layer, kind):
                return x
            x = x.clone()
            x[1, 1] = 0  # only in the second row
            return x

        ran = runner(edit, rows=2)
        assert other.unembed is not None
        assert torch.allclose(other.unembed(ran[1]), logits(other)[0], atol=1e-4)
        assert not torch.allclose(ran[0], ran[1], atol=1e-4)


@pytest.mark.parametrize("family", ["gpt2", "llama", "bert"])
def test_patches_of_heads_and_their_estimates_equal_hooks(
    load: Load, eager: Any, family: str
) -> None:
    source, model, layer = load(family), eager(family), 1
    name, d_head = OUT[family].format(layer), source.info.d_head
    inputs, donor = Inputs((TEXT,)), Inputs((OTHER,))
    with torch.inference_mode():
        trace = source.trace(inputs)
        with torch.inference_mode(False):
            runner, clean = source.runner(inputs), source.runner(donor)
        (found,) = patching(
            trace, runner, clean, source.info, at="head", by="head", position=4, token=9, against=14
        )
    with torch.no_grad():
        there = z_of(model, name, given(source.trace(donor)))
        here = z_of(model, name, given(trace))
    nudge = torch.zeros_like(here, requires_grad=True)

    def metric(change: Hook) -> Tensor:
        with before(model, name, change):
            logits: Tensor = model(**given(trace)).logits[0, 4]
        return logits[9] - logits[14]

    plain = metric(lambda z: z + nudge)
    (gradient,) = torch.autograd.grad(plain, nudge)
    whole = found.clean - found.corrupted
    assert found.corrupted == pytest.approx(plain.item(), abs=1e-4)
    for head, cell in enumerate(found.layers[layer].cells):
        columns = slice(head * d_head, (head + 1) * d_head)

        def patch(z: Tensor, columns: slice = columns) -> Tensor:
            z[:, :, columns] = there[:, :, columns]
            return z

        with torch.no_grad():
            assert cell.metric == pytest.approx(metric(patch).item(), abs=1e-4)
        estimate = ((there - here) * gradient)[:, :, columns].sum().item()
        assert cell.estimate == pytest.approx(estimate / whole, abs=1e-3)


LAYER = {
    "gpt2": "transformer.h.{}",
    "llama": "model.layers.{}",
    "gemma2": "model.layers.{}",
    "bert": "bert.encoder.layer.{}",
}
FEED = {
    "gpt2": "mlp",
    "llama": "mlp",
    "gemma2": "post_feedforward_layernorm",  # what is added to the stream
    "bert": "output.dense",
}


@contextmanager
def changed(model: Any, name: str, at: str, change: Hook) -> Iterator[None]:
    """Change what goes into a module, or what comes out of it."""

    def entering(part: object, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if args:
            return (change(args[0].clone()), *args[1:]), kwargs
        return args, {**kwargs, "hidden_states": change(kwargs["hidden_states"].clone())}

    def leaving(part: object, args: object, out: Any) -> Any:
        if isinstance(out, tuple):
            return (change(out[0].clone()), *out[1:])
        return change(out.clone())

    module = model.get_submodule(name)
    if at == "resid_pre":
        handle = module.register_forward_pre_hook(entering, with_kwargs=True)
    else:
        handle = module.register_forward_hook(leaving)
    try:
        yield
    finally:
        handle.remove()


@torch.inference_mode()
@pytest.mark.parametrize("family", LAYER)
@pytest.mark.parametrize("at", ["mlp", "resid_pre", "resid_post"])
@pytest.mark.parametrize("kind", ["zero", "scale", "patch"])
def test_a_changed_feed_forward_or_stream_equals_a_hook(
    load: Load, eager: Any, family: str, at: Any, kind: Any
) -> None:
    source, model, layer = load(family), eager(family), 1
    assert at in source.info.edited_at
    name = LAYER[family].format(layer) + (f".{FEED[family]}" if at == "mlp" else "")
    more = {"zero": {}, "scale": {"factor": 2.5}, "patch": {"source": OTHER}}[kind]
    places = (2, 5)
    one = Intervention(kind=kind, at=at, layer=layer, positions=places, **more)  # type: ignore[arg-type]
    trace = source.trace(Inputs((TEXT,), interventions=(one,)))
    there: list[Tensor] = []

    def keep(x: Tensor) -> Tensor:
        there.append(x.clone())
        return x

    with changed(model, name, at, keep):
        model(**given(source.trace(Inputs((OTHER,)))))

    def change(x: Tensor) -> Tensor:
        for place in places:
            x[0, place] = {"zero": 0 * x[0, place], "scale": 2.5 * x[0, place]}.get(
                kind, there[0][0, place]
            )
        return x

    with changed(model, name, at, change):
        expected = model(**given(trace)).logits
    assert torch.allclose(logits(trace), expected, atol=1e-4)
    assert not torch.allclose(expected, model(**given(trace)).logits, atol=1e-3)


BETWEEN = {"gpt2": "ln_2", "llama": "post_attention_layernorm"}  # what reads the sum


@torch.inference_mode()
@pytest.mark.parametrize("family", BETWEEN)
@pytest.mark.parametrize("kind", ["zero", "scale", "patch"])
def test_the_stream_between_attention_and_network_is_changed_for_all_that_follows(
    load: Load, eager: Any, family: str, kind: Any
) -> None:
    """What reads it is given the change, and so is what carries it on: the layer's output."""
    source, model, layer = load(family), eager(family), 1
    assert "resid_mid" in source.info.edited_at
    name = LAYER[family].format(layer)
    more = {"zero": {}, "scale": {"factor": 2.5}, "patch": {"source": OTHER}}[kind]
    places = (2, 5)
    one = Intervention(kind=kind, at="resid_mid", layer=layer, positions=places, **more)  # type: ignore[arg-type]
    trace = source.trace(Inputs((TEXT,), interventions=(one,), stream=True))
    there: list[Tensor] = []
    moved: list[Tensor] = []

    def keep(x: Tensor) -> Tensor:
        there.append(x.clone())
        return x

    with changed(model, f"{name}.{BETWEEN[family]}", "resid_pre", keep):
        model(**given(source.trace(Inputs((OTHER,)))))

    def change(x: Tensor) -> Tensor:
        before = x.clone()
        for place in places:
            x[0, place] = {"zero": 0 * x[0, place], "scale": 2.5 * x[0, place]}.get(
                kind, there[0][0, place]
            )
        moved.append(x - before)
        return x

    with (
        changed(model, f"{name}.{BETWEEN[family]}", "resid_pre", change),
        changed(model, name, "resid_post", lambda x: x + moved[0]),
    ):
        expected = model(**given(trace)).logits
    assert torch.allclose(logits(trace), expected, atol=1e-4)
    assert not torch.allclose(expected, model(**given(trace)).logits, atol=1e-3)
    for told in attribution(trace):  # what the intervention added is a part
        parts = sum(part.value for part in told.contributions)
        assert parts + told.remainder == pytest.approx(told.logit, abs=1e-4)
        assert abs(told.remainder) < 1e-3


@pytest.mark.parametrize("family", ["bert", "gemma2", "t5"])
def test_where_the_sum_goes_through_a_norm_it_has_no_place(load: Load, family: str) -> None:
    source = load(family)
    assert "resid_mid" not in source.info.edited_at
    one = Intervention(kind="zero", at="resid_mid", layer=0)
    with pytest.raises(UnavailableError, match="nothing can be changed"):
        source.trace(Inputs((TEXT,), interventions=(one,)))


@pytest.mark.parametrize("family", ["t5", "bart"])
def test_each_stack_is_changed_by_itself(load: Load, family: str) -> None:
    source = load(family)
    given = {"texts": (TEXT,), "targets": ("her cat is",)}
    plain = logits(source.trace(Inputs(**given)))  # type: ignore[arg-type]
    found = []
    for site in ("encoder", "decoder"):
        zero = Intervention(kind="zero", at="mlp", layer=0, site=site)
        found.append(logits(source.trace(Inputs(**given, interventions=(zero,)))))  # type: ignore[arg-type]
        assert not torch.allclose(found[-1], plain, atol=1e-3)
    assert not torch.allclose(found[0], found[1], atol=1e-3)


CROSS = {
    "t5": "decoder.block.0.layer.1.EncDecAttention.o",
    "bart": "model.decoder.layers.0.encoder_attn.out_proj",
}


@pytest.mark.parametrize("family", CROSS)
@torch.inference_mode()
def test_a_source_is_read_with_the_target_of_each_text(load: Load, eager: Any, family: str) -> None:
    """A patch of one cross-attention head equals a hook; texts beside it change nothing."""
    source, model = load(family), eager(family)
    targets = ("her cat is", "a dog")
    patch = Intervention(kind="patch", at="head", layer=0, head=1, site="cross", source=OTHER)
    found = source.trace(Inputs((TEXT, TEXT), targets=targets, interventions=(patch,)))
    for text, target in enumerate(targets):
        traces = [source.trace(Inputs((each,), targets=(target,))) for each in (TEXT, OTHER)]
        plain, donor = (given(trace) | decoded(trace) for trace in traces)
        there = z_of(model, CROSS[family], donor)
        width = there.shape[-1] // source.info.n_heads

        def patched(z: Tensor, there: Tensor = there, width: int = width) -> Tensor:
            z[..., width : 2 * width] = there[..., width : 2 * width]
            return z

        with before(model, CROSS[family], patched):
            expected = model(**plain).logits[0]
        assert found.unembed is not None and found.stages is not None
        shown = found.unembed(found.stages[-1, text, : len(expected)])
        torch.testing.assert_close(shown, expected, atol=1e-4, rtol=1e-4)
        assert not torch.allclose(expected, model(**plain).logits[0], atol=1e-3)


def test_a_mean_is_over_each_text_with_each_target(load: Load) -> None:
    source, targets = load("t5"), ("her cat is", "a dog")
    mean = Intervention(kind="mean", at="head", layer=0, site="cross", texts=(OTHER, SHORT))
    found = source.trace(Inputs((TEXT, TEXT), targets=targets, interventions=(mean,)))
    rows = [
        row
        for each in (OTHER, SHORT)
        for target in targets
        for row in z_at(source.trace(Inputs((each,), targets=(target,))), "decoder.layers.0.cross")[
            0
        ]
    ]
    expected = torch.stack(rows).mean(0)
    for row in z_at(found, "decoder.layers.0.cross")[0]:
        torch.testing.assert_close(row, expected, atol=1e-5, rtol=1e-5)


def test_a_source_has_the_second_segment_of_each_text(load: Load) -> None:
    source, texts, segments = (
        load("bert"),
        ("the cat sat", "a dog ran"),
        ("her cat is old", "a mat"),
    )
    one = Intervention(kind="patch", at="head", layer=1, source="her mat is")
    found = source.trace(Inputs(texts, pairs=segments, interventions=(one,)))
    for text, segment in enumerate(segments):
        alone = source.trace(Inputs(("her mat is",), pairs=(segment,)))
        n = len(alone.tokens[0])
        torch.testing.assert_close(
            z_at(found, "layers.1")[text, :n], z_at(alone, "layers.1")[0], atol=1e-5, rtol=1e-5
        )


def test_an_error_names_the_sentence_of_a_mean_as_it_was_sent(load: Load) -> None:
    """It is read once with each second segment, and too long with the second of them only."""
    source = load("bert")
    limit = source.info.max_tokens
    segments = ("a", "a " * (limit - 6))
    one = Intervention(kind="mean", at="head", layer=0, texts=("a", "the cat sat on"))
    with pytest.raises(LimitError, match="Sentence 2 of the mean") as caught:
        source.trace(Inputs(("a", "the"), pairs=segments, interventions=(one,)))
    assert caught.value.field == "interventions.0.texts.1"
