"""A local Ray cluster: two replicas, a class that types, and a replica that is killed.

Ray takes about 20 s to start and 2 GB, so that there is one cluster for all of it, and it runs
beside no other test that needs much memory: `-m cluster`, `-m "not cluster"`.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import httpx2
import psutil
import pytest
from prometheus_client.parser import text_string_to_metric_families

from scripts import live
from tests.cluster.typists import Typed, keystroke, type_all

pytest.importorskip("ray.serve", reason="the extra `cluster` is not installed")
pytestmark = pytest.mark.cluster

REPLICA = "ray::ServeReplica:headlight:shipped"


@pytest.fixture(scope="module")
def cluster() -> Iterator[tuple[str, psutil.Process]]:
    """The address of a cluster with two replicas, and the process that holds it."""
    two = {"cluster_min_replicas": "2", "cluster_max_replicas": "2"}
    # Beside other tests, and while the killed replica's successor imports, one answer takes 2 s.
    two["shutdown_timeout_s"] = "90"
    # Beside other tests Ray's proxy may take longer to start than the 5 s that Ray gives it, and
    # its workers, which otherwise yield to every other process, may not get any time at all.
    busy = {"RAY_SERVE_PROXY_READY_CHECK_TIMEOUT_S": "60", "RAY_worker_niceness": "0"}
    ray = live.running("--engine", "ray", settings=two, environment=busy, timeout_s=300)
    with ray as server:
        yield server.address, psutil.Process(server.process.pid)


@pytest.fixture
def client(cluster: tuple[str, psutil.Process]) -> Iterator[httpx2.Client]:
    with httpx2.Client(base_url=cluster[0], timeout=30) as client:
        yield client


def numbers(client: httpx2.Client, name: str) -> Counter[str]:
    """One number of /metrics, of each replica of the model."""
    time.sleep(1.1)  # the ingress asks its replicas once a second
    found: Counter[str] = Counter()
    for family in text_string_to_metric_families(client.get("/metrics").text):
        for sample in family.samples:
            if sample.name == name and sample.labels["model"] == "shipped":
                found[sample.labels["replica"]] += int(sample.value)
    return found


def replicas(cluster: psutil.Process) -> list[psutil.Process]:
    """The replicas of the model in this cluster."""
    found = []
    for process in cluster.children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            if REPLICA in " ".join(process.cmdline()):
                found.append(process)
    return found


def test_it_is_the_same_app(client: httpx2.Client) -> None:
    assert client.get("/readyz").json() == {"status": "ok"}
    models = client.get("/api/models").json()["models"]
    assert [(model["name"], model["state"]) for model in models] == [
        ("shipped", "ready"),
        ("scratch", "ready"),
    ]
    page = client.get("/")
    assert page.status_code == 200 and '"state": "ready"' in page.text
    assert client.get("/static/css/tokens.css").status_code == 200
    elsewhere = {"Host": "elsewhere.example"}
    for answer, code in (
        (client.get("/nowhere"), "not_found"),
        (client.post("/api/trace", json={"texts": ["x"], "model": "zz"}), "unknown_model"),
        (client.post("/api/trace", json={"texts": ["x"], "zz": 1}), "unknown_field"),
        (client.post("/api/trace", content=b"{" + b" " * 300_000), "body_too_large"),
        (client.delete("/api/trace"), "method_not_allowed"),
        (client.post("/api/trace", json={"texts": ["x"]}, headers=elsewhere), "unknown_host"),
    ):
        assert answer.json()["error"]["code"] == code
        assert len(answer.headers.get_list("content-security-policy")) == 1
    tensors = client.post(
        "/api/trace", json={"texts": ["a cat"]}, headers={"Accept": "application/safetensors"}
    )
    assert tensors.headers["content-type"] == "application/safetensors"


def test_it_talks_to_this_machine_alone(cluster: tuple[str, psutil.Process]) -> None:
    """Ray sends usage reports unless that is switched off."""
    ours = {each.address for some in psutil.net_if_addrs().values() for each in some}
    members = [cluster[1], *cluster[1].children(recursive=True)]
    assert len(members) > 5
    asked = set()
    for process in members:
        with suppress(psutil.NoSuchProcess):
            asked |= {each.raddr.ip for each in process.net_connections("inet") if each.raddr}
    assert {address.removeprefix("::ffff:") for address in asked} <= ours != set()


def test_equal_texts_go_to_the_same_replica(client: httpx2.Client) -> None:
    before = numbers(client, "headlight_cache_misses_total")
    texts = [f"the cat sat on mat {n}" for n in range(16)]
    for resolution in (64, 32, 16):  # another selection of the same trace
        for text in texts:
            asked = keystroke(text)
            asked["parts"]["grid"]["resolution"] = resolution
            assert client.post("/api/trace", json=asked).status_code == 200
    computed = numbers(client, "headlight_cache_misses_total") - before
    assert len(computed) == 2, "both replicas work"
    assert sum(computed.values()) == len(texts), "each text was computed once in the cluster"


def test_no_keystroke_is_lost_when_a_replica_is_killed(
    cluster: tuple[str, psutil.Process],
) -> None:
    address, holder = cluster
    seen = Typed()
    victim = replicas(holder)[0]

    typists, letters = 8, 20

    async def kill_one_of_two() -> None:
        while seen.sent < typists * letters / 3:  # in the middle of it
            await asyncio.sleep(0.01)
        victim.kill()

    async def lesson() -> None:
        await asyncio.gather(type_all(letters, address, typists, 0.3, seen), kill_one_of_two())

    asyncio.run(lesson())
    assert seen.wrong == []
    assert seen.answered == seen.sent == typists * letters
    end = time.monotonic() + 150  # Ray imports everything anew, beside the other tests
    while len(replicas(holder)) < 2 and time.monotonic() < end:
        time.sleep(0.2)
    now = replicas(holder)
    assert len(now) == 2 and victim not in now, "a new replica takes the place of the dead one"


def test_what_is_open_is_finished_before_the_end(
    cluster: tuple[str, psutil.Process], client: httpx2.Client
) -> None:
    """This test must be the last one, because it ends the cluster."""
    words = "the cat sat on the mat and ran " * 12
    texts = [f"{i} {words}" for i in range(8)]  # each its own, so that no answer is shared
    sent: list[httpx2.Request] = []
    client.event_hooks = {"request": [sent.append]}
    with ThreadPoolExecutor(len(texts)) as pool:
        open_ones = [
            pool.submit(
                client.post, "/api/trace", json={"texts": [text], "analyse": {"mute_effects": {}}}
            )
            for text in texts
        ]
        while len(sent) < len(texts) or not any(one.done() for one in open_ones):
            time.sleep(0.01)
        assert not all(one.done() for one in open_ones), "they take long enough for this test"
        cluster[1].terminate()
        answers = [one.result() for one in open_ones]
        assert [one.text[:300] for one in answers if one.status_code != 200] == []
