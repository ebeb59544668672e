"""The list of countries: known letters and names, and none that is not one."""

from __future__ import annotations

import re

import pytest

from hub.domain.countries import COUNTRIES, country_choices, is_country


def test_it_is_that_of_iso_3166() -> None:
    assert len(COUNTRIES) == len(set(COUNTRIES.values())) == 249
    assert all(re.fullmatch("[A-Z]{2}", letters) for letters in COUNTRIES)
    assert (COUNTRIES["DE"], COUNTRIES["GE"], COUNTRIES["US"]) == ("Germany", "Georgia", "United States")


def test_people_choose_by_name() -> None:
    names = [name for _, name in country_choices()]
    assert names == sorted(names)


@pytest.mark.parametrize("text", ["", "ZZ", "de", "EU", "UK", "DEU", "Germany"])
def test_what_is_no_country(text: str) -> None:
    assert not is_country(text)
