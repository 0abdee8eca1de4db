"""A language for tests and translators: English that can be read, two fifths longer, and marked."""

import re
from gettext import NullTranslations

START, END = "⟦", "⟧"
LONGER = 0.4
_KEPT = re.compile(
    r"({{.*?}}|{%.*?%}|{\w+}|<code>.*?</code>|<math.*?</math>|<[^>]+>|&\w+;)", re.DOTALL
)
_ACCENTS = str.maketrans("aceinouyACEINOUY", "áçéíñóúýÁÇÉÍÑÓÚÝ")


def pseudo(text: str) -> str:
    """Accents on its letters, signs at its end, and a mark at each side; values and tags stay.

    >>> pseudo("Join {code}")
    '⟦Jóíñ {code} ~~~⟧'
    """
    parts = _KEPT.split(text)
    said = "".join(part if i % 2 else part.translate(_ACCENTS) for i, part in enumerate(parts))
    more = ("~~~ " * len(text))[
        : max(1, round(LONGER * len(text)))
    ]  # as words are, so that lines break
    return f"{START}{said} {more.strip()}{END}"


class PseudoTranslations(NullTranslations):
    """As a catalogue of this language would be."""

    def gettext(self, message: str) -> str:
        return pseudo(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return pseudo(msgid1 if n == 1 else msgid2)
