"""The metrics of many processes in one text."""

from prometheus_client.parser import text_string_to_metric_families

from server.cluster.exposition import merged
from server.http.metrics import Metrics


def test_every_number_says_whose_it_is() -> None:
    one, two = Metrics(), Metrics()
    one.hits.inc(2)
    two.hits.inc(5)
    two.requests.labels("/api/trace", "200").inc(3)
    two.seconds.labels("/api/trace").observe(0.02)
    text = merged([("", "front", one.exposition()), ("mine", "r2", two.exposition())]).decode()

    found = {
        (sample.name, *sorted(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }
    assert found["headlight_cache_hits_total", ("model", ""), ("replica", "front")] == 2
    assert found["headlight_cache_hits_total", ("model", "mine"), ("replica", "r2")] == 5
    asked = ("model", "mine"), ("replica", "r2"), ("route", "/api/trace")
    assert found["headlight_requests_total", *asked, ("status", "200")] == 3
    assert found["headlight_request_seconds_bucket", ("le", "0.025"), *asked] == 1
    assert text.count("# TYPE headlight_cache_hits_total counter") == 1
