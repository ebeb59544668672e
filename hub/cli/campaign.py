"""`hub campaign`: campaigns, their approval and their affiliates, as merchants have them in the browser too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from hub.cli.act_command import ActCommand, Takes, Value
from hub.cli.campaign_acts import campaign_options, form_of, hold_words, new_form_of, show_details
from hub.cli.campaign_member import member
from hub.cli.campaign_policy import policy
from hub.cli.output import Table, named, say
from hub.domain.instants import instant_or_none

if TYPE_CHECKING:
    from hub.records.campaigns import CampaignDetails


@click.group()
def campaign() -> None:
    """Approve campaigns, set hold and listing, decide on affiliates."""


for command in (member, policy):
    campaign.add_command(command)


def _say(document: CampaignDetails) -> None:
    say(f"{document.title} ({document.campaign_code}) is {document.approval_status} and {document.status}.")


CAMPAIGNS: Final = Table(
    ["code", "status", "approval", "title", "merchant", "mode", "ends", "hold", "id"],
    lambda c: (c.campaign_code, c.status, c.approval_status, c.title, named(c.merchant_id, c.merchant_name), c.mode,
               instant_or_none(c.end_date), hold_words(c), c.id),
    "There are no campaigns yet. Merchants create them with POST /v1/campaigns.",
)  # fmt: skip
CAMPAIGN: Final = Takes(on={"campaign": Value("", metavar="CMP")})

for each in (
    ActCommand("list", "campaigns.listCampaigns", "List campaigns, newest first.", CAMPAIGNS,
               Takes(values={"merchant": Value("--merchant", "Only this merchant's.", "ID")})),
    ActCommand("create", "campaigns.createCampaign", "Create a campaign, a DRAFT until it is activated.", show_details,
               Takes(values={"merchantId": Value("--merchant", "Whose campaign.", "ID"),
                             "mode": Value("--mode", "In which of its accounts.")},
                     own=campaign_options(), reads=new_form_of)),
    ActCommand("update", "campaigns.updateCampaign",
               "Change a campaign.\n\n"
               "Existing commissions keep their rate and hold. The campaign's hold overrides the merchant's, which "
               "overrides the hub's. Only active, listed campaigns appear in the public listing. CMP is its id or its "
               "code.",
               show_details,
               Takes(on=CAMPAIGN.on, own=campaign_options(), reads=form_of,
                     some="Name what to change: --title, --commission, --hold or --listed, for example.")),
    ActCommand("approve", "campaigns.approveCampaign",
               "Approve a campaign, so that its merchant may activate it.\n\nCMP is its id or its code.", _say,
               CAMPAIGN),
    ActCommand("reject", "campaigns.rejectCampaign",
               "Refuse a campaign, or withdraw its approval.\n\n"
               "An active campaign is paused. CMP is its id or its code.",
               _say, CAMPAIGN),
    ActCommand("show", "campaigns.getCampaign", "Show one campaign.\n\nCMP is its id or its code.", show_details,
               CAMPAIGN),
    ActCommand("activate", "campaigns.activateCampaign", "Activate a campaign, so that its links earn.", show_details,
               CAMPAIGN),
    ActCommand("pause", "campaigns.pauseCampaign",
               "Pause a campaign: its links earn nothing until it is activated again.", show_details, CAMPAIGN),
    ActCommand("archive", "campaigns.archiveCampaign", "Archive a campaign for good.", show_details, CAMPAIGN),
):  # fmt: skip
    campaign.add_command(each)
