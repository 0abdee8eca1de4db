"""Interventions equal forward passes that are changed by hand, compose, and leave traces honest."""

from collections.abc import Callable
from typing import Any, Literal, get_args

import pytest
import torch
from torch import Tensor

from model.analysis.attribution import attribution
from model.core.checkpoint import SHIPPED
from model.core.editing import Capture, Place, Point
from model.errors import InputError
from model.interventions import KINDS, At, Intervention, Kind
from model.masks.rules import MaskSettings
from model.sources.generation import Generate
from model.sources.native import NativeSource
from model.sources.source import Inputs, MutedHead, fits_together, unedited
from model.trace.stream import Part, Read, Write, summands
from model.trace.stream_tensors import stream_tensors
from model.trace.trace import Trace
from tests.unit.by_hand import by_hand

pytestmark = pytest.mark.long

TEXT, OTHER, LONGER = "the red cat sat on a mat", "a dog ran under the small tree", "the dog ran"
SENTENCE, SOURCE = "Maria saw herself in the old mirror.", "Robert saw himself in the old mirror."

HEAD: dict[str, Any] = {"at": "head", "layer": 0}


@pytest.fixture(scope="module")
def shipped() -> NativeSource:
    return NativeSource("shipped", SHIPPED)


def logits(trace: Trace, text: int = 0) -> Tensor:
    assert trace.stages is not None and trace.unembed is not None
    return trace.unembed(trace.stages[-1, text])


def run(source: NativeSource, *given: Intervention, text: str = TEXT, **more: Any) -> Trace:
    return source.trace(Inputs((text,), interventions=given, **more))


def ids_of(source: NativeSource, text: str) -> Tensor:
    return torch.tensor([token.id for token in source.trace(Inputs((text,))).tokens[0]])


def seen(source: NativeSource, text: str) -> dict[tuple[str, int], Tensor]:
    """What an unchanged run by hand computes at each point."""
    found: dict[tuple[str, int], Tensor] = {}

    def keep(point: str, layer: int, x: Tensor) -> Tensor:
        found[point, layer] = x.clone()
        return x

    by_hand(source.model, ids_of(source, text), keep)
    return found


def changed(
    source: NativeSource, text: str, at: str, layer: int, how: Callable[[Tensor], Tensor]
) -> Tensor:
    """The logits of a run by hand with one tensor changed."""

    def change(point: str, here: int, x: Tensor) -> Tensor:
        return how(x.clone()) if (point, here) == (at, layer) else x

    return by_hand(source.model, ids_of(source, text), change)


def close(got: Tensor, expected: Tensor) -> bool:
    return bool(((got - expected).abs().max() <= 2e-4 * expected.abs().max()).item())


def test_the_run_by_hand_is_the_models_own(source: NativeSource, shipped: NativeSource) -> None:
    for each, text in ((source, TEXT), (shipped, SENTENCE)):
        assert close(by_hand(each.model, ids_of(each, text)), logits(run(each, text=text)))


WHERE: list[tuple[At, str, int | None]] = [
    ("head", "z", 2),
    ("head", "z", None),
    ("mlp", "mlp_out", None),
    ("resid_pre", "resid_pre", None),
    ("resid_mid", "resid_mid", None),
    ("resid_post", "resid_post", None),
]


@pytest.mark.parametrize(("at", "point", "head"), WHERE)
@pytest.mark.parametrize("positions", [None, (2, 4)])
@pytest.mark.parametrize("kind", ["zero", "scale", "mean", "resample", "patch", "add"])
def test_each_kind_equals_a_run_changed_by_hand(
    source: NativeSource,
    kind: Kind,
    at: At,
    point: str,
    head: int | None,
    positions: tuple[int, ...] | None,
) -> None:
    donors = (OTHER, LONGER)
    fields: dict[str, dict[str, Any]] = {
        "zero": {},
        "scale": {"factor": -1.5},
        "mean": {"texts": donors},
        "resample": {"source": OTHER},
        "patch": {"source": OTHER},
        "add": {"source": LONGER, "minus": OTHER, "factor": -2.0},
    }
    layer = 1 if at != "resid_post" else 0
    one = Intervention(
        kind=kind, at=at, layer=layer, head=head, positions=positions, **fields[kind]
    )

    def how(x: Tensor) -> Tensor:
        heads = range(x.shape[0]) if x.dim() == 3 else [None]
        for h in heads:
            if head is not None and h != head:
                continue
            rows = x if h is None else x[h]
            for position in range(len(rows)) if positions is None else positions:
                rows[position] = value(rows[position], h, position)
        return x

    def value(before: Tensor, h: int | None, position: int) -> Tensor:
        match kind:
            case "zero":
                return torch.zeros_like(before)
            case "scale":
                return before * -1.5
            case "mean":
                total, n = torch.zeros_like(before), 0
                for text in donors:
                    there = seen(source, text)[point, layer]
                    for row in there if h is None else there[h]:
                        total, n = total + row, n + 1
                return total / n
            case "add":
                ends = [seen(source, text)[point, layer] for text in (LONGER, OTHER)]
                one, other = ((there if h is None else there[h])[-1] for there in ends)
                return before - 2.0 * (one - other)
        there = seen(source, OTHER)[point, layer]
        return (there if h is None else there[h])[position]

    got = logits(run(source, one))
    assert close(got, changed(source, TEXT, point, layer, how))
    assert not close(got, logits(run(source)))


def test_a_vector_and_the_direction_of_a_token_are_added(source: NativeSource) -> None:
    numbers = torch.linspace(-1, 1, source.info.d_model)
    vector = tuple(numbers.tolist())
    token = ids_of(source, TEXT)[2].item()
    word = source.tokenizer.token_text(int(token))
    row = source.model.embedding.token.weight[int(token)]

    def added(x: Tensor) -> Tensor:
        x[3] = x[3] + numbers
        return x + 0.5 * row

    given: dict[str, Any] = {"at": "resid_post", "layer": 0}
    by_vector = Intervention(kind="add", vector=vector, positions=(3,), **given)
    for named in (int(token), word):
        by_token = Intervention(kind="add", token=named, factor=0.5, **given)
        found = logits(run(source, by_vector, by_token))
        assert close(found, changed(source, TEXT, "resid_post", 0, added))
    back = Intervention(kind="add", vector=vector, positions=(3,), factor=-1.0, **given)
    assert close(logits(run(source, by_vector, back)), logits(run(source)))
    head = Intervention(kind="add", vector=(1.0,) * source.info.d_head, **HEAD | {"head": 1})
    z = [run(source, *one).sites[0].derive(["z"])["z"][0] for one in ((), (head,))]
    assert torch.allclose(z[1][1], z[0][1] + 1) and torch.equal(z[1][0], z[0][0])


def test_a_source_alone_is_what_is_added(source: NativeSource) -> None:
    one = Intervention(kind="add", at="mlp", layer=1, source=OTHER, positions=(1,))

    def how(x: Tensor) -> Tensor:
        x[1] = x[1] + seen(source, OTHER)["mlp_out", 1][-1]
        return x

    assert close(logits(run(source, one)), changed(source, TEXT, "mlp_out", 1, how))


def test_a_patch_by_pairs(source: NativeSource) -> None:
    pairs = ((3, 1), (0, 5), (2, 2))
    one = Intervention(kind="patch", at="mlp", layer=0, source=LONGER, pairs=pairs)

    def how(x: Tensor) -> Tensor:
        there = seen(source, LONGER)["mlp_out", 0]
        x[1], x[5], x[2] = there[3], there[0], there[2]
        return x

    assert close(logits(run(source, one)), changed(source, TEXT, "mlp_out", 0, how))


@pytest.mark.parametrize("kind", ["freeze_pattern", "freeze_values"])
def test_freezing_one_half_of_a_head(shipped: NativeSource, kind: Kind) -> None:
    before, frozen = MutedHead(0, 3), ("q", "k") if kind == "freeze_pattern" else ("v",)
    first = Intervention(kind="zero", at="head", layer=0, head=3)
    second = Intervention(kind=kind, at="head", layer=1, head=2)
    plain = seen(shipped, SENTENCE)

    def change(point: str, layer: int, x: Tensor) -> Tensor:
        x = x.clone()
        if (point, layer) == ("z", 0):
            x[3] = 0
        if layer == 1 and point in frozen:
            x[2] = plain[point, 1][2]
        return x

    expected = by_hand(shipped.model, ids_of(shipped, SENTENCE), change)
    assert close(logits(run(shipped, first, second, text=SENTENCE)), expected)
    # a mute is an intervention too: what is frozen is the run without it
    muted = run(shipped, second, text=SENTENCE, muted=(before,))
    assert close(logits(muted), expected)
    assert not close(expected, logits(run(shipped, first, text=SENTENCE)))
    pattern = muted.sites[1].derive(["pattern"])["pattern"][0, 2]
    there = shipped.trace(Inputs((SENTENCE,))).sites[1].derive(["pattern"])["pattern"][0, 2]
    assert torch.allclose(pattern, there, atol=1e-6) == (kind == "freeze_pattern")


def test_zero_on_a_whole_head_equals_a_mute(shipped: NativeSource) -> None:
    zeroed = run(shipped, Intervention(kind="zero", at="head", layer=1, head=4), text=SENTENCE)
    muted = run(shipped, text=SENTENCE, muted=(MutedHead(1, 4),))
    assert torch.equal(logits(zeroed), logits(muted))
    for name in ("z", "result", "norms", "pattern"):
        one, other = (each.sites[1].derive([name])[name] for each in (zeroed, muted))
        assert torch.equal(one, other)


@pytest.mark.parametrize("at", get_args(At))
def test_a_factor_of_1_and_a_patch_from_itself_change_nothing(
    shipped: NativeSource, at: At
) -> None:
    plain = logits(run(shipped, text=SENTENCE, masks=MaskSettings(window=3)))
    same: tuple[dict[str, Any], ...] = (
        {"kind": "scale", "factor": 1.0},
        {"kind": "patch", "source": SENTENCE},
    )
    for more in same:
        one = Intervention(at=at, layer=1, **more)
        again = logits(run(shipped, one, text=SENTENCE, masks=MaskSettings(window=3)))
        assert torch.allclose(again, plain, atol=1e-5)


def test_interventions_act_in_their_order(source: NativeSource) -> None:
    double = Intervention(kind="scale", at="mlp", layer=0, factor=2.0)
    half = Intervention(kind="scale", at="mlp", layer=0, factor=0.5)
    patch = Intervention(kind="patch", at="mlp", layer=0, source=OTHER, positions=(3,))
    assert torch.allclose(logits(run(source, double, half)), logits(run(source)), atol=1e-5)

    def patched_last(x: Tensor) -> Tensor:
        x = x * 2
        x[3] = seen(source, OTHER)["mlp_out", 0][3]
        return x

    def doubled_last(x: Tensor) -> Tensor:
        x[3] = seen(source, OTHER)["mlp_out", 0][3]
        return x * 2

    for given, how in (((double, patch), patched_last), ((patch, double), doubled_last)):
        assert close(logits(run(source, *given)), changed(source, TEXT, "mlp_out", 0, how))


def test_a_text_is_edited_alone(source: NativeSource) -> None:
    one = Intervention(kind="scale", at="resid_mid", layer=1, factor=3.0, text=1, positions=(1,))
    both = source.trace(Inputs((TEXT, LONGER), interventions=(one,)))
    alone = Intervention(kind="scale", at="resid_mid", layer=1, factor=3.0, positions=(1,))
    assert torch.allclose(logits(both), logits(run(source)), atol=1e-5)
    n = len(source.trace(Inputs((LONGER,))).tokens[0])
    expected = logits(run(source, alone, text=LONGER))
    assert torch.allclose(logits(both, 1)[:n], expected, atol=1e-5)


@pytest.mark.parametrize("side", ["left", "right"])
def test_padding_shifts_no_patch(source: NativeSource, side: Any) -> None:
    masks = MaskSettings(padding_side=side)
    one = Intervention(kind="patch", at="head", layer=1, head=1, source="a mat sat", text=1)
    both = source.trace(Inputs((TEXT, LONGER), interventions=(one,), masks=masks))
    alone = Intervention(kind="patch", at="head", layer=1, head=1, source="a mat sat")
    expected = logits(run(source, alone, text=LONGER))
    real = [at for at, token in enumerate(both.tokens[1]) if not token.padding]
    assert torch.allclose(logits(both, 1)[real], expected, atol=1e-4)


@pytest.mark.parametrize(
    "one",
    [
        Intervention(kind="scale", at="head", layer=0, head=1, factor=0.3),
        Intervention(kind="mean", at="head", layer=1, texts=(OTHER,), positions=(2,)),
        Intervention(kind="zero", at="mlp", layer=1),
        Intervention(kind="add", at="resid_pre", layer=1, source=OTHER, factor=3.0),
        Intervention(kind="patch", at="resid_pre", layer=1, source=OTHER),
        Intervention(kind="scale", at="resid_mid", layer=0, factor=2.0),
        Intervention(kind="zero", at="resid_post", layer=0, positions=(1, 3)),
        Intervention(kind="freeze_pattern", at="head", layer=1, head=0),
    ],
)
def test_the_parts_of_an_edited_run_still_sum_to_the_logit(
    source: NativeSource, one: Intervention
) -> None:
    first = Intervention(kind="scale", at="head", layer=0, head=2, factor=-1.0)
    trace = source.trace(Inputs((TEXT,), interventions=(first, one), stream=True))
    for position in (2, 4):
        (found,) = attribution(trace, position=position)
        expected = logits(trace)[position, found.token.id].item()
        assert found.logit == pytest.approx(expected, abs=1e-4)
        assert abs(found.remainder) < 1e-4
        kinds = [each.part.kind for each in found.contributions]
        assert kinds.count("intervention") == one.at.startswith("resid")
        if one.kind != "mean":  # a value that was set comes from no source token
            for each in found.sources:
                (head,) = [
                    c.value
                    for c in found.contributions
                    if (c.part.site, c.part.head) == (each.site, each.head)
                ]
                assert sum(each.values) == pytest.approx(head, abs=1e-4)


def test_the_stream_is_that_of_the_edited_run(source: NativeSource) -> None:
    stream: tuple[Literal["resid_pre", "resid_mid", "resid_post"], ...]
    stream = ("resid_pre", "resid_mid", "resid_post")
    given = tuple(
        Intervention(kind="scale", at=at, layer=layer, factor=2.0 + n, positions=(n, 4))
        for n, (at, layer) in enumerate((at, layer) for at in stream for layer in (0, 1))
    )
    points: tuple[Point, ...] = (*stream, "mlp_out")
    capture = Capture([Place(point, layer) for point in points for layer in (0, 1)])
    source.runner(Inputs((TEXT,), interventions=given))(capture)
    trace = source.trace(Inputs((TEXT,), interventions=given, stream=True))
    found = stream_tensors(trace, points)
    # the stream after a layer is edited once more as that before the next
    for place, expected in capture.found.items():
        if place != ("resid_post", 0, "self"):
            got = found[f"layers.{place.layer}.{place.point}"]
            assert torch.allclose(got, expected, atol=1e-4), place


def test_changes_of_the_stream_of_a_layer_are_one_part(source: NativeSource) -> None:
    given = tuple(
        Intervention(kind="scale", at=at, layer=1, factor=0.5, positions=(5,))
        for at in ("resid_pre", "resid_mid", "resid_post")
    )
    trace = source.trace(Inputs((TEXT,), interventions=given, stream=True))
    stream = trace.streams["tokens"]
    added = [
        step.out[0, 5]
        for step in stream.steps
        if isinstance(step, Write) and step.part == Part("intervention", 1)
    ]
    parts, vectors = summands(stream, trace.sites, text=0, positions=[5])
    assert len(added) == 3 and len(set(parts)) == len(parts)
    together = vectors[parts.index(Part("intervention", 1)), 0]
    torch.testing.assert_close(together, added[0] + added[1] + added[2])
    assert stream.final is not None and trace.stages is not None
    whole = stream.final.push(vectors, 0, torch.tensor([5])).sum(0)[0]
    assert stream.final.bias is not None
    torch.testing.assert_close(whole + stream.final.bias, trace.stages[-1, 0, 5])
    read = next(s for s in stream.steps if isinstance(s, Read) and s.site == 1)
    parts, vectors = summands(stream, trace.sites, text=0, positions=[5], until=read)
    before = vectors[parts.index(Part("intervention", 1)), 0]
    torch.testing.assert_close(before, added[0])  # the others come later


def test_a_site_derives_what_the_run_used(source: NativeSource) -> None:
    given = (
        Intervention(kind="scale", at="head", layer=1, head=1, factor=0.5),
        Intervention(kind="patch", at="head", layer=1, head=2, source=OTHER, positions=(3,)),
    )
    inputs = Inputs((TEXT,), interventions=given)
    capture = Capture((Place("z", 1),))
    source.runner(inputs)(capture)
    (site,) = [site for site in source.trace(inputs).sites if site.layer == 1]
    z = site.derive(["z"])["z"]
    assert torch.allclose(z, capture.found[Place("z", 1)], atol=1e-5)
    some = site.derive(["z", "result"], heads=[2, 1], rows=slice(3, 5))
    assert torch.equal(some["z"], z[:, [2, 1], 3:5])
    plain = source.trace(Inputs((TEXT,))).sites[1].derive(["norms"])["norms"]
    norms = site.derive(["norms"])["norms"]
    assert torch.allclose(norms[:, 1], plain[:, 1] * 0.5, atol=1e-5)
    assert norms[0, 2, 3].eq(0).all() and norms[0, 2, 4].gt(0).any()


def test_rows_of_a_runner_have_edits_of_their_own(source: NativeSource) -> None:
    base = Intervention(kind="scale", at="mlp", layer=0, factor=0.5)
    runner = source.runner(Inputs((LONGER, TEXT), interventions=(base,), muted=(MutedHead(0, 1),)))
    factors = (1.0, 0.0, 2.0)

    def edit(place: Place, x: Tensor) -> Tensor:
        if place != Place("resid_mid", 1):
            return x
        return x * torch.tensor(factors)[:, None, None]

    found = runner(edit, text=1, rows=3)
    assert runner.tokens == source.trace(Inputs((LONGER, TEXT))).tokens
    for row, factor in zip(found, factors, strict=True):
        more = Intervention(kind="scale", at="resid_mid", layer=1, factor=factor)
        expected = run(source, base, more, muted=(MutedHead(0, 1),))
        assert expected.stages is not None
        assert torch.allclose(row, expected.stages[-1, 0], atol=1e-5)


def test_mute_effects_are_on_top_of_interventions(source: NativeSource) -> None:
    base = Intervention(kind="scale", at="mlp", layer=0, factor=3.0)
    (found,) = source.mute_effects(Inputs((TEXT,), interventions=(base,)))
    before = run(source, base)
    after = run(source, base, muted=(MutedHead(1, 2),))
    (p,) = before.predict(top_k=1)[0]
    (q,) = (one for one in after.predict(top_k=1, tokens=[p.id])[0] if one.id == p.id)
    (effect,) = [one for one in found.effects if (one.layer, one.head) == (1, 2)]
    expected = torch.tensor(q.probability / p.probability).log().item()
    assert effect.change == pytest.approx(expected, abs=1e-4)


def test_generated_tokens_are_edited_too(source: NativeSource) -> None:
    given = (
        Intervention(kind="scale", at="resid_post", layer=1, factor=-1.0),
        Intervention(kind="patch", at="head", layer=0, head=0, source=OTHER),
        Intervention(kind="zero", at="mlp", layer=0, positions=(9,)),  # not typed yet at first
    )
    trace = run(source, *given, generate=Generate(3))
    ids = [token.id for token in trace.tokens[0]]
    assert [token.generated for token in trace.tokens[0]].count(True) == 3
    for n in range(len(ids) - 3, len(ids)):
        assert int(logits(trace)[n - 1].argmax()) == ids[n]
    plain = source.trace(
        unedited(Inputs((TEXT,), interventions=given, generate=Generate(3)), trace)
    )
    assert [token.id for token in plain.tokens[0]] == ids
    assert torch.equal(logits(plain)[:8], logits(run(source)))


def test_edited_inputs_run_alone() -> None:
    one = Intervention(kind="zero", at="mlp", layer=0)
    assert fits_together(Inputs((TEXT,))) is not None
    assert fits_together(Inputs((TEXT,), interventions=(one,))) is None
    assert Inputs((TEXT,), interventions=(one,)) != Inputs((TEXT,))


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"kind": "zero", "at": "mlp", "head": 1}, "head"),
        ({"kind": "zero", "factor": 2.0}, "factor"),
        ({"kind": "scale"}, "factor"),
        ({"kind": "mean"}, "texts"),
        ({"kind": "patch"}, "source"),
        ({"kind": "resample", "source": "x", "pairs": ((0, 0),)}, "pairs"),
        ({"kind": "patch", "source": "x", "pairs": ((0, 0),), "positions": (1,)}, "positions"),
        ({"kind": "add"}, "vector"),
        ({"kind": "add", "token": 3, "source": "x", "at": "mlp"}, "source"),
        ({"kind": "add", "vector": (1.0,), "minus": "x"}, "minus"),
        ({"kind": "add", "token": 3}, "at"),
        ({"kind": "patch", "source": "x", "minus": "y"}, "minus"),
        ({"kind": "freeze_pattern", "at": "mlp"}, "at"),
        ({"kind": "freeze_pattern", "positions": (1,)}, "positions"),
    ],
)
def test_fields_must_suit_the_kind(given: dict[str, Any], field: str) -> None:
    with pytest.raises(InputError) as caught:
        Intervention(**HEAD | given)
    assert caught.value.field == field


@pytest.mark.parametrize(
    ("given", "field", "words"),
    [
        ({"layer": 2}, "layer", "small has layers 0 to 1; got 2."),
        ({"head": 3}, "head", "heads 0 to 2; got 3."),
        ({"text": 1}, "text", "texts 0 to 0; got 1."),
        ({"positions": (8,)}, "positions", "positions 0 to 7; got 8."),
        ({"site": "cross"}, "site", "has only self sites; got cross."),
        (
            {"kind": "patch", "source": LONGER},
            "source",
            "Text 1 has 8 tokens and the source has 4, so their tokens do not align.",
        ),
        ({"kind": "patch", "source": LONGER, "pairs": ((4, 0),)}, "pairs", "positions 0 to 3"),
        ({"kind": "patch", "source": LONGER, "pairs": ((0, 8),)}, "pairs", "positions 0 to 7"),
        ({"kind": "patch", "source": "\ud800"}, "source", "surrogate"),
        ({"kind": "mean", "texts": ("a", "\ud800")}, "texts.1", "surrogate"),
        ({"kind": "add", "source": "a", "minus": "\ud800"}, "minus", "surrogate"),
        ({"kind": "add", "source": "\ud800", "minus": "a"}, "source", "surrogate"),
        ({"kind": "add", "at": "mlp", "token": "a dog"}, "token", "as 2 tokens ('a', ' dog')"),
        ({"kind": "add", "at": "mlp", "token": 10**6}, "token", "got 1,000,000"),
    ],
)
def test_what_this_run_does_not_have(
    source: NativeSource, given: dict[str, Any], field: str, words: str
) -> None:
    fine = Intervention(kind="zero", at="head", layer=0)
    one = Intervention(**HEAD | {"kind": "zero"} | given)
    with pytest.raises(InputError) as caught:
        run(source, fine, one)
    assert caught.value.field == f"interventions.1.{field}"
    assert words in caught.value.message


def test_a_vector_is_as_wide_as_the_part(source: NativeSource) -> None:
    short = Intervention(kind="add", at="mlp", layer=1, vector=(1.0, 2.0))
    whole = Intervention(kind="patch", at="mlp", layer=1, source=OTHER)
    with pytest.raises(InputError, match=r"numbers for each token; the vector .* has 2") as caught:
        run(source, short)
    assert caught.value.field == "interventions"
    for two in ((short, whole), (whole, short)):
        with pytest.raises(InputError, match="numbers for each token"):
            run(source, *two)


def test_each_kind_says_what_it_does() -> None:
    assert set(KINDS) == set(get_args(Kind))
    assert all(row.about.endswith(".") for row in KINDS.values())
