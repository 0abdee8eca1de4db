"""The registry: the first model is the default, each loads once, and failures can be retried."""

import threading
import time

import pytest

from model.errors import CheckpointError, InputError
from model.sources.native import NativeSource
from model.sources.registry import Progress, Registry
from model.sources.source import Source


def test_the_first_is_the_default_and_loads_when_first_asked_for(source: NativeSource) -> None:
    loads: list[str] = []

    def load(name: str) -> Source:
        loads.append(name)
        return source

    registry = Registry({"b": lambda progress: load("b"), "a": lambda progress: load("a")})
    assert (registry.default, registry.names) == ("b", ("b", "a"))
    assert registry.status("b").state == "not_loaded" and loads == []
    assert registry.get() is registry.get("b") is source
    assert loads == ["b"]
    assert (registry.status("b").state, registry.status("a").state) == ("ready", "not_loaded")


def test_first_requests_at_the_same_time_load_once(source: NativeSource) -> None:
    loads: list[int] = []
    all_asked = threading.Barrier(5)

    def load(progress: Progress) -> Source:
        loads.append(1)
        time.sleep(0.02)  # long enough for the others to come meanwhile
        return source

    registry = Registry({"a": load})
    found: list[Source] = []

    def ask() -> None:
        all_asked.wait()
        found.append(registry.get("a"))

    threads = [threading.Thread(target=ask) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [source] * 5 and loads == [1]


def test_state_is_readable_while_it_loads(source: NativeSource) -> None:
    seen: list[str] = []

    def load(progress: Progress) -> Source:
        seen.append(registry.status("a").state)
        return source

    registry = Registry({"a": load})
    registry.get()
    assert seen == ["loading"]


def test_a_failure_is_reported_and_retried(source: NativeSource) -> None:
    broken = [True]

    def load(progress: Progress) -> Source:
        if broken:
            raise CheckpointError("It is broken.")
        return source

    registry = Registry({"a": load})
    with pytest.raises(CheckpointError):
        registry.get()
    assert registry.status("a").state == "failed"
    broken.clear()
    assert registry.get() is source
    assert registry.status("a").state == "ready"


def test_an_unknown_name_is_refused_with_the_known_ones(source: NativeSource) -> None:
    registry = Registry({"a": lambda progress: source, "b": lambda progress: source})
    with pytest.raises(InputError, match="This server has a, b") as caught:
        registry.get("c" * 10_000)
    assert (caught.value.code, caught.value.field) == ("unknown_model", "model")
    assert len(str(caught.value)) < 300
    with pytest.raises(InputError):
        registry.status("")


def test_no_models_at_all_is_refused() -> None:
    with pytest.raises(InputError, match="at least one model"):
        Registry({})
