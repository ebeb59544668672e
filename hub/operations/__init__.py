"""The operator's acts: what a person decides about merchants, keys, campaigns, reviews and payouts.

Every act is a plain async function over the store, so that the command line and a dashboard share it. An act that can
be refused raises `OperatorFault` with a sentence that says what to do instead. The packages below are the subjects of
the acts; the files beside them are what all acts use.

What an act returns is a `TypedDict`: the very JSON object that `--json` prints, in camelCase. Money is decimal text
such as "49.90", a time is RFC 3339 text in UTC, and a number says its unit in its name (`holdMs`) or in the docstring
of its class.
"""
