"""What the slides show, and the words for the hunt: from the models, and never from a game."""

import re
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest
from fastapi.testclient import TestClient

from model.core.checkpoint import SHIPPED
from model.sources.native import NativeSource
from server.api.routes.teachers import TEACHERS
from server.app import create_app
from server.pages.learning.workshop.games import (
    BETS,
    CARDS,
    HABITS,
    PAIR,
    SUSPECTS,
    Suspect,
    query_of,
)
from server.pages.learning.workshop.measured import Workshop, workshop
from server.pages.learning.workshop.slides import (
    EXAMPLE,
    LATE,
    MASKED,
    ORDERS,
    OVER,
    OWNER,
    PADDED,
    TASK,
)
from server.pages.learning.workshop.words import GROUPS, Vocabulary
from server.pages.learning.workshop.words import SENTENCES as EXAMPLES
from server.settings import Settings
from tests.unit.learning.test_workshop import patterns

pytestmark = pytest.mark.long

OF_GAMES = {
    *(habit.text for habit in HABITS),
    *(bet.text for bet in BETS),
    *(text for one in (*SUSPECTS, CARDS) for text in one.texts),
    *PAIR,
}


@pytest.fixture(scope="module")
def shop() -> Workshop:
    return workshop(None)


@pytest.fixture(scope="module")
def api() -> Iterator[TestClient]:
    """The shipped model."""
    with TestClient(create_app(Settings(allowed_hosts=("testserver",)))) as client:
        yield client


def likeliest(api: TestClient, text: str, position: int | None = None) -> Any:
    body = {"texts": [text], "predict": {"top_k": 1, "position": position}}
    answer = api.post("/api/trace", json=body).json()
    return answer["predictions"][0][0]


def test_slides_say_what_the_model_says(shop: Workshop, api: TestClient) -> None:
    task = shop.slides.task
    said = likeliest(api, TASK)
    assert task.token == said["text"].strip() and task.share == pytest.approx(said["probability"])
    assert task.share > 0.5 and task.token in TASK, "the answer is at the start of the text"
    owner = shop.slides.owner
    row = owner.picture.queries.index(owner.row)
    key = owner.picture.keys.index(owner.key)
    assert (owner.row, owner.key) == (OWNER.query[0], OWNER.key[0])
    heads = [head for layer in patterns(api, f"text={OWNER.text}") for head in layer]
    best = max(heads, key=lambda rows: rows[row][key])
    assert owner.share == pytest.approx(best[row][key], abs=1e-4) and owner.share > 0.5
    assert owner.picture.rows[row][key] == owner.share
    assert owner.token == likeliest(api, OWNER.text, row)["text"].strip() == "his"


def test_numbers_of_the_slides_are_those_of_a_model_within_a_hundredth(
    shop: Workshop, api: TestClient
) -> None:
    exact = patterns(api, query_of(EXAMPLE))[0][0]
    worked = shop.slides.worked
    assert [line.weight for line in worked.lines] == pytest.approx(exact[-1], abs=0.01)
    # the last word looks at all the others, so the mask leaves its row as it was
    assert shop.slides.mask.rows[-1] == pytest.approx([line.weight for line in worked.lines])
    for index, row in enumerate(shop.slides.mask.rows):
        assert [weight is None for weight in row] == [key > index for key in range(len(row))]
        assert sum(filter(None, row)) == pytest.approx(1)


def test_each_idea_about_masks_has_a_picture_of_the_model(shop: Workshop, api: TestClient) -> None:
    slides = shop.slides

    def drawn(setup: Suspect) -> list[list[float]]:
        return patterns(api, query_of(setup))[0][0]

    def same(rows: Any, exact: list[list[float]]) -> None:
        for ours, theirs in zip(rows, exact, strict=True):
            assert [each or 0.0 for each in ours] == pytest.approx(theirs, abs=1e-4)

    same(slides.padding.rows, drawn(PADDED))
    pads = [key == "[PAD]" for key in slides.padding.keys]
    assert sum(pads) == 2
    assert all([weight is None for weight in row] == pads for row in slides.padding.rows)
    same(slides.orders.rows, [drawn(setup)[ORDERS] for setup in (MASKED, LATE)])
    before, after = (sum(filter(None, row)) for row in slides.orders.rows)
    assert before == pytest.approx(1) and after < 0.9
    assert slides.orders.rows[0] == pytest.approx(slides.mask.rows[ORDERS], abs=0.01)
    assert slides.asks == slides.mask.queries[ORDERS]
    same(slides.over.rows, drawn(OVER))
    columns = [sum(filter(None, column)) for column in zip(*slides.over.rows, strict=True)]
    assert columns == pytest.approx([1] * 4)
    assert abs(sum(filter(None, slides.over.rows[-1])) - 1) > 0.5
    page = api.get(f"{TEACHERS}/slides").text
    assert f"The rest sums to {after:.2f}." in page


def test_slides_use_no_sentence_and_no_card_of_a_game(shop: Workshop, api: TestClient) -> None:
    page = unescape(api.get(f"{TEACHERS}/slides").text)
    assert not [sentence for sentence in OF_GAMES if sentence in page]
    assert not {TASK, OWNER.text, *EXAMPLE.texts} & OF_GAMES
    assert not {card.word for card in shop.slides.cards} & {card.word for card in shop.cards}
    numbers = re.findall(r"−?\d\.\d\d?", page)
    for row in shop.worked:
        of_a_card = {f"{line.weight:.2f}" for line in row.lines}
        assert not of_a_card <= set(numbers), row.asks.word
    assert not re.search(r"layer \d, head \d", page, re.IGNORECASE)


def test_scores_and_weights_come_after_what_they_are_made_of(api: TestClient) -> None:
    page = api.get(f"{TEACHERS}/slides").text
    ids = re.findall(r'<section class="slide" id="([\w-]+)"', page)
    taught = ["averaging", "qkv", "dot", "softmax", "human", "mask", "padding", "before", "over"]
    taught += ["detective"]
    assert [name for name in ids if name in taught] == taught


# --- Words -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def words(shop: Workshop) -> Vocabulary:
    return shop.words


def test_words_of_the_hunt_are_tokens_of_the_model(words: Vocabulary) -> None:
    tokenizer = NativeSource("shipped", SHIPPED).tokenizer
    assert len(words.groups) == len(GROUPS)
    for group, (_, _, most) in zip(words.groups, GROUPS, strict=True):
        assert len(group.words) == len(set(group.words)) == most, group.name
        for word in group.words:
            tokens = tokenizer.encode(word)[1:]
            assert [token.text.strip() for token in tokens] == word.split(), word
    assert words.sentences == EXAMPLES
    for sentence in words.sentences:
        read = [token.text.strip() for token in tokenizer.encode(sentence)[1:]]
        assert read == [*sentence.removesuffix(".").split(), "."]
        assert sentence not in OF_GAMES


def test_words_are_on_the_sheet_of_the_hunt(words: Vocabulary, api: TestClient) -> None:
    page = unescape(api.get("/learn/games/hunt").text)
    for group in words.groups:
        assert ", ".join(group.words) in page
    assert all(f"“{sentence}”" in page for sentence in words.sentences)
