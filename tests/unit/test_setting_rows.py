"""The rows of the settings of a mechanism (static/js/facts/mechanisms.json) fit its types."""

from typing import Any, Literal, get_args, get_origin

import pytest

from model.facts import facts
from model.scratch.mechanisms import ROWS, TYPES, Parameters
from server.api.schemas.scratch import setting_of

WORDS = {float: "number", int: "integer", bool: "flag"}
TOLD = facts("mechanisms")


def parts(annotation: Any) -> tuple[Any, ...]:
    return get_args(annotation) if get_origin(annotation) is not Literal else (annotation,)


@pytest.mark.parametrize("name", TYPES)
def test_a_row_has_the_type_of_its_field(name: str) -> None:
    setting = setting_of(name)
    some = parts(TYPES[name]) or (TYPES[name],)
    literals = [part for part in some if get_origin(part) is Literal]
    assert setting.nullable == (type(None) in some)
    assert set(setting.options) == {value for part in literals for value in get_args(part)}
    kinds = [word for kind, word in WORDS.items() if kind in some]
    assert [setting.type] == (kinds or ["option"])
    assert (setting.limits is None) == (setting.type in ("option", "flag"))


def test_every_setting_has_a_row_and_a_place_on_the_page() -> None:
    assert list(Parameters.__dataclass_fields__) == list(ROWS)
    assert sorted(TOLD["shown"]) == sorted(ROWS)


@pytest.mark.parametrize("name", TYPES)
def test_a_list_on_the_page_offers_what_the_server_takes(name: str) -> None:
    setting = setting_of(name)
    offered = {value for value, _ in TOLD["settings"][name].get("choose", ())}
    numbers = {value for value in offered if value.removeprefix("-").isdigit()}
    assert ("" in offered) == (setting.nullable and bool(setting.options))
    assert offered - numbers - {""} == {*setting.options}
    least, most = setting.limits or (0, 0)
    assert all(least <= int(value) <= most for value in numbers)
