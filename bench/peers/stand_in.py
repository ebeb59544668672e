"""Credentials and clicks for servers that know no merchants."""

from __future__ import annotations

from bench.traffic import Credentials

CREDENTIALS = Credentials("ak_test_0123456789abcdef", "whsec_peers_of_the_benchmark_share_this_secret")
CLICKS = ("clk_01936f3e8c7a7b3e9d5a4c2b1f0e8d7c",)
