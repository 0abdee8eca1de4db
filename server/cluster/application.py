"""The app as Ray Serve deploys it: `server.cluster.application:application` is its import path."""

from collections.abc import Callable
from typing import Any

from ray import serve
from ray.serve import Application, Deployment
from ray.serve.config import AutoscalingConfig, RequestRouterConfig
from ray.serve.schema import LoggingConfig

from server.cluster.ingress import Ingress
from server.cluster.placement import deployments, placement
from server.cluster.replica import Replica
from server.settings import Settings

NAME = "headlight"
SAME_TEXT_SAME_REPLICA = "ray.serve.experimental.consistent_hash_router.ConsistentHashRouter"
INGRESS_ONGOING = 1_000  # requests per ingress; nearly all of them just wait for a replica
INGRESS_TARGET = 64.0  # beyond this another ingress starts, on another node


def application(arguments: dict[str, Any]) -> Application:
    """The entry point for a RayService and `serve deploy`. Settings are HEADLIGHT_* variables.

    Args:
        arguments: settings that override the variables, by their names in server/settings.py.
    """
    return build(Settings(**arguments))


def build(settings: Settings) -> Application:
    """One deployment per model, behind the ingress."""
    groups = deployments(settings)
    handles = {name: _replicas(settings, name, groups[name]) for name in groups}
    ingress = _deployment(
        serve.ingress()(Ingress),
        name="ingress",
        ray_actor_options={"num_cpus": 0},  # it mostly waits
        max_replicas_per_node=1,
        max_ongoing_requests=INGRESS_ONGOING,
        autoscaling_config=AutoscalingConfig(
            min_replicas=1,
            max_replicas=settings.cluster_max_replicas,
            target_ongoing_requests=INGRESS_TARGET,
        ),
        settings=settings,
    )
    return ingress.bind(settings, groups, handles)


def _replicas(settings: Settings, name: str, models: tuple[str, ...]) -> Application:
    """The deployment that serves these models."""
    own = placement(settings, name)
    at_once = settings.concurrency + settings.queue_size
    return _deployment(
        Replica,
        name=name,
        ray_actor_options={
            "num_cpus": own.cpus,
            "resources": own.resources,
            **({} if own.memory_bytes is None else {"memory": own.memory_bytes}),
        },
        # The app refuses requests when its queue is full; before that, Ray tries another replica.
        max_ongoing_requests=at_once,
        max_queued_requests=settings.queue_size,
        autoscaling_config=AutoscalingConfig(
            min_replicas=own.min_replicas or settings.cluster_min_replicas,
            max_replicas=own.max_replicas or settings.cluster_max_replicas,
            target_ongoing_requests=settings.cluster_target_queue,
            upscale_delay_s=5,  # a class arrives within seconds
            downscale_delay_s=300,  # and pauses for minutes
        ),
        request_router_config=RequestRouterConfig.model_validate(
            {"request_router_class": SAME_TEXT_SAME_REPLICA}
        ),
        settings=settings,
    ).bind(settings, models)


def _deployment(what: Callable[..., Any], *, settings: Settings, **options: Any) -> Deployment:
    """A deployment with the options that all deployments share."""
    debug = settings.log_level == "debug"  # URLs contain what people typed
    made = serve.deployment(
        what,
        graceful_shutdown_timeout_s=settings.shutdown_timeout_s,
        logging_config=LoggingConfig(log_level=settings.log_level.upper(), enable_access_log=debug),
        **options,
    )
    assert isinstance(made, Deployment)  # the function also works as a decorator
    return made
