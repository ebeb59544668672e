"""The operators' and the affiliates' own APIs: the acts of `hub.operations` over HTTP, by bearer token.

An act is declared once (`act.py`): its route, its scope, its input and its answer. Routing, the OpenAPI documents and
the tests follow from the tables (`admin_*.py`, `affiliate.py`).
"""
