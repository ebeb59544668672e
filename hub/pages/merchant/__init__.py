"""The merchant's pages: one file for each noun."""
