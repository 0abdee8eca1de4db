"""The path map: promises against autograd with frozen norms, cuts against passes edited by hand."""

import math
from typing import Any

import pytest
import torch
from torch import Tensor

from model.analysis.paths.heads import HeadsRead
from model.analysis.paths.promises import Edge, Node, promises
from model.analysis.paths.search import SHARE, Paths, VerifiedEdge, _verdict, paths
from model.core.checkpoint import SHIPPED
from model.errors import InputError, UnavailableError
from model.interventions import Intervention, Kind
from model.masks.rules import MaskSettings
from model.sources.native import NativeSource
from model.sources.source import Inputs, MutedHead
from model.trace.stream import Part, walk
from model.trace.trace import Trace
from tests.unit.by_hand import by_hand

pytestmark = pytest.mark.long

TEXT = "three lamps near the lamps"


@pytest.fixture(scope="module")
def shipped() -> NativeSource:
    return NativeSource("shipped", SHIPPED)


def mapped(source: NativeSource, text: str, **settings: Any) -> tuple[Trace, Paths]:
    inputs = Inputs(texts=(text,), stream=True)
    trace = source.trace(inputs)
    [found] = paths(trace, source.runner(inputs), **settings)
    return trace, found


def id_of(source: NativeSource, word: str) -> int:
    return source.tokenizer.encode(word)[-1].id


class Frozen:
    """A pass with the scale of every norm frozen, in double precision, with its derivatives."""

    def __init__(self, source: NativeSource, trace: Trace, token: int) -> None:
        self.config = config = source.model.config
        self.weights = {name: x.double() for name, x in source.model.state_dict().items()}
        ids = torch.tensor([each.id for each in trace.tokens[0]])
        ran = source.model(ids[None], record=True)
        self.scales = {}
        for layer, passed in enumerate(ran.layers):
            self.scales[f"blocks.{layer}.norm_attention"] = self.scale(passed.resid_pre[0])
            self.scales[f"blocks.{layer}.norm_mlp"] = self.scale(passed.resid_mid[0])
        self.scales["norm"] = self.scale(ran.layers[-1].resid_post[0])
        x = self.weights["embedding.token.weight"][ids].requires_grad_()
        self.written: dict[Part, Tensor] = {Part("embedding"): x}
        self.read: dict[tuple[str, int], Tensor] = {}  # what enters the projections, by its name
        self.kept: dict[tuple[str, int], Tensor] = {}
        n, d = len(ids), config.d_head
        for layer in range(config.n_layers):
            name = f"blocks.{layer}"
            inside = self.norm(f"{name}.norm_attention", x)
            joint = inside @ self.weights[f"{name}.attention.w_qkv.weight"].T
            q, k, v = joint.view(n, 3, config.n_heads, d).permute(1, 2, 0, 3)
            q, k = self.turned(q), self.turned(k)
            scores = self.keep("scores", layer, q @ k.transpose(1, 2) / math.sqrt(d))
            future = torch.ones(n, n, dtype=torch.bool).triu(1)
            pattern = scores.masked_fill(future, -math.inf).softmax(-1)
            z = self.keep("z", layer, pattern @ v)
            for which, each in (("q", q), ("k", k), ("v", v), ("pattern", pattern)):
                self.keep(which, layer, each)
            w_o = self.weights[f"{name}.attention.w_o.weight"]
            for head in range(config.n_heads):
                out = z[head] @ w_o[:, head * d : (head + 1) * d].T
                self.written[Part("head", layer, f"layers.{layer}", head)] = out
                x = x + out
            inside = self.keep("mlp", layer, self.norm(f"{name}.norm_mlp", x))
            hidden = inside @ self.weights[f"{name}.mlp.0.weight"].T
            hidden = torch.nn.functional.gelu(hidden + self.weights[f"{name}.mlp.0.bias"])
            out = hidden @ self.weights[f"{name}.mlp.2.weight"].T
            out = out + self.weights[f"{name}.mlp.2.bias"]
            self.written[Part("mlp", layer)] = out
            x = x + out
        self.answer = self.norm("norm", x)[-1] @ self.weights["embedding.token.weight"][token]
        self.answer.backward()

    @staticmethod
    def scale(x: Tensor) -> Tensor:
        return (x.double().var(-1, unbiased=False) + 1e-5).sqrt()[:, None]

    def keep(self, name: str, layer: int, x: Tensor) -> Tensor:
        x.retain_grad()
        self.kept[name, layer] = x
        return x

    def norm(self, name: str, x: Tensor) -> Tensor:
        found: Tensor = self.linear(name, x) + self.weights[f"{name}.bias"]
        return found

    def linear(self, name: str, x: Tensor, at: int | None = None) -> Tensor:
        scale = self.scales[name] if at is None else self.scales[name][at]
        found: Tensor = (x - x.mean(-1, keepdim=True)) / scale * self.weights[f"{name}.weight"]
        return found

    @staticmethod
    def turned(x: Tensor, at: int | None = None) -> Tensor:
        n, d = x.shape[-2], x.shape[-1]
        places = torch.arange(n) if at is None else torch.tensor([at])
        angle = places[:, None] * 10_000.0 ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
        a, b = x.chunk(2, dim=-1)
        cos, sin = angle.cos(), angle.sin()
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def promised(self, edge: Edge) -> float:
        (sender, at), (receiver, to), through = edge
        assert sender is not None
        vector = self.written[sender][at].detach()
        if receiver is None:
            row = self.weights["embedding.token.weight"]
            return float(self.linear("norm", vector, at) @ row[self.token])
        layer = receiver.layer
        assert layer is not None
        if through == "mlp":
            gradient = self.grad("mlp", layer)[to]
            return float(self.linear(f"blocks.{layer}.norm_mlp", vector, at) @ gradient)
        head, d = receiver.head, self.config.d_head
        assert head is not None
        fused = self.weights[f"blocks.{layer}.attention.w_qkv.weight"]
        fused = fused.view(3, self.config.n_heads, d, -1)["qkv".index(through), head]
        part = self.linear(f"blocks.{layer}.norm_attention", vector, at) @ fused.T
        kept = {name: self.kept[name, layer][head].detach() for name in "qkv"}
        gradient = self.grad("z", layer)[head, to]
        scores = [float(kept["q"][to] @ kept["k"][j]) / math.sqrt(d) for j in range(to + 1)]
        less, v = list(scores), [float(kept["v"][j] @ gradient) for j in range(to + 1)]
        if through == "v":
            return self.weighted(
                scores, [float(part @ gradient) * (j == at) for j in range(to + 1)]
            )
        part = self.turned(part[None], at)[0]
        for j in range(to + 1):
            if through == "q":
                less[j] -= float(part @ kept["k"][j]) / math.sqrt(d)
            elif j == at:
                less[j] -= float(kept["q"][to] @ part) / math.sqrt(d)
        return self.weighted(scores, v) - self.weighted(less, v)

    @staticmethod
    def weighted(scores: list[float], values: list[float]) -> float:
        shares = [math.exp(score) for score in scores]
        return sum(a * b for a, b in zip(shares, values, strict=True)) / sum(shares)

    def grad(self, name: str, layer: int) -> Tensor:
        found = self.kept[name, layer].grad
        assert found is not None
        return found

    token = 0


def test_promises_against_a_pass_with_frozen_norms(shipped: NativeSource) -> None:
    trace = shipped.trace(Inputs(texts=(TEXT,), stream=True))
    token, stream = id_of(shipped, "are"), trace.streams["tokens"]
    n = len(trace.tokens[0])
    steps = list(walk(stream, trace.sites, text=0, positions=range(n)))
    direction = shipped.model.state_dict()["embedding.token.weight"][token]
    found = promises(stream, trace.sites, steps, direction, text=0, position=n - 1, threshold=0.02)
    frozen = Frozen(shipped, trace, token)
    frozen.token = token
    assert {edge.through for edge in found.edges} == {"logit", "q", "k", "v", "mlp"}
    assert len(found.edges) > 200
    largest = max(map(abs, found.edges.values()))
    for edge, value in found.edges.items():
        assert abs(value) >= found.least
        assert value == pytest.approx(frozen.promised(edge), abs=1e-4 * largest)


def test_what_is_read_through_v_sums_to_what_the_head_gives(shipped: NativeSource) -> None:
    """With no threshold, the parts and the norm's bias are all that a head reads."""
    trace = shipped.trace(Inputs(texts=("a dog",), stream=True))
    token, stream = id_of(shipped, "runs"), trace.streams["tokens"]
    n = len(trace.tokens[0])
    steps = list(walk(stream, trace.sites, text=0, positions=range(n)))
    direction = shipped.model.state_dict()["embedding.token.weight"][token]
    found = promises(stream, trace.sites, steps, direction, text=0, position=n - 1, threshold=0.0)
    frozen = Frozen(shipped, trace, token)
    state = frozen.weights
    into = [value for edge, value in found.edges.items() if edge.receiver.part is None]
    rest = float(state["norm.bias"] @ state["embedding.token.weight"][token])
    assert sum(into) + rest == pytest.approx(float(frozen.answer.detach()), abs=1e-4)
    for head in range(8):
        node = Node(Part("head", 2, "layers.2", head), n - 1)
        read = sum(
            value
            for edge, value in found.edges.items()
            if edge.receiver == node and edge.through == "v"
        )
        gradient = frozen.grad("z", 2)[head, n - 1]
        whole = float(frozen.kept["z", 2][head, n - 1].detach() @ gradient)
        fused = state["blocks.2.attention.w_qkv.weight"].view(3, 8, 16, -1)[2, head]
        bias = float((fused @ state["blocks.2.norm_attention.bias"]) @ gradient)
        assert read + bias == pytest.approx(whole, abs=1e-4)


def cut_by_hand(source: NativeSource, ids: Tensor, edge: Edge) -> Tensor:
    """The logits of a pass in which one edge is cut, from the definition."""
    model, weights = source.model, dict(source.model.state_dict())
    seen: dict[tuple[str, int], Tensor] = {}

    def watch(point: str, layer: int, x: Tensor) -> Tensor:
        seen[point, layer] = x
        return x

    whole = by_hand(model, ids, watch)
    (sender, at), (receiver, to), through = edge
    assert sender is not None
    d = model.config.d_head
    if sender.kind == "embedding":
        vector = weights["embedding.token.weight"][ids[at]]
    elif sender.kind == "mlp":
        vector = seen["mlp_out", sender.layer or 0][at]
    else:
        assert sender.head is not None and sender.layer is not None
        w_o = weights[f"blocks.{sender.layer}.attention.w_o.weight"]
        vector = w_o[:, sender.head * d : (sender.head + 1) * d] @ seen["z", sender.layer][
            sender.head, at
        ]  # fmt: skip

    def without(point: str, layer: int, norm: str) -> Tensor:
        x = seen[point, layer][at] - vector
        x = (x - x.mean()) / (((x - x.mean()) ** 2).mean() + 1e-5).sqrt()
        found: Tensor = x * weights[f"{norm}.weight"] + weights[f"{norm}.bias"]
        return found

    if receiver is None:
        last = model.config.n_layers - 1
        logits = whole.clone()
        logits[at] = weights["embedding.token.weight"] @ without("resid_post", last, "norm")
        return logits
    assert receiver.layer is not None
    block = f"blocks.{receiver.layer}"

    def change(point: str, layer: int, x: Tensor) -> Tensor:
        if layer != receiver.layer:
            return x
        if point == "mlp_out" and through == "mlp":
            hidden = weights[f"{block}.mlp.0.weight"] @ without(
                "resid_mid", layer, f"{block}.norm_mlp"
            )
            hidden = torch.nn.functional.gelu(hidden + weights[f"{block}.mlp.0.bias"])
            x = x.clone()
            x[to] = weights[f"{block}.mlp.2.weight"] @ hidden + weights[f"{block}.mlp.2.bias"]
        if point == "z" and through in "qkv":
            head = receiver.head
            assert head is not None
            q, k, v = (seen[name, layer][head].clone() for name in "qkv")
            fused = weights[f"{block}.attention.w_qkv.weight"].view(3, -1, d, x.shape[-1] * 8)
            new = fused["qkv".index(through), head] @ without(
                "resid_pre", layer, f"{block}.norm_attention"
            )
            turned = Frozen.turned(new[None].double(), at)[0].float()
            for name, each in (("q", q), ("k", k)):
                if through == name:
                    each[at] = turned
            if through == "v":
                v[at] = new
            exps = [math.exp(float(q[to] @ k[j]) / math.sqrt(d)) for j in range(to + 1)]
            x = x.clone()
            x[head, to] = sum(e / sum(exps) * v[j] for j, e in enumerate(exps))
        return x

    return by_hand(model, ids, change)


def test_a_cut_is_a_pass_without_just_that_edge(shipped: NativeSource) -> None:
    token, against = id_of(shipped, "are"), id_of(shipped, "is")
    trace, found = mapped(shipped, TEXT, token=token, against=against, threshold=0.05, limit=50)
    ids = torch.tensor([each.id for each in trace.tokens[0]])
    before = by_hand(shipped.model, ids)[-1]
    assert found.logit == pytest.approx(float(before[token] - before[against]), abs=1e-4)
    assert {one.edge.through for one in found.edges} == {"logit", "q", "k", "v", "mlp"}
    assert len(found.edges) == 50 and found.left_out > 0
    for one in found.edges:
        after = cut_by_hand(shipped, ids, one.edge)[-1]
        fallen = (before[token] - before[against]) - (after[token] - after[against])
        assert one.moved == pytest.approx(float(fallen), abs=1e-4), one.edge


def test_verdicts_and_routes(shipped: NativeSource) -> None:
    _, found = mapped(shipped, TEXT, threshold=0.05, limit=60)
    verdicts = set()
    reached = {one.edge.sender for one in found.edges if one.verdict != "denied"}
    for one in found.edges:
        verdicts.add(one.verdict)
        share = one.moved / one.promised
        if share > 1 / SHARE:
            assert one.verdict == "stronger"
        elif share >= SHARE:
            assert one.verdict == "confirmed"
        elif share > 0 and abs(one.moved) >= found.least:
            assert one.verdict == "weaker"
        else:
            assert one.verdict == "denied"
        # nothing is followed behind an edge that is denied
        assert one.edge.receiver.part is None or one.edge.receiver in reached
    assert verdicts >= {"confirmed", "weaker", "denied"}


def test_a_verdict_does_not_depend_on_what_is_listed(shipped: NativeSource) -> None:
    every = verdicts_of(mapped(shipped, TEXT, threshold=0.01, limit=120)[1])
    for threshold, limit in ((0.05, 60), (0.1, 40), (0.3, 20)):
        some = verdicts_of(mapped(shipped, TEXT, threshold=threshold, limit=limit)[1])
        assert some and some.items() <= every.items()


def verdicts_of(found: Paths) -> dict[Edge, str]:
    return {one.edge: one.verdict for one in found.edges}


@pytest.mark.parametrize(
    ("promised", "moved", "verdict"),
    [
        (1.94, 5.90, "stronger"),
        (1.94, 5.80, "confirmed"),
        (-1.94, -5.90, "stronger"),
        (3.0, 1.0, "confirmed"),
        (3.0, 0.9, "weaker"),
        (3.0, 0.4, "denied"),
        (3.0, -2.0, "denied"),
        (3.0, 0.0, "denied"),
    ],
)
def test_a_verdict_compares_the_cut_with_the_promise(
    promised: float, moved: float, verdict: str
) -> None:
    assert _verdict(promised, moved, 0.5) == verdict


def routes(
    found: Paths, through: str, receiver: Node, sender: Node | None = None
) -> list[VerifiedEdge]:
    """What cuts leave of the edges into a node."""
    return [
        one
        for one in found.edges
        if one.verdict != "denied"
        and one.edge.through == through
        and one.edge.receiver == receiver
        and sender in (None, one.edge.sender)
    ]


def heads_read(found: Paths, through: str, sender: Node, at: int) -> list[VerifiedEdge]:
    """The edges from a node into heads at a position."""
    return [
        one
        for one in found.edges
        if one.verdict != "denied"
        and (one.edge.through, one.edge.sender) == (through, sender)
        and one.edge.receiver.position == at
        and one.edge.receiver.part is not None
    ]


@pytest.mark.parametrize(
    "words",
    ["purple ladder twelve quietly beyond ticket", "orange bridge seven slowly behind doctor"],
)
def test_induction_is_found_from_the_sentence_alone(shipped: NativeSource, words: str) -> None:
    """The previous-token head composes through K with heads that copy what it stands at."""
    trace, found = mapped(shipped, f"{words} {' '.join(words.split()[:4])}", limit=60)
    last = len(trace.tokens[0]) - 1
    assert found.token.text.strip() == words.split()[4]
    copied = 5  # where the word that is predicted stands: after [BOS] and four words
    previous = Node(Part("head", 0, "layers.0", 2), copied)
    # the word before is moved to it by the previous-token head
    assert routes(found, "v", previous, Node(Part("embedding"), copied - 1))
    # which the heads that look there find in its keys, directly or after the feed-forward
    moved = routes(found, "mlp", Node(Part("mlp", 0), copied), previous)
    assert moved and moved[0] in sorted(found.edges, key=lambda one: -one.moved)[:4]
    keyed = heads_read(found, "k", Node(Part("mlp", 0), copied), last)
    assert {one.edge.receiver.part.layer for one in keyed if one.edge.receiver.part} == {1}
    copying = heads_read(found, "v", Node(Part("mlp", 0), copied), last)
    assert {one.edge.receiver for one in keyed} & {one.edge.receiver for one in copying}


@pytest.mark.parametrize(
    ("text", "subject", "token", "against"),
    [
        ("The boxes on the shelf near the door", 2, "are", "is"),
        ("The box on the shelf near the doors", 2, "is", "are"),
    ],
)
def test_agreement_is_found_from_the_sentence_alone(
    shipped: NativeSource, text: str, subject: int, token: str, against: str
) -> None:
    """A head at the end reads the number of the subject, over nouns in between."""
    trace, found = mapped(
        shipped, text, token=id_of(shipped, token), against=id_of(shipped, against), limit=60
    )
    last = len(trace.tokens[0]) - 1
    assert found.logit > 0
    read = [  # by heads that write to the answer at once
        one
        for one in found.edges
        if one.edge.through == "v"
        and one.edge.receiver.position == last
        and one.edge.receiver.part is not None
        and routes(found, "logit", Node(None, last), one.edge.receiver)
    ]
    best = max(read, key=lambda one: one.moved)
    assert best.edge.sender.position == subject and best.verdict == "confirmed"
    assert best.moved > 1
    receiver = best.edge.receiver.part
    assert receiver is not None and receiver.layer == 2


@pytest.mark.parametrize(
    ("text", "antecedent", "token", "against"),
    [
        ("Every morning the king washed", 4, "himself", "herself"),
        ("Yesterday the queen saw", 3, "herself", "himself"),
    ],
)
def test_reflexives_are_found_from_the_sentence_alone(
    shipped: NativeSource, text: str, antecedent: int, token: str, against: str
) -> None:
    """Heads at the verb look for the antecedent (K) and read its gender (V)."""
    trace, found = mapped(
        shipped, text, token=id_of(shipped, token), against=id_of(shipped, against)
    )
    last = len(trace.tokens[0]) - 1
    sender = Node(Part("mlp", 0), antecedent)
    keyed, read = (heads_read(found, through, sender, last) for through in "kv")
    assert {one.edge.receiver for one in keyed} & {one.edge.receiver for one in read}
    others = [
        one
        for one in found.edges
        if one.edge.through == "v"
        and one.edge.receiver.position == last
        and one.edge.sender.position not in (antecedent, last)
    ]
    assert max(one.moved for one in read) > max((abs(one.moved) for one in others), default=0)


@pytest.mark.parametrize(
    "more",
    [
        {"muted": (MutedHead(1, 3), MutedHead(0, 2))},
        {"masks": MaskSettings(window=3, padding_side="left")},
    ],
)
def test_edits_of_the_run_hold_in_its_cuts(shipped: NativeSource, more: dict[str, Any]) -> None:
    """Cutting all but nothing: an edge into the answer falls by what the pass itself says."""
    inputs = Inputs(texts=(TEXT, "a dog"), stream=True, **more)
    trace = shipped.trace(inputs)
    for text, found in enumerate(paths(trace, shipped.runner(inputs), limit=30)):
        assert trace.stages is not None
        logits = shipped.model.unembed(trace.stages[-1, text, found.position])
        assert found.logit == pytest.approx(logits.max().item(), abs=1e-5)
        assert found.edges
        for one in found.edges:
            for node in (one.edge.sender, one.edge.receiver):
                assert node.part not in {
                    Part("head", 1, "layers.1", 3),
                    Part("head", 0, "layers.0", 2),
                } or ("masks" in more)
                assert not trace.tokens[text][node.position].padding


def test_nothing_reaches_what_is_frozen(shipped: NativeSource) -> None:
    """A frozen pattern reads no q and k, and frozen values read no v: no route goes there."""
    cases: tuple[tuple[Kind, set[str]], ...]
    cases = (("freeze_pattern", {"q", "k"}), ("freeze_values", {"v"}))
    for kind, closed in cases:
        given = (Intervention(kind=kind, at="head", layer=1),)
        inputs = Inputs(texts=(TEXT,), stream=True, interventions=given)
        (found,) = paths(shipped.trace(inputs), shipped.runner(inputs), threshold=0.01, limit=200)
        into = {
            edge.through
            for edge in (one.edge for one in found.edges)
            if edge.receiver.part is not None and edge.receiver.part.site == "layers.1"
        }
        assert into == {"q", "k", "v"} - closed
        trace = shipped.trace(inputs)
        written = torch.ones(len(trace.tokens[0]), shipped.info.d_model)
        d_q, d_k, d_v = HeadsRead.of(trace.sites[1], 0, written).derivatives()
        for name, slope in (("q", d_q), ("k", d_k), ("v", d_v)):
            assert bool(slope.eq(0).all()) == (name in closed)


def test_what_cannot_be_mapped(shipped: NativeSource) -> None:
    inputs = Inputs(texts=(TEXT,))
    runner = shipped.runner(inputs)
    with pytest.raises(UnavailableError, match="was not recorded"):
        paths(shipped.trace(inputs), runner)
    trace = shipped.trace(Inputs(texts=(TEXT,), stream=True))
    for wrong, field in (({"token": 10**6}, "token"), ({"position": 99}, "position")):
        with pytest.raises(InputError) as error:
            paths(trace, runner, **wrong)
        assert error.value.field == f"analyse.paths.{field}"
