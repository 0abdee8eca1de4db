"""Which models share a deployment, and the resources of a deployment."""

from pathlib import Path
from typing import Any, cast

import pytest
from pydantic import ValidationError

from model.errors import InputError
from server.cluster.placement import deployments, names_only, registry_of
from server.settings import Settings


def test_each_model_has_its_replicas_and_scratch_lives_with_the_default() -> None:
    settings = Settings(models=("big=/models/big", "/models/small"))
    groups = deployments(settings)
    assert groups == {"shipped": ("shipped", "scratch"), "big": ("big",), "small": ("small",)}
    assert registry_of(settings, groups["big"]).names == ("big",)
    assert names_only(settings).names == ("shipped", "big", "small", "scratch")


def test_a_placement_for_a_model_that_is_not_served_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HEADLIGHT_CLUSTER_MODELS", '{"bigg": {"cpus": 4}}')
    with pytest.raises(InputError, match="bigg, which is not served; expected one of shipped"):
        deployments(Settings())


@pytest.mark.parametrize(
    "settings",
    [
        {"cluster_min_replicas": 5, "cluster_max_replicas": 4},
        {"cluster_models": {"shipped": {"min_replicas": 9}}},
        {"cluster_models": {"shipped": {"gpus": 1}}},
    ],
)
def test_settings_that_cannot_be_met_are_refused(settings: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Settings.model_validate(settings)


def test_ray_gets_what_the_settings_say() -> None:
    pytest.importorskip("ray.serve", reason="the extra `cluster` is not installed")
    from server.cluster.application import build

    settings = Settings.model_validate(
        {
            "models": ("big=/models/big",),
            "cluster_min_replicas": 2,
            "cluster_max_replicas": 7,
            "cluster_target_queue": 3,
            "cluster_models": {
                "big": {
                    "cpus": 4,
                    "memory_bytes": 10**9,
                    "resources": {"large": 1},
                    "max_replicas": 3,
                }
            },
            "shutdown_timeout_s": 12,
        }
    )
    found = {}
    application = build(settings)
    groups, handles = cast(Any, application._bound_deployment.init_args)[1:]
    for name in groups:
        found[name] = handles[name]._bound_deployment
    scaling = {name: d._deployment_config.autoscaling_config for name, d in found.items()}
    assert (scaling["shipped"].min_replicas, scaling["shipped"].max_replicas) == (2, 7)
    assert (scaling["big"].min_replicas, scaling["big"].max_replicas) == (2, 3)
    assert scaling["big"].target_ongoing_requests == 3
    options = found["big"].ray_actor_options
    assert options == {"num_cpus": 4, "memory": 10**9, "resources": {"large": 1}}
    assert found["shipped"].ray_actor_options["num_cpus"] == 1
    assert all(d._deployment_config.graceful_shutdown_timeout_s == 12 for d in found.values())


def test_paths_are_the_same_wherever_a_replica_runs(tmp_path: Path) -> None:
    """All settings are sent to the replicas."""
    import pickle

    settings = Settings(shipped=tmp_path, cluster_min_replicas=2)
    assert pickle.loads(pickle.dumps(settings)) == settings
