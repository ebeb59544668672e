"""A connector's options: texts in, typed values out, and a sentence for everything that cannot be meant."""

from __future__ import annotations

from enum import Enum
from typing import Any, Literal

import pytest
from attrs import field, frozen, validators

from hub.domain.connectors.options import OptionsFault, options_flaws, read_options, split_options


class Speed(Enum):
    SLOW = "slow"
    FAST = "fast"


@frozen
class Options:
    word: str = "a"
    days: int = field(default=7, validator=validators.ge(0))
    open: bool = False
    slugs: tuple[str, ...] = ()
    tax: Literal["excluded", "included"] = "excluded"
    speed: Speed = Speed.SLOW
    maybe: int | None = None


@pytest.mark.parametrize(
    ("given", "value"),
    [
        ({}, Options()),
        ({"word": "b c", "days": "14"}, Options(word="b c", days=14)),
        ({"open": "Yes", "slugs": " a, b ,,c"}, Options(open=True, slugs=("a", "b", "c"))),
        ({"tax": "included", "speed": "fast", "maybe": "3"}, Options(tax="included", speed=Speed.FAST, maybe=3)),
        ({"open": "0", "slugs": ""}, Options()),
    ],
)
def test_texts_are_read_by_their_types(given: dict[str, str], value: Options) -> None:
    """Every kind of field has one way to be written."""
    assert read_options(Options, given) == value


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"dayz": "1"}, "There is no option 'dayz'. Did you mean days?"),
        ({"colour": "1"}, "The connector has no option 'colour'. It has: word, days, open, slugs, tax, speed, maybe."),
        ({"days": "7.5"}, "The option days must be a whole number of at most 9 digits; '7.5' is not."),
        ({"days": "\u0667"}, "The option days must be a whole number of at most 9 digits; "),
        ({"days": "9" * 5000}, "whole number"),
        ({"open": "perhaps"}, "The option open must be true or false; 'perhaps' is not."),
        ({"tax": "none"}, "The option tax must be one of excluded, included; 'none' is not."),
        ({"word": "a\0"}, "printable"),
        ({"days": "-1"}, "The options do not go together: "),
    ],
)
def test_what_cannot_be_meant_is_said(given: dict[str, str], said: str) -> None:
    """In a sentence that names the option and the mend."""
    with pytest.raises(OptionsFault) as caught:
        read_options(Options, given)
    assert said in str(caught.value)


def test_all_faults_come_at_once() -> None:
    """Nobody mends one fault at a time."""
    with pytest.raises(OptionsFault) as caught:
        read_options(Options, {"days": "x", "open": "x", "nonsense": "x"})
    assert len(caught.value.faults) == 3


def test_pairs_are_split_at_the_first_equals_sign() -> None:
    """As typed on the command line."""
    assert split_options(("a=1", "delivered-after=x=y", "b=")) == {"a": "1", "delivered_after": "x=y", "b": ""}
    for bad in (("a",), ("=1",), ("a=1", "a=2")):
        with pytest.raises(OptionsFault):
            split_options(bad)


def test_a_class_that_cannot_hold_options_is_found_at_the_start() -> None:
    """Found when the hub starts, not when an operator types."""

    @frozen
    class Bare:
        needed: str
        odd: dict[str, Any] = field(factory=dict)

    flaws = list(options_flaws(Bare))
    assert flaws[0] == "an option needed without a default"
    assert flaws[1].startswith("an option odd of a type that no text can be read as")
    assert list(options_flaws(Options)) == []
    assert list(options_flaws(dict)) == ["options that are no attrs class"]
    assert list(options_flaws(Options())) == ["options that are no attrs class"]
