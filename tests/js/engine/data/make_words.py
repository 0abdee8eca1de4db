"""Writes words.json: words and their vectors from Python, for tests/js/engine/words.test.mjs.

Run it as `python -m tests.js.engine.data.make_words` from the root of the repository.
"""

import json
import random
import unicodedata
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from model.core.checkpoint import SHIPPED
from model.core.tokenizer import Tokenizer
from model.scratch.network import word_vector
from model.scratch.words import tokenize
from model.trace.words import words_of_row
from tests.js.engine.data.make_tokens import SOUP
from tests.js.engine.data.make_tokens import TEXTS as HOSTILE

FILE = Path(__file__).with_name("words.json")
SHIPPED_TOKENIZER = Tokenizer.load(SHIPPED / "tokenizer.json")
TEXTS = [
    *("The cat sat.", "don't, well-known", "  a  b  ", "3.5 €", "日本 語", " \n", "a - b--c-'d"),
    *("\x1cа\x1d б\x1e в\x1f", "STRASSE Straße STRAẞE", "ΟΔΟΣ οδος ΟΔΟΣ", "ı I İ i i\u0307"),
    *("Ꭰ ꭰ Ᏸ ᏸ", "ﬁ FI fi ŉ ʼn ǰ ǆ ǅ Ǆ", "ſ s S µ μ ϐ β", "ᾳ αι ᾼ ᾀ ἀι", "x² ½ Ⅷ ⅷ Ⓐ ⓐ _a_ 9_9"),
    "٣ ३ ৩ 𝟗 ㊿ 〇 ⁵",
    *"बिल्ली चटाई पर बैठी|क्षत्रिय विश्व|हिन्दी-उर्दू|का'कि-की|বিড়াল মাদুরে|ಬೆಕ್ಕು|பூனை|שָׁלוֹם עֲלֵיכֶם".split("|"),
    *"我爱你|我 爱你 很久|我爱 Python 很多|日本don't語|コーヒーを飲む。|時々、〇|ฉันรักแมว|ที่ นี่".split(
        "|"
    ),
    *"ຂ້ອຍຮັກແມວ|ខ្ញុំស្រឡាញ់ឆ្មា|ငါကြောင်ကိုချစ်|고양이가 앉았다|e\u0301te\u0301 n\u0303".split("|"),
    *"👩\u200d👩\u200d👧 👍🏽!|🇫🇷🇩🇪🇫|❤\ufe0f‼\ufe0f 1\ufe0f\u20e3|می\u200cخواهم".split("|"),
    *"a \u0301 b|\u0301a|x\r\ny|a\u200d👩|Z͑ͫ̓ͪ̂ͫ̽͏̴̙a̴̢lg".split("|"),
]
VECTORS = [("cat", 0, 8), ("cat", 0, 16), ("cat", 1, 40), ("ß→漢👩", 2**31 - 1, 33), ("", 7, 2)]
VECTORS += [(word, 3, 1) for word in "the dog sat on a mat".split()]


def case(texts: list[str], unit: Any) -> dict[str, Any]:
    rows, words = tokenize(texts, unit)
    found = [[[token.id, token.text, token.start, token.end] for token in row] for row in rows]
    return {"texts": texts, "unit": unit, "rows": found, "words": words}


def together(text: str) -> dict[str, Any]:
    """The tokens of the shipped model, and one of a byte-level vocabulary, as words."""
    tokens = SHIPPED_TOKENIZER.encode(text)
    shared = [
        replace(token, text=f"{token.text}{part}", start=token.start)
        for token in tokens
        for part in (("₁⁄₂", "₂⁄₂") if token.end - token.start == 1 else ("",))
    ]
    apart = [replace(token, start=token.start + 1, end=token.end + 1) for token in tokens[-1:]]
    other = [replace(token, segment=1) for token in tokens[-1:]]
    rows = (tokens, shared, tokens[:-1] + apart, tokens[:-1] + other)
    return {
        "rows": [[asdict(token) for token in row] for row in rows],
        "words": [[word._asdict() for word in words_of_row(row)] for row in rows],
    }


def document() -> Any:
    rng = random.Random(1)
    letters = "ıẞΣςᎠꭰ_’'-9½\x1f\u0301\u200d\U0001f3fd\U00011f02"
    soup = [*SOUP, *letters, "कि", "ल्ली", "น้ี", "ក្ម", "我", "か"]
    soups = ["".join(rng.choices(soup, k=rng.randrange(1, 20))) for _ in range(150)]
    texts = [text for text in TEXTS + HOSTILE + soups if len(text) < 200]
    pairs = [texts[n : n + 2] for n in range(0, len(texts), 2)]
    return {
        "cases": [
            case(pair, ("words", "characters")[n % 4 == 3 and n > 12])
            for n, pair in enumerate(pairs)
        ],
        "together": [together(text) for text in texts[:120]],
        "unicode": unicodedata.unidata_version,
        "vectors": [
            [word, seed, [round(x, 7) for x in word_vector(word, seed, d_model).tolist()]]
            for word, seed, d_model in VECTORS
        ],
    }


if __name__ == "__main__":
    FILE.write_text(json.dumps(document(), separators=(",", ":")) + "\n")
