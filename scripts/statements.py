"""Writes the tables of docs/statements.md: what each head of two models looks at.

    python -m scripts.statements

It takes about five minutes. SmolLM2 must be here (`headlight get smollm2`).
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
COLUMNS = ("Head", "Looks at", "Explained", "Speaks", "Little", "Much", "Also", "Explained")


def main() -> None:
    before, _, _ = PAGE.read_text(encoding="utf-8").partition("\n## ")
    parts = [before.rstrip("\n")]
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
    lines = ["| " + " | ".join(COLUMNS) + " |", "| --- | --- | --: | --: | --: | --: | --- | --: |"]
    for row in rows:
        ends = f"{short(row['low'])} to {short(row['high'])}"
        cells = (
            f"L{row['layer']}H{row['head']}",
            row["looks_at"],
            f"{short(row['explained'])} ({ends})",
            f"{row['speaks']:.0%}",
            short(row["few"]),
            short(row["much"]),
            row["also"] or "",
            "" if row["also"] is None else also(row),
        )
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def also(row: Mapping[str, Any]) -> str:
    return f"{short(row['also_explained'])} of {row['also_speaks']:.0%}"


def short(number: float) -> str:
    return f"{number:.2f}".replace("0.", ".").replace("-", "−")


if __name__ == "__main__":
    main()
