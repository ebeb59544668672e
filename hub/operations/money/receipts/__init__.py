"""What arrives: bank statements and reports, the receipts in them, and what they pay."""
