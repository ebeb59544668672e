"""The documentation that a hub serves: its documents, the API reference made from the OpenAPI document, and search."""
