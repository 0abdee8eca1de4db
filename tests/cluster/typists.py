"""A class that types and, like the page, repeats each keystroke until it is answered."""

import asyncio
import itertools
import random
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import httpx2

AGAIN = {502, 503}  # no replica, a dead replica, a full replica
TIMEOUT_S = 40.0  # for one keystroke; a replica restarts sooner


def keystroke(text: str) -> dict[str, Any]:
    """The request of the page after a change of the text."""
    return {
        "texts": [text],
        "parts": {
            "grid": {"tensors": ["pattern"], "resolution": 64, "dtype": "uint8"},
            "head": {"tensors": ["scores", "pattern"], "layers": [0], "heads": [0]},
        },
        "predict": {"top_k": 10},
    }


@dataclass
class Typed:
    """What a class experienced."""

    sent: int = 0
    answered: int = 0
    again: Counter[str] = field(default_factory=Counter)  # why a keystroke was sent again
    wrong: list[str] = field(default_factory=list)  # unexpected answers


async def type_all(letters: int, server: str, typists: int, pause_s: float, seen: Typed) -> None:
    """Every typist types a sentence of `letters` letters, one letter at a time."""
    limits = httpx2.Limits(max_connections=typists)
    async with httpx2.AsyncClient(base_url=server, timeout=20, limits=limits) as client:
        await asyncio.gather(*(_typist(n, letters, pause_s, client, seen) for n in range(typists)))


async def _typist(
    number: int, n_letters: int, pause_s: float, client: httpx2.AsyncClient, seen: Typed
) -> None:
    chance = random.Random(number)
    letters = itertools.cycle(f"the cat sat on mat {number} and ran ")
    text = ""
    for _ in range(n_letters):
        text = (text + next(letters))[-40:]
        seen.sent += 1
        if await _ask(text, client, chance, seen):
            seen.answered += 1
        await asyncio.sleep(chance.uniform(0.5, 1.5) * pause_s)


async def _ask(text: str, client: httpx2.AsyncClient, chance: random.Random, seen: Typed) -> bool:
    end = time.monotonic() + TIMEOUT_S
    while time.monotonic() < end:
        wait_s = 0.5
        try:
            answer = await client.post("/api/trace", json=keystroke(text))
        except httpx2.TransportError as error:
            seen.again[type(error).__name__] += 1
        else:
            if answer.status_code == 200:
                read = "".join(t["text"] for t in answer.json()["tokens"][0] if not t["special"])
                if read.replace(" ", "") != text.replace(" ", ""):
                    seen.wrong.append(f"{text!r} was answered with {read!r}")
                return True
            refusal = answer.json().get("error", {})
            seen.again[f"{answer.status_code} {refusal.get('code')}"] += 1
            if answer.status_code not in AGAIN or "retry-after" not in answer.headers:
                seen.wrong.append(f"{answer.status_code} {answer.text[:200]}")
                return False
            wait_s = float(answer.headers["retry-after"])
        await asyncio.sleep(wait_s * chance.uniform(0.5, 1))
    return False
