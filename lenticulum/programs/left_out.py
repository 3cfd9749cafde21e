"""The primitives of JAX that have no exact meaning here, and why."""

from __future__ import annotations

DECOMPOSITION = "a matrix decomposition: its result is not a formula of its operand"
COMMUNICATION = "it communicates between devices: a program is read as one device runs it"
EFFECT = "it has an effect besides its result"

LEFT_OUT: dict[str, str] = {
    "custom_lin": "it stands between linearization and transposition, and JAX itself does not run it",
    "random_gamma": "JAX draws it by rejection in code that is not part of the program",
    "rng_uniform": "its bits depend on the device",
    "eig": DECOMPOSITION,
    "eigh": DECOMPOSITION,
    "svd": DECOMPOSITION,
    "qr": DECOMPOSITION,
    "lu": DECOMPOSITION,
    "lu_pivots_to_permutation": DECOMPOSITION,
    "cholesky": DECOMPOSITION,
    "cholesky_update": DECOMPOSITION,
    "schur": DECOMPOSITION,
    "hessenberg": DECOMPOSITION,
    "tridiagonal": DECOMPOSITION,
    "tridiagonal_solve": DECOMPOSITION,
    "geqrf": DECOMPOSITION,
    "householder_product": DECOMPOSITION,
    "triangular_solve": DECOMPOSITION,
    "fft": "complex numbers have no enclosures here",
    "complex": "complex numbers have no enclosures here",
    "real": "complex numbers have no enclosures here",
    "imag": "complex numbers have no enclosures here",
    "conj": "complex numbers have no enclosures here",
    "pmax": COMMUNICATION,
    "pmin": COMMUNICATION,
    "ppermute": COMMUNICATION,
    "all_gather": COMMUNICATION,
    "all_to_all": COMMUNICATION,
    "axis_index": COMMUNICATION,
    "shard_map": COMMUNICATION,
    "pure_callback": "it calls code outside of the program",
    "io_callback": EFFECT,
    "debug_callback": EFFECT,
    "debug_print": EFFECT,
    "get": "mutable arrays are not read",
    "swap": "mutable arrays are not read",
    "addupdate": "mutable arrays are not read",
    "pallas_call": "a kernel for one kind of device is not read",
}
"""Reason by the name of the primitive."""
