"""The memory of loaded sources: which are evicted, and which never are."""

import threading
from dataclasses import replace

import pytest

from model.errors import CheckpointError
from model.sources.native import NativeSource
from model.sources.registry import FLOAT_BYTES, Progress, Registry
from model.sources.source import Source


class Sized:
    """A source with a given number of parameters, which counts how often it was loaded."""

    def __init__(self, source: NativeSource, n_parameters: int) -> None:
        self._source = source
        self._n_parameters = n_parameters
        self.loads = 0

    def __call__(self, progress: Progress) -> Source:
        self.loads += 1
        loaded = NativeSource.__new__(NativeSource)
        loaded.__dict__ |= self._source.__dict__
        loaded.info = replace(self._source.info, n_parameters=self._n_parameters)
        return loaded


@pytest.fixture
def sized(source: NativeSource) -> dict[str, Sized]:
    sizes = {"default": 1, "a": 10, "b": 10, "c": 10, "huge": 100}
    return {name: Sized(source, n) for name, n in sizes.items()}


def registry_of(sized: dict[str, Sized], n_parameters: int) -> tuple[Registry, list[Source]]:
    registry, gone = Registry(sized, max_bytes=n_parameters * FLOAT_BYTES), list[Source]()
    registry.on_unload = gone.append
    return registry, gone


def states(registry: Registry) -> list[str]:
    return [name for name in registry.names if registry.status(name).state == "ready"]


def test_the_one_used_longest_ago_makes_way(sized: dict[str, Sized]) -> None:
    registry, gone = registry_of(sized, 25)
    for name in ("default", "a", "b", "a", "c"):
        registry.get(name)
    assert states(registry) == ["default", "a", "c"]
    assert [source.info.n_parameters for source in gone] == [10]
    assert registry.status("b").state == "not_loaded"
    registry.get("b")
    assert states(registry) == ["default", "b", "c"]
    assert sized["b"].loads == 2 and sized["a"].loads == 1


def test_one_in_use_stays(sized: dict[str, Sized]) -> None:
    registry, gone = registry_of(sized, 25)
    with registry.use("a") as used, registry.use("b"):
        with pytest.raises(CheckpointError, match="leave no room for") as caught:
            registry.get("c")
        assert caught.value.code == "no_room"
        assert "HEADLIGHT_MODEL_BYTES" in caught.value.message
        assert states(registry) == ["a", "b"]
        assert used not in gone
    registry.get("c")  # now there is room
    assert "c" in states(registry) and len(states(registry)) == 2


def test_one_that_never_fits_is_refused_and_the_default_stays(sized: dict[str, Sized]) -> None:
    registry, _ = registry_of(sized, 25)
    registry.get("default")
    registry.get("a")
    with pytest.raises(CheckpointError, match=r"keeps 0\.00 GB of models"):
        registry.get("huge")
    assert sized["a"].loads == 1 and states(registry) == ["default", "a"]
    status = registry.status("huge")
    assert status.state == "failed" and status.error is not None
    assert "default" in states(registry)
    assert registry.get("a").info.n_parameters == 10


def test_without_a_budget_all_stay(sized: dict[str, Sized]) -> None:
    registry = Registry(sized)
    for name in sized:
        registry.get(name)
    assert states(registry) == list(sized)


def test_sources_load_one_after_the_other_and_the_next_is_queued(source: NativeSource) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def slow(progress: Progress) -> Source:
        progress(0.25)
        begun.set()
        assert go_on.wait(10)
        return source

    registry = Registry({"slow": slow, "next": lambda progress: source})
    threads = [threading.Thread(target=registry.get, args=(name,)) for name in ("slow", "next")]
    threads[0].start()
    assert begun.wait(10)
    assert registry.status("slow").state == "loading"
    assert registry.status("slow").progress == 0.25
    threads[1].start()
    while registry.status("next").state == "not_loaded":
        pass
    assert registry.status("next").state == "queued"
    go_on.set()
    for thread in threads:
        thread.join(10)
    assert registry.status("next").state == registry.status("slow").state == "ready"
    assert registry.status("slow").progress == 1


def test_the_reason_for_a_failure_is_reported(source: NativeSource) -> None:
    def refused(progress: Progress) -> Source:
        raise CheckpointError("It is of another planet.")

    def broken(progress: Progress) -> Source:
        raise ZeroDivisionError

    registry = Registry({"refused": refused, "broken": broken})
    with pytest.raises(CheckpointError):
        registry.get("refused")
    with pytest.raises(ZeroDivisionError):
        registry.get("broken")
    assert registry.status("refused").error == "It is of another planet."
    assert "because of a bug in Headlight" in (registry.status("broken").error or "")
