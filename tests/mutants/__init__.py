"""Mutation tests: each rule of the money is changed in one small place at a time, and some test has to notice."""
