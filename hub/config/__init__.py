"""Settings: declared once, read from a file, the environment and the command line."""
