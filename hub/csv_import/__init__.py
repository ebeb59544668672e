"""CSV import: whole files through the rules of the REST API, batch by batch, resumed wherever they were left."""
