"""The engine if Ray is not installed or does not start."""

import os
import sys
from types import ModuleType, SimpleNamespace

import pytest

from server.cluster import engine
from server.settings import Settings


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the engine puts into the environment ends with the test."""
    monkeypatch.setattr(os, "environ", {**os.environ})


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(engine.ClusterError, match=r'pip install "ray\[serve\]'):
        engine.serve_with_ray(Settings())


@pytest.mark.parametrize(("failures", "starts"), [(0, True), (2, True), (3, False)])
def test_a_slow_start_is_tried_again(failures: int, starts: bool) -> None:
    class Ray(ModuleType):
        begun = ended = 0

        def init(self, **options: object) -> None:
            self.begun += 1
            if self.begun <= failures:
                raise Exception("The current node timed out during startup.")

        def shutdown(self) -> None:
            self.ended += 1

    ray = Ray("ray")
    if starts:
        engine._start_locally(ray)
        assert (ray.begun, ray.ended) == (failures + 1, failures)
    else:
        with pytest.raises(engine.ClusterError, match="timed out during startup"):
            engine._start_locally(ray)
        assert ray.begun == engine.TRIES


@pytest.mark.parametrize(("open_s", "waited_s"), [(0, 0), (85, 85), (600, 120)])
def test_open_requests_get_the_whole_grace_period(
    open_s: float, waited_s: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ray's own wait for the end of an app is 60 s."""
    clock = SimpleNamespace(now=0.0)
    clock.monotonic = lambda: clock.now
    clock.sleep = lambda seconds: setattr(clock, "now", clock.now + seconds)
    monkeypatch.setattr(engine, "time", clock)
    deleted = []
    ray_serve = ModuleType("serve")
    vars(ray_serve)["delete"] = lambda name, _blocking: deleted.append((name, _blocking))
    vars(ray_serve)["status"] = lambda: SimpleNamespace(
        applications={"headlight"} if clock.now < open_s else set()
    )
    engine._drain(ray_serve, "headlight", grace_s=90)
    assert deleted == [("headlight", False)]
    assert clock.now == pytest.approx(waited_s, abs=2 * engine.POLL_S)
