"""The texts of a dossier: a file with a text on each line, or sentences that patterns make."""

import hashlib
from dataclasses import dataclass
from pathlib import Path
from random import Random

from model.dossier.english import english_texts
from model.errors import InputError
from model.training.grammar.english.writer import Writer

N_TEXTS, N_EVERYDAY = 400, 200
STORIES, INVENTED = 0.25, 0.1  # as in the corpus that the shipped model learned from


@dataclass(frozen=True)
class Corpus:
    """Texts, and the line of the file that each stands on."""

    description: str
    texts: tuple[str, ...]
    lines: tuple[int, ...] = ()  # counted from 1; without a file, none

    @property
    def sha256(self) -> str:
        """Names the texts by what they are."""
        return hashlib.sha256("\n".join(self.texts).encode()).hexdigest()

    def place(self, number: int) -> str:
        """What to call a text in a message."""
        return f"Line {self.lines[number]}" if self.lines else f"Text {number + 1}"


def own_corpus(n: int = N_TEXTS, seed: int = 0) -> Corpus:
    """Sentences and short stories of the grammar that the shipped model learned from.

    The generator's state is not one that training ever has, but training draws from the same
    sentences, so a few may be the same.
    """
    write = Writer(Random(f"dossier {seed}"), INVENTED, INVENTED)
    texts = tuple(write.story() if write.chance(STORIES) else write.sentence() for _ in range(n))
    return Corpus(
        f"{n} sentences and short stories of the shipped model's grammar, seed {seed}", texts
    )


def everyday_corpus(n: int = N_EVERYDAY, seed: int = 0) -> Corpus:
    """Everyday English, for a model that learned from people's texts."""
    return Corpus(
        f"{n} texts of everyday English that patterns make, seed {seed}", english_texts(n, seed)
    )


def read_corpus(path: Path) -> Corpus:
    """A UTF-8 file with one text on each line; empty lines are left out.

    Raises:
        InputError: the file cannot be read, is not UTF-8, or has no text. It names the line.
    """
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.", field="texts") from error
    texts, lines = [], []
    for line, content in enumerate(raw.removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        try:
            text = content.decode("utf-8").strip()
        except UnicodeDecodeError as error:
            raise InputError(
                f"{path}, line {line}: expected UTF-8; byte {error.start + 1} of the line is "
                f"0x{content[error.start]:02x}, which is not. Save the file as UTF-8.",
                field="texts",
            ) from error
        if text:
            texts.append(text)
            lines.append(line)
    if not texts:
        raise InputError(
            f"{path} has no text. Expected one text on each line, in UTF-8.", field="texts"
        )
    return Corpus(f"{len(texts):,} texts of {path.name}", tuple(texts), tuple(lines))
