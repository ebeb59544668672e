"""The settings of payouts."""

from __future__ import annotations

from attrs import frozen

from hub.config import money_readers
from hub.config import readers as kinds
from hub.config.sections import setting


@frozen
class PayoutSettings:
    """How affiliates are paid."""

    adjustments: str = setting(
        "automatic",
        kinds.choice("automatic", "by_hand"),
        "automatic: a refund after the payout reduces the next one; by_hand: an operator approves each.",
    )
    minimum: str = setting(
        "0", money_readers.minimum_amounts, "Minimum payout, like 25 or EUR:25,JPY:3000; less is carried over."
    )
    pay_day: str = setting(
        "",
        money_readers.days_of_month,
        "Day of the month on which the hub drafts a run, like 15, or EUR:1,USD:15; empty: only people do.",
    )
    net_days: int = setting(
        0, kinds.whole_number(0, 365), "How many days before its pay day money had to be payable to be in that run."
    )
    four_eyes_above: str = setting(
        "10000", money_readers.minimum_amounts, "A run that pays more in one currency is released by another person."
    )
    second_person_after: int = setting(
        "7d",
        kinds.duration(0),
        "How long someone who let another person in does not count as a second person beside them.",
    )
    payee_wait: int = setting("3d", kinds.duration(0), "How long after a change of payee a run carries its balance on.")
    exchange_age: int = setting(
        "7d",
        kinds.duration(1),
        "How long after its approval a rate of exchange is used for runs; older, and the balance is carried over.",
    )
    merchant_invoices: str = setting(
        "by_hand",
        kinds.choice("by_hand", "monthly"),
        "monthly: invoices to merchants are issued an hour after a month's end; by_hand: by command or page.",
    )
    issuer_address: str = setting("", kinds.text, "The network's address on invoices, in one line.")
    issuer_country: str = setting("", kinds.country, "Its country, two letters like DE; empty: invoices have no VAT.")
    issuer_vat_number: str = setting("", kinds.text, "Its VAT number on invoices.")
    vat_rate: str = setting("0", kinds.percentage, "VAT in percent on invoices to merchants of its own country.")
    vies: str = setting(
        "",
        kinds.web_root,
        "Where VAT numbers are looked up: https://ec.europa.eu/taxation_customs/vies/rest-api; empty: nowhere.",
    )
    invoice_due: int = setting("14d", kinds.duration(0), "How long a merchant may take to pay an invoice.")
    invoice_pay_to: str = setting("", kinds.text, "Where merchants pay invoices, like IBAN DE89 ...; empty: not said.")
    reminders: str = setting(
        "",
        money_readers.reminders,
        "How long after its due day a merchant is reminded of an invoice, like 7d,21d,35d; empty: not.",
    )
    overdue_limit: str = setting(
        "",
        money_readers.amounts_or_none,
        "What a merchant may owe overdue before runs pay nothing of it, like 100 or EUR:100; empty: any amount.",
    )
    dac7: bool = setting(
        False, kinds.switch, "Whether affiliates are asked for what DAC7 reports: date of birth, tax number and more."
    )
    chart: str = setting(
        "",
        money_readers.chart,
        "Account numbers of the journal that differ, like bank=1800,fees=4400 (places of the ledger).",
    )
    datev: str = setting(
        "", money_readers.datev, "The tax adviser's number and the client's for DATEV's journal, like 29098/55003."
    )
    debtor_name: str = setting("", kinds.text, "Name of the account that payments are made from.")
    debtor_iban: str = setting("", kinds.text, "IBAN of the account that SEPA payments are made from.")
    debtor_bic: str = setting("", kinds.text, "BIC of its bank; empty: left out.")
    ach_routing: str = setting("", kinds.text, "Routing number of the bank that ACH payments are made from.")
    ach_company_id: str = setting("", kinds.text, "The company id that this bank gave, at most ten characters.")
    bacs_user_number: str = setting("", kinds.text, "Service user number of Bacs, six digits.")
    bacs_sort_code: str = setting("", kinds.text, "Sort code of the account that Bacs payments are made from.")
    bacs_account: str = setting("", kinds.text, "Number of that account, eight digits.")
