"""A method for each operation. Generated from the hub's OpenAPI document: `python -m clients.generator`."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any, Literal, Protocol, cast

from affiliate_hub_client import operators_models as models
from affiliate_hub_client.requests import Call, next_page, path_of, without_none


class OperatorsOperations(Protocol):
    """The operations of the API, each returning its answer."""

    def send(self, call: Call) -> Any:
        """Send a call, and return the body of its answer."""
        ...

    def list_adjustments(
        self,
        *,
        status: Literal["PROPOSED", "APPROVED", "PAID", "REJECTED"] | None = None,
        merchant_id: str | None = None,
        affiliate_id: str | None = None,
        mode: models.Mode | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.ListedAdjustmentPage:
        """List corrections, newest first."""
        return cast(
            "models.ListedAdjustmentPage",
            self.send(
                Call(
                    "GET",
                    "/admin/v1/adjustments",
                    query=without_none(
                        {
                            "status": status,
                            "merchantId": merchant_id,
                            "affiliateId": affiliate_id,
                            "mode": mode,
                            "limit": limit,
                            "cursor": cursor,
                        }
                    ),
                    may_repeat=True,
                )
            ),
        )

    def iterate_adjustments(
        self,
        *,
        status: Literal["PROPOSED", "APPROVED", "PAID", "REJECTED"] | None = None,
        merchant_id: str | None = None,
        affiliate_id: str | None = None,
        mode: models.Mode | None = None,
        limit: int = 200,
    ) -> Iterator[models.ListedAdjustment]:
        """List corrections, newest first. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = self.list_adjustments(
                status=status, merchant_id=merchant_id, affiliate_id=affiliate_id, mode=mode, limit=limit, cursor=place
            )
            yield from page["data"]
            place = next_page(page, "cursor")
            if place is None:
                return

    def create_adjustment(
        self, body: models.CreateAdjustmentBody, *, idempotency_key: str | None = None
    ) -> models.AdjustmentDocument:
        """Propose a correction of what an affiliate is paid."""
        return cast(
            "models.AdjustmentDocument",
            self.send(
                Call(
                    "POST",
                    "/admin/v1/adjustments",
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def approve_adjustment(
        self, adjustment: str, body: models.ApproveAdjustmentBody, *, idempotency_key: str | None = None
    ) -> models.AdjustmentDocument:
        """Approve a correction, as a second person."""
        return cast(
            "models.AdjustmentDocument",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/adjustments/{adjustment}/approve", adjustment=adjustment),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def reject_adjustment(
        self, adjustment: str, body: models.RejectAdjustmentBody, *, idempotency_key: str | None = None
    ) -> models.AdjustmentDocument:
        """Reject a correction."""
        return cast(
            "models.AdjustmentDocument",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/adjustments/{adjustment}/reject", adjustment=adjustment),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def list_affiliates(
        self,
        *,
        search: str | None = None,
        status: models.AffiliateStatus | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.ListedAffiliatePage:
        """List affiliates, newest first."""
        return cast(
            "models.ListedAffiliatePage",
            self.send(
                Call(
                    "GET",
                    "/admin/v1/affiliates",
                    query=without_none({"search": search, "status": status, "limit": limit, "cursor": cursor}),
                    may_repeat=True,
                )
            ),
        )

    def iterate_affiliates(
        self, *, search: str | None = None, status: models.AffiliateStatus | None = None, limit: int = 200
    ) -> Iterator[models.ListedAffiliate]:
        """List affiliates, newest first. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = self.list_affiliates(search=search, status=status, limit=limit, cursor=place)
            yield from page["data"]
            place = next_page(page, "cursor")
            if place is None:
                return

    def create_affiliate(
        self, body: models.CreateAffiliateBody, *, idempotency_key: str | None = None
    ) -> models.AffiliateDocument:
        """Create an affiliate."""
        return cast(
            "models.AffiliateDocument",
            self.send(
                Call(
                    "POST",
                    "/admin/v1/affiliates",
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def get_affiliate(self, affiliate: str) -> models.AffiliateDocument:
        """Show an affiliate."""
        return cast(
            "models.AffiliateDocument",
            self.send(Call("GET", path_of("/admin/v1/affiliates/{affiliate}", affiliate=affiliate), may_repeat=True)),
        )

    def update_affiliate(
        self, affiliate: str, body: models.UpdateAffiliateBody, *, idempotency_key: str | None = None
    ) -> models.AffiliateDocument:
        """Change an affiliate."""
        return cast(
            "models.AffiliateDocument",
            self.send(
                Call(
                    "PATCH",
                    path_of("/admin/v1/affiliates/{affiliate}", affiliate=affiliate),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def activate_affiliate(self, affiliate: str, *, idempotency_key: str | None = None) -> models.AffiliateDocument:
        """Let an affiliate earn again."""
        return cast(
            "models.AffiliateDocument",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/affiliates/{affiliate}/activate", affiliate=affiliate),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def list_balances(self, affiliate: str, *, mode: models.Mode | None = None) -> models.BalanceDocumentPage:
        """Show an affiliate's balances, by currency."""
        return cast(
            "models.BalanceDocumentPage",
            self.send(
                Call(
                    "GET",
                    path_of("/admin/v1/affiliates/{affiliate}/balances", affiliate=affiliate),
                    query=without_none({"mode": mode}),
                    may_repeat=True,
                )
            ),
        )

    def deactivate_affiliate(self, affiliate: str, *, idempotency_key: str | None = None) -> models.AffiliateDocument:
        """Stop an affiliate from earning."""
        return cast(
            "models.AffiliateDocument",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/affiliates/{affiliate}/deactivate", affiliate=affiliate),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def free_payments(self, affiliate: str, *, idempotency_key: str | None = None) -> models.HoldDocument:
        """Resume the payments of an affiliate."""
        return cast(
            "models.HoldDocument",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/affiliates/{affiliate}/free", affiliate=affiliate),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def hold_payments(
        self, affiliate: str, body: models.HoldPaymentsBody, *, idempotency_key: str | None = None
    ) -> models.HoldDocument:
        """Hold the payments of an affiliate."""
        return cast(
            "models.HoldDocument",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/affiliates/{affiliate}/hold", affiliate=affiliate),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def get_self_billed_to(self, affiliate: str) -> models.SelfBilledTo:
        """Show to which company an affiliate is self-billed."""
        return cast(
            "models.SelfBilledTo",
            self.send(
                Call("GET", path_of("/admin/v1/affiliates/{affiliate}/issuer", affiliate=affiliate), may_repeat=True)
            ),
        )

    def self_bill_to(
        self, affiliate: str, body: models.SelfBillToBody, *, idempotency_key: str | None = None
    ) -> models.SelfBilledTo:
        """Have an affiliate's self-billed invoices be to a company from the next one on."""
        return cast(
            "models.SelfBilledTo",
            self.send(
                Call(
                    "PUT",
                    path_of("/admin/v1/affiliates/{affiliate}/issuer", affiliate=affiliate),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def get_payee(self, affiliate: str) -> models.PayeeDocument:
        """Show an affiliate's payment details."""
        return cast(
            "models.PayeeDocument",
            self.send(
                Call("GET", path_of("/admin/v1/affiliates/{affiliate}/payee", affiliate=affiliate), may_repeat=True)
            ),
        )

    def set_payee(
        self, affiliate: str, body: models.SetPayeeBody, *, idempotency_key: str | None = None
    ) -> models.PayeeDocument:
        """Set an affiliate's payment details."""
        return cast(
            "models.PayeeDocument",
            self.send(
                Call(
                    "PUT",
                    path_of("/admin/v1/affiliates/{affiliate}/payee", affiliate=affiliate),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def get_payout_terms(self, affiliate: str) -> models.PayoutTerms:
        """Show how an affiliate chose to be paid."""
        return cast(
            "models.PayoutTerms",
            self.send(
                Call(
                    "GET",
                    path_of("/admin/v1/affiliates/{affiliate}/payout-terms", affiliate=affiliate),
                    may_repeat=True,
                )
            ),
        )

    def set_payout_terms(
        self, affiliate: str, body: models.SetPayoutTermsBody, *, idempotency_key: str | None = None
    ) -> models.PayoutTerms:
        """Set an affiliate's minimum and currencies."""
        return cast(
            "models.PayoutTerms",
            self.send(
                Call(
                    "PUT",
                    path_of("/admin/v1/affiliates/{affiliate}/payout-terms", affiliate=affiliate),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def get_tax_details(self, affiliate: str) -> models.TaxDocument:
        """Show what DAC7 asks of an affiliate."""
        return cast(
            "models.TaxDocument",
            self.send(
                Call(
                    "GET", path_of("/admin/v1/affiliates/{affiliate}/tax-details", affiliate=affiliate), may_repeat=True
                )
            ),
        )

    def set_tax_details(
        self, affiliate: str, body: models.SetTaxDetailsBody, *, idempotency_key: str | None = None
    ) -> models.TaxDocument:
        """Say what DAC7 asks of an affiliate."""
        return cast(
            "models.TaxDocument",
            self.send(
                Call(
                    "PUT",
                    path_of("/admin/v1/affiliates/{affiliate}/tax-details", affiliate=affiliate),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def get_affiliate_vat(self, affiliate: str) -> models.VatStanding:
        """Show what VIES says of an affiliate's VAT number."""
        return cast(
            "models.VatStanding",
            self.send(
                Call("GET", path_of("/admin/v1/affiliates/{affiliate}/vat", affiliate=affiliate), may_repeat=True)
            ),
        )

    def check_affiliate_vat(self, affiliate: str, *, idempotency_key: str | None = None) -> models.VatStanding:
        """Look an affiliate's VAT number up in VIES."""
        return cast(
            "models.VatStanding",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/affiliates/{affiliate}/vat", affiliate=affiliate),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def write_off_debt(
        self, affiliate: str, body: models.WriteOffDebtBody, *, idempotency_key: str | None = None
    ) -> models.AdjustmentDocument:
        """Propose to write off what an affiliate owes."""
        return cast(
            "models.AdjustmentDocument",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/affiliates/{affiliate}/write-off", affiliate=affiliate),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def list_bank_reports(
        self,
        *,
        payout: str | None = None,
        status: Literal["WAITING", "CHECKING", "NOTING", "DONE", "REFUSED"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.BankReportDocumentPage:
        """List files from banks, newest first."""
        return cast(
            "models.BankReportDocumentPage",
            self.send(
                Call(
                    "GET",
                    "/admin/v1/bank-reports",
                    query=without_none({"payout": payout, "status": status, "limit": limit, "cursor": cursor}),
                    may_repeat=True,
                )
            ),
        )

    def iterate_bank_reports(
        self,
        *,
        payout: str | None = None,
        status: Literal["WAITING", "CHECKING", "NOTING", "DONE", "REFUSED"] | None = None,
        limit: int = 200,
    ) -> Iterator[models.BankReportDocument]:
        """List files from banks, newest first. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = self.list_bank_reports(payout=payout, status=status, limit=limit, cursor=place)
            yield from page["data"]
            place = next_page(page, "cursor")
            if place is None:
                return

    def get_bank_report(self, report: str) -> models.BankReportDocument:
        """Show a file from a bank and how far it is read."""
        return cast(
            "models.BankReportDocument",
            self.send(Call("GET", path_of("/admin/v1/bank-reports/{report}", report=report), may_repeat=True)),
        )

    def get_books(self) -> models.BooksDocument:
        """Show how the books are kept."""
        return cast("models.BooksDocument", self.send(Call("GET", "/admin/v1/books", may_repeat=True)))

    def set_books(self, body: models.SetBooksBody, *, idempotency_key: str | None = None) -> models.BooksDocument:
        """Set the time zone of the books, before the first invoice."""
        return cast(
            "models.BooksDocument",
            self.send(
                Call(
                    "PUT",
                    "/admin/v1/books",
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def set_billing(self, body: models.SetBillingBody, *, idempotency_key: str | None = None) -> models.BooksDocument:
        """Set when merchants are billed a commission, before the first invoice."""
        return cast(
            "models.BooksDocument",
            self.send(
                Call(
                    "PUT",
                    "/admin/v1/books/billing",
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def list_closed_months(self) -> models.ClosedMonthPage:
        """List the months that are closed or proposed to be, newest first."""
        return cast("models.ClosedMonthPage", self.send(Call("GET", "/admin/v1/books/months", may_repeat=True)))

    def propose_close(self, body: models.ProposeCloseBody, *, idempotency_key: str | None = None) -> models.ClosedMonth:
        """Propose to close a month of the books."""
        return cast(
            "models.ClosedMonth",
            self.send(
                Call(
                    "POST",
                    "/admin/v1/books/months",
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def close_month(self, body: models.CloseMonthBody, *, idempotency_key: str | None = None) -> models.ClosedMonth:
        """Close a month of the books, as a second person."""
        return cast(
            "models.ClosedMonth",
            self.send(
                Call(
                    "POST",
                    "/admin/v1/books/months/close",
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def list_campaigns(
        self,
        *,
        search: str | None = None,
        merchant_id: str | None = None,
        mode: models.Mode | None = None,
        approval: models.ApprovalStatus | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.ListedCampaignPage:
        """List campaigns, newest first."""
        return cast(
            "models.ListedCampaignPage",
            self.send(
                Call(
                    "GET",
                    "/admin/v1/campaigns",
                    query=without_none(
                        {
                            "search": search,
                            "merchantId": merchant_id,
                            "mode": mode,
                            "approval": approval,
                            "limit": limit,
                            "cursor": cursor,
                        }
                    ),
                    may_repeat=True,
                )
            ),
        )

    def iterate_campaigns(
        self,
        *,
        search: str | None = None,
        merchant_id: str | None = None,
        mode: models.Mode | None = None,
        approval: models.ApprovalStatus | None = None,
        limit: int = 200,
    ) -> Iterator[models.ListedCampaign]:
        """List campaigns, newest first. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = self.list_campaigns(
                search=search, merchant_id=merchant_id, mode=mode, approval=approval, limit=limit, cursor=place
            )
            yield from page["data"]
            place = next_page(page, "cursor")
            if place is None:
                return

    def create_campaign(
        self, body: models.CreateCampaignBody, *, idempotency_key: str | None = None
    ) -> models.CampaignDetails:
        """Create a campaign of a merchant, as a draft."""
        return cast(
            "models.CampaignDetails",
            self.send(
                Call(
                    "POST",
                    "/admin/v1/campaigns",
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def get_campaign(self, campaign: str) -> models.CampaignDetails:
        """Show a campaign."""
        return cast(
            "models.CampaignDetails",
            self.send(Call("GET", path_of("/admin/v1/campaigns/{campaign}", campaign=campaign), may_repeat=True)),
        )

    def update_campaign(
        self, campaign: str, body: models.UpdateCampaignBody, *, idempotency_key: str | None = None
    ) -> models.CampaignDetails:
        """Change a campaign."""
        return cast(
            "models.CampaignDetails",
            self.send(
                Call(
                    "PATCH",
                    path_of("/admin/v1/campaigns/{campaign}", campaign=campaign),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def activate_campaign(self, campaign: str, *, idempotency_key: str | None = None) -> models.CampaignDetails:
        """Activate a campaign."""
        return cast(
            "models.CampaignDetails",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/campaigns/{campaign}/activate", campaign=campaign),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def approve_campaign(self, campaign: str, *, idempotency_key: str | None = None) -> models.CampaignDetails:
        """Approve a campaign."""
        return cast(
            "models.CampaignDetails",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/campaigns/{campaign}/approve", campaign=campaign),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def archive_campaign(self, campaign: str, *, idempotency_key: str | None = None) -> models.CampaignDetails:
        """Archive a campaign for good."""
        return cast(
            "models.CampaignDetails",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/campaigns/{campaign}/archive", campaign=campaign),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def decide_membership(
        self, campaign: str, affiliate: str, body: models.DecideMembershipBody, *, idempotency_key: str | None = None
    ) -> models.MembershipDocument:
        """Decide on an affiliate's membership."""
        return cast(
            "models.MembershipDocument",
            self.send(
                Call(
                    "PUT",
                    path_of(
                        "/admin/v1/campaigns/{campaign}/members/{affiliate}", campaign=campaign, affiliate=affiliate
                    ),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def set_member_rate(
        self, campaign: str, affiliate: str, body: models.SetMemberRateBody, *, idempotency_key: str | None = None
    ) -> models.MembershipDocument:
        """Give an affiliate a rate of its own."""
        return cast(
            "models.MembershipDocument",
            self.send(
                Call(
                    "PUT",
                    path_of(
                        "/admin/v1/campaigns/{campaign}/members/{affiliate}/rate",
                        campaign=campaign,
                        affiliate=affiliate,
                    ),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def pause_campaign(self, campaign: str, *, idempotency_key: str | None = None) -> models.CampaignDetails:
        """Pause a campaign."""
        return cast(
            "models.CampaignDetails",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/campaigns/{campaign}/pause", campaign=campaign),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def get_campaign_policy(self, campaign: str) -> models.PolicyDocument:
        """Show who earns from a campaign's orders."""
        return cast(
            "models.PolicyDocument",
            self.send(
                Call("GET", path_of("/admin/v1/campaigns/{campaign}/policy", campaign=campaign), may_repeat=True)
            ),
        )

    def set_campaign_policy(
        self, campaign: str, body: models.SetCampaignPolicyBody, *, idempotency_key: str | None = None
    ) -> models.PolicyDocument:
        """Change who earns from a campaign's orders."""
        return cast(
            "models.PolicyDocument",
            self.send(
                Call(
                    "PATCH",
                    path_of("/admin/v1/campaigns/{campaign}/policy", campaign=campaign),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def reject_campaign(self, campaign: str, *, idempotency_key: str | None = None) -> models.CampaignDetails:
        """Reject a campaign."""
        return cast(
            "models.CampaignDetails",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/campaigns/{campaign}/reject", campaign=campaign),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def list_changes(
        self, *, after: str | None = None, types: str | None = None, limit: int | None = None, wait: int | None = None
    ) -> models.ChangesDocument:
        """Follow what changed in all accounts, from a cursor that never expires."""
        return cast(
            "models.ChangesDocument",
            self.send(
                Call(
                    "GET",
                    "/admin/v1/changes",
                    query=without_none({"after": after, "types": types, "limit": limit, "wait": wait}),
                    may_repeat=True,
                )
            ),
        )

    def confirm_clocks(self, *, idempotency_key: str | None = None) -> models.ConfirmedClocks:
        """Trust the clocks again after they jumped."""
        return cast(
            "models.ConfirmedClocks",
            self.send(
                Call(
                    "POST",
                    "/admin/v1/clocks/confirm",
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def list_commissions(
        self,
        *,
        merchant_id: str | None = None,
        affiliate_id: str | None = None,
        mode: models.Mode | None = None,
        status: models.CommissionState | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.ListedCommissionPage:
        """List commissions, newest first."""
        return cast(
            "models.ListedCommissionPage",
            self.send(
                Call(
                    "GET",
                    "/admin/v1/commissions",
                    query=without_none(
                        {
                            "merchantId": merchant_id,
                            "affiliateId": affiliate_id,
                            "mode": mode,
                            "status": status,
                            "limit": limit,
                            "cursor": cursor,
                        }
                    ),
                    may_repeat=True,
                )
            ),
        )

    def iterate_commissions(
        self,
        *,
        merchant_id: str | None = None,
        affiliate_id: str | None = None,
        mode: models.Mode | None = None,
        status: models.CommissionState | None = None,
        limit: int = 200,
    ) -> Iterator[models.ListedCommission]:
        """List commissions, newest first. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = self.list_commissions(
                merchant_id=merchant_id, affiliate_id=affiliate_id, mode=mode, status=status, limit=limit, cursor=place
            )
            yield from page["data"]
            place = next_page(page, "cursor")
            if place is None:
                return

    def get_commission(self, commission: str) -> models.ListedCommission:
        """Show a commission."""
        return cast(
            "models.ListedCommission",
            self.send(
                Call("GET", path_of("/admin/v1/commissions/{commission}", commission=commission), may_repeat=True)
            ),
        )

    def pay_commission(
        self, commission: str, body: models.PayCommissionBody, *, idempotency_key: str | None = None
    ) -> models.PayoutDocument:
        """Note that a commission was paid."""
        return cast(
            "models.PayoutDocument",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/commissions/{commission}/pay", commission=commission),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def list_connections(
        self, *, merchant_id: str | None = None, limit: int | None = None, cursor: str | None = None
    ) -> models.ConnectionDocumentPage:
        """List connections of stores."""
        return cast(
            "models.ConnectionDocumentPage",
            self.send(
                Call(
                    "GET",
                    "/admin/v1/connections",
                    query=without_none({"merchantId": merchant_id, "limit": limit, "cursor": cursor}),
                    may_repeat=True,
                )
            ),
        )

    def iterate_connections(
        self, *, merchant_id: str | None = None, limit: int = 200
    ) -> Iterator[models.ConnectionDocument]:
        """List connections of stores. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = self.list_connections(merchant_id=merchant_id, limit=limit, cursor=place)
            yield from page["data"]
            place = next_page(page, "cursor")
            if place is None:
                return

    def create_connection(
        self, body: models.CreateConnectionBody, *, idempotency_key: str | None = None
    ) -> models.CreatedConnection:
        """Connect a store."""
        return cast(
            "models.CreatedConnection",
            self.send(
                Call(
                    "POST",
                    "/admin/v1/connections",
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def get_connection(self, connection: str) -> models.ConnectionWithSteps:
        """Show a connection."""
        return cast(
            "models.ConnectionWithSteps",
            self.send(
                Call("GET", path_of("/admin/v1/connections/{connection}", connection=connection), may_repeat=True)
            ),
        )

    def close_connection(self, connection: str, *, idempotency_key: str | None = None) -> models.ConnectionDocument:
        """Close a connection."""
        return cast(
            "models.ConnectionDocument",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/connections/{connection}/close", connection=connection),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def delete_credentials(self, connection: str, *, idempotency_key: str | None = None) -> models.KeptWebhooks:
        """Delete a platform's credentials, and the webhooks there."""
        return cast(
            "models.KeptWebhooks",
            self.send(
                Call(
                    "DELETE",
                    path_of("/admin/v1/connections/{connection}/credentials", connection=connection),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def give_credentials(
        self, connection: str, body: models.GiveCredentialsBody, *, idempotency_key: str | None = None
    ) -> models.GivenCredentials:
        """Check a platform's credentials with it, store them, and begin to read."""
        return cast(
            "models.GivenCredentials",
            self.send(
                Call(
                    "PUT",
                    path_of("/admin/v1/connections/{connection}/credentials", connection=connection),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def fetch_again(self, connection: str, *, idempotency_key: str | None = None) -> models.DueFetches:
        """Fetch again what deliveries only named."""
        return cast(
            "models.DueFetches",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/connections/{connection}/fetch", connection=connection),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def keep_connection(self, connection: str, *, idempotency_key: str | None = None) -> models.KeptConnection:
        """Keep a store's data that was to be erased."""
        return cast(
            "models.KeptConnection",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/connections/{connection}/keep", connection=connection),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def set_last_look(
        self, connection: str, body: models.SetLastLookBody, *, idempotency_key: str | None = None
    ) -> models.LastLook:
        """Set whether orders are checked before their holds end."""
        return cast(
            "models.LastLook",
            self.send(
                Call(
                    "PUT",
                    path_of("/admin/v1/connections/{connection}/last-look", connection=connection),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def get_platform(self, connection: str) -> models.PlatformDocument:
        """Show how a connection's platform is read."""
        return cast(
            "models.PlatformDocument",
            self.send(
                Call(
                    "GET",
                    path_of("/admin/v1/connections/{connection}/platform", connection=connection),
                    may_repeat=True,
                )
            ),
        )

    def start_reading(
        self, connection: str, body: models.StartReadingBody, *, idempotency_key: str | None = None
    ) -> models.AskedReading:
        """Have a platform's orders or its catalogue read."""
        return cast(
            "models.AskedReading",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/connections/{connection}/readings", connection=connection),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def add_connection_secret(
        self, connection: str, body: models.AddConnectionSecretBody, *, idempotency_key: str | None = None
    ) -> models.AddedSecret:
        """Add a secret to a connection."""
        return cast(
            "models.AddedSecret",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/connections/{connection}/secrets", connection=connection),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def expire_connection_secret(
        self,
        connection: str,
        secret: str,
        body: models.ExpireConnectionSecretBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.ExpiredSecret:
        """Expire a secret of a connection."""
        return cast(
            "models.ExpiredSecret",
            self.send(
                Call(
                    "POST",
                    path_of(
                        "/admin/v1/connections/{connection}/secrets/{secret}/expire",
                        connection=connection,
                        secret=secret,
                    ),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def set_connection_site(
        self, connection: str, body: models.SetConnectionSiteBody, *, idempotency_key: str | None = None
    ) -> models.ConnectionDocument:
        """Bind a connection to a site, or to none."""
        return cast(
            "models.ConnectionDocument",
            self.send(
                Call(
                    "PUT",
                    path_of("/admin/v1/connections/{connection}/site", connection=connection),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def keep_webhooks(self, connection: str, *, idempotency_key: str | None = None) -> models.KeptWebhooks:
        """Check the webhooks on the platform, and create those again that are disabled or lost."""
        return cast(
            "models.KeptWebhooks",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/connections/{connection}/webhooks", connection=connection),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def list_conversions(
        self,
        *,
        merchant_id: str | None = None,
        affiliate_id: str | None = None,
        mode: models.Mode | None = None,
        external_order_id: str | None = None,
        review: bool | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.ConversionRecordPage:
        """List orders with their commissions and facts."""
        return cast(
            "models.ConversionRecordPage",
            self.send(
                Call(
                    "GET",
                    "/admin/v1/conversions",
                    query=without_none(
                        {
                            "merchantId": merchant_id,
                            "affiliateId": affiliate_id,
                            "mode": mode,
                            "externalOrderId": external_order_id,
                            "review": review,
                            "limit": limit,
                            "cursor": cursor,
                        }
                    ),
                    may_repeat=True,
                )
            ),
        )

    def iterate_conversions(
        self,
        *,
        merchant_id: str | None = None,
        affiliate_id: str | None = None,
        mode: models.Mode | None = None,
        external_order_id: str | None = None,
        review: bool | None = None,
        limit: int = 200,
    ) -> Iterator[models.ConversionRecord]:
        """List orders with their commissions and facts. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = self.list_conversions(
                merchant_id=merchant_id,
                affiliate_id=affiliate_id,
                mode=mode,
                external_order_id=external_order_id,
                review=review,
                limit=limit,
                cursor=place,
            )
            yield from page["data"]
            place = next_page(page, "cursor")
            if place is None:
                return

    def get_conversion(self, conversion: str) -> models.ConversionRecord:
        """Show an order with its commission and facts."""
        return cast(
            "models.ConversionRecord",
            self.send(
                Call("GET", path_of("/admin/v1/conversions/{conversion}", conversion=conversion), may_repeat=True)
            ),
        )

    def attribute_conversion(
        self, conversion: str, body: models.AttributeConversionBody, *, idempotency_key: str | None = None
    ) -> models.ReviewedConversion:
        """Attribute an order under review."""
        return cast(
            "models.ReviewedConversion",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/conversions/{conversion}/attribute", conversion=conversion),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def dismiss_conversion(self, conversion: str, *, idempotency_key: str | None = None) -> models.ReviewedConversion:
        """Close a review without a commission."""
        return cast(
            "models.ReviewedConversion",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/conversions/{conversion}/dismiss", conversion=conversion),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def list_messages(self, conversion: str) -> models.MessageDocumentPage:
        """Read what was written about an order."""
        return cast(
            "models.MessageDocumentPage",
            self.send(
                Call(
                    "GET",
                    path_of("/admin/v1/conversions/{conversion}/messages", conversion=conversion),
                    may_repeat=True,
                )
            ),
        )

    def write_message(
        self, conversion: str, body: models.WriteMessageBody, *, idempotency_key: str | None = None
    ) -> models.MessageDocumentPage:
        """Answer a question about an order."""
        return cast(
            "models.MessageDocumentPage",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/conversions/{conversion}/messages", conversion=conversion),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def close_questions(
        self, conversion: str, body: models.CloseQuestionsBody, *, idempotency_key: str | None = None
    ) -> models.ClosedQuestions:
        """Close the questions about an order."""
        return cast(
            "models.ClosedQuestions",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/conversions/{conversion}/questions/close", conversion=conversion),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def separate_orders(self, conversion: str, *, idempotency_key: str | None = None) -> models.SeparatedOrders:
        """Count other orders of the same number as their own."""
        return cast(
            "models.SeparatedOrders",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/conversions/{conversion}/separate", conversion=conversion),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def list_debts(self) -> models.DebtDocumentPage:
        """List what affiliates owe, the oldest first."""
        return cast("models.DebtDocumentPage", self.send(Call("GET", "/admin/v1/debts", may_repeat=True)))

    def list_event_types(self) -> models.EventTypeRecordPage:
        """List the kinds of messages that subscribers get."""
        return cast("models.EventTypeRecordPage", self.send(Call("GET", "/admin/v1/event-types", may_repeat=True)))

    def list_events(
        self,
        *,
        merchant_id: str | None = None,
        affiliate_id: str | None = None,
        mode: models.Mode | None = None,
        status: models.EventStatus | None = None,
        reason: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.EventDocumentPage:
        """List submissions in a status, newest first."""
        return cast(
            "models.EventDocumentPage",
            self.send(
                Call(
                    "GET",
                    "/admin/v1/events",
                    query=without_none(
                        {
                            "merchantId": merchant_id,
                            "affiliateId": affiliate_id,
                            "mode": mode,
                            "status": status,
                            "reason": reason,
                            "limit": limit,
                            "cursor": cursor,
                        }
                    ),
                    may_repeat=True,
                )
            ),
        )

    def iterate_events(
        self,
        *,
        merchant_id: str | None = None,
        affiliate_id: str | None = None,
        mode: models.Mode | None = None,
        status: models.EventStatus | None = None,
        reason: str | None = None,
        limit: int = 200,
    ) -> Iterator[models.EventDocument]:
        """List submissions in a status, newest first. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = self.list_events(
                merchant_id=merchant_id,
                affiliate_id=affiliate_id,
                mode=mode,
                status=status,
                reason=reason,
                limit=limit,
                cursor=place,
            )
            yield from page["data"]
            place = next_page(page, "cursor")
            if place is None:
                return

    def get_event(self, event: str) -> models.ShownEvent:
        """Show what became of a submission, and why."""
        return cast(
            "models.ShownEvent",
            self.send(Call("GET", path_of("/admin/v1/events/{event}", event=event), may_repeat=True)),
        )

    def replay_event(self, event: str, *, idempotency_key: str | None = None) -> models.EventDocument:
        """Process a submission again."""
        return cast(
            "models.EventDocument",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/events/{event}/replay", event=event),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def list_exchange_rates(self) -> models.ExchangeRatePage:
        """List the exchange rates in force and those that are proposed."""
        return cast("models.ExchangeRatePage", self.send(Call("GET", "/admin/v1/exchange-rates", may_repeat=True)))

    def propose_exchange_rates(
        self, body: models.ProposeExchangeRatesBody, *, idempotency_key: str | None = None
    ) -> models.ExchangeRatePage:
        """Propose exchange rates."""
        return cast(
            "models.ExchangeRatePage",
            self.send(
                Call(
                    "POST",
                    "/admin/v1/exchange-rates",
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def approve_exchange_rates(self, rates: str, *, idempotency_key: str | None = None) -> models.ExchangeRatePage:
        """Approve exchange rates, as a second person: runs follow them from now on."""
        return cast(
            "models.ExchangeRatePage",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/exchange-rates/{rates}/approve", rates=rates),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def drop_exchange_rates(self, rates: str, *, idempotency_key: str | None = None) -> models.ExchangeRatePage:
        """Drop exchange rates that are only proposed."""
        return cast(
            "models.ExchangeRatePage",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/exchange-rates/{rates}/drop", rates=rates),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def get_health(self) -> models.HealthDocument:
        """Show how the hub is doing."""
        return cast("models.HealthDocument", self.send(Call("GET", "/admin/v1/health", may_repeat=True)))

    def list_invoices(self, *, merchant_id: str | None = None) -> models.ShownInvoicePage:
        """List invoices to merchants with what was paid of them, newest first."""
        return cast(
            "models.ShownInvoicePage",
            self.send(
                Call("GET", "/admin/v1/invoices", query=without_none({"merchantId": merchant_id}), may_repeat=True)
            ),
        )

    def list_issuers(self) -> models.IssuerDocumentPage:
        """List the companies that bill merchants, beside the one of the settings."""
        return cast("models.IssuerDocumentPage", self.send(Call("GET", "/admin/v1/issuers", may_repeat=True)))

    def set_issuer(self, body: models.SetIssuerBody, *, idempotency_key: str | None = None) -> models.IssuerDocument:
        """Add a company that bills merchants, or change one."""
        return cast(
            "models.IssuerDocument",
            self.send(
                Call(
                    "POST",
                    "/admin/v1/issuers",
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def update_key(
        self, key: str, body: models.UpdateKeyBody, *, idempotency_key: str | None = None
    ) -> models.KeyDocument:
        """Rename a key, and change from where and until when it is accepted."""
        return cast(
            "models.KeyDocument",
            self.send(
                Call(
                    "PATCH",
                    path_of("/admin/v1/keys/{key}", key=key),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def revoke_key(self, key: str, *, idempotency_key: str | None = None) -> models.KeyDocument:
        """Revoke a key."""
        return cast(
            "models.KeyDocument",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/keys/{key}/revoke", key=key),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def rotate_key(
        self, key: str, body: models.RotateKeyBody, *, idempotency_key: str | None = None
    ) -> models.IssuedKeyDocument:
        """Replace a key; the old one expires after a while."""
        return cast(
            "models.IssuedKeyDocument",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/keys/{key}/rotate", key=key),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def list_links(
        self, *, merchant_id: str | None = None, limit: int | None = None, cursor: str | None = None
    ) -> models.LinkRecordPage:
        """List tracking links."""
        return cast(
            "models.LinkRecordPage",
            self.send(
                Call(
                    "GET",
                    "/admin/v1/links",
                    query=without_none({"merchantId": merchant_id, "limit": limit, "cursor": cursor}),
                    may_repeat=True,
                )
            ),
        )

    def iterate_links(self, *, merchant_id: str | None = None, limit: int = 200) -> Iterator[models.LinkRecord]:
        """List tracking links. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = self.list_links(merchant_id=merchant_id, limit=limit, cursor=place)
            yield from page["data"]
            place = next_page(page, "cursor")
            if place is None:
                return

    def create_link(self, body: models.CreateLinkBody, *, idempotency_key: str | None = None) -> models.LinkCreated:
        """Create a tracking link."""
        return cast(
            "models.LinkCreated",
            self.send(
                Call(
                    "POST",
                    "/admin/v1/links",
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def get_link(self, link: str) -> models.LinkRecord:
        """Show a tracking link."""
        return cast(
            "models.LinkRecord", self.send(Call("GET", path_of("/admin/v1/links/{link}", link=link), may_repeat=True))
        )

    def disable_link(self, link: str, *, idempotency_key: str | None = None) -> models.LinkRecord:
        """Disable a tracking link."""
        return cast(
            "models.LinkRecord",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/links/{link}/disable", link=link),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def enable_link(self, link: str, *, idempotency_key: str | None = None) -> models.LinkRecord:
        """Enable a tracking link."""
        return cast(
            "models.LinkRecord",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/links/{link}/enable", link=link),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def list_mails(
        self,
        *,
        status: Literal["WAITING", "SENT", "GIVEN_UP"] | None = None,
        to: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.MailDocumentPage:
        """List mails, newest first."""
        return cast(
            "models.MailDocumentPage",
            self.send(
                Call(
                    "GET",
                    "/admin/v1/mails",
                    query=without_none({"status": status, "to": to, "limit": limit, "cursor": cursor}),
                    may_repeat=True,
                )
            ),
        )

    def iterate_mails(
        self, *, status: Literal["WAITING", "SENT", "GIVEN_UP"] | None = None, to: str | None = None, limit: int = 200
    ) -> Iterator[models.MailDocument]:
        """List mails, newest first. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = self.list_mails(status=status, to=to, limit=limit, cursor=place)
            yield from page["data"]
            place = next_page(page, "cursor")
            if place is None:
                return

    def retry_mail(self, mail: str, *, idempotency_key: str | None = None) -> models.MailDocument:
        """Try a mail again."""
        return cast(
            "models.MailDocument",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/mails/{mail}/retry", mail=mail),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def list_memberships(
        self,
        *,
        merchant_id: str | None = None,
        mode: models.Mode | None = None,
        campaign_id: str | None = None,
        affiliate_id: str | None = None,
        status: models.MembershipStatus | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.MembershipDocumentPage:
        """List who promotes what."""
        return cast(
            "models.MembershipDocumentPage",
            self.send(
                Call(
                    "GET",
                    "/admin/v1/memberships",
                    query=without_none(
                        {
                            "merchantId": merchant_id,
                            "mode": mode,
                            "campaignId": campaign_id,
                            "affiliateId": affiliate_id,
                            "status": status,
                            "limit": limit,
                            "cursor": cursor,
                        }
                    ),
                    may_repeat=True,
                )
            ),
        )

    def iterate_memberships(
        self,
        *,
        merchant_id: str | None = None,
        mode: models.Mode | None = None,
        campaign_id: str | None = None,
        affiliate_id: str | None = None,
        status: models.MembershipStatus | None = None,
        limit: int = 200,
    ) -> Iterator[models.MembershipDocument]:
        """List who promotes what. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = self.list_memberships(
                merchant_id=merchant_id,
                mode=mode,
                campaign_id=campaign_id,
                affiliate_id=affiliate_id,
                status=status,
                limit=limit,
                cursor=place,
            )
            yield from page["data"]
            place = next_page(page, "cursor")
            if place is None:
                return

    def list_merchants(
        self,
        *,
        search: str | None = None,
        status: Literal["PENDING", "APPROVED", "SUSPENDED", "REJECTED", "CLOSED"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.ListedMerchantPage:
        """List merchants, newest first."""
        return cast(
            "models.ListedMerchantPage",
            self.send(
                Call(
                    "GET",
                    "/admin/v1/merchants",
                    query=without_none({"search": search, "status": status, "limit": limit, "cursor": cursor}),
                    may_repeat=True,
                )
            ),
        )

    def iterate_merchants(
        self,
        *,
        search: str | None = None,
        status: Literal["PENDING", "APPROVED", "SUSPENDED", "REJECTED", "CLOSED"] | None = None,
        limit: int = 200,
    ) -> Iterator[models.ListedMerchant]:
        """List merchants, newest first. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = self.list_merchants(search=search, status=status, limit=limit, cursor=place)
            yield from page["data"]
            place = next_page(page, "cursor")
            if place is None:
                return

    def create_merchant(
        self, body: models.CreateMerchantBody, *, idempotency_key: str | None = None
    ) -> models.MerchantDocument:
        """Create a merchant with its two accounts."""
        return cast(
            "models.MerchantDocument",
            self.send(
                Call(
                    "POST",
                    "/admin/v1/merchants",
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def get_merchant(self, merchant: str) -> models.MerchantDocument:
        """Show a merchant."""
        return cast(
            "models.MerchantDocument",
            self.send(Call("GET", path_of("/admin/v1/merchants/{merchant}", merchant=merchant), may_repeat=True)),
        )

    def update_merchant(
        self, merchant: str, body: models.UpdateMerchantBody, *, idempotency_key: str | None = None
    ) -> models.MerchantDocument:
        """Change a merchant's settings."""
        return cast(
            "models.MerchantDocument",
            self.send(
                Call(
                    "PATCH",
                    path_of("/admin/v1/merchants/{merchant}", merchant=merchant),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def approve_merchant(self, merchant: str, *, idempotency_key: str | None = None) -> models.MerchantDocument:
        """Approve a merchant."""
        return cast(
            "models.MerchantDocument",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/merchants/{merchant}/approve", merchant=merchant),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def list_clicks(
        self,
        merchant: str,
        *,
        mode: models.Mode | None = None,
        affiliate_id: str | None = None,
        campaign_id: str | None = None,
        link_code: str | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.ClickRecordPage:
        """List clicks on a merchant's links, newest first."""
        return cast(
            "models.ClickRecordPage",
            self.send(
                Call(
                    "GET",
                    path_of("/admin/v1/merchants/{merchant}/clicks", merchant=merchant),
                    query=without_none(
                        {
                            "mode": mode,
                            "affiliateId": affiliate_id,
                            "campaignId": campaign_id,
                            "linkCode": link_code,
                            "createdFrom": created_from,
                            "createdTo": created_to,
                            "limit": limit,
                            "cursor": cursor,
                        }
                    ),
                    may_repeat=True,
                )
            ),
        )

    def iterate_clicks(
        self,
        merchant: str,
        *,
        mode: models.Mode | None = None,
        affiliate_id: str | None = None,
        campaign_id: str | None = None,
        link_code: str | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
        limit: int = 200,
    ) -> Iterator[models.ClickRecord]:
        """List clicks on a merchant's links, newest first. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = self.list_clicks(
                merchant,
                mode=mode,
                affiliate_id=affiliate_id,
                campaign_id=campaign_id,
                link_code=link_code,
                created_from=created_from,
                created_to=created_to,
                limit=limit,
                cursor=place,
            )
            yield from page["data"]
            place = next_page(page, "cursor")
            if place is None:
                return

    def close_merchant(
        self, merchant: str, body: models.CloseMerchantBody, *, idempotency_key: str | None = None
    ) -> models.MerchantDocument:
        """Close a merchant for good."""
        return cast(
            "models.MerchantDocument",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/merchants/{merchant}/close", merchant=merchant),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def get_deposit(self, merchant: str) -> models.DepositDocument:
        """Show a merchant's deposit."""
        return cast(
            "models.DepositDocument",
            self.send(
                Call("GET", path_of("/admin/v1/merchants/{merchant}/deposit", merchant=merchant), may_repeat=True)
            ),
        )

    def require_deposit(
        self, merchant: str, body: models.RequireDepositBody, *, idempotency_key: str | None = None
    ) -> models.DepositDocument:
        """Require a deposit of a merchant, or stop requiring it."""
        return cast(
            "models.DepositDocument",
            self.send(
                Call(
                    "PUT",
                    path_of("/admin/v1/merchants/{merchant}/deposit", merchant=merchant),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def add_deposit(
        self, merchant: str, body: models.AddDepositBody, *, idempotency_key: str | None = None
    ) -> models.DepositDocument:
        """Record a payment into a merchant's deposit."""
        return cast(
            "models.DepositDocument",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/merchants/{merchant}/deposit/add", merchant=merchant),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def withdraw_deposit(
        self, merchant: str, body: models.WithdrawDepositBody, *, idempotency_key: str | None = None
    ) -> models.DepositDocument:
        """Record a repayment from a merchant's deposit."""
        return cast(
            "models.DepositDocument",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/merchants/{merchant}/deposit/withdraw", merchant=merchant),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def list_domains(self, merchant: str) -> models.DomainDocumentPage:
        """List a merchant's domains."""
        return cast(
            "models.DomainDocumentPage",
            self.send(
                Call("GET", path_of("/admin/v1/merchants/{merchant}/domains", merchant=merchant), may_repeat=True)
            ),
        )

    def add_domain(
        self, merchant: str, body: models.AddDomainBody, *, idempotency_key: str | None = None
    ) -> models.DomainDocument:
        """Add a domain to a merchant."""
        return cast(
            "models.DomainDocument",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/merchants/{merchant}/domains", merchant=merchant),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def remove_domain(
        self, merchant: str, domain: str, *, idempotency_key: str | None = None
    ) -> models.DomainDocumentPage:
        """Remove a domain from a merchant."""
        return cast(
            "models.DomainDocumentPage",
            self.send(
                Call(
                    "DELETE",
                    path_of("/admin/v1/merchants/{merchant}/domains/{domain}", merchant=merchant, domain=domain),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def export_records(
        self,
        merchant: str,
        *,
        of: Literal["conversions", "commissions", "products", "request-log"] | None = None,
        mode: models.Mode | None = None,
    ) -> str:
        """Export a merchant's records as CSV, oldest first."""
        return cast(
            "str",
            self.send(
                Call(
                    "GET",
                    path_of("/admin/v1/merchants/{merchant}/export", merchant=merchant),
                    query=without_none({"of": of, "mode": mode}),
                    may_repeat=True,
                )
            ),
        )

    def set_fee(
        self, merchant: str, body: models.SetFeeBody, *, idempotency_key: str | None = None
    ) -> models.FeeDocument:
        """Set the fee that a merchant owes the network for each commission."""
        return cast(
            "models.FeeDocument",
            self.send(
                Call(
                    "PUT",
                    path_of("/admin/v1/merchants/{merchant}/fee", merchant=merchant),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def list_fees(self, merchant: str) -> models.FeeDocumentPage:
        """List the fees of a merchant, by when each began."""
        return cast(
            "models.FeeDocumentPage",
            self.send(Call("GET", path_of("/admin/v1/merchants/{merchant}/fees", merchant=merchant), may_repeat=True)),
        )

    def get_issuer(self, merchant: str) -> models.BilledBy:
        """Show which company bills a merchant."""
        return cast(
            "models.BilledBy",
            self.send(
                Call("GET", path_of("/admin/v1/merchants/{merchant}/issuer", merchant=merchant), may_repeat=True)
            ),
        )

    def bill_by(self, merchant: str, body: models.BillByBody, *, idempotency_key: str | None = None) -> models.BilledBy:
        """Have a company bill a merchant from its next invoice on."""
        return cast(
            "models.BilledBy",
            self.send(
                Call(
                    "PUT",
                    path_of("/admin/v1/merchants/{merchant}/issuer", merchant=merchant),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def list_keys(
        self, merchant: str, *, limit: int | None = None, cursor: str | None = None
    ) -> models.KeyDocumentPage:
        """List a merchant's keys."""
        return cast(
            "models.KeyDocumentPage",
            self.send(
                Call(
                    "GET",
                    path_of("/admin/v1/merchants/{merchant}/keys", merchant=merchant),
                    query=without_none({"limit": limit, "cursor": cursor}),
                    may_repeat=True,
                )
            ),
        )

    def iterate_keys(self, merchant: str, *, limit: int = 200) -> Iterator[models.KeyDocument]:
        """List a merchant's keys. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = self.list_keys(merchant, limit=limit, cursor=place)
            yield from page["data"]
            place = next_page(page, "cursor")
            if place is None:
                return

    def create_key(
        self, merchant: str, body: models.CreateKeyBody, *, idempotency_key: str | None = None
    ) -> models.IssuedKeyDocument:
        """Issue a key; its secret is only in this answer."""
        return cast(
            "models.IssuedKeyDocument",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/merchants/{merchant}/keys", merchant=merchant),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def decide_live_access(
        self, merchant: str, body: models.DecideLiveAccessBody, *, idempotency_key: str | None = None
    ) -> models.ProfileDocument:
        """Grant or refuse live access."""
        return cast(
            "models.ProfileDocument",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/merchants/{merchant}/live-access", merchant=merchant),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def list_products(
        self,
        merchant: str,
        *,
        mode: models.Mode | None = None,
        status: models.ProductStatus | None = None,
        search: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.ProductRecordPage:
        """List a merchant's products, newest first."""
        return cast(
            "models.ProductRecordPage",
            self.send(
                Call(
                    "GET",
                    path_of("/admin/v1/merchants/{merchant}/products", merchant=merchant),
                    query=without_none(
                        {"mode": mode, "status": status, "search": search, "limit": limit, "cursor": cursor}
                    ),
                    may_repeat=True,
                )
            ),
        )

    def iterate_products(
        self,
        merchant: str,
        *,
        mode: models.Mode | None = None,
        status: models.ProductStatus | None = None,
        search: str | None = None,
        limit: int = 200,
    ) -> Iterator[models.ProductRecord]:
        """List a merchant's products, newest first. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = self.list_products(merchant, mode=mode, status=status, search=search, limit=limit, cursor=place)
            yield from page["data"]
            place = next_page(page, "cursor")
            if place is None:
                return

    def get_merchant_profile(self, merchant: str) -> models.ProfileDocument:
        """Show a merchant's profile."""
        return cast(
            "models.ProfileDocument",
            self.send(
                Call("GET", path_of("/admin/v1/merchants/{merchant}/profile", merchant=merchant), may_repeat=True)
            ),
        )

    def update_merchant_profile(
        self, merchant: str, body: models.UpdateMerchantProfileBody, *, idempotency_key: str | None = None
    ) -> models.ProfileDocument:
        """Change a merchant's profile."""
        return cast(
            "models.ProfileDocument",
            self.send(
                Call(
                    "PATCH",
                    path_of("/admin/v1/merchants/{merchant}/profile", merchant=merchant),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def reject_merchant(
        self, merchant: str, body: models.RejectMerchantBody, *, idempotency_key: str | None = None
    ) -> models.MerchantDocument:
        """Reject a merchant."""
        return cast(
            "models.MerchantDocument",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/merchants/{merchant}/reject", merchant=merchant),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def list_requests(
        self, merchant: str, *, refused: bool | None = None, limit: int | None = None, cursor: str | None = None
    ) -> models.RequestDocumentPage:
        """List the requests of a merchant."""
        return cast(
            "models.RequestDocumentPage",
            self.send(
                Call(
                    "GET",
                    path_of("/admin/v1/merchants/{merchant}/request-log", merchant=merchant),
                    query=without_none({"refused": refused, "limit": limit, "cursor": cursor}),
                    may_repeat=True,
                )
            ),
        )

    def iterate_requests(
        self, merchant: str, *, refused: bool | None = None, limit: int = 200
    ) -> Iterator[models.RequestDocument]:
        """List the requests of a merchant. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = self.list_requests(merchant, refused=refused, limit=limit, cursor=place)
            yield from page["data"]
            place = next_page(page, "cursor")
            if place is None:
                return

    def get_signatures(self, merchant: str) -> models.SignaturesDocument:
        """Show where a merchant accepts only signed requests."""
        return cast(
            "models.SignaturesDocument",
            self.send(
                Call("GET", path_of("/admin/v1/merchants/{merchant}/signatures", merchant=merchant), may_repeat=True)
            ),
        )

    def require_signatures(
        self, merchant: str, body: models.RequireSignaturesBody, *, idempotency_key: str | None = None
    ) -> models.SignaturesDocument:
        """Accept only signed requests in an account, or tokens too."""
        return cast(
            "models.SignaturesDocument",
            self.send(
                Call(
                    "PUT",
                    path_of("/admin/v1/merchants/{merchant}/signatures", merchant=merchant),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def get_merchant_statement(
        self, merchant: str, month: str, *, mode: models.Mode | None = None
    ) -> models.MerchantStatement:
        """Show what a merchant owes."""
        return cast(
            "models.MerchantStatement",
            self.send(
                Call(
                    "GET",
                    path_of("/admin/v1/merchants/{merchant}/statements/{month}", merchant=merchant, month=month),
                    query=without_none({"mode": mode}),
                    may_repeat=True,
                )
            ),
        )

    def suspend_merchant(
        self, merchant: str, body: models.SuspendMerchantBody, *, idempotency_key: str | None = None
    ) -> models.MerchantDocument:
        """Suspend a merchant: its keys and links stop."""
        return cast(
            "models.MerchantDocument",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/merchants/{merchant}/suspend", merchant=merchant),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def advance_test_clock(
        self, merchant: str, body: models.AdvanceTestClockBody, *, idempotency_key: str | None = None
    ) -> models.AdvancedDocument:
        """Move the clock of a test account forward."""
        return cast(
            "models.AdvancedDocument",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/merchants/{merchant}/test/clock", merchant=merchant),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def empty_test_account(
        self, merchant: str, body: models.EmptyTestAccountBody, *, idempotency_key: str | None = None
    ) -> models.EmptiedDocument:
        """Delete the orders of a test account."""
        return cast(
            "models.EmptiedDocument",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/merchants/{merchant}/test/empty", merchant=merchant),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def list_merchant_tokens(
        self, merchant: str, *, limit: int | None = None, cursor: str | None = None
    ) -> models.TokenDocumentPage:
        """List a merchant's tokens, without their secrets."""
        return cast(
            "models.TokenDocumentPage",
            self.send(
                Call(
                    "GET",
                    path_of("/admin/v1/merchants/{merchant}/tokens", merchant=merchant),
                    query=without_none({"limit": limit, "cursor": cursor}),
                    may_repeat=True,
                )
            ),
        )

    def iterate_merchant_tokens(self, merchant: str, *, limit: int = 200) -> Iterator[models.TokenDocument]:
        """List a merchant's tokens, without their secrets. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = self.list_merchant_tokens(merchant, limit=limit, cursor=place)
            yield from page["data"]
            place = next_page(page, "cursor")
            if place is None:
                return

    def create_merchant_token(
        self, merchant: str, body: models.CreateMerchantTokenBody, *, idempotency_key: str | None = None
    ) -> models.CreatedToken:
        """Create a token for a merchant's account; it is only in this answer."""
        return cast(
            "models.CreatedToken",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/merchants/{merchant}/tokens", merchant=merchant),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def list_uploads(
        self, merchant: str, *, mode: models.Mode | None = None, limit: int | None = None, cursor: str | None = None
    ) -> models.UploadDocumentPage:
        """List a merchant's files, newest first."""
        return cast(
            "models.UploadDocumentPage",
            self.send(
                Call(
                    "GET",
                    path_of("/admin/v1/merchants/{merchant}/uploads", merchant=merchant),
                    query=without_none({"mode": mode, "limit": limit, "cursor": cursor}),
                    may_repeat=True,
                )
            ),
        )

    def iterate_uploads(
        self, merchant: str, *, mode: models.Mode | None = None, limit: int = 200
    ) -> Iterator[models.UploadDocument]:
        """List a merchant's files, newest first. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = self.list_uploads(merchant, mode=mode, limit=limit, cursor=place)
            yield from page["data"]
            place = next_page(page, "cursor")
            if place is None:
                return

    def get_merchant_vat(self, merchant: str) -> models.VatStanding:
        """Show what VIES says of a merchant's VAT number."""
        return cast(
            "models.VatStanding",
            self.send(Call("GET", path_of("/admin/v1/merchants/{merchant}/vat", merchant=merchant), may_repeat=True)),
        )

    def check_merchant_vat(self, merchant: str, *, idempotency_key: str | None = None) -> models.VatStanding:
        """Look a merchant's VAT number up in VIES."""
        return cast(
            "models.VatStanding",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/merchants/{merchant}/vat", merchant=merchant),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def list_nodes(self) -> models.NodeDocumentPage:
        """List the processes that serve."""
        return cast("models.NodeDocumentPage", self.send(Call("GET", "/admin/v1/nodes", may_repeat=True)))

    def list_payouts(
        self, *, mode: models.Mode | None = None, limit: int | None = None, cursor: str | None = None
    ) -> models.RunDocumentPage:
        """List payout runs, newest first."""
        return cast(
            "models.RunDocumentPage",
            self.send(
                Call(
                    "GET",
                    "/admin/v1/payouts",
                    query=without_none({"mode": mode, "limit": limit, "cursor": cursor}),
                    may_repeat=True,
                )
            ),
        )

    def iterate_payouts(self, *, mode: models.Mode | None = None, limit: int = 200) -> Iterator[models.RunDocument]:
        """List payout runs, newest first. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = self.list_payouts(mode=mode, limit=limit, cursor=place)
            yield from page["data"]
            place = next_page(page, "cursor")
            if place is None:
                return

    def create_payout(self, body: models.CreatePayoutBody, *, idempotency_key: str | None = None) -> models.RunDocument:
        """Gather balances into a run."""
        return cast(
            "models.RunDocument",
            self.send(
                Call(
                    "POST",
                    "/admin/v1/payouts",
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def preview_payout(
        self, body: models.PreviewPayoutBody, *, idempotency_key: str | None = None
    ) -> models.PreviewedRun:
        """Show the run that would be made now; nothing is reserved."""
        return cast(
            "models.PreviewedRun",
            self.send(
                Call(
                    "POST",
                    "/admin/v1/payouts/preview",
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def get_payout(self, payout: str, *, after: str | None = None, after_item: str | None = None) -> models.ShownRun:
        """Show a run with its lines."""
        return cast(
            "models.ShownRun",
            self.send(
                Call(
                    "GET",
                    path_of("/admin/v1/payouts/{payout}", payout=payout),
                    query=without_none({"after": after, "afterItem": after_item}),
                    may_repeat=True,
                )
            ),
        )

    def cancel_payout(
        self, payout: str, body: models.CancelPayoutBody, *, idempotency_key: str | None = None
    ) -> models.RunDocument:
        """Cancel a draft: what it has reserved is payable again."""
        return cast(
            "models.RunDocument",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/payouts/{payout}/cancel", payout=payout),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def list_payout_files(self, payout: str) -> models.FileDocumentPage:
        """List the files that were written of a run."""
        return cast(
            "models.FileDocumentPage",
            self.send(Call("GET", path_of("/admin/v1/payouts/{payout}/files", payout=payout), may_repeat=True)),
        )

    def withdraw_payout_file(
        self, payout: str, file: str, *, idempotency_key: str | None = None
    ) -> models.FileDocument:
        """Note that a file was never sent."""
        return cast(
            "models.FileDocument",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/payouts/{payout}/files/{file}/withdraw", payout=payout, file=file),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def reinstate_payment(
        self, payout: str, body: models.ReinstatePaymentBody, *, idempotency_key: str | None = None
    ) -> models.RunDocument:
        """Take back a return that was noted by mistake."""
        return cast(
            "models.RunDocument",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/payouts/{payout}/reinstate", payout=payout),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def release_payout(self, payout: str, *, idempotency_key: str | None = None) -> models.RunDocument:
        """Release a run, another person than its creator if large."""
        return cast(
            "models.RunDocument",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/payouts/{payout}/release", payout=payout),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def return_payment(
        self, payout: str, body: models.ReturnPaymentBody, *, idempotency_key: str | None = None
    ) -> models.RunDocument:
        """Note that one payment of a run came back."""
        return cast(
            "models.RunDocument",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/payouts/{payout}/return", payout=payout),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def settle_payout(
        self, payout: str, body: models.SettlePayoutBody, *, idempotency_key: str | None = None
    ) -> models.SettlementDocument:
        """Note that payments of a run arrived."""
        return cast(
            "models.SettlementDocument",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/payouts/{payout}/settle", payout=payout),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def get_statement(self, payout: str, affiliate: str) -> models.StatementDocument:
        """Show what a run pays an affiliate."""
        return cast(
            "models.StatementDocument",
            self.send(
                Call(
                    "GET",
                    path_of("/admin/v1/payouts/{payout}/statements/{affiliate}", payout=payout, affiliate=affiliate),
                    may_repeat=True,
                )
            ),
        )

    def list_questions(
        self,
        *,
        merchant_id: str | None = None,
        closed: bool | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.OrderReviewDocumentPage:
        """List what differs between reports of the same order."""
        return cast(
            "models.OrderReviewDocumentPage",
            self.send(
                Call(
                    "GET",
                    "/admin/v1/questions",
                    query=without_none({"merchantId": merchant_id, "closed": closed, "limit": limit, "cursor": cursor}),
                    may_repeat=True,
                )
            ),
        )

    def iterate_questions(
        self, *, merchant_id: str | None = None, closed: bool | None = None, limit: int = 200
    ) -> Iterator[models.OrderReviewDocument]:
        """List what differs between reports of the same order. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = self.list_questions(merchant_id=merchant_id, closed=closed, limit=limit, cursor=place)
            yield from page["data"]
            place = next_page(page, "cursor")
            if place is None:
                return

    def list_rates(
        self,
        *,
        mode: models.Mode | None = None,
        campaign_id: str | None = None,
        merchant_id: str | None = None,
        product: str | None = None,
        new_customers: bool | None = None,
        affiliate_id: str | None = None,
    ) -> models.VersionDocumentPage:
        """List the rates of a place, by when each began."""
        return cast(
            "models.VersionDocumentPage",
            self.send(
                Call(
                    "GET",
                    "/admin/v1/rates",
                    query=without_none(
                        {
                            "mode": mode,
                            "campaignId": campaign_id,
                            "merchantId": merchant_id,
                            "product": product,
                            "new_customers": new_customers,
                            "affiliateId": affiliate_id,
                        }
                    ),
                    may_repeat=True,
                )
            ),
        )

    def list_rate_drafts(self, *, merchant_id: str | None = None) -> models.DraftDocumentPage:
        """List rates that are not published."""
        return cast(
            "models.DraftDocumentPage",
            self.send(
                Call("GET", "/admin/v1/rates/drafts", query=without_none({"merchantId": merchant_id}), may_repeat=True)
            ),
        )

    def draft_rate(self, body: models.DraftRateBody, *, idempotency_key: str | None = None) -> models.DraftDocument:
        """Draft a rate."""
        return cast(
            "models.DraftDocument",
            self.send(
                Call(
                    "POST",
                    "/admin/v1/rates/drafts",
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def drop_rate(self, draft: str, *, idempotency_key: str | None = None) -> models.DraftDocument:
        """Drop a draft."""
        return cast(
            "models.DraftDocument",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/rates/drafts/{draft}/drop", draft=draft),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def publish_rate(self, draft: str, *, idempotency_key: str | None = None) -> models.DraftDocument:
        """Publish a rate: orders from now on follow it."""
        return cast(
            "models.DraftDocument",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/rates/drafts/{draft}/publish", draft=draft),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def preview_rate(
        self,
        *,
        commission: str | None = None,
        volume: Literal["MONTH:ORDERS", "MONTH:AMOUNT", "EVER:ORDERS", "EVER:AMOUNT"] | None = None,
        tiers: str | None = None,
        days: int | None = None,
        mode: models.Mode | None = None,
        campaign_id: str | None = None,
        merchant_id: str | None = None,
        product: str | None = None,
        new_customers: bool | None = None,
    ) -> models.PreviewDocument:
        """Price the last real orders with a trial rate."""
        return cast(
            "models.PreviewDocument",
            self.send(
                Call(
                    "GET",
                    "/admin/v1/rates/preview",
                    query=without_none(
                        {
                            "commission": commission,
                            "volume": volume,
                            "tiers": tiers,
                            "days": days,
                            "mode": mode,
                            "campaignId": campaign_id,
                            "merchantId": merchant_id,
                            "product": product,
                            "new_customers": new_customers,
                        }
                    ),
                    may_repeat=True,
                )
            ),
        )

    def list_receipts(
        self,
        *,
        status: Literal["OPEN", "MATCHED", "CLOSED"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.ReceiptDocumentPage:
        """List what merchants paid of their invoices, newest first."""
        return cast(
            "models.ReceiptDocumentPage",
            self.send(
                Call(
                    "GET",
                    "/admin/v1/receipts",
                    query=without_none({"status": status, "limit": limit, "cursor": cursor}),
                    may_repeat=True,
                )
            ),
        )

    def iterate_receipts(
        self, *, status: Literal["OPEN", "MATCHED", "CLOSED"] | None = None, limit: int = 200
    ) -> Iterator[models.ReceiptDocument]:
        """List what merchants paid of their invoices, newest first. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = self.list_receipts(status=status, limit=limit, cursor=place)
            yield from page["data"]
            place = next_page(page, "cursor")
            if place is None:
                return

    def note_receipt(
        self, body: models.NoteReceiptBody, *, idempotency_key: str | None = None
    ) -> models.ReceiptDocument:
        """Note that an invoice was paid, or a credit note paid back."""
        return cast(
            "models.ReceiptDocument",
            self.send(
                Call(
                    "POST",
                    "/admin/v1/receipts",
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def set_off(self, body: models.SetOffBody, *, idempotency_key: str | None = None) -> models.ReceiptDocument:
        """Apply a credit note to an invoice of the same merchant."""
        return cast(
            "models.ReceiptDocument",
            self.send(
                Call(
                    "POST",
                    "/admin/v1/receipts/set-off",
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def get_receipt(self, receipt: str) -> models.ReceiptDocument:
        """Show a merchant's payment."""
        return cast(
            "models.ReceiptDocument",
            self.send(Call("GET", path_of("/admin/v1/receipts/{receipt}", receipt=receipt), may_repeat=True)),
        )

    def assign_receipt(
        self, receipt: str, body: models.AssignReceiptBody, *, idempotency_key: str | None = None
    ) -> models.ReceiptDocument:
        """Say which invoice a payment is for."""
        return cast(
            "models.ReceiptDocument",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/receipts/{receipt}/assign", receipt=receipt),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def close_receipt(
        self, receipt: str, body: models.CloseReceiptBody, *, idempotency_key: str | None = None
    ) -> models.ReceiptDocument:
        """Close the question of a payment; what it pays stays paid."""
        return cast(
            "models.ReceiptDocument",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/receipts/{receipt}/close", receipt=receipt),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def take_receipt_back(
        self, receipt: str, body: models.TakeReceiptBackBody, *, idempotency_key: str | None = None
    ) -> models.ReceiptDocument:
        """Take a payment off the invoices that it pays."""
        return cast(
            "models.ReceiptDocument",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/receipts/{receipt}/take-back", receipt=receipt),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def get_report(
        self,
        *,
        by: Literal["day", "merchant", "campaign", "affiliate"] | None = None,
        mode: models.Mode | None = None,
        from_: str | None = None,
        to: str | None = None,
    ) -> models.FiguresOfPage:
        """Report clicks, orders and commissions of all merchants."""
        return cast(
            "models.FiguresOfPage",
            self.send(
                Call(
                    "GET",
                    "/admin/v1/reports",
                    query=without_none({"by": by, "mode": mode, "from": from_, "to": to}),
                    may_repeat=True,
                )
            ),
        )

    def list_settings(self) -> models.SettingDocumentPage:
        """List every setting as it is in force."""
        return cast("models.SettingDocumentPage", self.send(Call("GET", "/admin/v1/settings", may_repeat=True)))

    def list_shared_accounts(self) -> models.SharedAccountPage:
        """List the accounts that several affiliates are paid to."""
        return cast("models.SharedAccountPage", self.send(Call("GET", "/admin/v1/shared-accounts", may_repeat=True)))

    def list_subscriptions(
        self,
        *,
        merchant_id: str | None = None,
        affiliate_id: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.SubscriptionDocumentPage:
        """List subscriptions to webhooks and postbacks."""
        return cast(
            "models.SubscriptionDocumentPage",
            self.send(
                Call(
                    "GET",
                    "/admin/v1/subscriptions",
                    query=without_none(
                        {"merchantId": merchant_id, "affiliateId": affiliate_id, "limit": limit, "cursor": cursor}
                    ),
                    may_repeat=True,
                )
            ),
        )

    def iterate_subscriptions(
        self, *, merchant_id: str | None = None, affiliate_id: str | None = None, limit: int = 200
    ) -> Iterator[models.SubscriptionDocument]:
        """List subscriptions to webhooks and postbacks. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = self.list_subscriptions(
                merchant_id=merchant_id, affiliate_id=affiliate_id, limit=limit, cursor=place
            )
            yield from page["data"]
            place = next_page(page, "cursor")
            if place is None:
                return

    def create_subscription(
        self, body: models.CreateSubscriptionBody, *, idempotency_key: str | None = None
    ) -> models.CreatedSubscription:
        """Subscribe; the secret is only in this answer."""
        return cast(
            "models.CreatedSubscription",
            self.send(
                Call(
                    "POST",
                    "/admin/v1/subscriptions",
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def delete_subscription(
        self, subscription: str, *, idempotency_key: str | None = None
    ) -> models.SubscriptionDocument:
        """Delete a subscription and what waits for it."""
        return cast(
            "models.SubscriptionDocument",
            self.send(
                Call(
                    "DELETE",
                    path_of("/admin/v1/subscriptions/{subscription}", subscription=subscription),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def update_subscription(
        self, subscription: str, body: models.UpdateSubscriptionBody, *, idempotency_key: str | None = None
    ) -> models.SubscriptionDocument:
        """Change where messages go, which, or in which version."""
        return cast(
            "models.SubscriptionDocument",
            self.send(
                Call(
                    "PATCH",
                    path_of("/admin/v1/subscriptions/{subscription}", subscription=subscription),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def list_deliveries(
        self, subscription: str, *, limit: int | None = None, cursor: str | None = None
    ) -> models.DeliveryDocumentPage:
        """List messages with the receiver's answers."""
        return cast(
            "models.DeliveryDocumentPage",
            self.send(
                Call(
                    "GET",
                    path_of("/admin/v1/subscriptions/{subscription}/deliveries", subscription=subscription),
                    query=without_none({"limit": limit, "cursor": cursor}),
                    may_repeat=True,
                )
            ),
        )

    def iterate_deliveries(self, subscription: str, *, limit: int = 200) -> Iterator[models.DeliveryDocument]:
        """List messages with the receiver's answers. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = self.list_deliveries(subscription, limit=limit, cursor=place)
            yield from page["data"]
            place = next_page(page, "cursor")
            if place is None:
                return

    def pause_subscription(
        self, subscription: str, *, idempotency_key: str | None = None
    ) -> models.SubscriptionDocument:
        """Pause a subscription; messages are kept."""
        return cast(
            "models.SubscriptionDocument",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/subscriptions/{subscription}/pause", subscription=subscription),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def replay_deliveries(
        self, subscription: str, body: models.ReplayDeliveriesBody, *, idempotency_key: str | None = None
    ) -> models.Replayed:
        """Send messages again."""
        return cast(
            "models.Replayed",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/subscriptions/{subscription}/replay", subscription=subscription),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def resume_subscription(
        self, subscription: str, *, idempotency_key: str | None = None
    ) -> models.SubscriptionDocument:
        """Resume a subscription, beginning with what was kept."""
        return cast(
            "models.SubscriptionDocument",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/subscriptions/{subscription}/resume", subscription=subscription),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def retry_deliveries(
        self, subscription: str, body: models.RetryDeliveriesBody, *, idempotency_key: str | None = None
    ) -> models.Retried:
        """Retry now what waits."""
        return cast(
            "models.Retried",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/subscriptions/{subscription}/retry", subscription=subscription),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def rotate_subscription_secret(
        self, subscription: str, body: models.RotateSubscriptionSecretBody, *, idempotency_key: str | None = None
    ) -> models.CreatedSubscription:
        """Make a new secret."""
        return cast(
            "models.CreatedSubscription",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/subscriptions/{subscription}/rotate", subscription=subscription),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def test_subscription(
        self, subscription: str, body: models.TestSubscriptionBody, *, idempotency_key: str | None = None
    ) -> models.SampleQueued:
        """Send a test message of a kind."""
        return cast(
            "models.SampleQueued",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/subscriptions/{subscription}/test", subscription=subscription),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def list_tokens(self, *, limit: int | None = None, cursor: str | None = None) -> models.TokenDocumentPage:
        """List tokens, without their secrets."""
        return cast(
            "models.TokenDocumentPage",
            self.send(
                Call("GET", "/admin/v1/tokens", query=without_none({"limit": limit, "cursor": cursor}), may_repeat=True)
            ),
        )

    def iterate_tokens(self, *, limit: int = 200) -> Iterator[models.TokenDocument]:
        """List tokens, without their secrets. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = self.list_tokens(limit=limit, cursor=place)
            yield from page["data"]
            place = next_page(page, "cursor")
            if place is None:
                return

    def revoke_token(self, token: str, *, idempotency_key: str | None = None) -> models.TokenDocument:
        """Revoke a token at once."""
        return cast(
            "models.TokenDocument",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/tokens/{token}/revoke", token=token),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def list_acts(
        self,
        *,
        subject: str | None = None,
        actor: str | None = None,
        act: str | None = None,
        since: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.ActDocumentPage:
        """List who did what, newest first."""
        return cast(
            "models.ActDocumentPage",
            self.send(
                Call(
                    "GET",
                    "/admin/v1/trail",
                    query=without_none(
                        {
                            "subject": subject,
                            "actor": actor,
                            "act": act,
                            "since": since,
                            "limit": limit,
                            "cursor": cursor,
                        }
                    ),
                    may_repeat=True,
                )
            ),
        )

    def iterate_acts(
        self,
        *,
        subject: str | None = None,
        actor: str | None = None,
        act: str | None = None,
        since: str | None = None,
        limit: int = 200,
    ) -> Iterator[models.ActDocument]:
        """List who did what, newest first. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = self.list_acts(subject=subject, actor=actor, act=act, since=since, limit=limit, cursor=place)
            yield from page["data"]
            place = next_page(page, "cursor")
            if place is None:
                return

    def list_users(
        self,
        *,
        search: str | None = None,
        status: Literal["ACTIVE", "DISABLED"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.UserDocumentPage:
        """List the people who sign in."""
        return cast(
            "models.UserDocumentPage",
            self.send(
                Call(
                    "GET",
                    "/admin/v1/users",
                    query=without_none({"search": search, "status": status, "limit": limit, "cursor": cursor}),
                    may_repeat=True,
                )
            ),
        )

    def iterate_users(
        self, *, search: str | None = None, status: Literal["ACTIVE", "DISABLED"] | None = None, limit: int = 200
    ) -> Iterator[models.UserDocument]:
        """List the people who sign in. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = self.list_users(search=search, status=status, limit=limit, cursor=place)
            yield from page["data"]
            place = next_page(page, "cursor")
            if place is None:
                return

    def create_user(self, body: models.CreateUserBody, *, idempotency_key: str | None = None) -> models.UserDocument:
        """Create a user with a role."""
        return cast(
            "models.UserDocument",
            self.send(
                Call(
                    "POST",
                    "/admin/v1/users",
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def invite_user(
        self, body: models.InviteUserBody, *, idempotency_key: str | None = None
    ) -> models.InvitationDocument:
        """Invite a person to a role, by mail."""
        return cast(
            "models.InvitationDocument",
            self.send(
                Call(
                    "POST",
                    "/admin/v1/users/invite",
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def disable_user(self, user: str, *, idempotency_key: str | None = None) -> models.UserDocument:
        """Disable a user and sign them out everywhere."""
        return cast(
            "models.UserDocument",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/users/{user}/disable", user=user),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def enable_user(self, user: str, *, idempotency_key: str | None = None) -> models.UserDocument:
        """Let a disabled user sign in again."""
        return cast(
            "models.UserDocument",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/users/{user}/enable", user=user),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def reset_factors(self, user: str, *, idempotency_key: str | None = None) -> models.UserDocument:
        """Remove a user's authenticator app and passkeys."""
        return cast(
            "models.UserDocument",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/users/{user}/factors/reset", user=user),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def grant_role(
        self, user: str, body: models.GrantRoleBody, *, idempotency_key: str | None = None
    ) -> models.UserDocument:
        """Give a user one more role."""
        return cast(
            "models.UserDocument",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/users/{user}/roles", user=user),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def revoke_role(
        self, user: str, body: models.RevokeRoleBody, *, idempotency_key: str | None = None
    ) -> models.UserDocument:
        """Remove a role from a user."""
        return cast(
            "models.UserDocument",
            self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/users/{user}/roles/remove", user=user),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )


class AsyncOperatorsOperations(Protocol):
    """The operations of the API, awaited."""

    async def send(self, call: Call) -> Any:
        """Send a call, and return the body of its answer."""
        ...

    async def list_adjustments(
        self,
        *,
        status: Literal["PROPOSED", "APPROVED", "PAID", "REJECTED"] | None = None,
        merchant_id: str | None = None,
        affiliate_id: str | None = None,
        mode: models.Mode | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.ListedAdjustmentPage:
        """List corrections, newest first."""
        return cast(
            "models.ListedAdjustmentPage",
            await self.send(
                Call(
                    "GET",
                    "/admin/v1/adjustments",
                    query=without_none(
                        {
                            "status": status,
                            "merchantId": merchant_id,
                            "affiliateId": affiliate_id,
                            "mode": mode,
                            "limit": limit,
                            "cursor": cursor,
                        }
                    ),
                    may_repeat=True,
                )
            ),
        )

    async def iterate_adjustments(
        self,
        *,
        status: Literal["PROPOSED", "APPROVED", "PAID", "REJECTED"] | None = None,
        merchant_id: str | None = None,
        affiliate_id: str | None = None,
        mode: models.Mode | None = None,
        limit: int = 200,
    ) -> AsyncIterator[models.ListedAdjustment]:
        """List corrections, newest first. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = await self.list_adjustments(
                status=status, merchant_id=merchant_id, affiliate_id=affiliate_id, mode=mode, limit=limit, cursor=place
            )
            for each in page["data"]:
                yield each
            place = next_page(page, "cursor")
            if place is None:
                return

    async def create_adjustment(
        self, body: models.CreateAdjustmentBody, *, idempotency_key: str | None = None
    ) -> models.AdjustmentDocument:
        """Propose a correction of what an affiliate is paid."""
        return cast(
            "models.AdjustmentDocument",
            await self.send(
                Call(
                    "POST",
                    "/admin/v1/adjustments",
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def approve_adjustment(
        self, adjustment: str, body: models.ApproveAdjustmentBody, *, idempotency_key: str | None = None
    ) -> models.AdjustmentDocument:
        """Approve a correction, as a second person."""
        return cast(
            "models.AdjustmentDocument",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/adjustments/{adjustment}/approve", adjustment=adjustment),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def reject_adjustment(
        self, adjustment: str, body: models.RejectAdjustmentBody, *, idempotency_key: str | None = None
    ) -> models.AdjustmentDocument:
        """Reject a correction."""
        return cast(
            "models.AdjustmentDocument",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/adjustments/{adjustment}/reject", adjustment=adjustment),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def list_affiliates(
        self,
        *,
        search: str | None = None,
        status: models.AffiliateStatus | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.ListedAffiliatePage:
        """List affiliates, newest first."""
        return cast(
            "models.ListedAffiliatePage",
            await self.send(
                Call(
                    "GET",
                    "/admin/v1/affiliates",
                    query=without_none({"search": search, "status": status, "limit": limit, "cursor": cursor}),
                    may_repeat=True,
                )
            ),
        )

    async def iterate_affiliates(
        self, *, search: str | None = None, status: models.AffiliateStatus | None = None, limit: int = 200
    ) -> AsyncIterator[models.ListedAffiliate]:
        """List affiliates, newest first. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = await self.list_affiliates(search=search, status=status, limit=limit, cursor=place)
            for each in page["data"]:
                yield each
            place = next_page(page, "cursor")
            if place is None:
                return

    async def create_affiliate(
        self, body: models.CreateAffiliateBody, *, idempotency_key: str | None = None
    ) -> models.AffiliateDocument:
        """Create an affiliate."""
        return cast(
            "models.AffiliateDocument",
            await self.send(
                Call(
                    "POST",
                    "/admin/v1/affiliates",
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def get_affiliate(self, affiliate: str) -> models.AffiliateDocument:
        """Show an affiliate."""
        return cast(
            "models.AffiliateDocument",
            await self.send(
                Call("GET", path_of("/admin/v1/affiliates/{affiliate}", affiliate=affiliate), may_repeat=True)
            ),
        )

    async def update_affiliate(
        self, affiliate: str, body: models.UpdateAffiliateBody, *, idempotency_key: str | None = None
    ) -> models.AffiliateDocument:
        """Change an affiliate."""
        return cast(
            "models.AffiliateDocument",
            await self.send(
                Call(
                    "PATCH",
                    path_of("/admin/v1/affiliates/{affiliate}", affiliate=affiliate),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def activate_affiliate(
        self, affiliate: str, *, idempotency_key: str | None = None
    ) -> models.AffiliateDocument:
        """Let an affiliate earn again."""
        return cast(
            "models.AffiliateDocument",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/affiliates/{affiliate}/activate", affiliate=affiliate),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def list_balances(self, affiliate: str, *, mode: models.Mode | None = None) -> models.BalanceDocumentPage:
        """Show an affiliate's balances, by currency."""
        return cast(
            "models.BalanceDocumentPage",
            await self.send(
                Call(
                    "GET",
                    path_of("/admin/v1/affiliates/{affiliate}/balances", affiliate=affiliate),
                    query=without_none({"mode": mode}),
                    may_repeat=True,
                )
            ),
        )

    async def deactivate_affiliate(
        self, affiliate: str, *, idempotency_key: str | None = None
    ) -> models.AffiliateDocument:
        """Stop an affiliate from earning."""
        return cast(
            "models.AffiliateDocument",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/affiliates/{affiliate}/deactivate", affiliate=affiliate),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def free_payments(self, affiliate: str, *, idempotency_key: str | None = None) -> models.HoldDocument:
        """Resume the payments of an affiliate."""
        return cast(
            "models.HoldDocument",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/affiliates/{affiliate}/free", affiliate=affiliate),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def hold_payments(
        self, affiliate: str, body: models.HoldPaymentsBody, *, idempotency_key: str | None = None
    ) -> models.HoldDocument:
        """Hold the payments of an affiliate."""
        return cast(
            "models.HoldDocument",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/affiliates/{affiliate}/hold", affiliate=affiliate),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def get_self_billed_to(self, affiliate: str) -> models.SelfBilledTo:
        """Show to which company an affiliate is self-billed."""
        return cast(
            "models.SelfBilledTo",
            await self.send(
                Call("GET", path_of("/admin/v1/affiliates/{affiliate}/issuer", affiliate=affiliate), may_repeat=True)
            ),
        )

    async def self_bill_to(
        self, affiliate: str, body: models.SelfBillToBody, *, idempotency_key: str | None = None
    ) -> models.SelfBilledTo:
        """Have an affiliate's self-billed invoices be to a company from the next one on."""
        return cast(
            "models.SelfBilledTo",
            await self.send(
                Call(
                    "PUT",
                    path_of("/admin/v1/affiliates/{affiliate}/issuer", affiliate=affiliate),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def get_payee(self, affiliate: str) -> models.PayeeDocument:
        """Show an affiliate's payment details."""
        return cast(
            "models.PayeeDocument",
            await self.send(
                Call("GET", path_of("/admin/v1/affiliates/{affiliate}/payee", affiliate=affiliate), may_repeat=True)
            ),
        )

    async def set_payee(
        self, affiliate: str, body: models.SetPayeeBody, *, idempotency_key: str | None = None
    ) -> models.PayeeDocument:
        """Set an affiliate's payment details."""
        return cast(
            "models.PayeeDocument",
            await self.send(
                Call(
                    "PUT",
                    path_of("/admin/v1/affiliates/{affiliate}/payee", affiliate=affiliate),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def get_payout_terms(self, affiliate: str) -> models.PayoutTerms:
        """Show how an affiliate chose to be paid."""
        return cast(
            "models.PayoutTerms",
            await self.send(
                Call(
                    "GET",
                    path_of("/admin/v1/affiliates/{affiliate}/payout-terms", affiliate=affiliate),
                    may_repeat=True,
                )
            ),
        )

    async def set_payout_terms(
        self, affiliate: str, body: models.SetPayoutTermsBody, *, idempotency_key: str | None = None
    ) -> models.PayoutTerms:
        """Set an affiliate's minimum and currencies."""
        return cast(
            "models.PayoutTerms",
            await self.send(
                Call(
                    "PUT",
                    path_of("/admin/v1/affiliates/{affiliate}/payout-terms", affiliate=affiliate),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def get_tax_details(self, affiliate: str) -> models.TaxDocument:
        """Show what DAC7 asks of an affiliate."""
        return cast(
            "models.TaxDocument",
            await self.send(
                Call(
                    "GET", path_of("/admin/v1/affiliates/{affiliate}/tax-details", affiliate=affiliate), may_repeat=True
                )
            ),
        )

    async def set_tax_details(
        self, affiliate: str, body: models.SetTaxDetailsBody, *, idempotency_key: str | None = None
    ) -> models.TaxDocument:
        """Say what DAC7 asks of an affiliate."""
        return cast(
            "models.TaxDocument",
            await self.send(
                Call(
                    "PUT",
                    path_of("/admin/v1/affiliates/{affiliate}/tax-details", affiliate=affiliate),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def get_affiliate_vat(self, affiliate: str) -> models.VatStanding:
        """Show what VIES says of an affiliate's VAT number."""
        return cast(
            "models.VatStanding",
            await self.send(
                Call("GET", path_of("/admin/v1/affiliates/{affiliate}/vat", affiliate=affiliate), may_repeat=True)
            ),
        )

    async def check_affiliate_vat(self, affiliate: str, *, idempotency_key: str | None = None) -> models.VatStanding:
        """Look an affiliate's VAT number up in VIES."""
        return cast(
            "models.VatStanding",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/affiliates/{affiliate}/vat", affiliate=affiliate),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def write_off_debt(
        self, affiliate: str, body: models.WriteOffDebtBody, *, idempotency_key: str | None = None
    ) -> models.AdjustmentDocument:
        """Propose to write off what an affiliate owes."""
        return cast(
            "models.AdjustmentDocument",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/affiliates/{affiliate}/write-off", affiliate=affiliate),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def list_bank_reports(
        self,
        *,
        payout: str | None = None,
        status: Literal["WAITING", "CHECKING", "NOTING", "DONE", "REFUSED"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.BankReportDocumentPage:
        """List files from banks, newest first."""
        return cast(
            "models.BankReportDocumentPage",
            await self.send(
                Call(
                    "GET",
                    "/admin/v1/bank-reports",
                    query=without_none({"payout": payout, "status": status, "limit": limit, "cursor": cursor}),
                    may_repeat=True,
                )
            ),
        )

    async def iterate_bank_reports(
        self,
        *,
        payout: str | None = None,
        status: Literal["WAITING", "CHECKING", "NOTING", "DONE", "REFUSED"] | None = None,
        limit: int = 200,
    ) -> AsyncIterator[models.BankReportDocument]:
        """List files from banks, newest first. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = await self.list_bank_reports(payout=payout, status=status, limit=limit, cursor=place)
            for each in page["data"]:
                yield each
            place = next_page(page, "cursor")
            if place is None:
                return

    async def get_bank_report(self, report: str) -> models.BankReportDocument:
        """Show a file from a bank and how far it is read."""
        return cast(
            "models.BankReportDocument",
            await self.send(Call("GET", path_of("/admin/v1/bank-reports/{report}", report=report), may_repeat=True)),
        )

    async def get_books(self) -> models.BooksDocument:
        """Show how the books are kept."""
        return cast("models.BooksDocument", await self.send(Call("GET", "/admin/v1/books", may_repeat=True)))

    async def set_books(self, body: models.SetBooksBody, *, idempotency_key: str | None = None) -> models.BooksDocument:
        """Set the time zone of the books, before the first invoice."""
        return cast(
            "models.BooksDocument",
            await self.send(
                Call(
                    "PUT",
                    "/admin/v1/books",
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def set_billing(
        self, body: models.SetBillingBody, *, idempotency_key: str | None = None
    ) -> models.BooksDocument:
        """Set when merchants are billed a commission, before the first invoice."""
        return cast(
            "models.BooksDocument",
            await self.send(
                Call(
                    "PUT",
                    "/admin/v1/books/billing",
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def list_closed_months(self) -> models.ClosedMonthPage:
        """List the months that are closed or proposed to be, newest first."""
        return cast("models.ClosedMonthPage", await self.send(Call("GET", "/admin/v1/books/months", may_repeat=True)))

    async def propose_close(
        self, body: models.ProposeCloseBody, *, idempotency_key: str | None = None
    ) -> models.ClosedMonth:
        """Propose to close a month of the books."""
        return cast(
            "models.ClosedMonth",
            await self.send(
                Call(
                    "POST",
                    "/admin/v1/books/months",
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def close_month(
        self, body: models.CloseMonthBody, *, idempotency_key: str | None = None
    ) -> models.ClosedMonth:
        """Close a month of the books, as a second person."""
        return cast(
            "models.ClosedMonth",
            await self.send(
                Call(
                    "POST",
                    "/admin/v1/books/months/close",
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def list_campaigns(
        self,
        *,
        search: str | None = None,
        merchant_id: str | None = None,
        mode: models.Mode | None = None,
        approval: models.ApprovalStatus | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.ListedCampaignPage:
        """List campaigns, newest first."""
        return cast(
            "models.ListedCampaignPage",
            await self.send(
                Call(
                    "GET",
                    "/admin/v1/campaigns",
                    query=without_none(
                        {
                            "search": search,
                            "merchantId": merchant_id,
                            "mode": mode,
                            "approval": approval,
                            "limit": limit,
                            "cursor": cursor,
                        }
                    ),
                    may_repeat=True,
                )
            ),
        )

    async def iterate_campaigns(
        self,
        *,
        search: str | None = None,
        merchant_id: str | None = None,
        mode: models.Mode | None = None,
        approval: models.ApprovalStatus | None = None,
        limit: int = 200,
    ) -> AsyncIterator[models.ListedCampaign]:
        """List campaigns, newest first. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = await self.list_campaigns(
                search=search, merchant_id=merchant_id, mode=mode, approval=approval, limit=limit, cursor=place
            )
            for each in page["data"]:
                yield each
            place = next_page(page, "cursor")
            if place is None:
                return

    async def create_campaign(
        self, body: models.CreateCampaignBody, *, idempotency_key: str | None = None
    ) -> models.CampaignDetails:
        """Create a campaign of a merchant, as a draft."""
        return cast(
            "models.CampaignDetails",
            await self.send(
                Call(
                    "POST",
                    "/admin/v1/campaigns",
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def get_campaign(self, campaign: str) -> models.CampaignDetails:
        """Show a campaign."""
        return cast(
            "models.CampaignDetails",
            await self.send(Call("GET", path_of("/admin/v1/campaigns/{campaign}", campaign=campaign), may_repeat=True)),
        )

    async def update_campaign(
        self, campaign: str, body: models.UpdateCampaignBody, *, idempotency_key: str | None = None
    ) -> models.CampaignDetails:
        """Change a campaign."""
        return cast(
            "models.CampaignDetails",
            await self.send(
                Call(
                    "PATCH",
                    path_of("/admin/v1/campaigns/{campaign}", campaign=campaign),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def activate_campaign(self, campaign: str, *, idempotency_key: str | None = None) -> models.CampaignDetails:
        """Activate a campaign."""
        return cast(
            "models.CampaignDetails",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/campaigns/{campaign}/activate", campaign=campaign),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def approve_campaign(self, campaign: str, *, idempotency_key: str | None = None) -> models.CampaignDetails:
        """Approve a campaign."""
        return cast(
            "models.CampaignDetails",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/campaigns/{campaign}/approve", campaign=campaign),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def archive_campaign(self, campaign: str, *, idempotency_key: str | None = None) -> models.CampaignDetails:
        """Archive a campaign for good."""
        return cast(
            "models.CampaignDetails",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/campaigns/{campaign}/archive", campaign=campaign),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def decide_membership(
        self, campaign: str, affiliate: str, body: models.DecideMembershipBody, *, idempotency_key: str | None = None
    ) -> models.MembershipDocument:
        """Decide on an affiliate's membership."""
        return cast(
            "models.MembershipDocument",
            await self.send(
                Call(
                    "PUT",
                    path_of(
                        "/admin/v1/campaigns/{campaign}/members/{affiliate}", campaign=campaign, affiliate=affiliate
                    ),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def set_member_rate(
        self, campaign: str, affiliate: str, body: models.SetMemberRateBody, *, idempotency_key: str | None = None
    ) -> models.MembershipDocument:
        """Give an affiliate a rate of its own."""
        return cast(
            "models.MembershipDocument",
            await self.send(
                Call(
                    "PUT",
                    path_of(
                        "/admin/v1/campaigns/{campaign}/members/{affiliate}/rate",
                        campaign=campaign,
                        affiliate=affiliate,
                    ),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def pause_campaign(self, campaign: str, *, idempotency_key: str | None = None) -> models.CampaignDetails:
        """Pause a campaign."""
        return cast(
            "models.CampaignDetails",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/campaigns/{campaign}/pause", campaign=campaign),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def get_campaign_policy(self, campaign: str) -> models.PolicyDocument:
        """Show who earns from a campaign's orders."""
        return cast(
            "models.PolicyDocument",
            await self.send(
                Call("GET", path_of("/admin/v1/campaigns/{campaign}/policy", campaign=campaign), may_repeat=True)
            ),
        )

    async def set_campaign_policy(
        self, campaign: str, body: models.SetCampaignPolicyBody, *, idempotency_key: str | None = None
    ) -> models.PolicyDocument:
        """Change who earns from a campaign's orders."""
        return cast(
            "models.PolicyDocument",
            await self.send(
                Call(
                    "PATCH",
                    path_of("/admin/v1/campaigns/{campaign}/policy", campaign=campaign),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def reject_campaign(self, campaign: str, *, idempotency_key: str | None = None) -> models.CampaignDetails:
        """Reject a campaign."""
        return cast(
            "models.CampaignDetails",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/campaigns/{campaign}/reject", campaign=campaign),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def list_changes(
        self, *, after: str | None = None, types: str | None = None, limit: int | None = None, wait: int | None = None
    ) -> models.ChangesDocument:
        """Follow what changed in all accounts, from a cursor that never expires."""
        return cast(
            "models.ChangesDocument",
            await self.send(
                Call(
                    "GET",
                    "/admin/v1/changes",
                    query=without_none({"after": after, "types": types, "limit": limit, "wait": wait}),
                    may_repeat=True,
                )
            ),
        )

    async def confirm_clocks(self, *, idempotency_key: str | None = None) -> models.ConfirmedClocks:
        """Trust the clocks again after they jumped."""
        return cast(
            "models.ConfirmedClocks",
            await self.send(
                Call(
                    "POST",
                    "/admin/v1/clocks/confirm",
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def list_commissions(
        self,
        *,
        merchant_id: str | None = None,
        affiliate_id: str | None = None,
        mode: models.Mode | None = None,
        status: models.CommissionState | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.ListedCommissionPage:
        """List commissions, newest first."""
        return cast(
            "models.ListedCommissionPage",
            await self.send(
                Call(
                    "GET",
                    "/admin/v1/commissions",
                    query=without_none(
                        {
                            "merchantId": merchant_id,
                            "affiliateId": affiliate_id,
                            "mode": mode,
                            "status": status,
                            "limit": limit,
                            "cursor": cursor,
                        }
                    ),
                    may_repeat=True,
                )
            ),
        )

    async def iterate_commissions(
        self,
        *,
        merchant_id: str | None = None,
        affiliate_id: str | None = None,
        mode: models.Mode | None = None,
        status: models.CommissionState | None = None,
        limit: int = 200,
    ) -> AsyncIterator[models.ListedCommission]:
        """List commissions, newest first. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = await self.list_commissions(
                merchant_id=merchant_id, affiliate_id=affiliate_id, mode=mode, status=status, limit=limit, cursor=place
            )
            for each in page["data"]:
                yield each
            place = next_page(page, "cursor")
            if place is None:
                return

    async def get_commission(self, commission: str) -> models.ListedCommission:
        """Show a commission."""
        return cast(
            "models.ListedCommission",
            await self.send(
                Call("GET", path_of("/admin/v1/commissions/{commission}", commission=commission), may_repeat=True)
            ),
        )

    async def pay_commission(
        self, commission: str, body: models.PayCommissionBody, *, idempotency_key: str | None = None
    ) -> models.PayoutDocument:
        """Note that a commission was paid."""
        return cast(
            "models.PayoutDocument",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/commissions/{commission}/pay", commission=commission),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def list_connections(
        self, *, merchant_id: str | None = None, limit: int | None = None, cursor: str | None = None
    ) -> models.ConnectionDocumentPage:
        """List connections of stores."""
        return cast(
            "models.ConnectionDocumentPage",
            await self.send(
                Call(
                    "GET",
                    "/admin/v1/connections",
                    query=without_none({"merchantId": merchant_id, "limit": limit, "cursor": cursor}),
                    may_repeat=True,
                )
            ),
        )

    async def iterate_connections(
        self, *, merchant_id: str | None = None, limit: int = 200
    ) -> AsyncIterator[models.ConnectionDocument]:
        """List connections of stores. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = await self.list_connections(merchant_id=merchant_id, limit=limit, cursor=place)
            for each in page["data"]:
                yield each
            place = next_page(page, "cursor")
            if place is None:
                return

    async def create_connection(
        self, body: models.CreateConnectionBody, *, idempotency_key: str | None = None
    ) -> models.CreatedConnection:
        """Connect a store."""
        return cast(
            "models.CreatedConnection",
            await self.send(
                Call(
                    "POST",
                    "/admin/v1/connections",
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def get_connection(self, connection: str) -> models.ConnectionWithSteps:
        """Show a connection."""
        return cast(
            "models.ConnectionWithSteps",
            await self.send(
                Call("GET", path_of("/admin/v1/connections/{connection}", connection=connection), may_repeat=True)
            ),
        )

    async def close_connection(
        self, connection: str, *, idempotency_key: str | None = None
    ) -> models.ConnectionDocument:
        """Close a connection."""
        return cast(
            "models.ConnectionDocument",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/connections/{connection}/close", connection=connection),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def delete_credentials(self, connection: str, *, idempotency_key: str | None = None) -> models.KeptWebhooks:
        """Delete a platform's credentials, and the webhooks there."""
        return cast(
            "models.KeptWebhooks",
            await self.send(
                Call(
                    "DELETE",
                    path_of("/admin/v1/connections/{connection}/credentials", connection=connection),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def give_credentials(
        self, connection: str, body: models.GiveCredentialsBody, *, idempotency_key: str | None = None
    ) -> models.GivenCredentials:
        """Check a platform's credentials with it, store them, and begin to read."""
        return cast(
            "models.GivenCredentials",
            await self.send(
                Call(
                    "PUT",
                    path_of("/admin/v1/connections/{connection}/credentials", connection=connection),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def fetch_again(self, connection: str, *, idempotency_key: str | None = None) -> models.DueFetches:
        """Fetch again what deliveries only named."""
        return cast(
            "models.DueFetches",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/connections/{connection}/fetch", connection=connection),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def keep_connection(self, connection: str, *, idempotency_key: str | None = None) -> models.KeptConnection:
        """Keep a store's data that was to be erased."""
        return cast(
            "models.KeptConnection",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/connections/{connection}/keep", connection=connection),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def set_last_look(
        self, connection: str, body: models.SetLastLookBody, *, idempotency_key: str | None = None
    ) -> models.LastLook:
        """Set whether orders are checked before their holds end."""
        return cast(
            "models.LastLook",
            await self.send(
                Call(
                    "PUT",
                    path_of("/admin/v1/connections/{connection}/last-look", connection=connection),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def get_platform(self, connection: str) -> models.PlatformDocument:
        """Show how a connection's platform is read."""
        return cast(
            "models.PlatformDocument",
            await self.send(
                Call(
                    "GET",
                    path_of("/admin/v1/connections/{connection}/platform", connection=connection),
                    may_repeat=True,
                )
            ),
        )

    async def start_reading(
        self, connection: str, body: models.StartReadingBody, *, idempotency_key: str | None = None
    ) -> models.AskedReading:
        """Have a platform's orders or its catalogue read."""
        return cast(
            "models.AskedReading",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/connections/{connection}/readings", connection=connection),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def add_connection_secret(
        self, connection: str, body: models.AddConnectionSecretBody, *, idempotency_key: str | None = None
    ) -> models.AddedSecret:
        """Add a secret to a connection."""
        return cast(
            "models.AddedSecret",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/connections/{connection}/secrets", connection=connection),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def expire_connection_secret(
        self,
        connection: str,
        secret: str,
        body: models.ExpireConnectionSecretBody,
        *,
        idempotency_key: str | None = None,
    ) -> models.ExpiredSecret:
        """Expire a secret of a connection."""
        return cast(
            "models.ExpiredSecret",
            await self.send(
                Call(
                    "POST",
                    path_of(
                        "/admin/v1/connections/{connection}/secrets/{secret}/expire",
                        connection=connection,
                        secret=secret,
                    ),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def set_connection_site(
        self, connection: str, body: models.SetConnectionSiteBody, *, idempotency_key: str | None = None
    ) -> models.ConnectionDocument:
        """Bind a connection to a site, or to none."""
        return cast(
            "models.ConnectionDocument",
            await self.send(
                Call(
                    "PUT",
                    path_of("/admin/v1/connections/{connection}/site", connection=connection),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def keep_webhooks(self, connection: str, *, idempotency_key: str | None = None) -> models.KeptWebhooks:
        """Check the webhooks on the platform, and create those again that are disabled or lost."""
        return cast(
            "models.KeptWebhooks",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/connections/{connection}/webhooks", connection=connection),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def list_conversions(
        self,
        *,
        merchant_id: str | None = None,
        affiliate_id: str | None = None,
        mode: models.Mode | None = None,
        external_order_id: str | None = None,
        review: bool | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.ConversionRecordPage:
        """List orders with their commissions and facts."""
        return cast(
            "models.ConversionRecordPage",
            await self.send(
                Call(
                    "GET",
                    "/admin/v1/conversions",
                    query=without_none(
                        {
                            "merchantId": merchant_id,
                            "affiliateId": affiliate_id,
                            "mode": mode,
                            "externalOrderId": external_order_id,
                            "review": review,
                            "limit": limit,
                            "cursor": cursor,
                        }
                    ),
                    may_repeat=True,
                )
            ),
        )

    async def iterate_conversions(
        self,
        *,
        merchant_id: str | None = None,
        affiliate_id: str | None = None,
        mode: models.Mode | None = None,
        external_order_id: str | None = None,
        review: bool | None = None,
        limit: int = 200,
    ) -> AsyncIterator[models.ConversionRecord]:
        """List orders with their commissions and facts. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = await self.list_conversions(
                merchant_id=merchant_id,
                affiliate_id=affiliate_id,
                mode=mode,
                external_order_id=external_order_id,
                review=review,
                limit=limit,
                cursor=place,
            )
            for each in page["data"]:
                yield each
            place = next_page(page, "cursor")
            if place is None:
                return

    async def get_conversion(self, conversion: str) -> models.ConversionRecord:
        """Show an order with its commission and facts."""
        return cast(
            "models.ConversionRecord",
            await self.send(
                Call("GET", path_of("/admin/v1/conversions/{conversion}", conversion=conversion), may_repeat=True)
            ),
        )

    async def attribute_conversion(
        self, conversion: str, body: models.AttributeConversionBody, *, idempotency_key: str | None = None
    ) -> models.ReviewedConversion:
        """Attribute an order under review."""
        return cast(
            "models.ReviewedConversion",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/conversions/{conversion}/attribute", conversion=conversion),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def dismiss_conversion(
        self, conversion: str, *, idempotency_key: str | None = None
    ) -> models.ReviewedConversion:
        """Close a review without a commission."""
        return cast(
            "models.ReviewedConversion",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/conversions/{conversion}/dismiss", conversion=conversion),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def list_messages(self, conversion: str) -> models.MessageDocumentPage:
        """Read what was written about an order."""
        return cast(
            "models.MessageDocumentPage",
            await self.send(
                Call(
                    "GET",
                    path_of("/admin/v1/conversions/{conversion}/messages", conversion=conversion),
                    may_repeat=True,
                )
            ),
        )

    async def write_message(
        self, conversion: str, body: models.WriteMessageBody, *, idempotency_key: str | None = None
    ) -> models.MessageDocumentPage:
        """Answer a question about an order."""
        return cast(
            "models.MessageDocumentPage",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/conversions/{conversion}/messages", conversion=conversion),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def close_questions(
        self, conversion: str, body: models.CloseQuestionsBody, *, idempotency_key: str | None = None
    ) -> models.ClosedQuestions:
        """Close the questions about an order."""
        return cast(
            "models.ClosedQuestions",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/conversions/{conversion}/questions/close", conversion=conversion),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def separate_orders(self, conversion: str, *, idempotency_key: str | None = None) -> models.SeparatedOrders:
        """Count other orders of the same number as their own."""
        return cast(
            "models.SeparatedOrders",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/conversions/{conversion}/separate", conversion=conversion),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def list_debts(self) -> models.DebtDocumentPage:
        """List what affiliates owe, the oldest first."""
        return cast("models.DebtDocumentPage", await self.send(Call("GET", "/admin/v1/debts", may_repeat=True)))

    async def list_event_types(self) -> models.EventTypeRecordPage:
        """List the kinds of messages that subscribers get."""
        return cast(
            "models.EventTypeRecordPage", await self.send(Call("GET", "/admin/v1/event-types", may_repeat=True))
        )

    async def list_events(
        self,
        *,
        merchant_id: str | None = None,
        affiliate_id: str | None = None,
        mode: models.Mode | None = None,
        status: models.EventStatus | None = None,
        reason: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.EventDocumentPage:
        """List submissions in a status, newest first."""
        return cast(
            "models.EventDocumentPage",
            await self.send(
                Call(
                    "GET",
                    "/admin/v1/events",
                    query=without_none(
                        {
                            "merchantId": merchant_id,
                            "affiliateId": affiliate_id,
                            "mode": mode,
                            "status": status,
                            "reason": reason,
                            "limit": limit,
                            "cursor": cursor,
                        }
                    ),
                    may_repeat=True,
                )
            ),
        )

    async def iterate_events(
        self,
        *,
        merchant_id: str | None = None,
        affiliate_id: str | None = None,
        mode: models.Mode | None = None,
        status: models.EventStatus | None = None,
        reason: str | None = None,
        limit: int = 200,
    ) -> AsyncIterator[models.EventDocument]:
        """List submissions in a status, newest first. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = await self.list_events(
                merchant_id=merchant_id,
                affiliate_id=affiliate_id,
                mode=mode,
                status=status,
                reason=reason,
                limit=limit,
                cursor=place,
            )
            for each in page["data"]:
                yield each
            place = next_page(page, "cursor")
            if place is None:
                return

    async def get_event(self, event: str) -> models.ShownEvent:
        """Show what became of a submission, and why."""
        return cast(
            "models.ShownEvent",
            await self.send(Call("GET", path_of("/admin/v1/events/{event}", event=event), may_repeat=True)),
        )

    async def replay_event(self, event: str, *, idempotency_key: str | None = None) -> models.EventDocument:
        """Process a submission again."""
        return cast(
            "models.EventDocument",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/events/{event}/replay", event=event),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def list_exchange_rates(self) -> models.ExchangeRatePage:
        """List the exchange rates in force and those that are proposed."""
        return cast(
            "models.ExchangeRatePage", await self.send(Call("GET", "/admin/v1/exchange-rates", may_repeat=True))
        )

    async def propose_exchange_rates(
        self, body: models.ProposeExchangeRatesBody, *, idempotency_key: str | None = None
    ) -> models.ExchangeRatePage:
        """Propose exchange rates."""
        return cast(
            "models.ExchangeRatePage",
            await self.send(
                Call(
                    "POST",
                    "/admin/v1/exchange-rates",
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def approve_exchange_rates(
        self, rates: str, *, idempotency_key: str | None = None
    ) -> models.ExchangeRatePage:
        """Approve exchange rates, as a second person: runs follow them from now on."""
        return cast(
            "models.ExchangeRatePage",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/exchange-rates/{rates}/approve", rates=rates),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def drop_exchange_rates(self, rates: str, *, idempotency_key: str | None = None) -> models.ExchangeRatePage:
        """Drop exchange rates that are only proposed."""
        return cast(
            "models.ExchangeRatePage",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/exchange-rates/{rates}/drop", rates=rates),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def get_health(self) -> models.HealthDocument:
        """Show how the hub is doing."""
        return cast("models.HealthDocument", await self.send(Call("GET", "/admin/v1/health", may_repeat=True)))

    async def list_invoices(self, *, merchant_id: str | None = None) -> models.ShownInvoicePage:
        """List invoices to merchants with what was paid of them, newest first."""
        return cast(
            "models.ShownInvoicePage",
            await self.send(
                Call("GET", "/admin/v1/invoices", query=without_none({"merchantId": merchant_id}), may_repeat=True)
            ),
        )

    async def list_issuers(self) -> models.IssuerDocumentPage:
        """List the companies that bill merchants, beside the one of the settings."""
        return cast("models.IssuerDocumentPage", await self.send(Call("GET", "/admin/v1/issuers", may_repeat=True)))

    async def set_issuer(
        self, body: models.SetIssuerBody, *, idempotency_key: str | None = None
    ) -> models.IssuerDocument:
        """Add a company that bills merchants, or change one."""
        return cast(
            "models.IssuerDocument",
            await self.send(
                Call(
                    "POST",
                    "/admin/v1/issuers",
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def update_key(
        self, key: str, body: models.UpdateKeyBody, *, idempotency_key: str | None = None
    ) -> models.KeyDocument:
        """Rename a key, and change from where and until when it is accepted."""
        return cast(
            "models.KeyDocument",
            await self.send(
                Call(
                    "PATCH",
                    path_of("/admin/v1/keys/{key}", key=key),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def revoke_key(self, key: str, *, idempotency_key: str | None = None) -> models.KeyDocument:
        """Revoke a key."""
        return cast(
            "models.KeyDocument",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/keys/{key}/revoke", key=key),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def rotate_key(
        self, key: str, body: models.RotateKeyBody, *, idempotency_key: str | None = None
    ) -> models.IssuedKeyDocument:
        """Replace a key; the old one expires after a while."""
        return cast(
            "models.IssuedKeyDocument",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/keys/{key}/rotate", key=key),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def list_links(
        self, *, merchant_id: str | None = None, limit: int | None = None, cursor: str | None = None
    ) -> models.LinkRecordPage:
        """List tracking links."""
        return cast(
            "models.LinkRecordPage",
            await self.send(
                Call(
                    "GET",
                    "/admin/v1/links",
                    query=without_none({"merchantId": merchant_id, "limit": limit, "cursor": cursor}),
                    may_repeat=True,
                )
            ),
        )

    async def iterate_links(
        self, *, merchant_id: str | None = None, limit: int = 200
    ) -> AsyncIterator[models.LinkRecord]:
        """List tracking links. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = await self.list_links(merchant_id=merchant_id, limit=limit, cursor=place)
            for each in page["data"]:
                yield each
            place = next_page(page, "cursor")
            if place is None:
                return

    async def create_link(
        self, body: models.CreateLinkBody, *, idempotency_key: str | None = None
    ) -> models.LinkCreated:
        """Create a tracking link."""
        return cast(
            "models.LinkCreated",
            await self.send(
                Call(
                    "POST",
                    "/admin/v1/links",
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def get_link(self, link: str) -> models.LinkRecord:
        """Show a tracking link."""
        return cast(
            "models.LinkRecord",
            await self.send(Call("GET", path_of("/admin/v1/links/{link}", link=link), may_repeat=True)),
        )

    async def disable_link(self, link: str, *, idempotency_key: str | None = None) -> models.LinkRecord:
        """Disable a tracking link."""
        return cast(
            "models.LinkRecord",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/links/{link}/disable", link=link),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def enable_link(self, link: str, *, idempotency_key: str | None = None) -> models.LinkRecord:
        """Enable a tracking link."""
        return cast(
            "models.LinkRecord",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/links/{link}/enable", link=link),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def list_mails(
        self,
        *,
        status: Literal["WAITING", "SENT", "GIVEN_UP"] | None = None,
        to: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.MailDocumentPage:
        """List mails, newest first."""
        return cast(
            "models.MailDocumentPage",
            await self.send(
                Call(
                    "GET",
                    "/admin/v1/mails",
                    query=without_none({"status": status, "to": to, "limit": limit, "cursor": cursor}),
                    may_repeat=True,
                )
            ),
        )

    async def iterate_mails(
        self, *, status: Literal["WAITING", "SENT", "GIVEN_UP"] | None = None, to: str | None = None, limit: int = 200
    ) -> AsyncIterator[models.MailDocument]:
        """List mails, newest first. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = await self.list_mails(status=status, to=to, limit=limit, cursor=place)
            for each in page["data"]:
                yield each
            place = next_page(page, "cursor")
            if place is None:
                return

    async def retry_mail(self, mail: str, *, idempotency_key: str | None = None) -> models.MailDocument:
        """Try a mail again."""
        return cast(
            "models.MailDocument",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/mails/{mail}/retry", mail=mail),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def list_memberships(
        self,
        *,
        merchant_id: str | None = None,
        mode: models.Mode | None = None,
        campaign_id: str | None = None,
        affiliate_id: str | None = None,
        status: models.MembershipStatus | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.MembershipDocumentPage:
        """List who promotes what."""
        return cast(
            "models.MembershipDocumentPage",
            await self.send(
                Call(
                    "GET",
                    "/admin/v1/memberships",
                    query=without_none(
                        {
                            "merchantId": merchant_id,
                            "mode": mode,
                            "campaignId": campaign_id,
                            "affiliateId": affiliate_id,
                            "status": status,
                            "limit": limit,
                            "cursor": cursor,
                        }
                    ),
                    may_repeat=True,
                )
            ),
        )

    async def iterate_memberships(
        self,
        *,
        merchant_id: str | None = None,
        mode: models.Mode | None = None,
        campaign_id: str | None = None,
        affiliate_id: str | None = None,
        status: models.MembershipStatus | None = None,
        limit: int = 200,
    ) -> AsyncIterator[models.MembershipDocument]:
        """List who promotes what. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = await self.list_memberships(
                merchant_id=merchant_id,
                mode=mode,
                campaign_id=campaign_id,
                affiliate_id=affiliate_id,
                status=status,
                limit=limit,
                cursor=place,
            )
            for each in page["data"]:
                yield each
            place = next_page(page, "cursor")
            if place is None:
                return

    async def list_merchants(
        self,
        *,
        search: str | None = None,
        status: Literal["PENDING", "APPROVED", "SUSPENDED", "REJECTED", "CLOSED"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.ListedMerchantPage:
        """List merchants, newest first."""
        return cast(
            "models.ListedMerchantPage",
            await self.send(
                Call(
                    "GET",
                    "/admin/v1/merchants",
                    query=without_none({"search": search, "status": status, "limit": limit, "cursor": cursor}),
                    may_repeat=True,
                )
            ),
        )

    async def iterate_merchants(
        self,
        *,
        search: str | None = None,
        status: Literal["PENDING", "APPROVED", "SUSPENDED", "REJECTED", "CLOSED"] | None = None,
        limit: int = 200,
    ) -> AsyncIterator[models.ListedMerchant]:
        """List merchants, newest first. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = await self.list_merchants(search=search, status=status, limit=limit, cursor=place)
            for each in page["data"]:
                yield each
            place = next_page(page, "cursor")
            if place is None:
                return

    async def create_merchant(
        self, body: models.CreateMerchantBody, *, idempotency_key: str | None = None
    ) -> models.MerchantDocument:
        """Create a merchant with its two accounts."""
        return cast(
            "models.MerchantDocument",
            await self.send(
                Call(
                    "POST",
                    "/admin/v1/merchants",
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def get_merchant(self, merchant: str) -> models.MerchantDocument:
        """Show a merchant."""
        return cast(
            "models.MerchantDocument",
            await self.send(Call("GET", path_of("/admin/v1/merchants/{merchant}", merchant=merchant), may_repeat=True)),
        )

    async def update_merchant(
        self, merchant: str, body: models.UpdateMerchantBody, *, idempotency_key: str | None = None
    ) -> models.MerchantDocument:
        """Change a merchant's settings."""
        return cast(
            "models.MerchantDocument",
            await self.send(
                Call(
                    "PATCH",
                    path_of("/admin/v1/merchants/{merchant}", merchant=merchant),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def approve_merchant(self, merchant: str, *, idempotency_key: str | None = None) -> models.MerchantDocument:
        """Approve a merchant."""
        return cast(
            "models.MerchantDocument",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/merchants/{merchant}/approve", merchant=merchant),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def list_clicks(
        self,
        merchant: str,
        *,
        mode: models.Mode | None = None,
        affiliate_id: str | None = None,
        campaign_id: str | None = None,
        link_code: str | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.ClickRecordPage:
        """List clicks on a merchant's links, newest first."""
        return cast(
            "models.ClickRecordPage",
            await self.send(
                Call(
                    "GET",
                    path_of("/admin/v1/merchants/{merchant}/clicks", merchant=merchant),
                    query=without_none(
                        {
                            "mode": mode,
                            "affiliateId": affiliate_id,
                            "campaignId": campaign_id,
                            "linkCode": link_code,
                            "createdFrom": created_from,
                            "createdTo": created_to,
                            "limit": limit,
                            "cursor": cursor,
                        }
                    ),
                    may_repeat=True,
                )
            ),
        )

    async def iterate_clicks(
        self,
        merchant: str,
        *,
        mode: models.Mode | None = None,
        affiliate_id: str | None = None,
        campaign_id: str | None = None,
        link_code: str | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
        limit: int = 200,
    ) -> AsyncIterator[models.ClickRecord]:
        """List clicks on a merchant's links, newest first. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = await self.list_clicks(
                merchant,
                mode=mode,
                affiliate_id=affiliate_id,
                campaign_id=campaign_id,
                link_code=link_code,
                created_from=created_from,
                created_to=created_to,
                limit=limit,
                cursor=place,
            )
            for each in page["data"]:
                yield each
            place = next_page(page, "cursor")
            if place is None:
                return

    async def close_merchant(
        self, merchant: str, body: models.CloseMerchantBody, *, idempotency_key: str | None = None
    ) -> models.MerchantDocument:
        """Close a merchant for good."""
        return cast(
            "models.MerchantDocument",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/merchants/{merchant}/close", merchant=merchant),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def get_deposit(self, merchant: str) -> models.DepositDocument:
        """Show a merchant's deposit."""
        return cast(
            "models.DepositDocument",
            await self.send(
                Call("GET", path_of("/admin/v1/merchants/{merchant}/deposit", merchant=merchant), may_repeat=True)
            ),
        )

    async def require_deposit(
        self, merchant: str, body: models.RequireDepositBody, *, idempotency_key: str | None = None
    ) -> models.DepositDocument:
        """Require a deposit of a merchant, or stop requiring it."""
        return cast(
            "models.DepositDocument",
            await self.send(
                Call(
                    "PUT",
                    path_of("/admin/v1/merchants/{merchant}/deposit", merchant=merchant),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def add_deposit(
        self, merchant: str, body: models.AddDepositBody, *, idempotency_key: str | None = None
    ) -> models.DepositDocument:
        """Record a payment into a merchant's deposit."""
        return cast(
            "models.DepositDocument",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/merchants/{merchant}/deposit/add", merchant=merchant),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def withdraw_deposit(
        self, merchant: str, body: models.WithdrawDepositBody, *, idempotency_key: str | None = None
    ) -> models.DepositDocument:
        """Record a repayment from a merchant's deposit."""
        return cast(
            "models.DepositDocument",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/merchants/{merchant}/deposit/withdraw", merchant=merchant),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def list_domains(self, merchant: str) -> models.DomainDocumentPage:
        """List a merchant's domains."""
        return cast(
            "models.DomainDocumentPage",
            await self.send(
                Call("GET", path_of("/admin/v1/merchants/{merchant}/domains", merchant=merchant), may_repeat=True)
            ),
        )

    async def add_domain(
        self, merchant: str, body: models.AddDomainBody, *, idempotency_key: str | None = None
    ) -> models.DomainDocument:
        """Add a domain to a merchant."""
        return cast(
            "models.DomainDocument",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/merchants/{merchant}/domains", merchant=merchant),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def remove_domain(
        self, merchant: str, domain: str, *, idempotency_key: str | None = None
    ) -> models.DomainDocumentPage:
        """Remove a domain from a merchant."""
        return cast(
            "models.DomainDocumentPage",
            await self.send(
                Call(
                    "DELETE",
                    path_of("/admin/v1/merchants/{merchant}/domains/{domain}", merchant=merchant, domain=domain),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def export_records(
        self,
        merchant: str,
        *,
        of: Literal["conversions", "commissions", "products", "request-log"] | None = None,
        mode: models.Mode | None = None,
    ) -> str:
        """Export a merchant's records as CSV, oldest first."""
        return cast(
            "str",
            await self.send(
                Call(
                    "GET",
                    path_of("/admin/v1/merchants/{merchant}/export", merchant=merchant),
                    query=without_none({"of": of, "mode": mode}),
                    may_repeat=True,
                )
            ),
        )

    async def set_fee(
        self, merchant: str, body: models.SetFeeBody, *, idempotency_key: str | None = None
    ) -> models.FeeDocument:
        """Set the fee that a merchant owes the network for each commission."""
        return cast(
            "models.FeeDocument",
            await self.send(
                Call(
                    "PUT",
                    path_of("/admin/v1/merchants/{merchant}/fee", merchant=merchant),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def list_fees(self, merchant: str) -> models.FeeDocumentPage:
        """List the fees of a merchant, by when each began."""
        return cast(
            "models.FeeDocumentPage",
            await self.send(
                Call("GET", path_of("/admin/v1/merchants/{merchant}/fees", merchant=merchant), may_repeat=True)
            ),
        )

    async def get_issuer(self, merchant: str) -> models.BilledBy:
        """Show which company bills a merchant."""
        return cast(
            "models.BilledBy",
            await self.send(
                Call("GET", path_of("/admin/v1/merchants/{merchant}/issuer", merchant=merchant), may_repeat=True)
            ),
        )

    async def bill_by(
        self, merchant: str, body: models.BillByBody, *, idempotency_key: str | None = None
    ) -> models.BilledBy:
        """Have a company bill a merchant from its next invoice on."""
        return cast(
            "models.BilledBy",
            await self.send(
                Call(
                    "PUT",
                    path_of("/admin/v1/merchants/{merchant}/issuer", merchant=merchant),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def list_keys(
        self, merchant: str, *, limit: int | None = None, cursor: str | None = None
    ) -> models.KeyDocumentPage:
        """List a merchant's keys."""
        return cast(
            "models.KeyDocumentPage",
            await self.send(
                Call(
                    "GET",
                    path_of("/admin/v1/merchants/{merchant}/keys", merchant=merchant),
                    query=without_none({"limit": limit, "cursor": cursor}),
                    may_repeat=True,
                )
            ),
        )

    async def iterate_keys(self, merchant: str, *, limit: int = 200) -> AsyncIterator[models.KeyDocument]:
        """List a merchant's keys. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = await self.list_keys(merchant, limit=limit, cursor=place)
            for each in page["data"]:
                yield each
            place = next_page(page, "cursor")
            if place is None:
                return

    async def create_key(
        self, merchant: str, body: models.CreateKeyBody, *, idempotency_key: str | None = None
    ) -> models.IssuedKeyDocument:
        """Issue a key; its secret is only in this answer."""
        return cast(
            "models.IssuedKeyDocument",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/merchants/{merchant}/keys", merchant=merchant),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def decide_live_access(
        self, merchant: str, body: models.DecideLiveAccessBody, *, idempotency_key: str | None = None
    ) -> models.ProfileDocument:
        """Grant or refuse live access."""
        return cast(
            "models.ProfileDocument",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/merchants/{merchant}/live-access", merchant=merchant),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def list_products(
        self,
        merchant: str,
        *,
        mode: models.Mode | None = None,
        status: models.ProductStatus | None = None,
        search: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.ProductRecordPage:
        """List a merchant's products, newest first."""
        return cast(
            "models.ProductRecordPage",
            await self.send(
                Call(
                    "GET",
                    path_of("/admin/v1/merchants/{merchant}/products", merchant=merchant),
                    query=without_none(
                        {"mode": mode, "status": status, "search": search, "limit": limit, "cursor": cursor}
                    ),
                    may_repeat=True,
                )
            ),
        )

    async def iterate_products(
        self,
        merchant: str,
        *,
        mode: models.Mode | None = None,
        status: models.ProductStatus | None = None,
        search: str | None = None,
        limit: int = 200,
    ) -> AsyncIterator[models.ProductRecord]:
        """List a merchant's products, newest first. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = await self.list_products(
                merchant, mode=mode, status=status, search=search, limit=limit, cursor=place
            )
            for each in page["data"]:
                yield each
            place = next_page(page, "cursor")
            if place is None:
                return

    async def get_merchant_profile(self, merchant: str) -> models.ProfileDocument:
        """Show a merchant's profile."""
        return cast(
            "models.ProfileDocument",
            await self.send(
                Call("GET", path_of("/admin/v1/merchants/{merchant}/profile", merchant=merchant), may_repeat=True)
            ),
        )

    async def update_merchant_profile(
        self, merchant: str, body: models.UpdateMerchantProfileBody, *, idempotency_key: str | None = None
    ) -> models.ProfileDocument:
        """Change a merchant's profile."""
        return cast(
            "models.ProfileDocument",
            await self.send(
                Call(
                    "PATCH",
                    path_of("/admin/v1/merchants/{merchant}/profile", merchant=merchant),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def reject_merchant(
        self, merchant: str, body: models.RejectMerchantBody, *, idempotency_key: str | None = None
    ) -> models.MerchantDocument:
        """Reject a merchant."""
        return cast(
            "models.MerchantDocument",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/merchants/{merchant}/reject", merchant=merchant),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def list_requests(
        self, merchant: str, *, refused: bool | None = None, limit: int | None = None, cursor: str | None = None
    ) -> models.RequestDocumentPage:
        """List the requests of a merchant."""
        return cast(
            "models.RequestDocumentPage",
            await self.send(
                Call(
                    "GET",
                    path_of("/admin/v1/merchants/{merchant}/request-log", merchant=merchant),
                    query=without_none({"refused": refused, "limit": limit, "cursor": cursor}),
                    may_repeat=True,
                )
            ),
        )

    async def iterate_requests(
        self, merchant: str, *, refused: bool | None = None, limit: int = 200
    ) -> AsyncIterator[models.RequestDocument]:
        """List the requests of a merchant. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = await self.list_requests(merchant, refused=refused, limit=limit, cursor=place)
            for each in page["data"]:
                yield each
            place = next_page(page, "cursor")
            if place is None:
                return

    async def get_signatures(self, merchant: str) -> models.SignaturesDocument:
        """Show where a merchant accepts only signed requests."""
        return cast(
            "models.SignaturesDocument",
            await self.send(
                Call("GET", path_of("/admin/v1/merchants/{merchant}/signatures", merchant=merchant), may_repeat=True)
            ),
        )

    async def require_signatures(
        self, merchant: str, body: models.RequireSignaturesBody, *, idempotency_key: str | None = None
    ) -> models.SignaturesDocument:
        """Accept only signed requests in an account, or tokens too."""
        return cast(
            "models.SignaturesDocument",
            await self.send(
                Call(
                    "PUT",
                    path_of("/admin/v1/merchants/{merchant}/signatures", merchant=merchant),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def get_merchant_statement(
        self, merchant: str, month: str, *, mode: models.Mode | None = None
    ) -> models.MerchantStatement:
        """Show what a merchant owes."""
        return cast(
            "models.MerchantStatement",
            await self.send(
                Call(
                    "GET",
                    path_of("/admin/v1/merchants/{merchant}/statements/{month}", merchant=merchant, month=month),
                    query=without_none({"mode": mode}),
                    may_repeat=True,
                )
            ),
        )

    async def suspend_merchant(
        self, merchant: str, body: models.SuspendMerchantBody, *, idempotency_key: str | None = None
    ) -> models.MerchantDocument:
        """Suspend a merchant: its keys and links stop."""
        return cast(
            "models.MerchantDocument",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/merchants/{merchant}/suspend", merchant=merchant),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def advance_test_clock(
        self, merchant: str, body: models.AdvanceTestClockBody, *, idempotency_key: str | None = None
    ) -> models.AdvancedDocument:
        """Move the clock of a test account forward."""
        return cast(
            "models.AdvancedDocument",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/merchants/{merchant}/test/clock", merchant=merchant),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def empty_test_account(
        self, merchant: str, body: models.EmptyTestAccountBody, *, idempotency_key: str | None = None
    ) -> models.EmptiedDocument:
        """Delete the orders of a test account."""
        return cast(
            "models.EmptiedDocument",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/merchants/{merchant}/test/empty", merchant=merchant),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def list_merchant_tokens(
        self, merchant: str, *, limit: int | None = None, cursor: str | None = None
    ) -> models.TokenDocumentPage:
        """List a merchant's tokens, without their secrets."""
        return cast(
            "models.TokenDocumentPage",
            await self.send(
                Call(
                    "GET",
                    path_of("/admin/v1/merchants/{merchant}/tokens", merchant=merchant),
                    query=without_none({"limit": limit, "cursor": cursor}),
                    may_repeat=True,
                )
            ),
        )

    async def iterate_merchant_tokens(self, merchant: str, *, limit: int = 200) -> AsyncIterator[models.TokenDocument]:
        """List a merchant's tokens, without their secrets. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = await self.list_merchant_tokens(merchant, limit=limit, cursor=place)
            for each in page["data"]:
                yield each
            place = next_page(page, "cursor")
            if place is None:
                return

    async def create_merchant_token(
        self, merchant: str, body: models.CreateMerchantTokenBody, *, idempotency_key: str | None = None
    ) -> models.CreatedToken:
        """Create a token for a merchant's account; it is only in this answer."""
        return cast(
            "models.CreatedToken",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/merchants/{merchant}/tokens", merchant=merchant),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def list_uploads(
        self, merchant: str, *, mode: models.Mode | None = None, limit: int | None = None, cursor: str | None = None
    ) -> models.UploadDocumentPage:
        """List a merchant's files, newest first."""
        return cast(
            "models.UploadDocumentPage",
            await self.send(
                Call(
                    "GET",
                    path_of("/admin/v1/merchants/{merchant}/uploads", merchant=merchant),
                    query=without_none({"mode": mode, "limit": limit, "cursor": cursor}),
                    may_repeat=True,
                )
            ),
        )

    async def iterate_uploads(
        self, merchant: str, *, mode: models.Mode | None = None, limit: int = 200
    ) -> AsyncIterator[models.UploadDocument]:
        """List a merchant's files, newest first. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = await self.list_uploads(merchant, mode=mode, limit=limit, cursor=place)
            for each in page["data"]:
                yield each
            place = next_page(page, "cursor")
            if place is None:
                return

    async def get_merchant_vat(self, merchant: str) -> models.VatStanding:
        """Show what VIES says of a merchant's VAT number."""
        return cast(
            "models.VatStanding",
            await self.send(
                Call("GET", path_of("/admin/v1/merchants/{merchant}/vat", merchant=merchant), may_repeat=True)
            ),
        )

    async def check_merchant_vat(self, merchant: str, *, idempotency_key: str | None = None) -> models.VatStanding:
        """Look a merchant's VAT number up in VIES."""
        return cast(
            "models.VatStanding",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/merchants/{merchant}/vat", merchant=merchant),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def list_nodes(self) -> models.NodeDocumentPage:
        """List the processes that serve."""
        return cast("models.NodeDocumentPage", await self.send(Call("GET", "/admin/v1/nodes", may_repeat=True)))

    async def list_payouts(
        self, *, mode: models.Mode | None = None, limit: int | None = None, cursor: str | None = None
    ) -> models.RunDocumentPage:
        """List payout runs, newest first."""
        return cast(
            "models.RunDocumentPage",
            await self.send(
                Call(
                    "GET",
                    "/admin/v1/payouts",
                    query=without_none({"mode": mode, "limit": limit, "cursor": cursor}),
                    may_repeat=True,
                )
            ),
        )

    async def iterate_payouts(
        self, *, mode: models.Mode | None = None, limit: int = 200
    ) -> AsyncIterator[models.RunDocument]:
        """List payout runs, newest first. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = await self.list_payouts(mode=mode, limit=limit, cursor=place)
            for each in page["data"]:
                yield each
            place = next_page(page, "cursor")
            if place is None:
                return

    async def create_payout(
        self, body: models.CreatePayoutBody, *, idempotency_key: str | None = None
    ) -> models.RunDocument:
        """Gather balances into a run."""
        return cast(
            "models.RunDocument",
            await self.send(
                Call(
                    "POST",
                    "/admin/v1/payouts",
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def preview_payout(
        self, body: models.PreviewPayoutBody, *, idempotency_key: str | None = None
    ) -> models.PreviewedRun:
        """Show the run that would be made now; nothing is reserved."""
        return cast(
            "models.PreviewedRun",
            await self.send(
                Call(
                    "POST",
                    "/admin/v1/payouts/preview",
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def get_payout(
        self, payout: str, *, after: str | None = None, after_item: str | None = None
    ) -> models.ShownRun:
        """Show a run with its lines."""
        return cast(
            "models.ShownRun",
            await self.send(
                Call(
                    "GET",
                    path_of("/admin/v1/payouts/{payout}", payout=payout),
                    query=without_none({"after": after, "afterItem": after_item}),
                    may_repeat=True,
                )
            ),
        )

    async def cancel_payout(
        self, payout: str, body: models.CancelPayoutBody, *, idempotency_key: str | None = None
    ) -> models.RunDocument:
        """Cancel a draft: what it has reserved is payable again."""
        return cast(
            "models.RunDocument",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/payouts/{payout}/cancel", payout=payout),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def list_payout_files(self, payout: str) -> models.FileDocumentPage:
        """List the files that were written of a run."""
        return cast(
            "models.FileDocumentPage",
            await self.send(Call("GET", path_of("/admin/v1/payouts/{payout}/files", payout=payout), may_repeat=True)),
        )

    async def withdraw_payout_file(
        self, payout: str, file: str, *, idempotency_key: str | None = None
    ) -> models.FileDocument:
        """Note that a file was never sent."""
        return cast(
            "models.FileDocument",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/payouts/{payout}/files/{file}/withdraw", payout=payout, file=file),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def reinstate_payment(
        self, payout: str, body: models.ReinstatePaymentBody, *, idempotency_key: str | None = None
    ) -> models.RunDocument:
        """Take back a return that was noted by mistake."""
        return cast(
            "models.RunDocument",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/payouts/{payout}/reinstate", payout=payout),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def release_payout(self, payout: str, *, idempotency_key: str | None = None) -> models.RunDocument:
        """Release a run, another person than its creator if large."""
        return cast(
            "models.RunDocument",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/payouts/{payout}/release", payout=payout),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def return_payment(
        self, payout: str, body: models.ReturnPaymentBody, *, idempotency_key: str | None = None
    ) -> models.RunDocument:
        """Note that one payment of a run came back."""
        return cast(
            "models.RunDocument",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/payouts/{payout}/return", payout=payout),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def settle_payout(
        self, payout: str, body: models.SettlePayoutBody, *, idempotency_key: str | None = None
    ) -> models.SettlementDocument:
        """Note that payments of a run arrived."""
        return cast(
            "models.SettlementDocument",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/payouts/{payout}/settle", payout=payout),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def get_statement(self, payout: str, affiliate: str) -> models.StatementDocument:
        """Show what a run pays an affiliate."""
        return cast(
            "models.StatementDocument",
            await self.send(
                Call(
                    "GET",
                    path_of("/admin/v1/payouts/{payout}/statements/{affiliate}", payout=payout, affiliate=affiliate),
                    may_repeat=True,
                )
            ),
        )

    async def list_questions(
        self,
        *,
        merchant_id: str | None = None,
        closed: bool | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.OrderReviewDocumentPage:
        """List what differs between reports of the same order."""
        return cast(
            "models.OrderReviewDocumentPage",
            await self.send(
                Call(
                    "GET",
                    "/admin/v1/questions",
                    query=without_none({"merchantId": merchant_id, "closed": closed, "limit": limit, "cursor": cursor}),
                    may_repeat=True,
                )
            ),
        )

    async def iterate_questions(
        self, *, merchant_id: str | None = None, closed: bool | None = None, limit: int = 200
    ) -> AsyncIterator[models.OrderReviewDocument]:
        """List what differs between reports of the same order. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = await self.list_questions(merchant_id=merchant_id, closed=closed, limit=limit, cursor=place)
            for each in page["data"]:
                yield each
            place = next_page(page, "cursor")
            if place is None:
                return

    async def list_rates(
        self,
        *,
        mode: models.Mode | None = None,
        campaign_id: str | None = None,
        merchant_id: str | None = None,
        product: str | None = None,
        new_customers: bool | None = None,
        affiliate_id: str | None = None,
    ) -> models.VersionDocumentPage:
        """List the rates of a place, by when each began."""
        return cast(
            "models.VersionDocumentPage",
            await self.send(
                Call(
                    "GET",
                    "/admin/v1/rates",
                    query=without_none(
                        {
                            "mode": mode,
                            "campaignId": campaign_id,
                            "merchantId": merchant_id,
                            "product": product,
                            "new_customers": new_customers,
                            "affiliateId": affiliate_id,
                        }
                    ),
                    may_repeat=True,
                )
            ),
        )

    async def list_rate_drafts(self, *, merchant_id: str | None = None) -> models.DraftDocumentPage:
        """List rates that are not published."""
        return cast(
            "models.DraftDocumentPage",
            await self.send(
                Call("GET", "/admin/v1/rates/drafts", query=without_none({"merchantId": merchant_id}), may_repeat=True)
            ),
        )

    async def draft_rate(
        self, body: models.DraftRateBody, *, idempotency_key: str | None = None
    ) -> models.DraftDocument:
        """Draft a rate."""
        return cast(
            "models.DraftDocument",
            await self.send(
                Call(
                    "POST",
                    "/admin/v1/rates/drafts",
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def drop_rate(self, draft: str, *, idempotency_key: str | None = None) -> models.DraftDocument:
        """Drop a draft."""
        return cast(
            "models.DraftDocument",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/rates/drafts/{draft}/drop", draft=draft),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def publish_rate(self, draft: str, *, idempotency_key: str | None = None) -> models.DraftDocument:
        """Publish a rate: orders from now on follow it."""
        return cast(
            "models.DraftDocument",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/rates/drafts/{draft}/publish", draft=draft),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def preview_rate(
        self,
        *,
        commission: str | None = None,
        volume: Literal["MONTH:ORDERS", "MONTH:AMOUNT", "EVER:ORDERS", "EVER:AMOUNT"] | None = None,
        tiers: str | None = None,
        days: int | None = None,
        mode: models.Mode | None = None,
        campaign_id: str | None = None,
        merchant_id: str | None = None,
        product: str | None = None,
        new_customers: bool | None = None,
    ) -> models.PreviewDocument:
        """Price the last real orders with a trial rate."""
        return cast(
            "models.PreviewDocument",
            await self.send(
                Call(
                    "GET",
                    "/admin/v1/rates/preview",
                    query=without_none(
                        {
                            "commission": commission,
                            "volume": volume,
                            "tiers": tiers,
                            "days": days,
                            "mode": mode,
                            "campaignId": campaign_id,
                            "merchantId": merchant_id,
                            "product": product,
                            "new_customers": new_customers,
                        }
                    ),
                    may_repeat=True,
                )
            ),
        )

    async def list_receipts(
        self,
        *,
        status: Literal["OPEN", "MATCHED", "CLOSED"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.ReceiptDocumentPage:
        """List what merchants paid of their invoices, newest first."""
        return cast(
            "models.ReceiptDocumentPage",
            await self.send(
                Call(
                    "GET",
                    "/admin/v1/receipts",
                    query=without_none({"status": status, "limit": limit, "cursor": cursor}),
                    may_repeat=True,
                )
            ),
        )

    async def iterate_receipts(
        self, *, status: Literal["OPEN", "MATCHED", "CLOSED"] | None = None, limit: int = 200
    ) -> AsyncIterator[models.ReceiptDocument]:
        """List what merchants paid of their invoices, newest first. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = await self.list_receipts(status=status, limit=limit, cursor=place)
            for each in page["data"]:
                yield each
            place = next_page(page, "cursor")
            if place is None:
                return

    async def note_receipt(
        self, body: models.NoteReceiptBody, *, idempotency_key: str | None = None
    ) -> models.ReceiptDocument:
        """Note that an invoice was paid, or a credit note paid back."""
        return cast(
            "models.ReceiptDocument",
            await self.send(
                Call(
                    "POST",
                    "/admin/v1/receipts",
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def set_off(self, body: models.SetOffBody, *, idempotency_key: str | None = None) -> models.ReceiptDocument:
        """Apply a credit note to an invoice of the same merchant."""
        return cast(
            "models.ReceiptDocument",
            await self.send(
                Call(
                    "POST",
                    "/admin/v1/receipts/set-off",
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def get_receipt(self, receipt: str) -> models.ReceiptDocument:
        """Show a merchant's payment."""
        return cast(
            "models.ReceiptDocument",
            await self.send(Call("GET", path_of("/admin/v1/receipts/{receipt}", receipt=receipt), may_repeat=True)),
        )

    async def assign_receipt(
        self, receipt: str, body: models.AssignReceiptBody, *, idempotency_key: str | None = None
    ) -> models.ReceiptDocument:
        """Say which invoice a payment is for."""
        return cast(
            "models.ReceiptDocument",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/receipts/{receipt}/assign", receipt=receipt),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def close_receipt(
        self, receipt: str, body: models.CloseReceiptBody, *, idempotency_key: str | None = None
    ) -> models.ReceiptDocument:
        """Close the question of a payment; what it pays stays paid."""
        return cast(
            "models.ReceiptDocument",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/receipts/{receipt}/close", receipt=receipt),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def take_receipt_back(
        self, receipt: str, body: models.TakeReceiptBackBody, *, idempotency_key: str | None = None
    ) -> models.ReceiptDocument:
        """Take a payment off the invoices that it pays."""
        return cast(
            "models.ReceiptDocument",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/receipts/{receipt}/take-back", receipt=receipt),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def get_report(
        self,
        *,
        by: Literal["day", "merchant", "campaign", "affiliate"] | None = None,
        mode: models.Mode | None = None,
        from_: str | None = None,
        to: str | None = None,
    ) -> models.FiguresOfPage:
        """Report clicks, orders and commissions of all merchants."""
        return cast(
            "models.FiguresOfPage",
            await self.send(
                Call(
                    "GET",
                    "/admin/v1/reports",
                    query=without_none({"by": by, "mode": mode, "from": from_, "to": to}),
                    may_repeat=True,
                )
            ),
        )

    async def list_settings(self) -> models.SettingDocumentPage:
        """List every setting as it is in force."""
        return cast("models.SettingDocumentPage", await self.send(Call("GET", "/admin/v1/settings", may_repeat=True)))

    async def list_shared_accounts(self) -> models.SharedAccountPage:
        """List the accounts that several affiliates are paid to."""
        return cast(
            "models.SharedAccountPage", await self.send(Call("GET", "/admin/v1/shared-accounts", may_repeat=True))
        )

    async def list_subscriptions(
        self,
        *,
        merchant_id: str | None = None,
        affiliate_id: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.SubscriptionDocumentPage:
        """List subscriptions to webhooks and postbacks."""
        return cast(
            "models.SubscriptionDocumentPage",
            await self.send(
                Call(
                    "GET",
                    "/admin/v1/subscriptions",
                    query=without_none(
                        {"merchantId": merchant_id, "affiliateId": affiliate_id, "limit": limit, "cursor": cursor}
                    ),
                    may_repeat=True,
                )
            ),
        )

    async def iterate_subscriptions(
        self, *, merchant_id: str | None = None, affiliate_id: str | None = None, limit: int = 200
    ) -> AsyncIterator[models.SubscriptionDocument]:
        """List subscriptions to webhooks and postbacks. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = await self.list_subscriptions(
                merchant_id=merchant_id, affiliate_id=affiliate_id, limit=limit, cursor=place
            )
            for each in page["data"]:
                yield each
            place = next_page(page, "cursor")
            if place is None:
                return

    async def create_subscription(
        self, body: models.CreateSubscriptionBody, *, idempotency_key: str | None = None
    ) -> models.CreatedSubscription:
        """Subscribe; the secret is only in this answer."""
        return cast(
            "models.CreatedSubscription",
            await self.send(
                Call(
                    "POST",
                    "/admin/v1/subscriptions",
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def delete_subscription(
        self, subscription: str, *, idempotency_key: str | None = None
    ) -> models.SubscriptionDocument:
        """Delete a subscription and what waits for it."""
        return cast(
            "models.SubscriptionDocument",
            await self.send(
                Call(
                    "DELETE",
                    path_of("/admin/v1/subscriptions/{subscription}", subscription=subscription),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def update_subscription(
        self, subscription: str, body: models.UpdateSubscriptionBody, *, idempotency_key: str | None = None
    ) -> models.SubscriptionDocument:
        """Change where messages go, which, or in which version."""
        return cast(
            "models.SubscriptionDocument",
            await self.send(
                Call(
                    "PATCH",
                    path_of("/admin/v1/subscriptions/{subscription}", subscription=subscription),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def list_deliveries(
        self, subscription: str, *, limit: int | None = None, cursor: str | None = None
    ) -> models.DeliveryDocumentPage:
        """List messages with the receiver's answers."""
        return cast(
            "models.DeliveryDocumentPage",
            await self.send(
                Call(
                    "GET",
                    path_of("/admin/v1/subscriptions/{subscription}/deliveries", subscription=subscription),
                    query=without_none({"limit": limit, "cursor": cursor}),
                    may_repeat=True,
                )
            ),
        )

    async def iterate_deliveries(
        self, subscription: str, *, limit: int = 200
    ) -> AsyncIterator[models.DeliveryDocument]:
        """List messages with the receiver's answers. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = await self.list_deliveries(subscription, limit=limit, cursor=place)
            for each in page["data"]:
                yield each
            place = next_page(page, "cursor")
            if place is None:
                return

    async def pause_subscription(
        self, subscription: str, *, idempotency_key: str | None = None
    ) -> models.SubscriptionDocument:
        """Pause a subscription; messages are kept."""
        return cast(
            "models.SubscriptionDocument",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/subscriptions/{subscription}/pause", subscription=subscription),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def replay_deliveries(
        self, subscription: str, body: models.ReplayDeliveriesBody, *, idempotency_key: str | None = None
    ) -> models.Replayed:
        """Send messages again."""
        return cast(
            "models.Replayed",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/subscriptions/{subscription}/replay", subscription=subscription),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def resume_subscription(
        self, subscription: str, *, idempotency_key: str | None = None
    ) -> models.SubscriptionDocument:
        """Resume a subscription, beginning with what was kept."""
        return cast(
            "models.SubscriptionDocument",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/subscriptions/{subscription}/resume", subscription=subscription),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def retry_deliveries(
        self, subscription: str, body: models.RetryDeliveriesBody, *, idempotency_key: str | None = None
    ) -> models.Retried:
        """Retry now what waits."""
        return cast(
            "models.Retried",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/subscriptions/{subscription}/retry", subscription=subscription),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def rotate_subscription_secret(
        self, subscription: str, body: models.RotateSubscriptionSecretBody, *, idempotency_key: str | None = None
    ) -> models.CreatedSubscription:
        """Make a new secret."""
        return cast(
            "models.CreatedSubscription",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/subscriptions/{subscription}/rotate", subscription=subscription),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def test_subscription(
        self, subscription: str, body: models.TestSubscriptionBody, *, idempotency_key: str | None = None
    ) -> models.SampleQueued:
        """Send a test message of a kind."""
        return cast(
            "models.SampleQueued",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/subscriptions/{subscription}/test", subscription=subscription),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def list_tokens(self, *, limit: int | None = None, cursor: str | None = None) -> models.TokenDocumentPage:
        """List tokens, without their secrets."""
        return cast(
            "models.TokenDocumentPage",
            await self.send(
                Call("GET", "/admin/v1/tokens", query=without_none({"limit": limit, "cursor": cursor}), may_repeat=True)
            ),
        )

    async def iterate_tokens(self, *, limit: int = 200) -> AsyncIterator[models.TokenDocument]:
        """List tokens, without their secrets. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = await self.list_tokens(limit=limit, cursor=place)
            for each in page["data"]:
                yield each
            place = next_page(page, "cursor")
            if place is None:
                return

    async def revoke_token(self, token: str, *, idempotency_key: str | None = None) -> models.TokenDocument:
        """Revoke a token at once."""
        return cast(
            "models.TokenDocument",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/tokens/{token}/revoke", token=token),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def list_acts(
        self,
        *,
        subject: str | None = None,
        actor: str | None = None,
        act: str | None = None,
        since: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.ActDocumentPage:
        """List who did what, newest first."""
        return cast(
            "models.ActDocumentPage",
            await self.send(
                Call(
                    "GET",
                    "/admin/v1/trail",
                    query=without_none(
                        {
                            "subject": subject,
                            "actor": actor,
                            "act": act,
                            "since": since,
                            "limit": limit,
                            "cursor": cursor,
                        }
                    ),
                    may_repeat=True,
                )
            ),
        )

    async def iterate_acts(
        self,
        *,
        subject: str | None = None,
        actor: str | None = None,
        act: str | None = None,
        since: str | None = None,
        limit: int = 200,
    ) -> AsyncIterator[models.ActDocument]:
        """List who did what, newest first. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = await self.list_acts(subject=subject, actor=actor, act=act, since=since, limit=limit, cursor=place)
            for each in page["data"]:
                yield each
            place = next_page(page, "cursor")
            if place is None:
                return

    async def list_users(
        self,
        *,
        search: str | None = None,
        status: Literal["ACTIVE", "DISABLED"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.UserDocumentPage:
        """List the people who sign in."""
        return cast(
            "models.UserDocumentPage",
            await self.send(
                Call(
                    "GET",
                    "/admin/v1/users",
                    query=without_none({"search": search, "status": status, "limit": limit, "cursor": cursor}),
                    may_repeat=True,
                )
            ),
        )

    async def iterate_users(
        self, *, search: str | None = None, status: Literal["ACTIVE", "DISABLED"] | None = None, limit: int = 200
    ) -> AsyncIterator[models.UserDocument]:
        """List the people who sign in. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = await self.list_users(search=search, status=status, limit=limit, cursor=place)
            for each in page["data"]:
                yield each
            place = next_page(page, "cursor")
            if place is None:
                return

    async def create_user(
        self, body: models.CreateUserBody, *, idempotency_key: str | None = None
    ) -> models.UserDocument:
        """Create a user with a role."""
        return cast(
            "models.UserDocument",
            await self.send(
                Call(
                    "POST",
                    "/admin/v1/users",
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def invite_user(
        self, body: models.InviteUserBody, *, idempotency_key: str | None = None
    ) -> models.InvitationDocument:
        """Invite a person to a role, by mail."""
        return cast(
            "models.InvitationDocument",
            await self.send(
                Call(
                    "POST",
                    "/admin/v1/users/invite",
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def disable_user(self, user: str, *, idempotency_key: str | None = None) -> models.UserDocument:
        """Disable a user and sign them out everywhere."""
        return cast(
            "models.UserDocument",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/users/{user}/disable", user=user),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def enable_user(self, user: str, *, idempotency_key: str | None = None) -> models.UserDocument:
        """Let a disabled user sign in again."""
        return cast(
            "models.UserDocument",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/users/{user}/enable", user=user),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def reset_factors(self, user: str, *, idempotency_key: str | None = None) -> models.UserDocument:
        """Remove a user's authenticator app and passkeys."""
        return cast(
            "models.UserDocument",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/users/{user}/factors/reset", user=user),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def grant_role(
        self, user: str, body: models.GrantRoleBody, *, idempotency_key: str | None = None
    ) -> models.UserDocument:
        """Give a user one more role."""
        return cast(
            "models.UserDocument",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/users/{user}/roles", user=user),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def revoke_role(
        self, user: str, body: models.RevokeRoleBody, *, idempotency_key: str | None = None
    ) -> models.UserDocument:
        """Remove a role from a user."""
        return cast(
            "models.UserDocument",
            await self.send(
                Call(
                    "POST",
                    path_of("/admin/v1/users/{user}/roles/remove", user=user),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )
