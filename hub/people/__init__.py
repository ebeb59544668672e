"""The people who sign in: passwords, sign-in links, sessions, and the pauses after failures."""
