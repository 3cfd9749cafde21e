"""The verb `init`: a first test file and a baseline for a module, from what can be found out about it."""
