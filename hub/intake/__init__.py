"""The one way in: submissions, the rules of what may happen once, and the batcher that makes them durable."""
