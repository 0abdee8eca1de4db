"""Tokens are called what they are, whatever a tokenizer does to the text before it cuts it."""

import pytest
import transformers as hf
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers

from model.core.tokenizer import Token
from model.sources.pretrained.text.encoding import encode
from model.sources.pretrained.text.reading import Reader
from tests.unit.sources.pretrained.checkpoints import tokenizer


def reader_of(backend: Tokenizer) -> Reader:
    tokenizer = hf.PreTrainedTokenizerFast(tokenizer_object=backend, unk_token="<unk>")
    return Reader(tokenizer, backend.get_vocab_size())


def read_by(backend: Tokenizer, text: str) -> list[tuple[str, str]]:
    """The tokens of a text: what each is called, and what was typed there."""
    tokens = reader_of(backend).read(text)
    return [(token.text, text[token.start : token.end]) for token in tokens]


def unigram() -> Tokenizer:
    """SentencePiece's: a mark stands for the space before a word, and may be a token alone."""
    pieces = ("▁", "t", "he", "s", "▁is", "你", "好")
    backend = Tokenizer(models.Unigram([("<unk>", 0.0), *((each, -1.0) for each in pieces)], 0))
    backend.pre_tokenizer = pre_tokenizers.Metaspace()
    return backend


def of_bytes() -> Tokenizer:
    """GPT-2's, without merges: a token for each byte."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocab = {name: id for id, name in enumerate(["<unk>", *alphabet])}
    backend = Tokenizer(models.BPE(vocab, [], unk_token="<unk>"))
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    backend.decoder = decoders.ByteLevel()
    return backend


def of_jamo() -> Tokenizer:
    """Multilingual BERT's: syllables are taken apart before they are cut."""
    vocab = {"<unk>": 0, "ᄋ": 1, "##ᅡ": 2, "##ᆫ": 3, "a": 4}
    backend = Tokenizer(models.WordPiece(vocab, unk_token="<unk>"))
    backend.normalizer = normalizers.NFD()
    backend.pre_tokenizer = pre_tokenizers.Whitespace()
    return backend


def test_a_mark_alone_is_not_called_by_the_letter_after_it() -> None:
    assert read_by(unigram(), "the is 你好") == [
        ("▁", ""),
        ("t", "t"),
        ("he", "he"),
        (" is", " is"),
        ("▁", " "),
        ("你", "你"),
        ("好", "好"),
    ]


@pytest.mark.parametrize(
    ("backend", "text", "expected"),
    [
        (of_bytes(), "a我", ["a", "我₁⁄₃", "我₂⁄₃", "我₃⁄₃"]),
        (of_bytes(), "😀é", ["😀₁⁄₄", "😀₂⁄₄", "😀₃⁄₄", "😀₄⁄₄", "é₁⁄₂", "é₂⁄₂"]),
        (of_jamo(), "안 a", ["안₁⁄₃", "안₂⁄₃", "안₃⁄₃", "a"]),
    ],
    ids=["bytes", "emoji", "jamo"],
)
def test_parts_of_a_character_are_told_apart(
    backend: Tokenizer, text: str, expected: list[str]
) -> None:
    assert [called for called, _ in read_by(backend, text)] == expected


def test_a_token_knows_what_the_vocabulary_calls_it() -> None:
    def pieces(tokens: list[Token]) -> list[str | None]:
        return [token.piece for token in tokens]

    assert pieces(reader_of(unigram()).read("the is")) == [None, None, None, "▁is"]
    reader = reader_of(of_bytes())
    read = reader.read("a é")
    assert pieces(read) == [None, "Ġ", "Ã", "©"]
    ids = [token.id for token in read]
    assert pieces(reader.read_ids(ids, added=False)) == [None, "Ġ", None, None]  # called so already


def test_a_pasted_prompt_gets_no_second_first_token() -> None:
    words = tokenizer("[CLS] $A")
    plain, pasted = encode(words, "the cat"), encode(words, "[CLS] the cat")
    assert pasted.ids == plain.ids
    assert (plain.segments[0], pasted.segments[0]) == (None, 0)  # the one that was typed stays
    assert pasted.places == [(0, 5), (6, 9), (10, 13)]
    assert encode(words, "[CLS] the", added=False).ids == plain.ids[:2]
    assert encode(words, "[CLS] [CLS] the").ids == [*plain.ids[:1], *plain.ids[:2]]
    assert encode(words, "").ids == plain.ids[:1]
