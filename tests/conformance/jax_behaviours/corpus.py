"""The corpus: all rows, what this jax does in them, and how that compares with a record."""

from __future__ import annotations

from importlib import import_module

import jax

from tests.conformance.jax_behaviours.behaviour import ROWS, Outcome, Row, records

FAMILIES = (
    "a_equality b_copies c_hidden d_classes e_patches f_rebuilds g_arrays h_twins h_matrix i_mutation j_aux "
    "k_registered l_loops m_rules n_cached o_surroundings p_options q_scalars s_equinox t_subclasses"
).split()


def rows() -> dict[str, Row]:
    """Return every row by its name."""
    for family in FAMILIES:
        import_module(f"tests.conformance.jax_behaviours.{family}")
    return ROWS


def numbers(version: str) -> tuple[int, ...]:
    """Return a version as numbers, so that 0.9 comes before 0.12."""
    return tuple(int(part) for part in version.split(".") if part.isdigit())


def expected() -> tuple[str, dict[str, Outcome]]:
    """Return the record of the running jax or, if it has none, the newest, with its version."""
    recorded = records()
    version = jax.__version__ if jax.__version__ in recorded else max(recorded, key=numbers)
    return version, recorded[version]


def dated(row: Row, record: Outcome, version: str) -> list[str]:
    """Return what differs from a record, a line for each situation."""
    found = row.outcome()
    return [
        f"{row.name}{f' ({name})' if name else ''}: {record.get(name, 'no record')} in jax {version}, "
        f"{found.get(name, 'gone')} in jax {jax.__version__}"
        for name in dict.fromkeys([*record, *found])
        if record.get(name) != found.get(name)
    ]
