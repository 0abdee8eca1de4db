"""The models of other languages achieve what their cards say, so a worse file cannot land."""

import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from model.core.checkpoint import LANGUAGES, OTHERS
from model.gallery import load_gallery
from model.training.evaluation.evaluate import Report
from model.training.gallery.rows import BESIDE, rows_of
from tests.unit.training.test_shipped import card_lacks

pytestmark = pytest.mark.long

# What the files reached, less a small margin. The goals stand in the table of `headlight evaluate`,
# and the cards tell which are not reached.
FLOORS: dict[str, dict[str, float]] = {
    "de": {
        "previous token": 0.88,
        "induction": 0.95,
        "induction, the second head": 0.94,
        "same token earlier": 0.02,
        "verb → its subject, across a distractor": 0.96,
        "verb at the end → its subject": 0.97,
        "prefix that parted → its verb": 0.97,
        "participle or infinitive → its auxiliary": 0.97,
        "article → the verb that asks for its case": 0.97,
        "possessive → antecedent": 0.74,
        "er, sie, es → antecedent": 0.86,
        "closing bracket → its opener, nested": 0.14,
        "closing quote → its opener, nested": 0.13,
        "key–value recall: key → value": 0.84,
        "sink on [BOS]": 0.79,
        "agreement across a distractor": 0.98,
        "agreement of a verb at the end": 0.98,
        "a prefix that the verb can have": 0.95,
        "participle or infinitive": 0.98,
        "dative or accusative": 0.98,
        "gender of a possessive": 0.98,
        "er, sie or es": 0.98,
        "closing brackets and quotes": 0.97,
        "key–value recall": 0.95,
        "indirect object": 0.97,
        "agreement of unknown words": 0.61,
        "copying a random passage": 0.97,
    },
    "zh": {
        "previous token": 0.94,
        "induction": 0.95,
        "induction, the second head": 0.94,
        "same token earlier": 0.02,
        "classifier → the noun before it": 0.95,
        "noun → its classifier, across adjectives": 0.83,
        "possessive → antecedent": 0.96,
        "他 or 她 after 因为 → antecedent": 0.93,
        "second correlative → the first": 0.62,
        "呢 → the question word": 0.89,
        "closing bracket → its opener, nested": 0.46,
        "closing quote → its opener, nested": 0.66,
        "key–value recall: key → value": 0.83,
        "sink on [BOS]": 0.77,
        "the classifier of a noun before it": 0.62,
        "a noun that fits its classifier": 0.98,
        "gender of a possessive": 0.98,
        "他 or 她 after 因为": 0.98,
        "the second correlative": 0.98,
        "吗 or 呢": 0.98,
        "closing brackets and quotes": 0.97,
        "key–value recall": 0.98,
        "indirect object": 0.97,
        "closing around unknown words": 0.56,
        "copying a random passage": 0.97,
    },
    "zh-x-chars": {
        "previous token": 0.97,
        "induction": 0.96,
        "induction, the second head": 0.95,
        "same token earlier": 0.03,
        "classifier → the noun before it": 0.95,
        "noun → its classifier, across adjectives": 0.80,
        "possessive → antecedent": 0.95,
        "他 or 她 after 因为 → antecedent": 0.96,
        "second correlative → the first": 0.97,
        "呢 → the question word": 0.88,
        "closing bracket → its opener, nested": 0.20,
        "closing quote → its opener, nested": 0.22,
        "key–value recall: key → value": 0.87,
        "sink on [BOS]": 0.80,
        "the classifier of a noun before it": 0.75,
        "a noun that fits its classifier": 0.94,
        "gender of a possessive": 0.98,
        "他 or 她 after 因为": 0.98,
        "the second correlative": 0.98,
        "吗 or 呢": 0.97,
        "closing brackets and quotes": 0.97,
        "key–value recall": 0.96,
        "indirect object": 0.87,
        "closing around unknown words": 0.56,
        "copying a random passage": 0.97,
    },
}


@pytest.fixture(scope="module", params=OTHERS)
def measured(request: pytest.FixtureRequest) -> tuple[str, Path, Report]:
    """Evaluated in a separate process, since the tests' shape checker is three times slower."""
    folder = LANGUAGES / OTHERS[request.param]
    code = (
        "import pickle, sys; from pathlib import Path;"
        "from model.training.evaluation.evaluate import evaluate;"
        "pickle.dump(evaluate(Path(sys.argv[1])), sys.stdout.buffer)"
    )
    command = [sys.executable, "-c", code, str(folder)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE)
    report = pickle.loads(done.stdout)
    assert isinstance(report, Report)
    return request.param, folder, report


def test_it_does_as_well_as_before(measured: tuple[str, Path, Report]) -> None:
    language, _, report = measured
    reached = {relation.name: relation.best.value for relation in report.relations}
    reached |= {each.name: each.value for each in report.measures if each.unit == "share"}
    assert reached.keys() == FLOORS[language].keys()
    low = {name: value for name, value in reached.items() if value < FLOORS[language][name]}
    assert not low


def test_its_card_tells_what_is_measured(measured: tuple[str, Path, Report]) -> None:
    _, folder, report = measured
    assert card_lacks(folder, report) == []


def test_its_examples_are_the_relations_that_it_draws(
    measured: tuple[str, Path, Report],
) -> None:
    language, folder, report = measured
    rows = rows_of(language)
    drawn = {relation.id for relation in report.relations if relation.best.value >= 0.5}
    shown = {entry.title for entry in load_gallery(folder)}
    expected = {row.title for row in rows.sentences if row.relation in drawn}
    expected |= {row.title for row in rows.places if row.relation in drawn}
    assert expected <= shown
    assert shown - expected <= {"A wrong mask", "Lines", "Before and after", BESIDE}


@pytest.mark.parametrize("name", OTHERS.values())
def test_it_is_small(name: str) -> None:
    files = (LANGUAGES / name).iterdir()
    assert sum(file.stat().st_size for file in files) <= 6 * 2**20
