"""The role of each token in its sentence, by which the tokens of many sentences are aligned."""

from collections.abc import Mapping, Sequence

from headlight.study.pairs import Pair, Span
from headlight.tokens import Token


def roles_of(tokens: Sequence[Token], spans: Sequence[Span]) -> list[str]:
    """The role of each token: the slot that it stands in, or its own text, counted if repeated.

    Of a slot of several tokens each is numbered from the end, so that last tokens come together.
    Without spans, a token's role is its place from the end: -1 is the last.
    """
    if not spans:
        return [str(at - len(tokens)) for at in range(len(tokens))]
    slots = [_slot(token, spans) for token in tokens]
    found, times = list[str](), dict[str, int]()
    for at, (token, slot) in enumerate(zip(tokens, slots, strict=True)):
        if slot is not None:
            left = sum(other == slot for other in slots[at + 1 :])
            found.append(slot if left == 0 else f"{slot} −{left}")
            continue
        text = str(token) if token.special else f"“{token.strip()}”"
        times[text] = times.get(text, 0) + 1
        found.append(text if times[text] == 1 else f"{text} ({times[text]})")
    return found


def _slot(token: Token, spans: Sequence[Span]) -> str | None:
    """The slot that holds a token, without the space before it."""
    end = token.end
    if token.special or token.start >= end:
        return None
    return next((span.role for span in spans if span.start < end <= span.stop), None)


def aligned(
    pair: Pair, clean: Sequence[Token], corrupted: Sequence[Token]
) -> tuple[list[tuple[int, int]], Mapping[int, str]]:
    """The tokens of both sentences with the same role, and the role of each in the second.

    Positions are (in the clean sentence, in the corrupted one).
    """
    one = roles_of(clean, pair.spans[0])
    other = roles_of(corrupted, pair.spans[1])
    place = {role: at for at, role in enumerate(one)}
    pairs = [(place[role], at) for at, role in enumerate(other) if role in place]
    return pairs, {at: other[at] for _, at in pairs}
