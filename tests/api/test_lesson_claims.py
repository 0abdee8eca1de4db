"""What the lessons say of their figures holds: each claim is computed from a figure's own link."""

from collections.abc import Callable

import pytest
import torch
from torch import Tensor

from tests.lessons import Lesson

pytestmark = pytest.mark.long


def entropies(pattern: Tensor) -> Tensor:
    """The mean entropy of the rows of each head, over that of even rows."""
    even = (pattern > 0).sum(-1).log().mean(-1)
    found: Tensor = torch.special.entr(pattern).sum(-1).mean(-1) / even
    return found


def test_averaging(lesson: Callable[[str], Lesson]) -> None:
    one = lesson("averaging")
    assert one.tensor("past")[0, 0, 3].tolist() == [0.25] * 4 + [0, 0]
    assert "takes 0.25 of each" in one.words
    assert one.tensor("zeros", "scores").eq(0).all()
    torch.testing.assert_close(one.tensor("zeros", set={"Softmax": "after"}), one.tensor("past"))
    before = one.tensor("bag", "z")[0, 0]
    after = one.tensor("bag", "z", set={"Order": "man bites dog"})[0, 0]
    torch.testing.assert_close(before, after)
    torch.testing.assert_close(before, before[:1].expand(3, -1))
    rows = one.tensor("sharpen", set={"Scale": "1"})[0, 0]
    torch.testing.assert_close(rows.sum(-1), torch.ones(6))
    assert rows[5].max() > 0.9  # the even row has become uneven


def test_loss(lesson: Callable[[str], Lesson]) -> None:
    one = lesson("loss")
    after = one.next_words("guess", 6)
    assert next(iter(after)) == "are" and after["are"] == pytest.approx(0.38, abs=0.005)
    assert "0.97" in one.content.questions[0].because
    assert -torch.tensor(after["are"]).log() == pytest.approx(0.97, abs=0.01)
    assert max(one.next_words("guess", 7).values()) < 0.2  # after “are”
    assert max(one.next_words("guess", 10).values()) > 0.98  # after “table”
    alone = one.next_words("alone", 6, **{"A word sees": "only itself"})
    assert alone["cabinet"] > 0.95


def test_similarity(lesson: Callable[[str], Lesson]) -> None:
    one = lesson("similarity")
    given = torch.tensor([0.1, -0.2, 0.3, -0.2, 0.5])
    for share in (*given.softmax(0), *(9 * given).softmax(0)):
        assert f"{share:.4f}" in one.words
    assert "from 0.29 to 0.84" in one.words
    scores = one.tensor("mirror", "scores")[0, 0]
    torch.testing.assert_close(scores, scores.T)
    torch.testing.assert_close(scores[0], scores[4])  # The, the
    asked = one.content.questions[1]
    for value in (scores[1, 2], scores[1, 1], scores[2, 2]):
        assert f"{value:.2f}" in asked.ask
    pattern = one.tensor("mirror", set=asked.set)[0, 0]
    assert pattern[1, 2] > pattern[2, 1] and asked.options[asked.answer].startswith("“cat” gives")
    sharp = one.tensor("sharpen", set={"Scale": "10"})[0, 0]
    assert sharp[0].tolist() == pytest.approx([0.5, 0, 0, 0, 0.5, 0], abs=1e-3)
    assert int((sharp.amax(-1) > 0.99).sum()) > 3  # most rows pick a single word
    short = one.tensor("longer", "scores")[0, 0]
    assert short[0].argmax() == 3 and short[3, 3] > short[0, 0]  # on is longer than The
    diagonal = scores.argmax(-1) == torch.arange(6)
    assert int(diagonal[1:4].sum()) == 3  # usually the largest in its row


def test_query_key_value(lesson: Callable[[str], Lesson]) -> None:
    one = lesson("query-key-value")
    scores = one.tensor("roles", "scores")[0, 0]
    assert f"scores {scores[1, 2]:.2f} with “sat”" in one.words
    assert f"scores −{-scores[2, 1]:.2f} with “cat”" in one.words
    q = one.tensor("roles", "q")
    assert "that is 32 and 16" in one.words and q.shape[-1] == 16
    pattern, norms = (one.tensor("moved", name)[0, 0] for name in ("pattern", "norms"))
    assert (norms[:, 0].sum() / norms.sum()) < (pattern[:, 0].sum() / pattern.sum())
    assert pattern[:, 0].sum() > 2 * pattern[:, 1:].sum(0).max()  # a hot column
    blocked = one.tensor("moved", set={"First column": "blocked for later words"})[0, 0]
    torch.testing.assert_close(blocked.sum(-1), torch.ones(8))
    assert blocked[1:, 0].eq(0).all()
    for figure, stays in (("order", True), ("placed", False)):
        before = one.tensor(figure, "z")[0]
        after = one.tensor(figure, "z", set={"Order": "man bites dog"})[0].flip(1)
        for word in range(3):
            assert torch.allclose(before[:, word], after[:, word], atol=1e-6) is stays


def test_scale(lesson: Callable[[str], Lesson]) -> None:
    one = lesson("scale")
    by_scale = [
        one.tensor("variance", "scores", set={"Scale": scale}).var().item()
        for scale in ("1/√d_head", "1/√d_model", "none")
    ]
    assert by_scale == pytest.approx([1, 1 / 4, 16], rel=0.5)
    sharp = entropies(one.tensor("variance", set={"Scale": "none"}))
    assert sharp.max() < 0.75  # far below that of an even row
    assert one.tensor("roots", "scores", side="B").shape[1] == 4
    for heads in ("4", "16", "1"):
        a, b = (one.tensor("roots", side=side, set={"Heads": heads}) for side in "AB")
        if heads == "1":
            torch.testing.assert_close(a, b)
        else:
            assert (entropies(b) > entropies(a)).all()  # flatter
    four, sixteen = (
        one.tensor("roots", "scores", set={"Heads": heads}).var().item() for heads in ("4", "16")
    )
    assert (four, sixteen) == pytest.approx((1 / 4, 1 / 16), rel=0.5)
    widths = {"4": 4, "16": 16, "64": 64}
    for width, expected in widths.items():
        bare = one.tensor("width", "scores", set={"Channels of a head": width}).var().item()
        both = {"Channels of a head": width, "Scale": "1/√d_head"}
        assert bare == pytest.approx(expected, rel=0.5)
        assert one.tensor("width", "scores", set=both).var().item() == pytest.approx(1, rel=0.5)


def test_masks(lesson: Callable[[str], Lesson]) -> None:
    one = lesson("masks")
    narrow = one.answer("causal", set={"Causal mask": "one too narrow"})["sites"][0]
    assert torch.tensor(narrow["tensors"]["pattern"][0][0][0]).eq(0).all()
    assert torch.tensor(narrow["tensors"]["z"][0][0][0]).eq(0).all()
    assert [row["index"] for row in narrow["blocked_rows"]] == [0]
    forgotten = one.tensor("padding", set={"Padding mask": "built, but not applied"})[0, 0]
    torch.testing.assert_close(forgotten.sum(-1), torch.ones(6))
    assert forgotten[:3, 3:].min() > 0
    scores = one.tensor("padding", "scores", set={"Padding mask": "built, but not applied"})[0, 0]
    assert scores[:, 3:].eq(0).all()
    for side, real in (("right", slice(0, 3)), ("left", slice(3, 6))):
        z = [
            one.tensor("right", "z", set={"Padding on the": side, "Padding mask": mask})[0, 0, real]
            for mask in ("applied", "not applied")
        ]
        assert torch.equal(*z) is (side == "right")
    after = one.tensor("softmax", set={"Mask applied": "after it"})[0, 0].sum(-1)
    assert after[-1].item() == pytest.approx(1) and after[:-1].max() < 0.99
    turned = one.tensor("softmax", set={"Softmax over": "queries"})[0, 0]
    assert turned[-1, -1] == 1 and 0 < turned[0, 0] < 1
    torch.testing.assert_close(turned.sum(0), torch.ones(6))


def test_heads(lesson: Callable[[str], Lesson]) -> None:
    one = lesson("heads")
    listed = one.tensor("heads", set={"Written as": "a list of heads"})
    torch.testing.assert_close(one.tensor("heads"), listed)
    usual = one.tensor("packing")
    same = one.tensor("packing", set={"Packed as": "head qkv d_head"})
    torch.testing.assert_close(usual, same)
    other = one.tensor("packing", set={"Read as": "qkv head d_head"})
    torch.testing.assert_close(other.sum(-1), torch.ones_like(other.sum(-1)))
    for head in other[0]:  # none is one of those that were packed
        assert all((head - packed).abs().max() > 0.05 for packed in usual[0])
    head_scale, model_scale = (
        one.tensor("size", set={"d_head": "32", "Scale": f"1/√d_{of}"}) for of in ("head", "model")
    )
    torch.testing.assert_close(head_scale, model_scale)
    flat = one.tensor("size", set={"Scale": "1/√d_model"})
    assert (entropies(flat) > entropies(one.tensor("size"))).all()


def test_cross_attention(lesson: Callable[[str], Lesson]) -> None:
    one = lesson("cross-attention")
    assert one.tensor("cross").shape[-2:] == (3, 6)
    assert one.tensor("cross", "z").shape[-2] == 3
    asked = one.tensor("cross", set={"Causal mask": "asked for"})
    assert torch.equal(asked, one.tensor("cross"))
    single = one.tensor("cross", set={"Length": "one word"})[0, 0]
    assert single.tolist() == [[1.0]] * 3
    assert one.tensor("padded")[..., 3:].eq(0).all()
    assert one.tensor("padded", set={"Padding mask": "off"})[..., 3:].min() > 0
    for figure, stays in (("order", True), ("placed", False)):
        before = one.tensor(figure, "z")
        after = one.tensor(figure, "z", set={"Order": "old man bites dog"})
        rows = [torch.allclose(before[..., n, :], after[..., n, :], atol=1e-6) for n in range(3)]
        assert rows == [stays] * 3


def test_block(lesson: Callable[[str], Lesson]) -> None:
    one = lesson("block")
    without, with_it = (one.tensor("ffn", side=side) for side in "AB")
    torch.testing.assert_close(without[0], with_it[0])
    assert (without[1] - with_it[1]).abs().max() > 0.01
    alone = entropies(one.tensor("depth", set={"Residual": "f(x) alone"})[5])
    assert alone.min() > 0.99  # of the entropy of even rows
    assert entropies(one.tensor("depth")[5]).max() < 0.97
    variances = [layer.var().item() for layer in one.tensor("growth", "scores")]
    assert variances[0] == pytest.approx(1, rel=0.5)
    assert variances == sorted(variances)
    for norm in ("pre", "post"):
        kept = one.tensor("growth", "scores", set={"Norm": norm})
        assert max(layer.var().item() for layer in kept) < variances[-1] / 10
    last = one.tensor("growth")[5][:, 1:]  # the first row has one key
    assert (last.amax(-1) > 0.9).float().mean() > 0.8
    before = one.tensor("permute", "z")[1]
    after = one.tensor("permute", "z", set={"Order": "old man bites dog"})[1]
    torch.testing.assert_close(before[:, 0], after[:, 3])  # dog


def test_trained(lesson: Callable[[str], Lesson]) -> None:
    one = lesson("trained")
    keys = one.tensor("habits")
    assert "3 layers of 8 heads" in one.words and keys.shape[:2] == (3, 8)
    assert "Read: The keys near the old cabinet" in one.words  # the diagram
    assert f"came to give “keys” {keys[2, 1, 6, 2]:.2f} of its weight" in one.words

    def row(figure: str, query: int, **switches: str) -> Tensor:
        found: Tensor = one.tensor(figure, set=switches)[2, 1, query]
        return found

    near = row("elsewhere", 6)
    assert near.argmax() == 2 and near[2] > 0.985  # keys
    assert 0.45 < row("elsewhere", 10, **{"In between": "two phrases"})[2] < 0.55
    behind = row("elsewhere", 7, **{"In between": "a clause"})
    assert behind.argmax() == 2
    assert f"gives “keys” {behind[2]:.2f}" in one.content.questions[0].because
    table, verb = row("other-rows", 10, Row="table"), row("other-rows", 7, Row="are")
    assert table.argmax() == verb.argmax() == 6  # cabinet
    assert f"gives cabinet {table[6]:.2f}" in one.words and table[2] < 0.05


def test_muting(lesson: Callable[[str], Lesson]) -> None:
    one = lesson("muting")
    shown = one.tensor("herself")
    assert min(shown[2, 2, 5, 1], shown[2, 3, 5, 1]) > 0.99  # saw → Mary
    whole, without_3, without_2, neither = (
        one.next_words("herself", 5, Muted=muted) for muted in ("none", "2 · 3", "2 · 2", "both")
    )
    assert [next(iter(words)) for words in (whole, without_2)] == ["herself"] * 2
    lost = [whole["herself"] - words["herself"] for words in (without_3, without_2)]
    assert lost[0] > whole["herself"] / 2  # most of its probability
    assert lost[0] > 3 * lost[1] > 0 and "herself" not in list(neither)[:1]

    keys = one.tensor("keys")
    assert keys[2, 1, 6, 2] > 0.99 and keys[2, 2, 6, 2] > 0.99
    whole, without_1, without_2, neither = (
        one.next_words("keys", 6, Muted=muted) for muted in ("none", "2 · 1", "2 · 2", "both")
    )
    assert abs(whole["are"] - without_1["are"]) < 0.02
    assert next(iter(without_2)) == "are" and without_2["are"] < whole["are"] - 0.05
    assert next(iter(neither)) == "is"
    assert next(iter(one.next_words("keys", 6, Muted="both", Noun="cabinets"))) == "was"

    row = one.tensor("bracket")[0, 0]
    assert row[12].argmax() == 0 and row[12, 0] > 0.5  # dog rests on [BOS]
    assert all(row[place, [3, 6, 9]].sum() > 0.7 for place in (9, 10))  # ( [ ]
    muted = ("nowhere", "everywhere", "in the row of “dog”", "in “]” and “and”")
    first = [next(iter(one.next_words("bracket", 12, Muted=rows))) for rows in muted]
    assert first == [")", ".", ")", "."]


def test_explanation(lesson: Callable[[str], Lesson]) -> None:
    one = lesson("explanation")
    shown = one.tensor("weights")[2, :, 6]  # of “cabinet”, in the last layer
    assert min(shown[1, 2], shown[2, 2]) > 0.99 and "gives keys 0.99 of its weight" in one.words
    assert shown[4].argmax() == 6 and shown[7].argmax() == 0
    assert int((shown.argmax(-1) == 0).sum()) >= 3  # many heads rest on [BOS]

    explanations = one.answer(
        "cut", analyse={"explanations": {"position": 6, "layer": 2, "head": 1}}
    )["explanations"][0]
    said = {each["name"]: each["values"] for each in explanations["methods"]}
    weights, drops = said["weight"], said["ablation"]
    assert explanations["token"]["text"] == "are" and len(said) == 2 + 8  # “eight more ways”
    assert weights == pytest.approx(shown.mean(0)[:7].tolist(), abs=1e-6)
    words = ["The", "keys", "near", "the", "old", "cabinet"]
    drawn = [f"{word} {value:.2f}" for word, value in zip(words, weights[1:], strict=True)]
    assert f"mean over its heads: {', '.join(drawn)}." in one.words
    fell = [f"{round(drop, 1) + 0.0:.1f}".replace("-", "−") for drop in drops[1:]]
    drawn = [f"{word} {value}" for word, value in zip(words, fell, strict=True)]
    assert f"may look at the word: {', '.join(drawn)}." in one.words
    by_weight, by_drop = (
        sorted(range(1, 7), key=values.__getitem__) for values in (weights, drops)
    )
    assert by_weight[:-5:-1] == [2, 6, 1, 3]  # keys, cabinet, The, near
    assert by_drop[:-3:-1] == [2, 3]  # keys, near
    assert weights[6] == pytest.approx(2 * weights[3], rel=0.2)  # “about twice”
    assert f"drops by {drops[2]:.1f}" in one.words and f"costs only {drops[6]:.1f}" in one.words
    assert f"the drop is {drops[3]:.1f}" in one.words and max(drops) == drops[0]
    assert said["mean_ablation"][2] < 0.1 < drops[2]  # leaving “keys” out in another way

    [agreed] = [
        each for each in explanations["agreement"] if each["by"] == "value" and not each["specials"]
    ]
    signs = [
        (weights[a] > weights[b]) == (drops[a] > drops[b]) for a in range(1, 7) for b in range(1, a)
    ]
    tau = sum(1 if same else -1 for same in signs) / len(signs)  # no two are equal
    assert agreed["tau"][0][-1] == pytest.approx(tau) and f"Here it is {tau:.2f}" in one.words
    assert tau < agreed["chance"] and agreed["n_tokens"] == 6
    assert f"only from ±{agreed['chance']:.2f} on" in " ".join(one.words.split())


def test_cuts_of_explanation(lesson: Callable[[str], Lesson]) -> None:
    one = lesson("explanation")

    def after(figure: str, switch: str, option: str) -> dict[str, float]:
        predict = {"top_k": 5, "position": 5 if figure == "needed" else 6}
        answer = one.answer(figure, set={switch: option}, predict=predict)
        return {each["text"]: each["probability"] for each in answer["predictions"][0]}

    cut = {
        word: after("cut", "Cut", word)
        for word in ("nothing", "keys", "near", "old", "cabinet", "[BOS]")
    }
    first = {word: next(iter(words)) for word, words in cut.items()}
    assert first == dict.fromkeys(cut, "are") | {"keys": "is", "[BOS]": "near"}
    assert cut["near"]["are"] < cut["nothing"]["are"] / 2
    assert all(abs(cut[word]["are"] - cut["nothing"]["are"]) < 0.02 for word in ("old", "cabinet"))
    assert "are" not in cut["[BOS]"]

    switch = "2 · 1 looks"
    for option, key in (("only at “old”", 5), ("only at “near”", 3)):
        assert one.tensor("replaced", set={switch: option})[2, 1, 6, key] == 1
        moved = after("replaced", switch, option)
        assert next(iter(moved)) == "are" and cut["nothing"]["are"] < moved["are"] < 0.45
    old = after("replaced", switch, "only at “old”")
    assert f"from {cut['nothing']['are']:.2f} to {old['are']:.2f}" in one.words
    nowhere = after("replaced", switch, "nowhere")
    assert abs(nowhere["are"] - cut["nothing"]["are"]) < 0.02

    switch = "2 · 3 looks"
    assert one.tensor("needed")[2, 3, 5, 1] > 0.99
    free, rests, boys = (
        after("needed", switch, option)
        for option in ("as it likes", "only at [BOS]", "only at “boys”")
    )
    assert next(iter(free)) == "herself"
    assert f"falls from {free['herself']:.2f} to {rests['herself']:.2f}" in one.words
    assert list(boys)[:2] == ["himself", "herself"] and boys["himself"] - boys["herself"] < 0.05
    assert boys["herself"] < free["herself"] / 2


def test_search_of_explanation(lesson: Callable[[str], Lesson]) -> None:
    one = lesson("explanation")
    keys, mary = (
        one.answer(figure, analyse={"other_attention": asked})["other_attention"][0]
        for figure, asked in (
            ("replaced", {"layer": 2, "head": 1, "position": 6}),
            ("needed", {"layer": 2, "head": 3, "position": 5}),
        )
    )
    assert keys["found"] and keys["other"][0][2] < 0.01 < 0.99 < keys["pattern"][0][2]
    assert keys["tvd"] <= 0.05 and keys["tvd_without"] < 0.05  # it was not needed
    assert not mary["found"] and mary["tvd_without"] > 0.5
    assert "it finds none that is" in one.words


GATES = ("as it is", "always open")
PAIR = ("the pair", "its first head", "its second head")


def test_since_2017(lesson: Callable[[str], Lesson]) -> None:
    one = lesson("since-2017")
    assert 2 * 32 * 32 * 128 == 262_144 and "262,144 numbers a word" in one.words
    assert 262_144 * 2 == 2**19 and 2**19 * 4096 == 2 * 2**30  # half a MiB, 2 GiB
    for kept in ("one set a head", "2 sets", "1 set", "off a latent of 8"):
        pattern = one.tensor("cache", set={"Keys and values": kept})[0, :, 7]
        assert len(set(pattern.argmax(-1).tolist())) > 1, "heads look at different words"
    sums = [
        one.tensor("window", set={"Score of the sink": sink})[0].sum(-1)
        for sink in ("−20, as good as none", "0", "3")
    ]
    torch.testing.assert_close(sums[0], torch.ones_like(sums[0]))
    assert (sums[1] < 1).all() and (sums[2] < sums[1]).all()
    assert one.tensor("window")[0, :, 7, :4].eq(0).all()  # itself and three before it
    weak, strong = (
        one.tensor("window", set={"Score of the sink": sink})[0, 1, 7, 4:] for sink in ("0", "3")
    )
    torch.testing.assert_close(strong / strong.sum(), weak / weak.sum())  # by one factor
    passed, whole = (one.tensor("gate", "norms", set={"Gate": gate})[0] for gate in GATES)
    factors = one.tensor("gate", "gate")[0]
    torch.testing.assert_close(passed, whole * factors[..., None])
    shares = [one.tensor("gate", set={"Gate": gate})[0] for gate in GATES]
    torch.testing.assert_close(*shares)  # the weights are left alone
    assert (factors > 0).all() and (factors < 1).all() and factors.std(1).min() > 0.05
    net, first, second = (
        one.tensor("pair", name, set={"Weights of": of})[0]
        for name, of in zip(("net", "pattern", "pattern"), PAIR, strict=True)
    )
    torch.testing.assert_close(net[0], first[0] - 0.8 * second[1])
    assert (net[0] < -0.05).any() and (net[0] > 0.05).any()
    torch.testing.assert_close(net.sum(-1), torch.full((8, 8), 1 - 0.8))
    places = {
        label: one.tensor("places", set={"Positions": label})[0]
        for label in ("none", "waves, added (2017)", "rotary", "ALiBi")
    }
    torch.testing.assert_close(places["none"][:, 7], torch.full((4, 8), 1 / 8))
    assert (places["ALiBi"][:, 7].diff() > 0).all()  # the nearer, the more
    steep = places["ALiBi"][:, 7, 7] / places["ALiBi"][:, 7, 0]
    assert (steep.diff() < 0).all()  # faster in some heads than in others
    scores = one.tensor("places", "scores", set={"Positions": "rotary"})[0, 0]
    torch.testing.assert_close(scores[7, 4], scores[5, 2])  # only the distance counts
    linear, ntk = (
        one.tensor("places", "scores", set={"Positions": label})[0, 0]
        for label in ("rotary ÷ 4", "slow angles ÷ 4")
    )
    torch.testing.assert_close(linear[7, 3], scores[7, 6])  # four places away, as a neighbour was
    steps = [(each[7, 7] - each[7, 6]).abs() for each in (scores, linear, ntk)]
    assert steps[1] < steps[0] / 2  # neighbours are harder to tell apart
    assert (steps[2] - steps[0]).abs() < (steps[1] - steps[0]).abs() / 2
    exp, linear = (entropies(one.tensor("linear", side=side)) for side in "AB")
    assert (linear > exp).all()  # flatter
    for forgotten in ("as each word says", "by distance"):
        chosen = {"How much is forgotten": forgotten}
        hidden, parts = (
            one.tensor("fading", name, set=chosen)[0] for name in ("hidden", "pattern")
        )
        assert (hidden < 0).any() and (hidden.sum(-1) - 1).abs().min() > 1e-3
        torch.testing.assert_close(parts, hidden.abs() / hidden.abs().sum(-1, keepdim=True))
        left = one.tensor("fading", "bias", set=chosen)[0, :, 7, 0].exp()
        assert (left.diff() > 0).all()  # of the first word, by the last
        if forgotten == "as each word says":
            assert left[0] < 0.01 and round(left[3].item(), 2) == 0.62
    assert [question.number for question in one.content.questions[:2]] == [2 * 8 * 4 * 64, 3 * 3]


def test_birth(lesson: Callable[[str], Lesson]) -> None:
    one = lesson("birth")
    steps = [option.label for option in one.content.figures["watch"].switches[0].options]
    film = one.get("/api/models/sister/film")
    assert [int(label.split()[0].removesuffix(",").replace(",", "")) for label in steps] == film[
        "steps"
    ]
    induction = dict(zip(steps, film["curves"]["induction"], strict=True))
    rises = {
        "From 0 to 100": induction["100"] - induction["0"],
        "From 100 to 400": induction["400"] - induction["100"],
        "From 500 to 700": induction["700"] - induction["500"],
        "From 1,000 to 3,600": induction[steps[-1]] - induction["1,000"],
    }
    asked = one.content.questions[0]
    assert list(rises) == asked.options
    assert max(rises, key=lambda name: rises[name]) == asked.options[asked.answer]
    assert rises["From 500 to 700"] > 3 * sum(rises.values()) / 4
    losses = film["curves"]["loss"]
    assert losses[2] < losses[0] / 2  # the loss falls all the time, while next to nothing happens
    looks, helps = (
        {step: one.tensor(figure, set={"Step": step}) for step in steps}
        for figure in ("watch", "helper")
    )
    window = {step: pattern[1, 3, 9, 3].item() for step, pattern in looks.items()}
    before = {step: pattern[0, 2].diagonal(-1)[1:].mean().item() for step, pattern in helps.items()}
    assert window["0"] < 0.15 and before["0"] < 0.3
    assert next(iter(one.next_words("watch", 9))) == "apple"  # it repeats what it has just read
    for trained in (window, before):
        assert trained[steps[-1]] > 0.7
        assert trained["500"] < 0.4 < trained["1,000"]  # neither comes first
    alone, muted = (
        one.answer("muted", set={"Layer 0, head 2": label}, predict={"position": 9, "top_k": 50})
        for label in ("as it is", "muted")
    )
    told = [
        next(
            (each["probability"] for each in answer["predictions"][0] if each["text"] == "window"),
            0.0,
        )
        for answer in (alone, muted)
    ]
    share = [
        torch.tensor(answer["sites"][1]["tensors"]["pattern"][0][3][9][3]).item()
        for answer in (alone, muted)
    ]
    because = one.content.questions[1].because
    assert f"{share[0]:.0%} of its weight" in because and f"from {told[0]:.0%} to" in because
    assert share[1] < 0.01 and told[1] < 0.01 and because.endswith("less than 1%.")
    bos = muted["sites"][1]["tensors"]["pattern"][0][3][9][0]
    assert bos > 0.99 and "nearly all goes to [BOS]" in because
    for step, score in (
        ("0", 0.03),
        ("400", 0.10),
        ("500", 0.09),
        ("700", 0.83),
        (steps[-1], 0.98),
    ):
        assert induction[step] == pytest.approx(score, abs=0.005)
        assert f"{score:.2f}" in one.content.questions[0].because
