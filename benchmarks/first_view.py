"""What does the first view cost: bytes over the wire, and milliseconds until there is a picture?

Measures, for a text of 16, 128 and 512 tokens, in Chromium against the real server, nothing cached:
the bytes of the page, its modules and its tensors (plotly apart: it is fetched once, after the
first picture), the time until all heads and the selected one stand on canvas, and the time until
plotly has drawn the selected one. Beside them the same heads as plain JSON, which is what the
obvious design would send, in the same run.

Why: a class opens the page at once, on a slow network. Run:

    python -m benchmarks.first_view [--repeats 5]

The last line is JSON: one object for each length.
"""

import argparse
import json
import urllib.request
from statistics import median
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import Browser, Response

from scripts.live import chromium, serving

LENGTHS = (16, 128, 512)  # tokens, [BOS] included


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--repeats", type=int, default=5, help="page loads a length")
    repeats = arguments.parse_args().repeats
    with serving() as address, chromium() as browser:
        rows = [measure(browser, address, n, repeats) for n in LENGTHS]
    for row in rows:
        print(
            "{tokens:>4} tokens: heads after {heads_ms:.0f} ms, all after {ready_ms:.0f} ms;"
            " page {page_kib:.0f} KiB, plotly {plotly_kib:.0f} KiB, tensors {tensors_kib:.0f} KiB"
            " = {of_json:.3f} of the JSON of every head ({json_kib:.0f} KiB)".format(**row)
        )
    print(json.dumps({"benchmark": "first_view", "lengths": rows}))


def measure(browser: Browser, address: str, n: int, repeats: int) -> dict[str, Any]:
    text = " ".join(["cat"] * (n - 1))
    loads = [load(browser, f"{address}/?{urlencode({'text': text})}") for _ in range(repeats)]
    typical = {name: median(each[name] for each in loads) for name in loads[0]}
    body = json.dumps({"texts": [text]}).encode()
    call = urllib.request.Request(
        f"{address}/api/trace", body, {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(call) as response:
        as_json = len(response.read()) / 1024
    ratio = typical["tensors_kib"] / as_json
    return {"tokens": n, **typical, "json_kib": as_json, "of_json": ratio}


def load(browser: Browser, url: str) -> dict[str, float]:
    """One page load in a fresh context, so that nothing is cached."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer))
    page.goto(url)
    page.locator("html[data-state=ready]").wait_for(state="attached")
    ready_ms = page.evaluate("performance.now()")
    heads_ms = page.evaluate("performance.getEntriesByName('heads')[0].startTime")
    kib = {"page": 0.0, "tensors": 0.0, "plotly": 0.0}
    for answer in answers:
        kind = (
            "tensors" if "/api/" in answer.url else "plotly" if "plotly" in answer.url else "page"
        )
        kib[kind] += answer.request.sizes()["responseBodySize"] / 1024
    context.close()
    return {
        "heads_ms": heads_ms,
        "ready_ms": ready_ms,
        "page_kib": kib["page"],
        "tensors_kib": kib["tensors"],
        "plotly_kib": kib["plotly"],
    }


if __name__ == "__main__":
    main()
