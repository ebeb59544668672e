"""Messages that go out: their types and versions, how they are signed, mailed and tried again."""
