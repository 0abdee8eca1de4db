"""Writes docs/statements.md: what each head of the shipped model and of SmolLM2 looks at.

    python -m scripts.statements

It takes about two minutes. Without SmolLM2 (`headlight get smollm2`) it writes nothing.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import headlight
from headlight.study import statements
from model.dossier.texts import everyday_corpus, own_corpus
from scripts import live

PAGE = Path("docs/statements.md")
N = 60  # texts to choose with, and as many to check
HEAD = """\
# What each head looks at, held against other texts

For every head, the one of eight statements that fits it best, and how well it holds. The statement was chosen on {n} texts; all numbers are of
{n} **other** texts. From Python, with texts and statements of your own:

    from headlight.study import STATEMENTS, statements
    statements(hl.trace(texts), hl.trace(others), STATEMENTS)

**Explained** is the share of attention on the keys that the statement names, above that of a head that looks at all allowed keys alike: 0 is
chance, and 1 leaves nothing to explain. Between the brackets lies 95% of samples of the texts. **Speaks** is the share of all queries of
which the statement says anything. **Where it does little, much** is the plain share of attention on the named keys in the three tenths of the
queries where the head does least, and most: a large gap means that the statement describes striking examples rather than the head.
A head below about .3 does something else than these eight statements say, or several things at once.

This page is written by `python -m scripts.statements`.
"""
COLUMNS = ("Head", "Looks at", "Explained", "Speaks", "Little", "Much")


def main() -> None:
    parts = [HEAD.format(n=N)]
    with live.serving() as address, headlight.connect(address) as hl:
        for model, title, texts in (
            ("shipped", "The shipped model", own_corpus(2 * N, seed=7).texts),
            ("smollm2", "SmolLM2-135M-Instruct", everyday_corpus(2 * N, seed=7).texts),
        ):
            runs = [hl.trace(part, model=model) for part in (texts[:N], texts[N:])]
            rows = statements(runs[0], runs[1])
            strong = sum(row["explained"] >= 0.3 for row in rows)
            parts += [f"\n## {title}\n", f"{strong} of {len(rows)} heads are at .3 or above.\n"]
            parts += table(rows)
    PAGE.write_text("\n".join(parts) + "\n", encoding="utf-8")


def table(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """A Markdown table."""
    lines = ["| " + " | ".join(COLUMNS) + " |", "| --- | --- | --: | --: | --: | --: |"]
    for row in rows:
        ends = f"{short(row['low'])} to {short(row['high'])}"
        cells = (
            f"L{row['layer']}H{row['head']}",
            row["looks_at"],
            f"{short(row['explained'])} ({ends})",
            f"{row['speaks']:.0%}",
            short(row["few"]),
            short(row["much"]),
        )
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def short(number: float) -> str:
    return f"{number:.2f}".replace("0.", ".").replace("-", "−")


if __name__ == "__main__":
    main()
