"""Speed, as ratios measured side by side in one run (`make bench`); load goes to loopback only, bounded in time.

`plan` says what a measure is, `measures` holds them, `peers` what the hub is held against. A run takes a fresh copy of
a database from the `workbench`, starts a server on it (`servers`), loads it (`wrk`: as fast as it goes, `steady`: at a
constant rate) with requests made by `traffic`, and ends by `ledger`: is everything there that was acknowledged?
"""
