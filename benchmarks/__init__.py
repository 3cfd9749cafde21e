"""Measurements: accuracy of whole libraries, and speed beside named peers. Not part of the test run."""
