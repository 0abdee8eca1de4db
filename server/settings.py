"""All settings of the server, read from HEADLIGHT_* variables when it starts."""

import json
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    model_validator,
)
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from model.facts import limit
from server.http.guard.hosts import check_names
from server.http.guard.origins import check_origins


def _split(entries: Any) -> Any:
    """Parse a list from one variable: JSON, or comma-separated entries."""
    if not isinstance(entries, str):
        return entries
    if entries.lstrip().startswith(("[", "{")):
        try:
            found = json.loads(entries)
        except ValueError as error:
            raise ValueError(f"expected a JSON list or comma-separated entries: {error}") from None
        if not isinstance(found, list):
            raise ValueError("expected a JSON list or comma-separated entries")
        return tuple(found)
    return tuple(part.strip() for part in entries.split(",") if part.strip())


class Placement(BaseModel):
    """The resources and number of a model's replicas in a cluster."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    cpus: float = Field(default=1, ge=0, description="Cores per replica.")
    memory_bytes: int | None = Field(
        default=None, ge=1, description="Memory that a node must have free per replica."
    )
    resources: dict[str, float] = Field(
        default={},
        description="Custom Ray resources that a node must offer, such as a label of large nodes.",
    )
    min_replicas: int | None = Field(default=None, ge=1, description="If unset, as for all models.")
    max_replicas: int | None = Field(default=None, ge=1, description="If unset, as for all models.")


def _or_none(text: Any) -> Any:
    """Treat an empty variable as unset, because compose files pass unset variables on as empty."""
    return None if isinstance(text, str) and not text.strip() else text


def _long_enough(password: SecretStr | None) -> SecretStr | None:
    if password is not None and not 10 <= len(password) <= 200:
        raise ValueError("expected 10 to 200 characters; four random words are a good password")
    return password


def _check_networks(networks: tuple[str, ...]) -> tuple[str, ...]:
    for each in networks:
        try:
            ip_network(each)
        except ValueError:
            raise ValueError(
                "expected IP addresses or networks like 10.0.0.7 or 10.1.0.0/16, separated by "
                f"commas; got {each!r}"
            ) from None
    return networks


class Settings(BaseSettings):
    """The server's configuration and limits. Frozen, so it cannot change while the server runs."""

    model_config = SettingsConfigDict(env_prefix="HEADLIGHT_", frozen=True)

    host: str = Field(
        default="127.0.0.1", description="Address to listen on; 0.0.0.0 for a classroom."
    )
    port: int = Field(default=8000, ge=0, le=65_535, description="Port to listen on.")
    workers: int = Field(
        default=1, ge=1, le=64, description="Number of processes; at most one per core."
    )
    allowed_hosts: Annotated[
        tuple[str, ...], NoDecode, BeforeValidator(_split), AfterValidator(check_names)
    ] = Field(
        default=(),
        description="Host names under which browsers may reach this server, besides IP addresses, "
        "loopback names and the machine's own name: example.org, or .example.org for all its "
        "subdomains, separated by commas; * allows any name.",
    )
    frame_ancestors: Annotated[
        tuple[str, ...], NoDecode, BeforeValidator(_split), AfterValidator(check_origins)
    ] = Field(
        default=(),
        description="Origins whose pages may show /embed in a frame, besides this server's own: "
        "https://blog.example.org, separated by commas. No other page can be framed from outside.",
    )
    cors_origins: Annotated[
        tuple[str, ...], NoDecode, BeforeValidator(_split), AfterValidator(check_origins)
    ] = Field(
        default=(),
        description="Origins whose scripts may call the API and read its answers (CORS), without "
        "cookies: https://notebook.example.org, separated by commas.",
    )
    proxies: Annotated[
        tuple[str, ...], NoDecode, BeforeValidator(_split), AfterValidator(_check_networks)
    ] = Field(
        default=(),
        description="IP addresses or networks of your reverse proxies, separated by commas: only "
        "their X-Forwarded-For and X-Forwarded-Proto headers count.",
    )
    password: Annotated[
        SecretStr | None, BeforeValidator(_or_none), AfterValidator(_long_enough)
    ] = Field(
        default=None,
        description="Required for everything except /healthz and /readyz; at least 10 characters. "
        "Browsers get a page to enter it and then a cookie; programs send it as `Authorization: "
        "Bearer` or as the password of HTTP Basic.",
    )
    log_level: Literal["critical", "error", "warning", "info", "debug"] = Field(
        default="info",
        description="Minimum level of log messages; only debug logs each request, by its path.",
    )
    shutdown_timeout_s: int = Field(
        default=10,
        ge=0,
        description="Seconds that open requests have to finish when the server stops; those that "
        "do not finish get a 503.",
    )
    stop_with_stdin: bool = Field(
        default=False,
        description="Whether to stop when standard input closes, as it does when the process that "
        "holds its other end exits. `headlight.start()` sets it.",
    )
    certfile: Path | None = Field(
        default=None,
        description="Certificate (PEM) for serving https; if unset, the server uses http.",
    )
    keyfile: Path | None = Field(
        default=None, description="Key (PEM) of the certificate, if it is in a separate file."
    )
    max_connections: int = Field(
        default=2_000,  # a class of 200, with up to six connections per browser, and some more
        ge=1,
        description="Open connections per worker; beyond that, the longest idle ones are closed, "
        "and if none is idle, all requests but health checks get a 503.",
    )
    head_timeout_s: float = Field(
        default=10,
        gt=0,
        description="Seconds that a client has to send the request line and headers.",
    )
    body_timeout_s: float = Field(
        default=30, gt=0, description="Seconds that a client has to send a request's body."
    )
    idle_timeout_s: float = Field(
        default=75, gt=0, description="Seconds that a connection may stay open without a request."
    )
    write_timeout_s: float = Field(
        default=20,
        gt=0,
        description="Seconds that a client may leave its response unread before it gets cut off.",
    )
    sending_bytes: int = Field(
        default=256 * 1024**2,
        ge=1,
        description="Memory per worker for responses that clients have not read yet; beyond that, "
        "clients that stopped reading are disconnected, then requests get a 503.",
    )
    shipped: Path | None = Field(
        default=None,
        description="Folder of the model named `shipped`; if unset, the one in this package.",
    )

    engine: Literal["server", "page"] = Field(
        default="server",
        description="What computes for the models that a browser can run itself, `shipped` and "
        "`scratch`: this server, or each reader's page, which then asks the server for files only. "
        "`engine=` in an address overrides it.",
    )

    classes: Literal["off", "given", "on"] = Field(
        default="off",
        description="Live classes: none, those that `headlight class` opens, or also those that "
        "anyone starts from the page. docs/class.md explains them.",
    )
    class_store: Annotated[str | None, BeforeValidator(_or_none)] = Field(
        default=None,
        description="Where classes lie while they last: a folder that all workers can write to, "
        "or, for several machines, a Redis: redis://host:6379/0 (with the extra `redis`). "
        "If unset, a folder in the home of the user who runs the server.",
    )
    class_people: int = Field(default=500, ge=1, le=5_000, description="People per class.")
    classes_max: int = Field(default=20, ge=1, le=1_000, description="Classes at once.")
    class_hours: float = Field(
        default=12.0,
        gt=0,
        le=168,
        description="Hours after which a class ends, unless its teacher is connected.",
    )
    class_away_minutes: float = Field(
        default=60.0,
        ge=10,
        description="Minutes after which a class ends whose teacher has closed all pages.",
    )
    class_words: Annotated[Path | None, BeforeValidator(_or_none)] = Field(
        default=None,
        description="A file with words, one a line, that nicknames and what people write for all "
        "to see must not contain, besides the insults in sixteen languages that come with "
        "Headlight.",
    )

    lessons: Path | None = Field(
        default=None,
        description="Folder of your own lessons, listed after the course; docs/lessons.md explains "
        "how to write one.",
    )

    programs: bool = Field(
        default=True,
        description="Whether readers may run the programs of lessons, each in a process of its own "
        "with limits. A process of about 250 MB waits for them for five minutes after each.",
    )

    training: bool = Field(
        default=True,
        description="Whether readers may train small networks by hand on this server. Each run is "
        "a process of one thread at the lowest priority.",
    )
    training_at_once: int = Field(
        default=1, ge=1, le=64, description="Networks by hand that train at once; others wait."
    )
    training_store: Annotated[Path | None, BeforeValidator(_or_none)] = Field(
        default=None,
        description="Where they lie for a day: a folder that all workers can write to. If unset, a "
        "folder in the home of the user who runs the server.",
    )

    models: Annotated[tuple[str, ...], NoDecode, BeforeValidator(_split)] = Field(
        default=(),
        description="Checkpoints to serve besides the shipped model, as [NAME=]FOLDER or "
        "[NAME=]HUB_ID, separated by commas (or a JSON list).",
    )
    device: str = Field(
        default="cpu",
        pattern=r"^(cpu|auto|mps|cuda(:[0-9]{1,3})?)$",
        description="Where checkpoints run: cpu, cuda, cuda:1, mps, or auto for the first that is "
        "there. The shipped model and the mechanisms run on the CPU.",
    )
    dtype: Literal["float32", "bfloat16", "float16", "auto"] = Field(
        default="float32",
        description="What checkpoints run in; auto is bfloat16 where that is faster, with numbers "
        "of three digits. Responses hold float32 unless they ask for less.",
    )
    cache: Annotated[Path | None, BeforeValidator(_or_none)] = Field(
        default=None,  # model/sources/cache.py reads the variable, for every command
        description="Folder of models that were fetched, or read back from GGUF; if unset, "
        "headlight in the cache folder of the user.",
    )
    model_bytes: int = Field(
        default=4 * 1024**3,
        ge=1,
        description="Memory per worker for the weights of loaded models; beyond that, the least "
        "recently used model is unloaded.",
    )

    max_texts: int = Field(default=limit("texts"), ge=1, description="Texts per request.")
    max_characters: int = Field(
        default=limit("characters"), ge=1, description="Characters (code points) per text."
    )
    max_tokens: int = Field(
        default=limit("tokens"),
        ge=1,
        description="Tokens per text; a model's own limit may be lower.",
    )
    max_body_bytes: int = Field(
        default=limit("body_bytes"), ge=1, description="Bytes of a request's body."
    )
    max_answer_bytes: int = Field(
        default=limit("answer_bytes"),
        ge=1,
        description="Bytes of a response, estimated before it is computed.",
    )

    max_mute_tokens: int = Field(
        default=limit("mute_tokens"),
        ge=1,
        description="Tokens that `mute_effects` may run per request: "
        "texts · tokens · heads of all layers.",
    )

    max_work_s: float = Field(
        default=20,
        gt=0,
        description="Seconds of processor time per request, estimated before it runs.",
    )

    cache_bytes: int = Field(
        default=256 * 1024**2,
        ge=0,
        description="Memory per worker for cached traces.",
    )
    answer_cache_bytes: int = Field(
        default=64 * 1024**2,
        ge=0,
        description="Memory per worker for cached responses.",
    )
    memory_bytes: int | None = Field(
        default=None,
        ge=1,
        description="Total memory per worker, including models; near it, caches are emptied; "
        "beyond it, requests are refused. If unset, 80% of the container or machine, divided among "
        "the workers.",
    )
    concurrency: int = Field(
        default=1, ge=1, le=64, description="Requests computed at once per worker."
    )
    compute_timeout_s: float = Field(
        default=60, gt=0, description="Seconds that a request may compute before it is stopped."
    )
    queue_size: int = Field(
        default=128, ge=0, le=1_000, description="Requests per worker that may wait for their turn."
    )
    queue_timeout_s: float = Field(
        default=30,
        gt=0,
        description="Seconds that a request may wait for its turn before it gets a 503.",
    )
    load_timeout_s: float = Field(
        default=60, gt=0, description="Seconds that a request may wait for its model to load."
    )
    torch_threads: int = Field(
        default=1,
        ge=1,
        le=256,
        description="Threads per computation. More workers are better than more threads.",
    )

    cluster_min_replicas: int = Field(
        default=1, ge=1, le=1_000, description="Minimum replicas per model with --engine ray."
    )
    cluster_max_replicas: int = Field(
        default=4, ge=1, le=1_000, description="Maximum replicas per model with --engine ray."
    )
    cluster_target_queue: float = Field(
        default=4,
        gt=0,
        description="Target for the average number of requests per replica, running and waiting; "
        "above it --engine ray adds replicas, below it it removes some.",
    )
    cluster_models: dict[str, Placement] = Field(
        default={},
        description='Resources per model with --engine ray, as JSON: {"my-bert": {"cpus": 4, '
        '"memory_bytes": 8000000000, "resources": {"large": 1}, "max_replicas": 2}}.',
    )

    @model_validator(mode="after")
    def _replicas_fit(self) -> "Settings":
        for name, own in {"every model": Placement(), **self.cluster_models}.items():
            minimum = own.min_replicas or self.cluster_min_replicas
            maximum = own.max_replicas or self.cluster_max_replicas
            if minimum > maximum:
                raise ValueError(
                    f"expected min_replicas to be at most max_replicas; {name} has {minimum} and "
                    f"{maximum}"
                )
        return self
