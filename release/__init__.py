"""Making a release: wheels, their pins, a bill of materials, the changes and the checksums, from one commit."""
