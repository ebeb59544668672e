"""The records of things: members with their notes, written once, and shown by every surface."""
