"""How much does Headlight add to a real language model's own pass?

SmolLM2-135M-Instruct (30 layers × 9 heads), 14 tokens, in this process, with one thread and no
cache. Prints the processor time of what the page asks for as a multiple of the model's bare pass in
Transformers, beside the aim, and the server's estimate of it as a multiple of what it took. Run:

    headlight get smollm2 && python -m benchmarks.real_model

The last line is JSON.
"""

import json
import os
import time
from collections.abc import Callable
from typing import Any

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from benchmarks.cost import PARTS, measure
from model.sources.known import known
from server.run.finding import build_registry
from server.run.models import Models
from server.settings import Settings

TEXT = "When Mary and John went to the store, John gave a drink to"
CLEAN = "When John and Mary went to the store, Mary gave a drink to"
NONE: dict[str, Any] = {"select": {"layers": []}, "predict": None}
ASKED: dict[str, dict[str, Any]] = {
    "keystroke": PARTS,
    "lens": {**NONE, "analyse": {"lens": {}}},
    "scores": {**NONE, "analyse": {"scores": True}},
    "mute estimates": {**NONE, "analyse": {"mute_estimates": {"exact": 0}}},
    "mute estimates, 20 measured": {**NONE, "analyse": {"mute_estimates": {}}},
    "all mute effects": {**NONE, "analyse": {"mute_effects": {}}},
    "patch bench by head": {
        **NONE,
        "analyse": {"patching": {"clean": CLEAN, "at": "head", "by": "head"}},
    },
    "patch bench by head, 20 measured": {
        **NONE,
        "analyse": {"patching": {"clean": CLEAN, "at": "head", "by": "head", "exact": 20}},
    },
    "explanations": {**NONE, "analyse": {"explanations": {}}},
    "explanations without curves": {**NONE, "analyse": {"explanations": {"curves": []}}},
}
# in bare passes
AIMS = {
    "keystroke": 1.3,
    "all mute effects": 75,
    "patch bench by head": 115,
    "explanations": 80,
}


def main() -> None:
    torch.set_num_threads(1)
    settings, models = smollm2()
    bare = 1000 * median(bare_pass(str(known("smollm2").folder)))
    print(f"{'the bare pass':<34} {bare:>9.1f} ms")
    found = {}
    for name, asked in ASKED.items():
        one = measure(settings, models, name, {"model": "smollm2", "texts": [TEXT], **asked})
        passes = one["ms"] / bare
        aim = f", aim {AIMS[name]}" if name in AIMS else ""
        print(
            f"{name:<34} {one['ms']:>9.1f} ms = {passes:>6.1f} bare passes{aim}; "
            f"estimated at {one['ratio']:.2f} of it"
        )
        found[name] = {"ms": one["ms"], "passes": passes, "estimated": one["ratio"]}
    print(json.dumps({"benchmark": "real_model", "bare_ms": bare, "asked": found}))


def smollm2() -> tuple[Settings, Models]:
    """A server's models without a cache; ends the program where the model was not fetched."""
    if not known("smollm2").is_here:
        print("Skipped: this needs a real model. Fetch it once: headlight get smollm2")
        raise SystemExit
    settings = Settings(cache_bytes=0, max_work_s=600)
    models = Models(build_registry(settings), settings)
    models.load("smollm2")
    return settings, models


def bare_pass(folder: str) -> Callable[[], object]:
    """The model in Transformers, with its own quickest attention."""
    ids = AutoTokenizer.from_pretrained(folder)(TEXT, return_tensors="pt").input_ids
    model: Any = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    return lambda: model(ids, use_cache=False)


@torch.inference_mode()
def median(run: Callable[[], object], repeats: int = 9) -> float:
    """Seconds of processor time, after a first run that counts for nothing."""
    run()
    taken = []
    for _ in range(repeats):
        began = time.thread_time()
        run()
        taken.append(time.thread_time() - began)
    return sorted(taken)[repeats // 2]


if __name__ == "__main__":
    main()
