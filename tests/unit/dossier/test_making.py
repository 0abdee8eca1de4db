"""Making a dossier: means over texts, going on after a stop, and what is refused."""

import json
import math
from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from model.analysis.scores import head_scores
from model.core.checkpoint import SHIPPED
from model.dossier import MEASURES, Corpus, Settings, make_dossier, own_corpus, read_corpus
from model.dossier.document import load_dossier, save_dossier
from model.dossier.examples import KEPT, Example, better
from model.dossier.state import state_of
from model.errors import CheckpointError, InputError, UnavailableError
from model.sources.native import NativeSource
from model.sources.pretrained.source import PretrainedSource
from model.sources.source import Inputs
from tests.unit.sources.pretrained.checkpoints import FAMILIES

pytestmark = pytest.mark.long

TEXTS = (
    "the cat sat on the mat",
    "a dog ran",
    "the cat saw the red dog and the cat ran",
    "then",
    "cat",
)
CORPUS = Corpus("five texts", TEXTS)
QUICK = Settings(replicates=40)


class Killed(BaseException):
    """Stands for a kill: nothing of ours catches it."""


def killed_at(done: int) -> Callable[[int, int], None]:
    def progress(now: int, total: int) -> None:
        if now == done:
            raise Killed

    return progress


@pytest.fixture(scope="module")
def made(source: NativeSource, tmp_path_factory: pytest.TempPathFactory) -> Any:
    out = tmp_path_factory.mktemp("dossier") / "dossier.json"
    return make_dossier(source, CORPUS, out, QUICK, other=source)


def numbers(found: Any) -> Iterator[float]:
    if isinstance(found, dict):
        for each in found.values():
            yield from numbers(each)
    elif isinstance(found, list):
        for each in found:
            yield from numbers(each)
    elif isinstance(found, float):
        yield found


def test_scores_are_means_over_texts(made: Any, source: NativeSource) -> None:
    """Each text counts once; texts where a head has no value do not count."""
    for index, head in enumerate(made["heads"]):
        for name in ("previous_token", "same_token", "entropy", "distance"):
            each = [
                head_scores(source.trace(Inputs(texts=(text,))), 0)[index].scores[name].value
                for text in TEXTS
            ]
            known = [value for value in each if value is not None]
            found = head["values"][name]
            assert found["value"] == pytest.approx(sum(known) / len(known), rel=1e-3, abs=1e-5)
            assert found["over"] == len(known)
            if len(known) > 1:
                assert min(known) - 1e-4 <= found["low"] <= found["high"] <= max(known) + 1e-4
    blocked = made["heads"][0]["values"]["next_token"]
    assert blocked["reason"] == "the masks block every cell that it reads"
    absent = made["heads"][0]["values"]["punctuation_mass"]
    assert absent == {
        "value": None,
        "low": None,
        "high": None,
        "over": 0,
        "reason": "the text has no punctuation",
    }


def test_the_document(made: Any, source: NativeSource) -> None:
    assert made["weights"] == source.info.weights
    assert made["corpus"] == {
        "description": "five texts",
        "n_texts": 5,
        "sha256": CORPUS.sha256,
    }
    names = [measure.name for measure in MEASURES]
    assert [measure["name"] for measure in made["measures"]] == names
    texts = {each["number"]: each["text"] for each in made["texts"]}
    assert len(made["heads"]) == 6
    for head in made["heads"]:
        assert list(head["values"]) == names
        assert sum(head["distances"]) == pytest.approx(1, abs=1e-3)
        assert len(head["distances"]) == len(made["buckets"])
        assert len(head["like"]) == 4 and len(head["like_elsewhere"]) == 4
        assert head["like"][0]["value"] >= head["like"][-1]["value"]
        assert (head["layer"], head["head"]) not in {
            (one["layer"], one["head"]) for one in head["like"]
        }
        best = head["like_elsewhere"][0]  # the same model: the head itself
        assert (best["layer"], best["head"]) == (head["layer"], head["head"])
        assert best["value"] == pytest.approx(1, abs=1e-4)
        for example in head["top_examples"]:
            [tokens] = source.trace(Inputs(texts=(texts[example["text"]],))).tokens
            assert tokens[example["query"]].text == example["query_token"]
            assert tokens[example["key"]].text == example["key_token"]
    assert made["buckets"][0] == {"first": 0, "last": 0}  # a causal model does not look ahead
    assert all(map(math.isfinite, numbers(made)))


@pytest.mark.parametrize("times", [(1,), (2, 3), (4,)])
def test_a_killed_run_goes_on_to_the_same_file(
    made: Any, source: NativeSource, tmp_path: Path, times: tuple[int, ...]
) -> None:
    out = tmp_path / "dossier.json"
    for done in times:
        with pytest.raises(Killed):
            make_dossier(
                source, CORPUS, out, QUICK, other=source, progress=killed_at(done), save_every_s=0.0
            )
        assert not out.exists()
    began = []
    again = make_dossier(
        source, CORPUS, out, QUICK, other=source, progress=lambda done, total: began.append(done)
    )
    assert began[0] == times[-1] - 1  # killed before it was saved: one text is run again
    assert again == made
    assert load_dossier(out) == json.loads(json.dumps(made))
    assert not state_of(out).exists() and len(list(tmp_path.iterdir())) == 1


def test_a_stop_saves_what_is_done(made: Any, source: NativeSource, tmp_path: Path) -> None:
    out, seen = tmp_path / "dossier.json", list[int]()

    def note(done: int, total: int) -> None:
        seen.append(done)

    def make(stop: Callable[[], bool]) -> Any:
        return make_dossier(source, CORPUS, out, QUICK, other=source, progress=note, stop=stop)

    assert make(lambda: len(seen) == 4) is None
    assert seen == [0, 1, 2, 3]
    assert make(lambda: False) == made
    assert seen[4:] == [3, 4, 5]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"settings": Settings(seed=1, replicates=40)}, "seed: 0 there, 1 here"),
        ({"corpus": Corpus("", TEXTS[:4])}, "texts: "),
        ({"other": None}, "other weights: "),
    ],
)
def test_an_unfinished_run_of_something_else_is_not_continued(
    source: NativeSource, tmp_path: Path, change: dict[str, Any], words: str
) -> None:
    out = tmp_path / "dossier.json"
    settings: dict[str, Any] = {"corpus": CORPUS, "settings": QUICK, "other": source}

    def make(progress: Callable[[int, int], None], **more: Any) -> None:
        asked = settings | more
        make_dossier(
            source, asked["corpus"], out, asked["settings"], other=asked["other"], progress=progress
        )

    with pytest.raises(Killed):
        make(killed_at(2))
    with pytest.raises(CheckpointError, match=words) as caught:
        make(lambda done, total: None, **change)
    assert "remove it to start over" in caught.value.message


def test_a_broken_state_says_so(source: NativeSource, tmp_path: Path) -> None:
    out = tmp_path / "dossier.json"
    state_of(out).write_bytes(b"nothing")
    with pytest.raises(CheckpointError, match="Remove it to start over"):
        make_dossier(source, CORPUS, out, QUICK)
    with pytest.raises(CheckpointError, match="Cannot write"):
        make_dossier(source, CORPUS, tmp_path / "nowhere" / "dossier.json", QUICK)


def test_a_text_that_is_too_long_is_named_by_its_line(source: NativeSource, tmp_path: Path) -> None:
    path = tmp_path / "texts.txt"
    path.write_text("the cat\n\n" + "cat " * 500 + "\n")
    with pytest.raises(InputError, match=r"^Line 3 does not suit small: .* at most 400") as caught:
        make_dossier(source, read_corpus(path), tmp_path / "dossier.json", QUICK)
    assert caught.value.field == "texts"


def test_a_file_of_texts(tmp_path: Path) -> None:
    path = tmp_path / "texts.txt"
    path.write_bytes("\ufeffone é\r\n\n  two  \nthree".encode())
    assert read_corpus(path) == Corpus("3 texts of texts.txt", ("one é", "two", "three"), (1, 3, 4))
    path.write_bytes(b"fine\nab\xff\n")
    with pytest.raises(InputError, match="line 2: expected UTF-8; byte 3 of the line is 0xff"):
        read_corpus(path)
    path.write_text("\n \n")
    with pytest.raises(InputError, match="has no text"):
        read_corpus(path)
    with pytest.raises(InputError, match="cannot be read: No such file"):
        read_corpus(tmp_path / "none.txt")


def test_own_texts_depend_on_the_seed_alone() -> None:
    assert own_corpus(9).texts == own_corpus(12).texts[:9]
    assert own_corpus(9, seed=1).texts != own_corpus(9).texts
    assert all(text[-1] in ".!?\"'" for text in own_corpus(50).texts)


def test_settings_are_checked() -> None:
    with pytest.raises(InputError, match="replicates to be at least 40; got 3"):
        Settings(replicates=3)


def test_the_best_examples_are_kept() -> None:
    def example(value: float, text: int, key: str = "a") -> Example:
        return Example(value, value, text, 1, 0, f"q{key}", key)

    kept: list[Example] = []
    for text, value in enumerate([0.1, 0.5, 0.2, 0.9, 0.3, 0.4, 0.6]):
        kept = better(kept, example(value, text, str(text)))
    assert [one.value for one in kept] == [0.9, 0.6, 0.5, 0.4, 0.3]
    assert better(kept, example(0.9, 8, "new"))[:2] == [kept[0], example(0.9, 8, "new")]
    assert better(kept, example(0.3, 8, "new")) == kept  # of equals, the earlier
    same = better(kept, example(0.95, 9, "1"))  # the pair was at 0.5
    assert [one.value for one in same] == [0.95, 0.9, 0.6, 0.4, 0.3] and len(same) == KEPT
    assert better(kept, example(0.55, 9, "3")) == kept


def test_a_file_that_is_no_dossier(tmp_path: Path) -> None:
    save_dossier(tmp_path / "x.json", {"format": 9})
    with pytest.raises(CheckpointError, match="expected a dossier of format 1"):
        load_dossier(tmp_path / "x.json")
    with pytest.raises(CheckpointError, match="cannot be read"):
        load_dossier(tmp_path / "y.json")


def test_a_model_without_weights_has_no_dossier(source: NativeSource, tmp_path: Path) -> None:
    weightless = copy(source)
    weightless.info = replace(source.info, weights=None)
    with pytest.raises(UnavailableError, match="no weights of its own"):
        make_dossier(weightless, CORPUS, tmp_path / "d.json", QUICK)


@pytest.mark.parametrize("family", ["bert", "gpt2", "t5", "llama"])
def test_other_families_have_dossiers(family: str, source: NativeSource, tmp_path: Path) -> None:
    torch.manual_seed(1)
    other = PretrainedSource.load(family, str(FAMILIES[family](tmp_path / family)))
    found = make_dossier(other, CORPUS, tmp_path / "d.json", QUICK, other=source)
    assert found is not None
    assert all(map(math.isfinite, numbers(found)))
    assert len(found["heads"]) == sum(site.n_heads for site in other.info.sites)
    for head in found["heads"]:
        muted = head["values"]["mute_effect"]
        assert (muted["value"] is None) == (other.info.predicts != "next")
        assert muted["value"] is not None or muted["reason"]
        copying = head["values"]["copying"]
        assert copying["value"] is not None or copying["reason"]
        crosses = head["kind"] == "cross"
        assert (head["distances"] is None) == crosses
        assert bool(head["like_elsewhere"]) == (head["kind"] in ("self", "encoder"))
    assert 0 < found["against"]["texts_aligned_by_words"] <= 5


@pytest.mark.parametrize("factor", [1.0, 0.0])
def test_only_a_head_that_also_copies_has_examples_of_induction(
    tmp_path: Path, factor: float
) -> None:
    source = NativeSource("shipped", SHIPPED)
    w_o, d = source.model.layers[1].attention.w_o, source.info.d_head
    assert w_o is not None
    with torch.no_grad():
        w_o.weight[:, 3 * d : 4 * d] *= factor
    corpus = Corpus("two texts", ("red apple window seven red apple window seven",) * 2)
    settings = Settings(replicates=40, mute_positions=0)
    made = make_dossier(source, corpus, tmp_path / "dossier.json", settings)
    assert made is not None
    [head] = [one for one in made["heads"] if (one["layer"], one["head"]) == (1, 3)]
    assert head["values"]["induction"]["value"] > 0.5  # it looks there in any case
    assert (head["values"]["copying"]["value"] > 0.75) == (factor == 1)
    assert ("induction" in {one["of"] for one in head["top_examples"]}) == (factor == 1)
    [also] = [each["also"] for each in made["measures"] if each["name"] == "induction"]
    assert also == {"metric": "copying", "least": 0.75}
