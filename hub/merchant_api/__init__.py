"""The HTTP edge: the signed API, the tracking endpoint and the operator's probes."""
