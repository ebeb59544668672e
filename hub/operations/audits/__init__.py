"""What looks at everything: the audit and its runs, the figures counted again, and the hub's health."""
