"""Identity of users' objects: whether two that mean different programs can share one compiled program."""
