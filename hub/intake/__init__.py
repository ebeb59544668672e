"""The one way in: strict input classes, submissions, and the desk that makes them durable."""
