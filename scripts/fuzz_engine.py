"""Sends the same random requests to the server and to the page's engine, and compares the answers.

Every request names `shipped` or `scratch`, with random masks, painted cells, mutes, tensors,
analyses, predictions and texts; a third are broken. A request of a wrong form is only the server's
to refuse: the page sends none. Numbers must agree within 2e-5, or 2e-5 of the
largest in their row if that is above 1; probabilities at a temperature below 1 within 2e-5 divided
by it; mute effects, which are logarithms, within 1e-4. Candidates whose probabilities are as close
may change places. What the engine says it lacks (the residual stream) is not compared. Everything
else must be equal; errors in their code, field, limit, status and, with few exceptions, message.

    python -m scripts.fuzz_engine [--requests 2000] [--seed 1]
    python -m scripts.fuzz_engine --seed 1 --only 4711    # repeat one, and print it

It needs Node. Exits with status 1 if there was a difference; each is reported with its number.
"""

import argparse
import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient

from model.core.checkpoint import SHIPPED
from scripts._fuzz.engine import (
    NODE,
    Engine,
    differences,
    document_differences,
    engine,
    read,
    tensor_differences,
    tensors_of,
)
from scripts._fuzz.questions import Question, question
from server.api.answers import JSON, SAFETENSORS
from server.app import create_app
from server.settings import Settings

MAX_FINDS = 40  # different ones; then it stops
COMPARED = ("code", "field", "limit")  # of an error, besides its status
# errors whose messages speak of the server, or of its models
OWN_WORDS = {"unknown_model", "answer_too_large", "too_many_runs"}
FORM = {"missing_field", "unknown_field", "invalid_value", "lone_surrogate"}  # see server/errors.py
NEEDS_SERVER = "Open this page from a Headlight server."  # ends what the engine lacks on purpose


@dataclass
class Report:
    """Counts of answers, and the differences found, with the numbers of their requests."""

    answers: Counter[str] = field(default_factory=Counter)
    finds: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))


@contextmanager
def serving(folder: Path = SHIPPED) -> Iterator[TestClient]:
    """The server, without the limit on processor time, which the engine does not have."""
    settings = Settings(shipped=folder, allowed_hosts=("testserver",), max_work_s=1e9)
    app = create_app(settings)
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


def fuzz(client: TestClient, page: Engine, seed: int, requests: int) -> Report:
    """Compare the answers to that many requests."""
    report = Report()
    for number in range(requests):
        answer, found = compared(client, page, question(seed, number))
        report.answers[answer] += 1
        if found:  # the others often follow from the first
            report.finds[found[0]].append(number)
        if len(report.finds) > MAX_FINDS:
            break
    return report


def compared(client: TestClient, page: Engine, asked: Question) -> tuple[str, list[str]]:
    """What the server answers (a status or an error's code), and all differences."""
    response = client.post(
        "/api/trace",
        content=json.dumps(asked.body),
        headers={
            "Content-Type": "application/json",
            "Accept": SAFETENSORS if asked.kind == "trace" else JSON,
        },
    )
    error = None if response.status_code == 200 else response.json()["error"]
    if error and error["code"] in FORM:
        return error["code"], []
    reply = page.ask(asked.kind, request=asked.body)
    if "crash" in reply:
        return "crash", [f"crash: {reply['crash'][:300]}"]
    if needs_server(reply):
        return "needs the server", []
    if error:
        return error["code"], list(_error_differences(response.status_code, error, reply))
    if "error" in reply:
        return "200", [f"refused: {reply['error']}"]
    answer = reply["answer"]
    if asked.kind == "stream":
        return "200", list(document_differences(response.json(), answer, asked.body))
    document, tensors = read(response.content)
    return "200", [
        *document_differences(document, answer["trace"], asked.body),
        *tensor_differences(tensors, tensors_of(answer)),
    ]


def needs_server(reply: dict[str, Any]) -> bool:
    """Whether the engine refuses what only the server can do."""
    error = reply.get("error")
    return isinstance(error, dict) and str(error.get("message")).endswith(NEEDS_SERVER)


def _error_differences(status: int, error: dict[str, Any], reply: dict[str, Any]) -> Iterator[str]:
    expected = {"status": status, **{name: error[name] for name in COMPARED}}
    # a file of weights with several faults may be refused for another of them
    if error["code"] not in OWN_WORDS and error["field"] != "scratch.weights":
        expected["message"] = error["message"]
    if expected["limit"] is not None:  # the largest seed is not a number of JavaScript
        expected["limit"] = float(error["limit"])
    other = reply.get("error")
    if not isinstance(other, dict):
        yield f"not refused: {error}"
        return
    found = {name: other[name] for name in expected}
    if list(differences(expected, found)):
        yield f"refused with {found}, not {expected}"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--requests", type=int, default=2_000)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--only", type=int, help="the number of one request")
    given = arguments.parse_args()
    if NODE is None:
        sys.exit("The page's engine runs in Node here. Install node, or put it on the PATH.")
    with serving() as client, engine() as page:
        if given.only is not None:
            asked = question(given.seed, given.only)
            print(json.dumps({asked.kind: asked.body})[:5_000])
            for difference in compared(client, page, asked)[1]:
                print(f"FOUND {difference}")
            return
        began = time.monotonic()
        report = fuzz(client, page, given.seed, given.requests)
    took_s = time.monotonic() - began
    counts = ", ".join(f"{answer} × {n:,}" for answer, n in report.answers.most_common())
    print(f"seed {given.seed}: {report.answers.total():,} requests in {took_s:.0f} s: {counts}")
    for difference, numbers in report.finds.items():
        print(f"FOUND {difference}\n  {len(numbers)} ×; --seed {given.seed} --only {numbers[0]}")
    if report.finds:
        sys.exit(1)


if __name__ == "__main__":
    main()
