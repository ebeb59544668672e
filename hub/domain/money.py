"""Money as integers of a currency's minor unit, and the one rounding rule: halves go up, once."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType
from typing import Final

# The active codes of ISO 4217 (2026) by minor digits; codes without a minor unit (metals, tests) hold no amount.
_CODES_OF_DIGITS: Final = {
    0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
    2: "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY"
    " COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS"
    " INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR"
    " MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP"
    " STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG",
    3: "BHD IQD JOD KWD LYD OMR TND",
    4: "CLF UYW",
}

CURRENCIES: Final[Mapping[str, int]] = MappingProxyType(
    {code: digits for digits, codes in _CODES_OF_DIGITS.items() for code in codes.split()}
)
"""Every accepted currency code and the digits of its minor unit (USD 2, JPY 0, KWD 3)."""

_OTHER_CODES: Final = {
    0: "BYR IRT",
    2: "ANG BGN CUC GGP HRK IMP JEP PRB SLL VEF",
    8: "BTC",
}

PLATFORM_CURRENCIES: Final[Mapping[str, int]] = MappingProxyType(
    {**CURRENCIES, **{code: digits for digits, codes in _OTHER_CODES.items() for code in codes.split()}}
)
"""The same with the codes that shop platforms offer and ISO 4217 has not, or not any more: orders may be in them."""

PERCENTAGE_SCALE: Final = 10_000
"""A percentage has up to four decimals, so times this it is an integer: "8.25" percent is 82500."""

_WHOLE_DIGITS: Final = 12
_WIDE: Final = Context(prec=40, rounding=ROUND_HALF_UP)
_LARGEST: Final = 10**18
"""Amounts are kept in 64 bits."""
_DIGITS: Final = frozenset(PLATFORM_CURRENCIES.values())
_UNIT: Final = {digits: Decimal(1).scaleb(-digits) for digits in _DIGITS}
# How many minor units make a major one, and how both are written.
_WRITTEN: Final[Mapping[int, tuple[int, str]]] = {
    digits: (10**digits, f"%d.%0{digits}d") for digits in _DIGITS if digits
}
_AMOUNT: Final = {
    digits: re.compile(r"[0-9]{1,12}" + (rf"(?:\.[0-9]{{1,{digits}}})?" if digits else "")) for digits in _DIGITS
}
_PERCENTAGE: Final = re.compile(r"[0-9]{1,12}(?:\.[0-9]{1,4})?")


class MoneyError(ValueError):
    """An amount, percentage or currency that is refused; the text completes a sentence that begins with its name."""


def minor_digits(code: str) -> int:
    """Return how many digits the minor unit of `code` has; raise MoneyError if no platform has such a currency."""
    try:
        return PLATFORM_CURRENCIES[code]
    except KeyError:
        raise MoneyError('must be an ISO 4217 currency code in upper case, such as "USD"') from None


@lru_cache(maxsize=4096)
def parse_money(text: str, currency: str) -> int:
    """Read an amount such as "49.90" into minor units of `currency`; raise MoneyError for any other form."""
    digits = minor_digits(currency)
    if _AMOUNT[digits].fullmatch(text) is None:
        raise MoneyError(_amount_rule(digits, currency))
    whole, _, fraction = text.partition(".")
    return int(whole + fraction.ljust(digits, "0"))


def _amount_rule(digits: int, currency: str) -> str:
    example = "49." + "90".ljust(digits, "0")[:digits] if digits else "49"
    decimals = f"at most {digits} decimals" if digits else "no decimals"
    return f'must be an amount such as "{example}": up to {_WHOLE_DIGITS} digits and {decimals} for {currency}'


def to_minor(amount: Decimal, currency: str) -> int:
    """Turn major units into minor ones, halves away from zero; raise MoneyError if not finite or over 12 digits."""
    digits = minor_digits(currency)
    if not amount.is_finite() or (amount and amount.adjusted() >= _WHOLE_DIGITS):
        raise MoneyError(f"must be a number of at most {_WHOLE_DIGITS} digits before the point")
    minor = int(_WIDE.scaleb(_WIDE.quantize(amount, _UNIT[digits]), digits))
    if abs(minor) >= _LARGEST:
        raise MoneyError(f"must be less than {_LARGEST // 10**digits:,} {currency}")
    return minor


@lru_cache(maxsize=4096)
def format_money(minor: int, currency: str) -> str:
    """Write minor units as text in major ones with all their digits: 4990 is "49.90" in USD and "4990" in JPY."""
    digits = minor_digits(currency)
    if not digits:
        return str(minor)
    scale, form = _WRITTEN[digits]
    return form % divmod(minor, scale) if minor >= 0 else "-" + form % divmod(-minor, scale)


def money_shown(minor: int, code: str) -> str:
    """Return an amount for a proof of the books, which may meet a currency that there is not: then minor units."""
    return format_money(minor, code) if code in PLATFORM_CURRENCIES else f"{minor} (minor units)"


def read_money(text: str) -> int:
    """Read back what `format_money` wrote, of any size and sign; the text itself carries all minor digits."""
    return int(text.replace(".", ""))


@lru_cache(maxsize=4096)
def scaled_percentage(text: str) -> int:
    """Read a percentage into ten-thousandths of a percent ("8.25" is 82500); raise MoneyError for any other form."""
    if _PERCENTAGE.fullmatch(text) is not None:
        whole, _, fraction = text.partition(".")
        scaled = int(whole + fraction.ljust(4, "0"))
        if scaled <= 100 * PERCENTAGE_SCALE:
            return scaled
    raise MoneyError('must be a percentage from "0" to "100" with at most 4 decimals')


def parse_percentage(text: str) -> Fraction:
    """Read a percentage of 0 to 100 with up to four decimals, "8.25" as 33/4; raise MoneyError for other forms."""
    return Fraction(scaled_percentage(text), PERCENTAGE_SCALE)


def round_half_up(value: Fraction | int) -> int:
    """Round to the nearest integer, halves away from zero, so that a correction mirrors what it corrects."""
    return divide_half_up(value.numerator, value.denominator)


def divide_half_up(numerator: int, denominator: int) -> int:
    """Return the quotient as the nearest integer, halves away from zero; the denominator is positive."""
    if numerator < 0:
        return -divide_half_up(-numerator, denominator)
    return (2 * numerator + denominator) // (2 * denominator)
