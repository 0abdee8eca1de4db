"""Prints the processor time of a bare forward pass of the shipped model, in ms per text.

It uses one thread and neither records nor derives anything. It runs in a process of its own, so
that nothing else fills the processor's caches.
"""

import os
import sys
import time

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # before torch: waiting threads must not spin

import torch

from model.core.checkpoint import SHIPPED, load_checkpoint

WARM_UP = 50


def main() -> None:
    n_tokens, repeats, texts = (int(argument) for argument in sys.argv[1:])
    torch.set_num_threads(1)
    checkpoint = load_checkpoint(SHIPPED)
    generator = torch.Generator().manual_seed(1)
    ids = torch.randint(2, checkpoint.tokenizer.vocab_size, (texts, n_tokens), generator=generator)
    with torch.inference_mode():
        for _ in range(WARM_UP):
            checkpoint.model(ids)
        start = time.process_time()
        for _ in range(repeats):
            checkpoint.model(ids)
        print((time.process_time() - start) / repeats / texts * 1000)


if __name__ == "__main__":
    main()
