"""A sub-word tokenizer made for reading: whole common words, frequent chunks, bytes at the last.

A word carries the space before it and an invisible mark of its end, so " cat⁀" is one vocabulary
entry and one id; of an unknown word, only the last piece has the mark, which is how a model can
tell the "s" that ends "walrus" from a plural's, and a piece that goes on from one that does not.
A word keeps its id where no space was typed: at the start of a text, and after an opening bracket,
an opening quote or a joining hyphen, an **invisible space** is put in, which `decode` takes out
again. A straight quote opens when a space or an opener stands before it; so the two ends of a
quotation differ.

Normalising lower-cases, straightens quotes and dashes, and makes every run of white space one
space, none at the ends or after an opener. Offsets always speak of the text as typed: the texts of
the tokens, joined, are the typed text, character for character. White space belongs to the token
that follows it, at the end of the text to the last one. A character of several bytes belongs to the
first of its tokens; the others are empty, at its end.
"""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import tokenizers
from tokenizers import AddedToken, Regex, models, normalizers, pre_tokenizers, processors, trainers

from model.errors import CheckpointError, TextError

PAD, BOS = "[PAD]", "[BOS]"

# An invisible space stands after a bracket, after a quote that opens, after a hyphen that joins.
_OPENER = r"(?:(?<=[(\[])|(?<=[ (\[][\"'])|(?<=[a-z0-9]-))"
_INVISIBLE = re.compile(r"\A |" + _OPENER + " ")
_END = "⁀"  # of a word that ends in a to z
_TYPED_END = "‿"  # what the model sees where somebody typed that mark
# The pieces that end an unknown word: "s⁀" stays alone, so that every plural ends in one piece.
_ENDINGS = [
    ("s", "s⁀"),
    ("u", "s⁀"),
    ("i", "s⁀"),
    ("e", "s⁀"),
    ("e", "d⁀"),
    ("i", "n"),
    ("in", "g⁀"),
]
_PUNCTUATION = ".,!?;:'\"()[]-$%&+=/"
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_DIGITS = "0123456789"


@dataclass(frozen=True, slots=True)
class Token:
    """One token of a typed text: text == typed[start:end], in code points; a special one's name."""

    id: int
    text: str
    start: int
    end: int
    special: bool
    padding: bool = False  # put in to make texts of one length
    segment: int = 0  # 1: of a second segment, whose text `start` and `end` count in
    generated: bool = False  # said by the model, not typed: it stands at the end of the text


class Tokenizer:
    """Text to tokens and back, by one tokenizer.json of the `tokenizers` library."""

    def __init__(self, backend: tokenizers.Tokenizer) -> None:
        pad_id, bos_id = backend.token_to_id(PAD), backend.token_to_id(BOS)
        if pad_id is None or bos_id is None:
            raise CheckpointError(
                f"A tokenizer.json of Headlight has the tokens {PAD} and {BOS}; this one lacks one."
            )
        self.pad_id: int = pad_id
        self.bos_id: int = bos_id
        self.vocab_size: int = backend.get_vocab_size()
        backend.encode_special_tokens = True  # a typed "[PAD]" is text; the file cannot say so
        self._backend = backend

    @classmethod
    def load(cls, path: Path) -> "Tokenizer":
        """Read a tokenizer.json.

        Raises:
            CheckpointError: the file is missing, corrupt, or lacks the special tokens.
        """
        try:
            content = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise CheckpointError(f"{path} cannot be read: {error}.") from error
        try:
            backend = tokenizers.Tokenizer.from_str(content)
        except Exception as error:  # the library raises nothing narrower
            raise CheckpointError(
                f"{path} is not a tokenizer.json of `tokenizers`: {error}."
            ) from error
        return cls(backend)

    def save(self, path: Path) -> None:
        """Write the tokenizer.json."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(self._backend.to_str(pretty=True) + "\n", encoding="utf-8")

    def encode(self, text: str) -> list[Token]:
        """Tokens of a text, [BOS] first.

        Raises:
            TextError: the text holds half of a surrogate pair, which is not a character.
        """
        check_surrogates(text)
        tokens = [Token(self.bos_id, BOS, 0, 0, special=True)]
        if not text:
            return tokens
        encoding = self._backend.encode(text, add_special_tokens=False)
        ends = [end for _, end in encoding.offsets]
        ends[-1] = len(text)
        start = 0  # each begins where the one before ended: nothing typed is left out or told twice
        for id, end in zip(encoding.ids, ends, strict=True):
            tokens.append(Token(id, text[start:end], start, end, special=False))
            start = end
        return tokens

    def encode_ids(self, texts: Sequence[str]) -> list[list[int]]:
        """Ids of many texts at once, [BOS] first: quicker than `encode`. No text may be empty."""
        return [encoding.ids for encoding in self._backend.encode_batch_fast(list(texts))]

    def decode(self, ids: Sequence[int]) -> str:
        """The normalised text of some ids, special ones left out. Broken UTF-8 becomes U+FFFD."""
        content = b"".join(self._bytes(id) for id in ids if id not in (self.pad_id, self.bos_id))
        return _as_read(content.decode("utf-8", errors="replace"))

    def normalise(self, text: str) -> str:
        """The text as the model sees it; decode gives this back."""
        check_surrogates(text)
        if not text or self._backend.normalizer is None:
            return text
        return _as_read(self._backend.normalizer.normalize_str(text))

    def token_text(self, id: int) -> str:
        """A vocabulary entry to read: "cat", "…ing" ends a word, "un…" begins one; ␣ a space."""
        entry = self._entry(id)
        if entry == " ":
            return "␣"
        letters = entry.removeprefix(" ").removesuffix(_END)
        if not letters.isalpha():
            return letters
        return f"{'' if entry[0] == ' ' else '…'}{letters}{'' if entry[-1] == _END else '…'}"

    def _entry(self, id: int) -> str:
        entry: str | None = self._backend.id_to_token(id)
        if entry is None:
            raise IndexError(f"There is no token {id}: ids run from 0 to {self.vocab_size - 1}.")
        return entry

    def _bytes(self, id: int) -> bytes:
        entry = self._entry(id)
        return bytes([int(entry[3:5], 16)]) if entry.startswith("<0x") else entry.encode()


def _as_read(text: str) -> str:
    """Normalised text without what was put in."""
    return _INVISIBLE.sub("", text.replace(_END, ""))


def build_tokenizer(words: Iterable[str], n_chunks: int = 380) -> Tokenizer:
    """A tokenizer of these words, the chunks they are most often made of, and the 256 bytes.

    The same words give the same file, whatever their order.
    """
    words = sorted({word.lower() for word in words})
    merges = _frequent_merges([f" {word}" for word in words], n_chunks)
    entries = [
        *(PAD, BOS),
        *(f"<0x{byte:02X}>" for byte in range(256)),
        " ",
        *(
            space + character
            for character in _PUNCTUATION + _DIGITS + _LETTERS
            for space in ("", " ")
        ),
        *(space + letter + _END for letter in _LETTERS for space in ("", " ")),
        _END,
        *(left + right for left, right in _ENDINGS + merges),
        *(f" {word}{_END}" for word in words),
    ]
    vocabulary = {entry: id for id, entry in enumerate(dict.fromkeys(entries))}
    # A first letter merges with its space before anything else, and a last one with the mark of the
    # end, so that no chunk parts them.
    first = [(" ", character) for character in _PUNCTUATION + _DIGITS + _LETTERS]
    first += [(letter, _END) for letter in _LETTERS] + _ENDINGS
    backend = tokenizers.Tokenizer(
        models.BPE(
            vocab=vocabulary,
            merges=[*first, *(merge for merge in merges if merge not in first)],
            byte_fallback=True,  # a character that is not in the vocabulary becomes its bytes
            ignore_merges=True,  # a word that is in the vocabulary is taken whole
        )
    )
    backend.normalizer = _normalizer()
    # A space and a run of letters with their marks, or a space and any one other character.
    unit = Regex(rf" ?\p{{L}}[\p{{L}}\p{{M}}]*{_END}?| ?[^ ]| ")
    backend.pre_tokenizer = pre_tokenizers.Split(unit, behavior="isolated")
    backend.post_processor = processors.TemplateProcessing(
        single=f"{BOS} $A",
        pair=f"{BOS} $A {BOS} $B",
        special_tokens=[(BOS, vocabulary[BOS])],
    )
    backend.add_special_tokens([AddedToken(special, special=True) for special in (PAD, BOS)])
    return Tokenizer(backend)


def _normalizer() -> normalizers.Normalizer:
    open_up = normalizers.Replace(Regex(_OPENER + r" ?(?=[^ ])"), " ")
    return normalizers.Sequence(
        [
            normalizers.Replace(_END, _TYPED_END),
            normalizers.Replace(Regex("[“”„]"), '"'),
            normalizers.Replace(Regex("[‘’]"), "'"),
            normalizers.Replace(Regex("[–—]"), "-"),
            normalizers.Lowercase(),
            normalizers.Replace(Regex(r"\s+"), " "),
            normalizers.Replace(Regex(r"(?<=.) \z"), ""),
            normalizers.Replace(Regex(r"\A ?"), " "),
            open_up,
            open_up,  # twice: a quote inside a quote opens only once its invisible space is there
            normalizers.Replace(Regex(r"(?<=[a-z])(?![\p{L}\p{M}])"), _END),
        ]
    )


def _frequent_merges(words: Sequence[str], n: int) -> list[tuple[str, str]]:
    """The merges that byte-pair encoding learns first on a list of words, each counted once.

    Of the n learned, those that would glue an ending to what stands before it are left out. A last
    letter and the mark of the end are one symbol: a capital, since the library breaks ties between
    symbols of several characters differently in every run.
    """
    learner = tokenizers.Tokenizer(models.BPE())
    learner.pre_tokenizer = pre_tokenizers.Split("\n", behavior="removed")
    marked = [word[:-1] + word[-1].upper() for word in words]
    characters = len(set("".join(marked)))
    trainer = trainers.BpeTrainer(vocab_size=characters + n, show_progress=False)
    learner.train_from_iterator(marked, trainer)
    learned = json.loads(learner.to_str())["model"]["merges"]
    merges = [(_with_end(left), _with_end(right)) for left, right in learned]
    glued = ("s" + _END, "ed" + _END, "ing" + _END)
    return [merge for merge in merges if not "".join(merge).endswith(glued)]


def _with_end(piece: str) -> str:
    """A piece whose last letter is a capital, with the mark of the end instead."""
    return piece[:-1] + piece[-1].lower() + _END if piece[-1].isupper() else piece


def check_surrogates(text: str) -> None:
    """Refuse half of a surrogate pair, which no tokenizer can read.

    Raises:
        TextError: code "lone_surrogate".
    """
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise TextError(
            f"Expected Unicode text; character {error.start} is U+{ord(text[error.start]):04X},"
            " half of a surrogate pair, which is not a character. Remove it, or send both halves.",
            code="lone_surrogate",
        ) from error
