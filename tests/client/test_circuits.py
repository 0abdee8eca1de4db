"""The residual stream of a run, and sums over it, through a real server."""

from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import numpy as np
import pytest
from safetensors.numpy import load_file

from headlight import Client, RequestError
from headlight.interventions import add, patch

TEXTS = ["Maria saw herself in the mirror", "The cat", "A dog ran.", "The old man"]  # two batches
N = [7, 3, 5, 4]  # tokens of each, [BOS] included


def test_the_stream_of_each_text_has_no_padding(hl: Client) -> None:
    run = hl.trace(TEXTS)
    assert [array.shape for array in run.stream()] == [(3, n, 128) for n in N]
    assert [array.shape for array in run.stream("mlp_scale", layers=[1])] == [(1, n) for n in N]
    assert [array.shape for array in run.stream("final_scale")] == [(n,) for n in N]
    assert [len(array) for array in run.logits] == N
    assert [len(array[0]) for array in run.stream(positions=(2, 4))] == [2, 1, 2, 2]


def test_numbers_are_those_of_the_text_alone(hl: Client) -> None:
    together = hl.trace(TEXTS).stream("resid_mid")[1]
    alone = hl.trace(TEXTS[1]).stream("resid_mid")
    np.testing.assert_allclose(together, alone, atol=1e-5 * np.abs(alone).max())


def test_layers_follow_on_one_another(hl: Client) -> None:
    run = hl.trace(TEXTS[0])
    np.testing.assert_array_equal(run.stream("resid_pre")[1:], run.stream("resid_post")[:-1])


def test_logits_are_those_of_the_predictions(hl: Client) -> None:
    run = hl.trace(TEXTS[0])
    last = run.logits[-1].astype(float)
    shares = np.exp(last - last.max()) / np.exp(last - last.max()).sum()
    for row in run.predictions:
        assert shares[row["id"]] == pytest.approx(row["probability"], abs=1e-6)


def test_an_activation_has_the_name_that_transformer_lens_gives_it(hl: Client) -> None:
    run = hl.trace(TEXTS[0])
    site = run.site("layers.1")
    for tensor, name in (("z", "z"), ("pattern", "pattern"), ("scores", "attn_scores")):
        expected = getattr(site, tensor)
        for spelled in (
            f"blocks.1.attn.hook_{name}",
            f"blocks.1.attn.{name}",
            f"layers.1.{tensor}",
        ):
            np.testing.assert_array_equal(run.activation(spelled), expected)
    for tensor in ("resid_pre", "resid_mid", "resid_post", "mlp_out"):
        expected = run.stream(tensor)[1]
        for spelled in (f"blocks.1.hook_{tensor}", f"layers.1.{tensor}"):
            np.testing.assert_array_equal(run.activation(spelled), expected)
    np.testing.assert_array_equal(
        run.activation("blocks.2.ln1.hook_scale"), run.stream("attn_scale")[2]
    )
    np.testing.assert_array_equal(run.activation("ln_final.hook_scale"), run.stream("final_scale"))
    np.testing.assert_array_equal(run.activation("logits"), run.logits)
    both = hl.trace(TEXTS).activation("blocks.0.hook_resid_post")
    assert [each.shape for each in both] == [(n, 128) for n in N]
    with pytest.raises(RequestError, match=r"no activation 'blocks\.1\.hook_nothing'") as caught:
        run.activation("blocks.1.hook_nothing")
    assert caught.value.code == "unknown_activation"


def test_the_parts_of_a_logit_sum_to_it(hl: Client) -> None:
    run = hl.trace(TEXTS[0])
    id = run.predictions[0]["id"]
    rows = run.attribution(token=id)
    assert rows[-1]["kind"] == "remainder"
    assert sum(row["value"] for row in rows) == pytest.approx(run.logits[-1][id], abs=1e-4)
    of_head = {(row["site"], row["head"]): row["value"] for row in rows if row["kind"] == "head"}
    sums = dict.fromkeys(of_head, 0.0)
    for row in run.attribution_sources(token=id):
        sums[row["site"], row["head"]] += row["value"]
    assert sums == pytest.approx(of_head, abs=1e-4)


def test_the_stream_is_saved_with_the_answer(hl: Client, tmp_path: Path) -> None:
    run = hl.trace(TEXTS[0])
    path = run.save(tmp_path / "run.safetensors", tensors=["result"], stream=["resid_mid"])
    saved = load_file(path)
    np.testing.assert_array_equal(saved["stream/layers.2.resid_mid"][0], run.stream("resid_mid")[2])
    assert "layers.2.result" in saved


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"name": "resid"}, "resid_pre"),
        ({"stack": "encoder"}, "single stack"),
        ({"layers": [7]}, "layers 0 to 2"),
        ({"positions": (0, 99)}, r"positions \[0, 7\)"),
    ],
)
def test_what_is_not_there_is_said(hl: Client, settings: dict[str, object], message: str) -> None:
    with pytest.raises(RequestError, match=message):
        hl.trace(TEXTS[0]).stream(**settings)  # type: ignore[arg-type]


def test_a_score_is_the_sum_of_its_table(hl: Client) -> None:
    run = hl.trace(TEXTS)
    found = run.why(layer=2, head=3, query=2, key=1)
    scores = [site[3][2] for site in run.site("layers.2").scores]
    for why, row, n in zip(found, scores, N, strict=True):
        assert sum(each["value"] for each in why.table) == pytest.approx(why.score, abs=1e-4)
        assert why.table[-1]["query_part"] == "remainder"
        assert why.score == pytest.approx(row[1], abs=1e-5)
        np.testing.assert_allclose(why.scores, row[:n], atol=1e-5)
        assert len(why.row) == n == len(why.pattern)
        assert why.switched is None


def test_parts_are_switched_off_by_name_of_the_tokens(hl: Client) -> None:
    run = hl.trace(TEXTS[0])
    place: dict[str, Any] = {"layer": 2, "head": 3, "query": "herself", "key": "Maria"}
    why = run.why(**place)
    assert [row["token"] for row in why.row] == run.tokens
    less = run.why(**place, without=why.query_parts, whole_head=True)
    assert less.row.columns["switched_pattern"] == pytest.approx([0.25] * 4 + [0.0] * 3, abs=1e-4)
    assert less.switched.head_pattern.shape == (7, 7)
    np.testing.assert_array_equal(less.switched.head_pattern[3], less.switched.pattern)
    assert less.switched.scores[1] == pytest.approx(less.switched.score, abs=1e-5)
    np.testing.assert_array_equal(less.values, why.values)
    with pytest.raises(RequestError, match="no part mlp of layer 9"):
        run.why(**place, without=[{"kind": "mlp", "layer": 9}])
    with pytest.raises(RequestError, match="No token is 'him'"):
        run.why(**{**place, "query": "him"})


def test_composition_is_a_row_for_each_pair_of_heads(hl: Client) -> None:
    words = "silver garden bottle twelve"
    run = hl.trace([f"{words} {words}", TEXTS[1]])
    rows = run.composition()
    assert len(rows) == 2 * 3 * 8 * 8
    of_first = [row for row in rows if (row["text"], row["later_head"]) == (0, 3)]
    [best, *_] = sorted(of_first, key=lambda row: -row["k"])
    assert (best["earlier"], best["earlier_head"], best["later"]) == ("layers.0", 2, "layers.1")
    assert 0 < best["k"] < best["lift"]
    by_weights = run.weight_composition()
    assert len(by_weights) == 3 * 8 * 8
    assert {round(row["baseline"], 4) for row in by_weights} == {0.0887}


def test_a_head_is_read_over_the_vocabulary(hl: Client) -> None:
    found = hl.circuits(1, 3, token=900, pairs=False)
    assert found["copying"] > 0.9
    assert found["qk"] == [] and len(found["partners"]["raises"]) == 10
    with pytest.raises(RequestError, match="heads 0 to 7"):
        hl.circuits(1, 9)


def test_paths_are_rows_of_edges(hl: Client) -> None:
    run = hl.trace(["Every morning the king washed", "The cat"])
    ids = [hl.trace(word).tokens[-1].id for word in (" himself", " herself")]
    rows = run.paths(token=ids[0], against=ids[1], limit=20)
    assert {row["text"] for row in rows} == {0, 1}
    assert {row["verdict"] for row in rows} <= {"confirmed", "weaker", "denied"}
    read = [
        row
        for row in rows
        if (row["text"], row["through"], row["sender_position"]) == (0, "v", 4)
        and row["receiver_position"] == 5
    ]
    assert any(row["verdict"] == "confirmed" and row["moved"] > 1 for row in read)
    assert {row["receiver"] for row in rows if row["through"] == "logit"} == {"logit"}


def test_a_patch_of_the_bench_is_an_intervention(hl: Client) -> None:
    run, clean = hl.trace("Robert saw"), "Maria saw"
    rows = run.patching(clean, at="mlp")
    assert [(row["layer"], row["position"]) for row in rows] == [
        (layer, position) for layer in range(3) for position in range(3)
    ]
    best = max(rows, key=lambda row: row["restored"])
    assert (best["token"], best["against"]) == ("herself", "himself")
    edit = patch(clean, at="mlp", layer=best["layer"], positions=[best["position"]])
    edited = run.intervene(edit).trace()
    her, him = (hl.trace(clean).predictions[0]["id"], run.predictions[0]["id"])
    logits = edited.logits[-1]
    assert logits[her] - logits[him] == pytest.approx(best["metric"], abs=1e-4)
    by_head = run.patching(clean, at="head", by="head")
    assert [(row["layer"], row["head"]) for row in by_head][-1] == (2, 7)
    with pytest.raises(RequestError, match="do not align"):
        run.patching("Maria herself saw")


def test_a_gradient_tells_what_a_small_step_does(hl: Client) -> None:
    run = hl.trace(TEXTS)
    found = run.gradient("blocks.1.hook_mlp_out", token=" himself", against=" herself")
    assert [one.shape for one in found] == [(n, 128) for n in N]
    z = run.gradient("blocks.1.attn.hook_z", position=[-1, 2, 3, 2])
    assert [one.shape[:2] for one in z] == [(8, n) for n in N]
    alone = hl.trace(TEXTS[0])
    first = alone.gradient("layers.1.mlp_out", token=" himself", against=" herself")
    np.testing.assert_allclose(first, found[0], atol=1e-4)

    def lead(added: float) -> float:
        vector = (added * first[3]).tolist()
        edited = alone.intervene(add(vector, layer=1, at="mlp", positions=[3])).trace()
        ids = {one.strip(): hl.trace(one).tokens[-1].id for one in (" himself", " herself")}
        return float(edited.logits[-1][ids["himself"]] - edited.logits[-1][ids["herself"]])

    step = 0.01 / float(np.abs(first[3]).max())
    slope = (lead(step) - lead(-step)) / (2 * step)
    assert slope == pytest.approx(float((first[3] ** 2).sum()), rel=0.02)
    with pytest.raises(RequestError, match="gradients"):
        alone.gradient("blocks.1.attn.hook_pattern")


def test_directions_and_neurons_are_put_in_words(hl: Client) -> None:
    run = hl.trace("Every morning the king washed")
    found = run.neurons(2, token=" himself", against=" herself", top_k=3)
    assert len(found) == 3 and all(len(row["raises"]) == len(row["lowers"]) == 5 for row in found)
    whole = run.attribution(token=" himself", against=" herself")
    [of_network] = [row["value"] for row in whole if (row["kind"], row["layer"]) == ("mlp", 2)]
    every = run.neurons(2, token=" himself", against=" herself", top_k=100)
    assert sum(row["value"] for row in every if row["value"] * of_network > 0) * of_network > 0
    stream = run.activation("blocks.2.hook_resid_post")
    words = run.decode(np.concatenate([stream] * 13), top_k=2)  # more than one request takes
    assert len(words) == 13 * len(stream) * 3 * 2
    last = [row["token"] for row in words if (row["vector"], row["list"]) == (5, "raises")]
    assert run.predictions[0]["token"] in last
    z = run.site("layers.2").z[3, -1]
    assert {row["list"] for row in run.decode(z, layer=2, head=3)} == {"raises", "lowers", "near"}
    with pytest.raises(RequestError, match="128 numbers"):
        run.decode([1.0, 2.0])


def test_queries_and_keys_lie_in_one_plane(hl: Client) -> None:
    run = hl.trace(["Mary near the boys saw herself.", "The cat"])
    found = run.space(2, 3)
    assert {row["text"] for row in found.points} == {0, 1}
    assert found.shares is not None and found.sentences is None
    assert 0.2 < sum(found.shares) < 1 and found.method == "pca"
    assert repr(run.space(2, 3, method="tsne")).startswith("<space of L2H3: t-SNE, order of q·k")
    pytest.importorskip("matplotlib")
    axes = found.plot()
    drawn = [np.asarray(one.get_offsets()) for one in axes.collections]
    assert sum(map(len, drawn)) == len(found.points)
    everyday = run.space(2, 3, sentences=30)
    assert everyday.sentences is not None and len(everyday.sentences) == 30
    assert max(row["text"] for row in everyday.points) == 29
    given = run.space(2, 3, sentences=list(everyday.sentences))
    assert list(given.points) == list(everyday.points)
    assert (given.correlation or 0) > 0.5
    with pytest.raises(RequestError, match="sentences=texts"):
        hl.trace(TEXTS * 5).space(2, 3)
    with pytest.raises(RequestError, match="heads 0 to 7"):
        run.space(2, 9)


def test_a_probe_takes_the_place_of_the_prediction(hl: Client) -> None:
    direction = np.random.default_rng(0).normal(size=128)
    probe = {"layer": 1, "weights": direction, "bias": 0.5}
    run = hl.trace("The cat sat", answer=probe)
    x = run.activation("blocks.1.hook_resid_post")[-1]
    told = {row["token"]: row["probability"] for row in run.predictions}
    assert told["yes"] == pytest.approx(1 / (1 + np.exp(-(x @ direction + 0.5))), abs=1e-4)
    rows = run.attribution(token="yes", against="no")
    assert sum(row["value"] for row in rows) == pytest.approx(float(x @ direction + 0.5), abs=1e-3)
    np.testing.assert_allclose(
        run.gradient("blocks.1.resid_post", token="yes")[-1], direction, atol=1e-5
    )
    assert "'weights'" in run.program()
    with pytest.raises(RequestError, match="classes no, yes; got ' cat'"):
        run.mute_effects(token=" cat")
    assert "answer=probe~layer%3D1~weights%3D" in run.link()


def test_an_answer_can_be_another_than_the_prediction(hl: Client) -> None:
    text = "Maria saw herself in the mirror."
    sure = hl.trace([text, "The cat"], answer="entropy")
    plain = hl.trace([text, "The cat"])
    for entropy, logits in zip(sure.measured(), plain.activation("logits"), strict=True):
        log_p = logits[-1] - np.log(np.exp(logits[-1]).sum())
        assert entropy == pytest.approx(-(np.exp(log_p) * log_p).sum(), abs=1e-3)
    like = {"kind": "similarity", "texts": "The dog ran."}
    found = hl.trace(text, answer=like)
    assert set(found.measured()) == {"unlike it", "The dog ran."}
    assert found.mute_effects(token="The dog ran.")[0]["text"] == 0
    assert parse_qs(found.link(layer=2, head=3).partition("?")[2])["answer"] == [
        "similarity~texts=The dog ran."
    ]
    assert "similarity" in found.program()
    with pytest.raises(RequestError, match="reads what the model predicts"):
        plain.measured()


def test_a_token_has_directions_to_be_added(hl: Client) -> None:
    run = hl.trace("The woman saw")
    row = run.direction(" herself")
    assert row.shape == (128,)
    np.testing.assert_allclose(row, run.direction(" herself", of="embedding"), atol=1e-6)
    place: dict[str, Any] = {"layer": 2, "at": "resid_post", "factor": 5.0}
    by_hand = run.intervene(add(row, **place)).trace()
    named = run.intervene(add(token=" herself", **place)).trace()
    np.testing.assert_allclose(by_hand.activation("logits"), named.activation("logits"), atol=1e-4)
    written = run.direction(" Mary", of="ov", layer=2, head=3)
    words = [one["token"] for one in run.decode(written, top_k=5) if one["list"] == "raises"]
    assert len(words) == 5
    with pytest.raises(RequestError, match="heads 0 to 7"):
        run.direction(" Mary", of="ov", layer=2, head=30)
