"""What the machine offers: cores and memory, for the workers that the settings ask for."""

import os
from collections.abc import Iterator
from importlib.util import find_spec

import psutil

from server.doctor.finding import Finding
from server.settings import Settings

GB = 1e9
NEEDED_GB = 0.75  # per worker: 718 MB under load (docs/scale.md)


def threads(settings: Settings) -> Iterator[Finding]:
    cores, workers, per_worker = _cores(), settings.workers, settings.torch_threads
    found = (
        f"{cores} core{'' if cores == 1 else 's'} for {workers} worker"
        f"{'' if workers == 1 else 's'} × {per_worker} thread{'' if per_worker == 1 else 's'}"
    )
    if workers * per_worker > cores:
        advice = "Lower HEADLIGHT_WORKERS or HEADLIGHT_TORCH_THREADS: they slow each other down."
        yield Finding("threads", "warning", found, advice)
    else:
        advice = "" if workers == cores else f"For a class, set HEADLIGHT_WORKERS={cores}."
        yield Finding("threads", "ok", found, advice)


def _cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):  # not on macOS
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def memory(settings: Settings) -> Iterator[Finding]:
    from server.run.tracing.memory import memory_limit

    limit = memory_limit(settings.memory_bytes, settings.workers) / GB
    free = psutil.virtual_memory().available / GB
    found = f"{free:.1f} GB free; each worker may take {limit:.1f} GB"
    if min(limit, free / settings.workers) < NEEDED_GB:
        advice = f"A worker with the shipped model needs {NEEDED_GB} GB. Use fewer workers."
        yield Finding("memory", "warning", found, advice)
    else:
        yield Finding("memory", "ok", found)


def device(settings: Settings) -> Iterator[Finding]:
    """Where checkpoints run, and in which numbers."""
    if find_spec("transformers") is None:
        return  # then there are none
    from model.errors import CheckpointError
    from model.sources.pretrained.opening.device import choose

    try:
        machine = choose(settings.device, settings.dtype)
    except CheckpointError as error:
        yield Finding("device", "problem", error.message)
        return
    there = str(machine.device).replace("cpu", "the CPU")
    found = f"checkpoints run on {there}, in {machine.numbers}; the shipped model on the CPU"
    yield Finding("device", "ok", found)
