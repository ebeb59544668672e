"""Write the clients' types and methods from the OpenAPI document: `python -m clients.generator`."""
