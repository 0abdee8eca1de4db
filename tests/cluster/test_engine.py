"""The engine if Ray is not installed or does not start."""

import os
import sys
from types import ModuleType

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
