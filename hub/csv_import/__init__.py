"""Uploads: whole CSV files through the rules of the REST API, a chunk at a time, from wherever they were left."""
