"""The move of a whole hub from one database into another."""
