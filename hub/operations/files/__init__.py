"""Files that go in and out: uploads and exports."""
