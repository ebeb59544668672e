"""The HTTP server under every page and endpoint: connections, routes, request bodies, responses."""
