"""The affiliate's pages: one file for each noun."""
