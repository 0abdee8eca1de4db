"""The tokenizer: offsets in the typed text, one id per word, and no text that breaks it."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.core.tokenizer import Tokenizer, build_tokenizer, character_tokenizer
from model.errors import CheckpointError, TextError

WORDS = "the cat cats sat on mat said mary well known walking talked talking singing".split()
TOKENIZER = build_tokenizer(WORDS, n_chunks=12)
SHIPPED = Path("model/shipped/tokenizer.json")

# Any Unicode text, and texts with many characters that normalisation changes.
TOUCHED = " \t\n⁀\"'([-)]“’—aéİ\u00a0\u0301\u200d\U0001f469"
texts = st.text() | st.text(alphabet=TOUCHED, max_size=20)


def chips(text: str) -> list[str]:
    return [token.text for token in TOKENIZER.encode(text)[1:]]


def ids(text: str) -> list[int]:
    return [token.id for token in TOKENIZER.encode(text)[1:]]


@settings(deadline=None)
@given(texts)
def test_joined_token_texts_are_the_typed_text(text: str) -> None:
    tokens = TOKENIZER.encode(text)
    assert "".join(token.text for token in tokens if not token.special) == text
    end = 0
    for token in tokens[1:]:
        assert token.start == end <= token.end
        assert token.text == text[token.start : token.end]
        end = token.end


@settings(deadline=None)
@given(texts)
def test_decode_gives_back_the_normalised_text(text: str) -> None:
    normalised = TOKENIZER.normalise(text)
    assert TOKENIZER.decode([token.id for token in TOKENIZER.encode(text)]) == normalised
    assert TOKENIZER.normalise(normalised) == normalised


@settings(deadline=None)
@given(texts.filter(bool))
def test_ids_without_offsets_are_those_with_offsets(text: str) -> None:
    assert TOKENIZER.encode_ids([text]) == [[TOKENIZER.bos_id, *ids(text)]]


@pytest.mark.parametrize(
    ("text", "normalised"),
    [
        ("", ""),
        ("  The\n Cat\t", "the cat"),
        (" \n ", ""),
        ("“Hi” – it’s", '"hi" - it\'s'),
        ("( the cat )", "(the cat )"),
        ("a--b ---c - d", "a--b ---c - d"),
        ("\"'hi'\"", "\"'hi'\""),
        ("İ", "i\u0307"),
        ("a\x00b", "a\x00b"),
        ("e\u0301 שלום", "e\u0301 שלום"),
        ("👩\u200d👧", "👩\u200d👧"),
    ],
)
def test_normalising_changes_case_space_and_quotes_only(text: str, normalised: str) -> None:
    assert TOKENIZER.normalise(text) == normalised


def test_every_text_begins_with_bos_of_no_width() -> None:
    (bos,) = TOKENIZER.encode("")
    assert (bos.id, bos.text, bos.start, bos.end, bos.special) == (
        *(TOKENIZER.bos_id, "[BOS]", 0, 0),
        True,
    )


def test_space_belongs_to_the_token_after_it_and_at_the_end_to_the_last() -> None:
    assert chips("  The  Cat sat ") == ["  The", "  Cat", " sat "]


@pytest.mark.parametrize(
    "text",
    ["the", "a the", "(the", "[the", '"the', "a 'the", '("the', "\"'the", "well-the", "“the"],
)
def test_a_word_is_one_id_wherever_it_stands(text: str) -> None:
    assert ids(text)[-1] == ids("the")[0]


def test_a_word_of_the_vocabulary_is_one_token_and_another_falls_to_chunks() -> None:
    assert chips("The cats talked") == ["The", " cats", " talked"]
    assert len(chips("balking")) < len("balking")


def test_opening_and_closing_quote_are_two_tokens() -> None:
    opening, _, closing = ids('"cat"')
    assert opening != closing


def test_typed_special_tokens_are_text() -> None:
    tokens = TOKENIZER.encode("[PAD][BOS]")[1:]
    assert not {TOKENIZER.pad_id, TOKENIZER.bos_id} & {token.id for token in tokens}
    assert not any(token.special for token in tokens)


def test_first_byte_covers_the_character_and_the_others_are_empty() -> None:
    assert chips("x 👩") == ["x", " ", "👩", "", "", ""]


def test_token_text_is_for_reading() -> None:
    assert [TOKENIZER.token_text(id) for id in ids("the é)x")] == [
        *("the", "␣", "<0xC3>", "<0xA9>", ")", "…x")
    ]
    assert TOKENIZER.token_text(TOKENIZER.pad_id) == "[PAD]"
    with pytest.raises(IndexError):
        TOKENIZER.token_text(TOKENIZER.vocab_size)


def test_decode_leaves_special_tokens_out_and_marks_broken_bytes() -> None:
    (first, _) = ids("é")[-2:]
    assert TOKENIZER.decode([TOKENIZER.bos_id, *ids("the"), first, TOKENIZER.pad_id]) == "the\ufffd"


@pytest.mark.parametrize("text", ["a\ud800", "\udfff"])
def test_half_a_surrogate_pair_is_refused_by_name(text: str) -> None:
    with pytest.raises(TextError, match="surrogate") as caught:
        TOKENIZER.encode(text)
    assert caught.value.code == "lone_surrogate"
    with pytest.raises(TextError):
        TOKENIZER.normalise(text)


def test_saved_and_loaded_tokenizer_is_the_same(tmp_path: Path) -> None:
    TOKENIZER.save(tmp_path / "tokenizer.json")
    loaded = Tokenizer.load(tmp_path / "tokenizer.json")
    text = 'The "[PAD]" cat-walking é'
    assert loaded.encode(text) == TOKENIZER.encode(text)
    assert loaded.vocab_size == TOKENIZER.vocab_size


def test_same_words_give_the_same_file_in_any_order(tmp_path: Path) -> None:
    for name, words in (("a", WORDS), ("b", WORDS[::-1])):
        build_tokenizer(words, n_chunks=12).save(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.parametrize("content", ["", "{}", '{"model": 1}', "\udc80"])
def test_a_broken_file_is_a_checkpoint_error(content: str, tmp_path: Path) -> None:
    path = tmp_path / "tokenizer.json"
    path.write_bytes(content.encode("utf-8", errors="surrogateescape"))
    with pytest.raises(CheckpointError):
        Tokenizer.load(path)


def test_a_missing_file_is_a_checkpoint_error(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError):
        Tokenizer.load(tmp_path / "tokenizer.json")


def test_a_tokenizer_without_our_special_tokens_is_a_checkpoint_error(tmp_path: Path) -> None:
    TOKENIZER.save(path := tmp_path / "tokenizer.json")
    path.write_text(path.read_text(encoding="utf-8").replace("[BOS]", "[CLS]"), encoding="utf-8")
    with pytest.raises(CheckpointError, match="BOS"):
        Tokenizer.load(path)


def test_shipped_tokenizer_reads_ordinary_english_word_by_word() -> None:
    text = (
        "When I woke up this morning, the sky was gray and it was raining hard. I made a cup of"
        " coffee and sat by the window to watch people hurry down the street. My neighbor, who"
        " works at a bank, was already late and couldn't find her umbrella."
    )
    tokens = Tokenizer.load(SHIPPED).encode(text)[1:]
    assert len(tokens) / len(text.split()) < 1.4


def entries(text: str) -> list[str]:
    """The vocabulary entries of a text, in readable form."""
    return [TOKENIZER.token_text(token.id) for token in TOKENIZER.encode(text)[1:]]


@pytest.mark.parametrize(
    ("word", "ending"),
    [("zibs", "…s"), ("zibes", "…es"), ("zibed", "…ed"), ("zibing", "…ing"), ("zibus", "…us")],
)
def test_unknown_words_end_in_a_piece_that_tells_the_ending(word: str, ending: str) -> None:
    *before, last = entries(word)
    assert last == ending
    assert all(piece.endswith("…") for piece in before)  # they go on


def test_a_letter_inside_a_word_is_another_token_than_at_its_end() -> None:
    inside, end = entries("zsx"), entries("zxs")
    assert "…s…" in inside
    assert "…s" in end


@pytest.mark.parametrize("text", ["⁀", "the⁀ ca⁀t", "⁀⁀ "])
def test_the_mark_of_an_end_may_be_typed(text: str) -> None:
    tokens = TOKENIZER.encode(text)
    assert "".join(token.text for token in tokens[1:]) == text
    seen = text.replace("⁀", "‿").rstrip()
    assert TOKENIZER.normalise(text) == seen
    assert TOKENIZER.decode([token.id for token in tokens]) == seen


def test_a_tokenizer_of_characters_knows_no_others(tmp_path: Path) -> None:
    character_tokenizer("üa a").save(tmp_path / "tokenizer.json")
    characters = Tokenizer.load(tmp_path / "tokenizer.json")
    tokens = characters.encode(" aü")
    assert [(token.id, token.text) for token in tokens] == [
        (1, "[BOS]"),
        (2, " "),
        (3, "a"),
        (4, "ü"),
    ]
    assert characters.encode_ids([" aü"]) == [[1, 2, 3, 4]]
    assert characters.decode([1, 2, 3, 4]) == characters.normalise(" aü") == " aü"
    assert [characters.token_text(id) for id in (2, 3)] == ["␣", "a"]
    with pytest.raises(TextError, match=r"knows 3 characters: ␣ a ü\. 'x' is not"):
        characters.encode("ax")
