"""The engine under every page and endpoint: server, router, bodies, answers."""
