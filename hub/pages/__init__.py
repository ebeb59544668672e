"""The pages in which people sign in, see and act; they work without JavaScript."""
