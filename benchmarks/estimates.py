"""How good are the estimates of what muting each head does?

SmolLM2-135M-Instruct on 50 generated English texts, each without its last word: every head is
muted in a run of its own, and beside it stand the estimates of all heads from one gradient. Prints
how alike both rank the heads (Kendall's τ-b, over all heads and over the 20 that change the
prediction most), and how many of the three heads that help most are among the 20 that the server
measures after its estimates. Takes about 10 minutes on one core. Run:

    headlight get smollm2 && python -m benchmarks.estimates

The last line is JSON.
"""

import json
import os
import statistics

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

import torch

from benchmarks.cost import answering
from benchmarks.real_model import NONE, smollm2
from model.analysis.explanations.ranks import kendall
from model.dossier.english import english_texts
from server.api.answers import JSON

TEXTS, MOST, HELP = 50, 20, 3


def main() -> None:
    settings, models = smollm2()
    every: list[float] = []
    large: list[float] = []
    found = 0
    for text in english_texts(TEXTS, seed=1):
        begun = text.rsplit(" ", 1)[0]
        analyse = {"mute_effects": {}, "mute_estimates": {"exact": MOST}}
        body = {"model": "smollm2", "texts": [begun], **NONE, "analyse": analyse}
        with torch.inference_mode():
            answer = json.loads(answering(settings, models, body, JSON)())
        effects = answer["mute_effects"][0]["effects"]
        estimates = answer["mute_estimates"][0]["effects"]
        exact = [one["change"] for one in effects]
        guessed = [one["estimate"] for one in estimates]
        order = sorted(range(len(exact)), key=lambda at: -abs(exact[at]))[:MOST]
        every.append(kendall(guessed, exact) or 0.0)
        large.append(kendall([guessed[at] for at in order], [exact[at] for at in order]) or 0.0)
        helpers = sorted(range(len(exact)), key=exact.__getitem__)[:HELP]
        found += sum(estimates[at]["change"] is not None for at in helpers)
        print(f"τ {every[-1]:.2f}, of the {MOST} largest {large[-1]:.2f}: {begun}", flush=True)
    print(
        f"The median of τ is {statistics.median(every):.2f} over all heads, and "
        f"{statistics.median(large):.2f} over the {MOST} largest. Of the {HELP * TEXTS} heads that "
        f"help most, {found} are among the {MOST} that are measured."
    )
    print(
        json.dumps(
            {
                "benchmark": "estimates",
                "tau": statistics.median(every),
                "tau_of_largest": statistics.median(large),
                "helpers_found": found / (HELP * TEXTS),
            }
        )
    )


if __name__ == "__main__":
    main()
