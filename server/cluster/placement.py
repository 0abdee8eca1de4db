"""Which models share a deployment, and what resources each deployment needs."""

from model.errors import InputError
from model.sources.registry import Progress, Registry
from model.sources.source import Source
from server.api.schemas.settings import SETTINGS
from server.run.finding import films, loaders
from server.settings import Placement, Settings

SHIPPED_NAME = "shipped"


def deployments(settings: Settings) -> dict[str, tuple[str, ...]]:
    """The models of each deployment, named after its first model. The default comes first.

    The mechanisms from scratch have no weights, so they share the default model's deployment.

    Raises:
        InputError: two models have the same name, or a placement names a model not served.
    """
    default, *others = (name for name in loaders(settings) if name not in SETTINGS)
    found: dict[str, tuple[str, ...]] = {default: (default, *SETTINGS)}
    found |= {name: (name,) for name in others}
    for name in settings.cluster_models:
        if name not in found:
            raise InputError(
                f"HEADLIGHT_CLUSTER_MODELS places the model {name}, which is not served; expected "
                f"one of {', '.join(found)}."
            )
    return found


def placement(settings: Settings, deployment: str) -> Placement:
    """The resources of a deployment: its own settings, else the defaults."""
    return settings.cluster_models.get(deployment, Placement())


def registry_of(settings: Settings, names: tuple[str, ...]) -> Registry:
    """The models of one deployment."""
    every = loaders(settings)
    filmed = {name: film for name, film in films(settings).items() if name in names}
    return Registry(
        {name: every[name] for name in names}, max_bytes=settings.model_bytes, films=filmed
    )  # without the sister of the shipped model: the ingress has no films


def names_only(settings: Settings) -> Registry:
    """Every model by name only, for the ingress, which loads none of them."""
    return Registry(dict.fromkeys(loaders(settings), _elsewhere))


def _elsewhere(progress: Progress) -> Source:
    raise AssertionError("The ingress forwards every request for a model to a replica.")
