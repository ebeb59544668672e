"""Speed, as ratios measured side by side in one run (`make bench`); load goes to loopback only, bounded in time.

`plan` defines what a measure is, `measures` holds them, and `peers` are the programs that the hub is compared with. A
run takes a fresh copy of a database from the `workbench`, starts a server on it (`servers`), loads it (`wrk`: as fast
as possible, `steady`: at a constant rate) with requests made by `traffic`, and ends with `ledger`, which checks that
everything acknowledged is there. `plain` and `launch` leave a speed technique of the hub out.
"""
