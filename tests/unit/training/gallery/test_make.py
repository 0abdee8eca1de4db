"""The shipped gallery: each entry opens a state in which its sentences are true."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from model.core.checkpoint import SHIPPED
from model.errors import CheckpointError
from model.gallery import GALLERY, Against, Entry, load_gallery, save_gallery, to_json
from model.masks.rules import Cell, MaskSettings
from model.sources.native import NativeSource
from model.sources.source import Inputs, MutedHead
from model.trace.trace import Trace
from model.training.evaluation.look import place
from model.training.gallery.edited import MUCH, edited
from model.training.gallery.english import ROWS
from model.training.gallery.suggest import MIN_SHARE

pytestmark = pytest.mark.long

SENTENCES, PLACES, FIRST, _ = ROWS
NOT_DRAWN = {"Same token"}  # by no head of the shipped model: the card says why
ENTRIES = {entry.title: entry for entry in load_gallery(SHIPPED)}
RELATIONS = [str(title) for title, *_ in (*SENTENCES, *PLACES) if title not in NOT_DRAWN]


@pytest.fixture(scope="module")
def shipped() -> NativeSource:
    return NativeSource("shipped", SHIPPED)


def run(source: NativeSource, entry: Entry) -> Trace:
    muted = tuple(MutedHead(*head) for head in entry.muted)
    return source.trace(Inputs(entry.texts, masks=entry.masks, muted=muted))


def row(source: NativeSource, entry: Entry, query: int | None = None) -> list[float]:
    at = entry.query if query is None else query
    found = (
        run(source, entry)
        .sites[entry.layer]
        .derive(["pattern"], heads=[entry.head], rows=slice(at, at + 1))["pattern"]
    )
    weights: list[float] = found[entry.shown, 0, 0].tolist()
    return weights


def predictions(source: NativeSource, entry: Entry) -> dict[str, float]:
    found = run(source, entry).predict(top_k=source.info.vocab_size, position=entry.query)
    found_words: dict[str, float] = {}
    for one in found[entry.shown]:
        found_words.setdefault(one.text.strip(), one.probability)
    return found_words


def is_stated(words: str, share: float) -> bool:
    return share < 0.01 if words == "under 1%" else abs(share - int(words[:-1]) / 100) <= 0.005001


def test_there_is_an_entry_for_every_learned_relation_and_every_edit() -> None:
    assert set(ENTRIES) == {*RELATIONS, *FIRST}
    assert list(ENTRIES)[: len(FIRST)] == list(FIRST)


def test_the_edited_entries_are_what_the_generator_gives(shipped: NativeSource) -> None:
    plain = {title: ENTRIES[title] for title in RELATIONS}
    assert {entry.title: entry for entry in edited(shipped, plain)} == {
        title: entry for title, entry in ENTRIES.items() if title not in RELATIONS
    }


@pytest.mark.parametrize("title", RELATIONS)
def test_the_head_looks_where_the_line_says(title: str, shipped: NativeSource) -> None:
    entry = ENTRIES[title]
    keys = {title: [key] for title, _, _, _, key, *_ in PLACES}
    keys |= {title: place(shipped.tokenizer, e).target for title, _, _, _, e, *_ in SENTENCES}
    found = row(shipped, entry)
    assert sum(found[key] for key in keys[title]) >= MIN_SHARE
    assert entry.query < len(found)


@pytest.mark.parametrize("title", ENTRIES)
def test_every_entry_says_what_to_look_at_and_what_to_do(title: str) -> None:
    entry = ENTRIES[title]
    assert "{" not in entry.look + entry.next
    assert entry.look.endswith((".", "?"))
    assert entry.next.endswith((".", "?"))
    assert len(entry.title) <= 20  # it stands on a chip


OWN = MaskSettings()
MOVES = re.compile(r"“([^”]+)” (?:falls|rises) from (under 1%|\d+%) to (under 1%|\d+%)")
HARDLY = re.compile(r"“([^”]+)” hardly moves \((\d+%) to (\d+%)\)")
# the entry after the action that the sentence on what to try next suggests
ACTS: dict[str, Callable[[Entry], Entry]] = {
    "Mute it": lambda entry: replace(entry, muted=((entry.layer, entry.head),)),
    "Mask it": lambda entry: replace(entry, masks=replace(entry.masks, padding=True)),
}


@pytest.mark.parametrize("title", ENTRIES)
def test_the_prediction_moves_as_the_sentences_say(title: str, shipped: NativeSource) -> None:
    entry = ENTRIES[title]
    plain = replace(entry, masks=OWN, muted=())
    act = next((act for start, act in ACTS.items() if entry.next.startswith(start)), None)
    for words, before, after in (
        (entry.look, plain, entry),
        *([(entry.next, entry, act(entry))] if act else []),
    ):
        for word, earlier, later in MOVES.findall(words):
            assert is_stated(earlier, predictions(shipped, before)[word]), words
            assert is_stated(later, predictions(shipped, after)[word]), words
        for word, earlier, later in HARDLY.findall(words):
            assert is_stated(earlier, predictions(shipped, before)[word]), words
            assert is_stated(later, predictions(shipped, after)[word]), words
            assert (
                abs(predictions(shipped, before)[word] - predictions(shipped, after)[word]) < 0.03
            )


def test_the_sentences_do_move_the_prediction() -> None:
    """Otherwise the test above would check nothing."""
    moving = {title for title, entry in ENTRIES.items() if MOVES.search(entry.look + entry.next)}
    assert {"Herself", "A muted head", "A wrong mask", "A narrow window", "Copying"} <= moving
    assert HARDLY.search(ENTRIES["Agreement"].next)


def test_the_mute_of_the_opening_entry_shows_something(shipped: NativeSource) -> None:
    entry = next(iter(ENTRIES.values()))
    assert entry.tries == "mute"
    word = run(shipped, entry).tokens[0][entry.query + 1].text.strip()  # the text goes on with it
    before, after = (predictions(shipped, one) for one in (entry, ACTS["Mute it"](entry)))
    assert before[word] == max(before.values())
    assert before[word] - after[word] >= MUCH


def test_a_padded_pair_is_the_same_masked_or_not(shipped: NativeSource) -> None:
    pair = ENTRIES["A padded pair"]
    lengths = [len(shipped.tokenizer.encode(text)) for text in pair.texts]
    assert lengths[pair.shown] < max(lengths)
    unmasked = replace(pair, masks=replace(pair.masks, padding=False))
    for query in range(lengths[pair.shown]):
        at, un = replace(pair, query=query), replace(unmasked, query=query)
        assert row(shipped, at) == pytest.approx(row(shipped, un), abs=1e-5)
        assert predictions(shipped, at) == pytest.approx(predictions(shipped, un), abs=1e-5)


def test_padding_in_view_takes_what_the_line_says(shipped: NativeSource) -> None:
    entry = ENTRIES["Padding in view"]
    tokens = run(shipped, entry).tokens[entry.shown]
    assert tokens[0].padding
    assert not tokens[entry.query].padding
    taken = sum(w for w, token in zip(row(shipped, entry), tokens, strict=True) if token.padding)
    (stated,) = re.findall(r"gives it (\d+%)", entry.look)
    assert is_stated(stated, taken)


def test_the_wrong_mask_lets_the_head_see_what_is_to_come(shipped: NativeSource) -> None:
    entry = ENTRIES["A wrong mask"]
    assert entry.masks == MaskSettings(causal=False)
    (stated,) = re.findall(r"gives (\d+%) of its weight to later words", entry.look)
    assert is_stated(stated, sum(row(shipped, entry)[entry.query + 1 :]))


def test_the_narrow_window_hides_the_subject_and_turns_the_verb(shipped: NativeSource) -> None:
    entry = ENTRIES["A narrow window"]
    tokens = [token.text.strip() for token in run(shipped, entry).tokens[0]]
    last, subject = re.findall(r"“(\w+)” cannot see “(\w+)”", entry.look)[0]
    assert tokens[entry.query] == last
    assert row(shipped, entry)[tokens.index(subject)] == 0
    before = predictions(shipped, replace(entry, masks=OWN))
    after = predictions(shipped, entry)
    assert max(before, key=before.__getitem__) == tokens[entry.query + 1] == "are"
    assert max(after, key=after.__getitem__) == "is"


@pytest.mark.parametrize(
    ("title", "pairs"),
    [("Brackets", [("]", "[")]), ("Determiner and noun", [("big", "these"), ("old", "these")])],
)
def test_the_rows_to_choose_next_look_as_they_should(
    title: str, pairs: list[tuple[str, str]], shipped: NativeSource
) -> None:
    entry = ENTRIES[title]
    tokens = [token.text.strip() for token in run(shipped, entry).tokens[0]]
    for query, key in pairs:
        assert f"“{query}”" in entry.next
        assert row(shipped, entry, tokens.index(query))[tokens.index(key)] >= MIN_SHARE


@pytest.mark.parametrize(
    ("title", "old", "new", "word"),
    [("Key and value", "milk", "soup", "soup"), ("Her or his", "Sarah", "John", "his")],
)
def test_what_to_type_next_changes_the_prediction(
    title: str, old: str, new: str, word: str, shipped: NativeSource
) -> None:
    entry = ENTRIES[title]
    typed = replace(entry, texts=(entry.texts[0].replace(old, new, 1),))
    assert f"“{old}” with “{new}”" in entry.next
    (stated,) = re.findall(rf"the model now predicts “{word}”, (\d+%)", entry.next)
    found = predictions(shipped, typed)
    assert max(found, key=found.__getitem__) == word
    assert is_stated(stated, found[word])


@pytest.mark.parametrize(("title", "back"), [("Previous token", 1), ("Sink", None)])
def test_the_rows_to_walk_next_are_like_the_first(
    title: str, back: int | None, shipped: NativeSource
) -> None:
    entry = ENTRIES[title]
    rows = range(1, len(run(shipped, entry).tokens[0]))
    looked = [row(shipped, entry, at)[0 if back is None else at - back] for at in rows]
    (stated,) = re.findall(r"(\d+%)", entry.next)
    assert is_stated(stated, sum(looked) / len(looked))
    assert sum(weight > 0.5 for weight in looked) > len(looked) / 2  # most tokens do the same


def test_lines_go_to_the_word_after_the_first(shipped: NativeSource) -> None:
    entry = ENTRIES["Lines"]
    assert entry.view == "lines"
    n = len(entry.texts[0].split()) // 2
    for query in range(n + 1, 2 * n + 1):
        weights = row(shipped, entry, query)
        assert weights.index(max(weights)) == query - n + 1


def test_inside_shows_the_key_with_the_largest_score_and_its_weight(
    shipped: NativeSource,
) -> None:
    entry = ENTRIES["Inside"]
    assert (entry.view, entry.key) == ("inside", 1)
    rows = slice(entry.query, entry.query + 1)
    scores = (
        run(shipped, entry).sites[entry.layer].derive(["scores"], heads=[entry.head], rows=rows)
    )
    seen = scores["scores"][0, 0, 0, : entry.query + 1]
    assert int(seen.argmax()) == entry.key
    (stated,) = re.findall(r"a weight of (0\.\d{4})", entry.look)
    assert row(shipped, entry)[entry.key] == pytest.approx(float(stated), abs=5.1e-5)


def test_the_comparison_breaks_the_induction_head(shipped: NativeSource) -> None:
    entry = ENTRIES["Before and after"]
    assert entry.view == "compare"
    assert entry.against == Against()
    ((before, after),) = re.findall(r"falls from (\d+%) to (under 1%|\d+%)", entry.look)
    key = entry.query - len(entry.texts[0].split()) // 2 + 1
    assert is_stated(before, row(shipped, replace(entry, muted=()))[key])
    assert is_stated(after, row(shipped, entry)[key])


FULL = Entry(
    *("A", ("one", "two"), 1, 2, 3, "Look “here”."),
    next="Then.",
    shown=1,
    masks=MaskSettings(causal=False, window=3, blocked=(Cell(0, None, 2, 3, 4),)),
    muted=((1, 2), (0, 3)),
    view="compare",
    matrix="norms",
    key=0,
    right="lens",
    against=Against(MaskSettings(padding=False), ((0, 1),), head=4),
    value=0.5,
)


def test_a_gallery_survives_the_disk(tmp_path: Path) -> None:
    entries = [FULL, Entry("B", ("x",), 0, 0, 1, "")]
    save_gallery(tmp_path, entries)
    assert load_gallery(tmp_path) == entries
    assert load_gallery(tmp_path / "nowhere") == []
    plain = {"title": "B", "texts": ["x"], "layer": 0, "head": 0, "query": 1, "look": ""}
    assert json.loads((tmp_path / GALLERY).read_text())[1] == plain == to_json(entries[1])


@pytest.mark.parametrize("content", ["[", '{"title": "A"}', '[{"title": "A"}]', "[1]"])
def test_a_broken_gallery_says_so(tmp_path: Path, content: str) -> None:
    (tmp_path / GALLERY).write_text(content)
    with pytest.raises(CheckpointError, match=r"gallery\.json is not a gallery"):
        load_gallery(tmp_path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"query": -1}, "query: expected int, got -1"),
        ({"head": "3"}, 'head: expected int, got "3"'),
        ({"layer": True}, "layer: expected int, got true"),
        ({"texts": "a"}, "texts: expected"),
        ({"shown": 1}, "shows text 1 of 1"),
        ({"view": "table"}, 'view: expected one of heatmap, lines, got "table"'),
        ({"matrix": "q"}, 'matrix: expected one of pattern, got "q"'),
        ({"matrix": ["pattern"]}, "matrix: expected str"),
        ({"right": "after"}, 'right: expected one of next, got "after"'),
        ({"tries": "jump"}, 'tries: expected one of mute, got "jump"'),
        ({"masks": {"causal": 0}}, "masks: causal: expected bool, got 0"),
        ({"masks": {"window": 0}}, "at least 1 token"),
        ({"masks": {"cuasal": True}}, "unknown field “cuasal”"),
        ({"muted": [[1]]}, "muted, 0: expected"),
        ({"against": {"view": "lines"}}, "against has the unknown field “view”"),
        ({"title": None}, "title: expected str, got null"),
    ],
)
def test_a_field_that_makes_no_sense_is_named(
    tmp_path: Path, change: dict[str, object], message: str
) -> None:
    good = to_json(Entry("A", ("x",), 0, 0, 1, ""))
    (tmp_path / GALLERY).write_text(json.dumps([good | change]))
    names = {
        "view": ("heatmap", "lines"),
        "matrix": ("pattern",),
        "right": ("next",),
        "tries": ("mute",),
    }
    with pytest.raises(CheckpointError, match=re.escape(message)):
        load_gallery(tmp_path, names)


def test_an_entry_with_a_label_says_what_its_head_does() -> None:
    """The page completes “this head …” with it, in its list of labels."""
    said = {label: does for _, label, _, does, *_ in SENTENCES}
    for entry in ENTRIES.values():
        assert entry.does == (said[entry.label] if entry.label else None), entry.title
