"""The programs that the hub is compared with: the limit of the machine, and what a user would write instead."""
