"""How long does a study of 100 pairs take, with a patch of every head of the shipped model?

The pairs are those of Wang et al. 2022 ("Interpretability in the Wild"), from a template. Prints
the seconds, and the memory of the server after 20 pairs and after all. Run:

    python -m benchmarks.study

The last line is JSON.
"""

import json
import time

import psutil

import headlight
from headlight.study import pairs_of

NAMES = ["Mary", "John", "Maria", "Robert", "Tom", "Lucy", "Anna", "Peter"]
FILL = {"A": NAMES, "B": NAMES, "place": ["store", "park", "school"], "thing": ["drink", "book"]}
N, FEW = 100, 20


def main() -> None:
    sentence = "When {A} and {B} went to the {place}, {B} gave a {thing} to"
    pairs = pairs_of(
        sentence, sentence.replace(", {B}", ", {A}"), FILL, answer=" {A}", wrong=" {B}", n=N
    )
    with headlight.start() as hl:
        hl.study(pairs[:2])
        server = psutil.Process().children()[0]
        begun = time.perf_counter()
        hl.study(pairs[:FEW])
        few = server.memory_info().rss
        study = hl.study(pairs[FEW:])
        seconds = time.perf_counter() - begun
        grown = server.memory_info().rss - few
    best = max(study.table, key=lambda row: row["restored"] or 0.0)
    print(
        f"{N} pairs, {len(study.table)} heads each: {seconds:.1f} s. From pair {FEW} on the server "
        f"grew by {grown / 2**20:.0f} MiB. L{best['layer']}H{best['head']} restores "
        f"{best['restored']:.0%} ({best['low']:.0%} to {best['high']:.0%})."
    )
    print(json.dumps({"benchmark": "study", "seconds": seconds, "grown_bytes": grown}))


if __name__ == "__main__":
    main()
