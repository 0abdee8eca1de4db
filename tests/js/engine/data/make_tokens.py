"""Writes tokens.json: hostile texts with their tokens, for tests/js/engine/tokenizer.test.mjs.

Run it as `python -m tests.js.engine.data.make_tokens` from the root of the repository.
"""

import json
import random
from pathlib import Path
from typing import Any

from model.core.tokenizer import Tokenizer

FILE = Path(__file__).with_name("tokens.json")
ROOT = Path(__file__).parents[4]
TEXTS = [
    "",
    " ",
    " \t\n ",
    "The cat sat on the mat.",
    "  The  Cat sat ",
    '"Stop!" she said. \'Well-known ("cats")\'.',
    "“Hi” – it’s “‘odd’” — „quotes“",
    "(the [cat] {sat}) a--b ---c - d",
    "\"'hi'\" '\"hi\"' ( the cat ) [ 'the' ]",
    "walruses unbelievably antidisestablishmentarianism",
    "THE CAT İstanbul ΟΔΟΣ Σ ς ẞ ß ǅ Ǆ ŉ ﬁ",
    "\u212a \u212b \u03f4 \u1fbc \u24b6 \uff21 \U0001d400 \U00010400 \u13a0 \u1c90",
    "e\u0301 a\u0301\u0302 \u0301 a\u0345x \u05d1\u05bc",
    "👩\u200d👧 👨🏽 🏳️\u200d🌈 🇩🇪 x👩y",
    "שלום עולם مرحبا \u202eabc\u202c",
    "漢字かな交じり文 한국어 ไทย हिन्दी",
    "a\u00a0b\u1680c\u2003d\u2028e\u2029f\u202fg\u205fh\u3000i\x85j\x0bk\x0cl\ufeffm\u200bn\u180eo",
    "\x00 a\x00b \x01\x1f\x7f\x80\x9f",
    "\u2040 cat\u2040 \u203f cat\u203f s\u2040",
    "\u0378 a\u0378b \ufffe \uffff \U0010ffff \ue000 \U000e0001",
    # letters and marks that Unicode 17 added, beside Latin letters
    "a\u088f \u0c5cb a\u1acf \ua7cea \U00010940a a\U000323b0 \U0001e6e3a a\U0001e6f5",
    "a\u1c89 \U00016d40b a\U00031350 \U00010d50c",  # of Unicode 15 and 16
    "[PAD][BOS] <0x41> [pad]",
    "</script><b>&amp; {{x}} $1 \\n %s",
    "x" * 300,
    "thequickbrownfoxjumpsoverthelazydog" * 4,
    "inging seseded ususus iesies sss",
]
SOUP = [
    *" \t\n\u00a0\u2028\"'([-)]“’—⁀‿.,a9sZéİΣß\u0301\u0345\u200d\x00",
    *("👩", "漢", "the", "Cat", "ing", "ness", "un", "\u0378", "\U000323b0", "ﬁ", "\u05d0"),
]
# some bytes of characters, and others that are no UTF-8
IDS = [
    [],
    [0, 1],
    [2],
    [97, 300, 301],
    [226, 130, 200],
    [2 + 0xE2, 2 + 0x82],
    list(range(120, 330)),
]


def document() -> Any:
    tokenizer = Tokenizer.load(ROOT / "model" / "shipped" / "tokenizer.json")
    rng = random.Random(0)
    soups = ["".join(rng.choices(SOUP, k=rng.randrange(1, 16))) for _ in range(250)]
    points = ["".join(map(chr, rng.choices(range(0xD800), k=8))) for _ in range(50)]
    cases = []
    for text in TEXTS + soups + points:
        tokens = tokenizer.encode(text)
        ids, ends = [token.id for token in tokens], [token.end for token in tokens]
        cases.append({"text": text, "ids": ids, "ends": ends, "read": tokenizer.normalise(text)})
    return {
        "cases": cases,
        "names": [tokenizer.token_text(id) for id in range(0, tokenizer.vocab_size, 7)],
        "decoded": [[ids, tokenizer.decode(ids)] for ids in IDS],
    }


if __name__ == "__main__":
    FILE.write_text(json.dumps(document(), separators=(",", ":")) + "\n")
