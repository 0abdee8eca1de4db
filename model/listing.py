"""Lists for people."""

from collections.abc import Iterable


def layers_in_words(layers: Iterable[int]) -> str:
    """ "layers 0 to 5"; where some have no attention: "attention in layers 1, 4 and 7"."""
    known = sorted(set(layers))
    if known == list(range(len(known))):
        return f"layers 0 to {known[-1]}"
    *others, last = map(str, known)
    return f"attention in layer{'s' if others else ''} " + " and ".join(
        part for part in (", ".join(others), last) if part
    )
