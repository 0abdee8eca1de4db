"""Nicknames: text of any script, without what could disturb other people's screens."""

import re
import unicodedata
from pathlib import Path

from model.message import Message
from server.classes.errors import ClassError

MAX_NAME = 24  # code points
WORDS = Path(__file__).parent / "words"  # a file for each language, named by its BCP 47 tag
_UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}  # control, direction, unassigned
# Thai to Lao, Myanmar, Khmer, kana and Han
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
_JOINERS = "\u200c\u200d"  # needed in some scripts and emoji


def clean(name: str | None, words: frozenset[str] = frozenset()) -> str | None:
    """A nickname as others see it; None for none.

    Raises:
        ClassError: it contains a word of the filter.
    """
    seen = "".join(
        " " if each.isspace() else each
        for each in unicodedata.normalize("NFC", name or "")
        if each.isspace() or each in _JOINERS or unicodedata.category(each) not in _UNSEEN
    )
    # at most two marks on each letter: towers of them would cover the lines above
    seen = re.sub(r"([\u0300-\u036f\u20d0-\u20f0]{2})[\u0300-\u036f\u20d0-\u20f0]+", r"\1", seen)
    seen = " ".join(seen.split())[:MAX_NAME].strip()
    refuse_words(seen, words, "nickname")
    return seen or None


def refuse_words(text: str, words: frozenset[str], field: str) -> None:
    """Refuse a text with a word of the filter, in any case and without marks.

    In scripts that write no spaces between words, a word also counts within others.
    """
    plain = _plain(text)
    if any((word if _UNSPACED.search(word) else f" {word} ") in f" {plain} " for word in words):
        raise ClassError(
            Message("The teacher does not want one of these words here. Choose others."),
            code="word",
            status=422,
            field=field,
        )


def words_in(file: Path | None) -> frozenset[str]:
    """The words of the filter: insults in several languages, and those of a file of one's own.

    Each file has one word or phrase a line. None of ours means something harmless in another of
    these languages: people write what they find in any.
    """
    files = [*WORDS.glob("*.txt"), *([file] if file else [])]
    lines = [line for each in files for line in each.read_text(encoding="utf-8").splitlines()]
    return frozenset(filter(None, map(_plain, lines)))


def _plain(text: str) -> str:
    """Words with spaces between them, in one case and without marks above or below."""
    split = unicodedata.normalize("NFKD", text).casefold()
    kept = (each for each in split if not unicodedata.combining(each) and each not in _JOINERS)
    said = (each if unicodedata.category(each)[0] in "LMN" else " " for each in kept)
    return " ".join("".join(said).split())
