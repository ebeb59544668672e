"""The operator's pages: one file for each noun."""
