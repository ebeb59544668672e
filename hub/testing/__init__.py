"""Test support that plugins and other stores may use too: throw-away databases and conformance suites."""
