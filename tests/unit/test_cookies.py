"""Reading one cookie from a header, whatever else it contains."""

import pytest

from server.http.guard.cookies import cookie, ours


@pytest.mark.parametrize(
    ("header", "value"),
    [
        ("", None),
        ("mine", None),
        ("other=1", None),
        ("mine=1", "1"),
        ("other=2; mine=1; more=3", "1"),
        ("mine=1; mine=2", "1"),
        (" mine = a=b ;", "a=b"),
        ("mine=", ""),
        ("notmine=1", None),
        ('mine="quoted"', '"quoted"'),
        (";;=;=1; mine=ü", "ü"),
    ],
)
def test_value_is_found(header: str, value: str | None) -> None:
    assert cookie(header, "mine") == value


@pytest.mark.parametrize(
    ("header", "kept"),
    [
        ("a=1; headlight_x=2; b=3;headlight_y=A-b_c.~=", "headlight_x=2; headlight_y=A-b_c.~="),
        ('headlight_x="\\"', ""),
        ("headlight_x=ü", ""),
        ("headlight_x=" + "a" * 600, ""),
        ("Headlight_x=1", ""),
        ("", ""),
    ],
)
def test_only_ours_are_kept(header: str, kept: str) -> None:
    assert ours(header) == kept
