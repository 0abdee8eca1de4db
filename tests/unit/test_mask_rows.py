"""The table of masks (static/js/facts/masks.json) and what each language adds to it."""

from dataclasses import fields

from headlight.request.masks import MASKS
from model.facts import facts
from model.masks.rules import ROWS, MaskSettings


def test_every_mask_is_a_setting_of_the_model_and_of_the_client() -> None:
    settings = tuple(each.name for each in fields(MaskSettings))
    assert settings == MASKS == tuple(ROWS)


def test_every_reason_has_a_bit_of_its_own_in_a_byte() -> None:
    bits = [reason["bit"] for reason in facts("masks")["reasons"]]
    assert len({*bits}) == len(bits)
    assert {*bits} <= {1 << n for n in range(8)}
