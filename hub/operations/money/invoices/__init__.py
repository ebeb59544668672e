"""What is owed and billed by month: statements, merchants' invoices, self-billed invoices, and their files."""
