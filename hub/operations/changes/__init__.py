"""The change feed: what changed of whatever the API prints, in the order of commits."""
