"""The survey of the primitives that JAX programs use: examples of the public functions of JAX and of its libraries."""
