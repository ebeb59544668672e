"""What the hub is held against: the limit of the machine, and what a user would write instead."""
