"""What do BertViz and TransformerLens take for what Headlight does?

SmolLM2-135M-Instruct, one sentence of 14 tokens, with one thread, in one run. Each line is
processor time in bare passes of the model in Transformers, the median of a few; the mutes by hooks
run once. Their effects are compared with Headlight's. Run, in an environment of its own, since both
bring many packages:

    pip install ".[dev]" bertviz transformer_lens
    headlight get smollm2 && python -m benchmarks.beside

The last line is JSON.
"""

import json
import os
import time
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ["HF_HUB_OFFLINE"] = "1"

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from benchmarks.cost import PARTS, answering
from benchmarks.real_model import NONE, TEXT, smollm2
from model.sources.known import known
from server.api.answers import JSON

OTHERS = ("bertviz", "transformer_lens")


def main() -> None:
    missing = [name for name in OTHERS if find_spec(name) is None]
    if missing:
        print(f"Skipped: this needs {' and '.join(missing)}; see the start of benchmarks/beside.py")
        return
    torch.set_num_threads(1)
    settings, models = smollm2()
    found: dict[str, float] = {}

    def line(name: str, seconds: float, beside: str = "") -> None:
        found[name] = seconds / found.get("bare", seconds)
        print(f"{name:<54} {found[name]:>7.1f} bare passes{beside}", flush=True)

    theirs = Theirs(str(known("smollm2").folder))
    bare, _ = timed(theirs.bare)
    found["bare"] = bare
    print(f"{'the bare pass':<54} {1000 * bare:>7.1f} ms")
    for name, asked in (
        ("Headlight: all a keystroke asks for", PARTS),
        ("Headlight: mutes of all heads estimated, 20 measured", mutes("mute_estimates")),
    ):
        ask = answering(settings, models, {"model": "smollm2", "texts": [TEXT], **asked}, JSON)
        seconds, answer = timed(ask)
        line(name, seconds, f", {len(answer) / 1e6:.2f} MB")
    ask = answering(
        settings, models, {"model": "smollm2", "texts": [TEXT], **mutes("mute_effects")}, JSON
    )
    seconds, answer = timed(ask, 1)
    line("Headlight: all heads muted, one by one", seconds)
    for name, draw in (("head view", theirs.head_view), ("model view", theirs.model_view)):
        seconds, html = timed(draw)
        line(f"BertViz: {name}", seconds, f", {len(html.data) / 1e6:.2f} MB")
    line("TransformerLens: run_with_cache", timed(theirs.cached)[0])
    seconds, changes = timed(theirs.ablated, 1)
    line("TransformerLens: all heads ablated by hooks", seconds)
    [ours] = json.loads(answer)["mute_effects"]
    apart = max(abs(one["change"] - changes[one["layer"], one["head"]]) for one in ours["effects"])
    print(f"The largest difference between the effects of both: {apart:.1e} nats")
    print(json.dumps({"benchmark": "beside", "passes": found, "apart": apart}))


def mutes(name: str) -> dict[str, Any]:
    return {**NONE, "analyse": {name: {}}}


class Theirs:
    """The same model in Transformers, BertViz and TransformerLens."""

    def __init__(self, folder: str) -> None:
        bridges: Any = import_module("transformer_lens.model_bridge")
        self.bertviz: Any = import_module("bertviz")
        tokenizer = AutoTokenizer.from_pretrained(folder)
        self.ids = tokenizer(TEXT, return_tensors="pt").input_ids
        self.tokens = tokenizer.convert_ids_to_tokens(self.ids[0])
        load: Any = AutoModelForCausalLM.from_pretrained
        self.quick = load(folder, dtype=torch.float32)
        self.eager = load(folder, dtype=torch.float32, attn_implementation="eager")
        self.bridge = bridges.TransformerBridge.boot_transformers(folder)

    def bare(self) -> Any:
        return self.quick(self.ids, use_cache=False)

    def attentions(self) -> Any:
        return self.eager(self.ids, use_cache=False, output_attentions=True).attentions

    def head_view(self) -> Any:
        return self.bertviz.head_view(self.attentions(), self.tokens, html_action="return")

    def model_view(self) -> Any:
        return self.bertviz.model_view(self.attentions(), self.tokens, html_action="return")

    def cached(self) -> Any:
        return self.bridge.run_with_cache(self.ids)

    def ablated(self) -> dict[tuple[int, int], float]:
        """How ln p of the likeliest token changes without each head."""
        log_p = self.bridge(self.ids)[0, -1].double().log_softmax(-1)
        token = int(log_p.argmax())
        found = {}
        config = self.eager.config
        for layer in range(config.num_hidden_layers):
            for head in range(config.num_attention_heads):

                def mute(z: torch.Tensor, hook: Any, head: int = head) -> torch.Tensor:
                    heads = z.view(*z.shape[:2], config.num_attention_heads, -1)
                    heads[:, :, head] = 0
                    return z

                name = f"blocks.{layer}.attn.hook_z"
                logits = self.bridge.run_with_hooks(self.ids, fwd_hooks=[(name, mute)])
                after = logits[0, -1].double().log_softmax(-1)
                found[layer, head] = (after[token] - log_p[token]).item()
        return found


@torch.inference_mode()
def timed(run: Callable[[], Any], repeats: int = 5) -> tuple[float, Any]:
    """Seconds of processor time, the median; and the last result. More than one: after another."""
    if repeats > 1:
        run()
    taken = []
    for _ in range(repeats):
        began = time.thread_time()
        result = run()
        taken.append(time.thread_time() - began)
    return sorted(taken)[repeats // 2], result


if __name__ == "__main__":
    main()
