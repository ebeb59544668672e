"""The operator's acts: what a person decides about merchants, keys, campaigns, reviews and payouts.

Every act is a plain async function over the store, so that the command line and a dashboard share it; each one that can
be refused raises `OperatorFault` with a sentence that names the mend.
"""
