"""Whether Headlight may use the network. It only does so to download checkpoints by hub id."""

import os
from collections.abc import Iterator

from server.doctor.finding import Finding
from server.settings import Settings

VARIABLES = "HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"  # of the library that downloads
TRUE = "1", "ON", "YES", "TRUE"
HUB = "https://huggingface.co"
TIMEOUT_S = 5.0


def is_offline() -> bool:
    return any(os.environ.get(name, "").upper() in TRUE for name in VARIABLES)


def network(settings: Settings) -> Iterator[Finding]:
    """What the variables say; sends nothing."""
    if is_offline():
        found = f"offline, since {' or '.join(VARIABLES)} is set: hub ids need an earlier download"
    else:
        found = "only used to download hub ids; not tried here (--online asks the hub)"
    yield Finding("network", "ok", found)


def hub(settings: Settings) -> Iterator[Finding]:
    """Ask the hub whether it answers."""
    import httpx2

    address = os.environ.get("HF_ENDPOINT") or HUB
    try:
        status = httpx2.head(address, timeout=TIMEOUT_S, follow_redirects=True).status_code
    except httpx2.HTTPError as error:
        advice = "Headlight works without it, except for hub ids; copy checkpoints as folders."
        yield Finding("hub", "warning", f"{address} does not answer: {error}", advice)
    else:
        yield Finding("hub", "ok", f"{address} answers ({status})")
