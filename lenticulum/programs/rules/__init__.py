"""The meaning of each primitive of JAX, one family in each file."""
