"""The rules of the hub as functions of values: no I/O, no clock, no framework; standard library and attrs only."""
