"""The run that a link shows, read as the page reads it."""

import pytest

from model.errors import InputError
from server.pages.export.asked import asked


def test_texts_masks_mutes_and_painted_cells_are_read() -> None:
    request = asked(
        "?model=bert&text=a+b%26c&text=d&target=x&causal=false&padding=false&padding_side=left"
        "&window=3&muted=1.2&muted=0.1.cross&block=0.1.2_4-5.3_0.*&free=*.*.*.decoder_1.1"
        "&layer=2&head=1"
    )
    assert request.texts == ["a b&c", "d"]
    assert request.targets == ["x", ""]
    assert request.pairs is None
    assert request.muted == [[1, 2], [0, 1, "cross"]]
    masks = request.masks.model_dump()
    assert (masks["causal"], masks["padding"], masks["padding_side"]) == (False, False, "left")
    assert masks["window"] == 3
    place = {"text": 0, "layer": 1, "head": 2, "kind": None}
    assert masks["blocked"] == [
        place | {"query": 4, "key": 3},
        place | {"query": 5, "key": 3},
        place | {"query": 0, "key": None},
    ]
    [freed] = masks["allowed"]
    assert (freed["text"], freed["kind"], freed["query"]) == (None, "decoder", 1)


def test_what_makes_no_sense_is_skipped() -> None:
    request = asked("?text=a&muted=1&muted=x.y&block=0.1_2.3&block=0.1.2_3&block=0.1.2_5-4.1")
    assert request.muted == []
    assert request.masks.blocked == []


@pytest.mark.parametrize(
    ("query", "words"),
    [("", "--text or --link"), ("?layer=1", "--text or --link"), ("?text=a&window=0", "window")],
)
def test_a_link_that_shows_no_run_is_refused(query: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        asked(query)
