"""`hl.dossier()`: the shipped model's dossier as tables."""

import json

import pytest

from headlight import Client, RequestError
from model.core.checkpoint import SHIPPED


def test_the_tables_hold_the_file(hl: Client) -> None:
    file = json.loads((SHIPPED / "dossier.json").read_text())
    dossier = hl.dossier()
    assert dossier.document == file == hl.dossier("shipped").document
    assert "24 heads over 400 sentences" in repr(dossier)
    row, head = dossier.heads[17], file["heads"][17]
    assert (row["site"], row["layer"], row["head"]) == ("layers.2", 2, 1)
    number = head["values"]["copying"]
    assert [row[name] for name in ("copying", "copying_low", "copying_high")] == [
        number["value"],
        number["low"],
        number["high"],
    ]
    assert [row["name"] for row in dossier.measures] == list(head["values"])
    shares = [row["share"] for row in dossier.distances if (row["layer"], row["head"]) == (2, 1)]
    assert sum(shares) == pytest.approx(1, abs=1e-3)
    first = dossier.top_examples[0]
    assert first["query_token"].strip() in first["text"]
    assert len(dossier.alike) == 24 * 4 and dossier.alike[0]["where"] == "here"


def test_a_model_without_one_says_how_to_make_it(hl: Client) -> None:
    with pytest.raises(RequestError, match="checkpoints only") as caught:
        hl.dossier("scratch")
    assert caught.value.code == "no_dossier"
