"""Every page of the operator."""

from __future__ import annotations

from hub.pages.operator.adjustments import adjustment_pages
from hub.pages.operator.affiliate_statement import affiliate_statement_pages
from hub.pages.operator.affiliates import affiliate_object_pages
from hub.pages.operator.approvals import approval_pages
from hub.pages.operator.apps import app_pages
from hub.pages.operator.books import book_pages
from hub.pages.operator.branding import branding_form_pages
from hub.pages.operator.campaigns import campaign_object_pages
from hub.pages.operator.commissions import commission_list_pages
from hub.pages.operator.connections import connection_object_pages
from hub.pages.operator.debts import debt_pages
from hub.pages.operator.deposits import deposit_pages
from hub.pages.operator.exchange_rates import exchange_rate_pages
from hub.pages.operator.handovers import handover_pages
from hub.pages.operator.home import home_pages
from hub.pages.operator.issuers import issuer_pages
from hub.pages.operator.ledger import ledger_pages
from hub.pages.operator.links import link_object_pages
from hub.pages.operator.log import log_pages
from hub.pages.operator.mails import mail_pages
from hub.pages.operator.merchants import merchant_pages
from hub.pages.operator.messages import message_pages
from hub.pages.operator.orders import order_pages
from hub.pages.operator.owed import owed_pages
from hub.pages.operator.payees import payee_pages
from hub.pages.operator.payout import payout_pages
from hub.pages.operator.payout_files import payout_file_pages
from hub.pages.operator.payouts import payout_list_pages
from hub.pages.operator.people import people_pages
from hub.pages.operator.questions import question_pages
from hub.pages.operator.rates import rate_pages
from hub.pages.operator.receipts import receipt_pages
from hub.pages.operator.reports import report_pages
from hub.pages.operator.search import search_pages
from hub.pages.operator.settings import settings_pages
from hub.pages.operator.users import user_pages
from hub.pages.visit import Page


def operator_pages() -> list[Page]:
    """Return the pages."""
    return [
        *home_pages(),
        *approval_pages(),
        *search_pages(),
        *report_pages(),
        *merchant_pages(),
        *affiliate_object_pages(),
        *campaign_object_pages(),
        *link_object_pages(),
        *connection_object_pages(),
        *app_pages(),
        *order_pages(),
        *commission_list_pages(),
        *payout_list_pages(),
        *payout_pages(),
        *payout_file_pages(),
        *adjustment_pages(),
        *ledger_pages(),
        *exchange_rate_pages(),
        *issuer_pages(),
        *book_pages(),
        *owed_pages(),
        *deposit_pages(),
        *debt_pages(),
        *receipt_pages(),
        *rate_pages(),
        *payee_pages(),
        *affiliate_statement_pages(),
        *message_pages(),
        *log_pages(),
        *question_pages(),
        *mail_pages(),
        *settings_pages(),
        *branding_form_pages(),
        *people_pages(),
        *user_pages(),
        *handover_pages(),
    ]
