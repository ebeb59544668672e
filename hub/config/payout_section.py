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
        "Day of the month on which the hub drafts a payout run, like 15, or EUR:1,USD:15; empty: people create runs.",
    )
    net_days: int = setting(
        0,
        kinds.whole_number(0, 365),
        "How many days before the pay day money must have become payable to be in that run.",
    )
    four_eyes_above: str = setting(
        "10000",
        money_readers.minimum_amounts,
        "A run that pays more than this in one currency must be released by a second person.",
    )
    second_person_after: int = setting(
        "7d",
        kinds.duration(0),
        "How long after someone gave another person access they do not count as that person's second person.",
    )
    payee_wait: int = setting(
        "3d", kinds.duration(0), "How long after payment details change the balance is carried over to a later run."
    )
    exchange_age: int = setting(
        "7d",
        kinds.duration(1),
        "How long an approved exchange rate is used for runs; after that, the balance is carried over.",
    )
    merchant_invoices: str = setting(
        "by_hand",
        kinds.choice("by_hand", "monthly"),
        "monthly: merchants are invoiced an hour after the month ends; by_hand: by command or page.",
    )
    issuer_address: str = setting("", kinds.text, "The network's address on invoices, in one line.")
    issuer_country: str = setting(
        "", kinds.country, "The network's country, two letters like DE; empty: invoices have no VAT."
    )
    issuer_vat_number: str = setting("", kinds.text, "The network's VAT number on invoices.")
    vat_rate: str = setting(
        "0", kinds.percentage, "VAT in percent on invoices to merchants in the network's own country."
    )
    vies: str = setting(
        "",
        kinds.web_root,
        "Where VAT numbers are looked up: https://ec.europa.eu/taxation_customs/vies/rest-api; empty: nowhere.",
    )
    invoice_due: int = setting("14d", kinds.duration(0), "How long merchants have to pay an invoice.")
    invoice_pay_to: str = setting(
        "", kinds.text, "Where merchants pay invoices, like IBAN DE89 ...; empty: invoices do not say."
    )
    reminders: str = setting(
        "",
        money_readers.reminders,
        "How long after an invoice is due its merchant is reminded, like 7d,21d,35d; empty: never.",
    )
    debt_reminders: str = setting(
        "",
        money_readers.reminders,
        "How long after a balance fell below zero its affiliate is reminded of it, like 30d,90d; empty: never.",
    )
    overdue_limit: str = setting(
        "",
        money_readers.amounts_or_none,
        "Overdue amount from which runs stop paying a merchant's commissions, like 100 or EUR:100; empty: never.",
    )
    dac7: bool = setting(
        False,
        kinds.switch,
        "Whether affiliates are asked for what DAC7 reports need: date of birth, tax number and more.",
    )
    chart: str = setting(
        "",
        money_readers.chart,
        "Account numbers in the exported journal that differ, like bank=1800,fees=4400 (places of the ledger).",
    )
    datev: str = setting(
        "", money_readers.datev, "Adviser number and client number for the DATEV journal, like 29098/55003."
    )
    debtor_name: str = setting("", kinds.text, "Name of the account that payments are made from.")
    debtor_iban: str = setting("", kinds.text, "IBAN of the account that SEPA payments are made from.")
    debtor_bic: str = setting("", kinds.text, "BIC of that account's bank; empty: left out.")
    ach_routing: str = setting("", kinds.text, "Routing number of the bank that ACH payments are made from.")
    ach_company_id: str = setting("", kinds.text, "Company id assigned by that bank, at most ten characters.")
    bacs_user_number: str = setting("", kinds.text, "Service user number of Bacs, six digits.")
    bacs_sort_code: str = setting("", kinds.text, "Sort code of the account that Bacs payments are made from.")
    bacs_account: str = setting("", kinds.text, "Account number that Bacs payments are made from, eight digits.")
