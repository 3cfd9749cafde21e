"""Inputs at which the laws of arrays are tried: rows of every kind, masks, labels."""

import numpy as np
from bounds_for_laws import hard_rows


def rows(rng: np.random.Generator) -> dict[str, np.ndarray]:
    return {"x": hard_rows(rng, 6, 5)}


def logits(rng: np.random.Generator) -> dict[str, np.ndarray]:
    return {"prediction": hard_rows(rng, 6, 5), "label": rng.dirichlet(np.ones(5), 6)}


def classes(rng: np.random.Generator) -> dict[str, np.ndarray]:
    label = rng.integers(0, 5, 6)
    label[[1, 4]] = -1
    return {"prediction": hard_rows(rng, 6, 5), "label": label.astype(np.int32)}


def pairs(rng: np.random.Generator) -> dict[str, np.ndarray]:
    return {"prediction": hard_rows(rng, 6, 5), "label": hard_rows(rng, 6, 5)}


def binary(rng: np.random.Generator) -> dict[str, np.ndarray]:
    return {"prediction": 30 * rng.standard_normal((4, 5)), "label": rng.integers(0, 2, (4, 5)).astype(np.float64)}


def vectors(rng: np.random.Generator) -> dict[str, np.ndarray]:
    return {"x": hard_rows(rng, 6, 5) + 1, "y": hard_rows(rng, 6, 5) + 1}


def normed(rng: np.random.Generator) -> dict[str, np.ndarray]:
    return {**rows(rng), "weight": rng.standard_normal(5), "bias": rng.standard_normal(5)}


def matrices(rng: np.random.Generator) -> dict[str, np.ndarray]:
    return {"x": hard_rows(rng, 4, 4), "y": hard_rows(rng, 4, 4)}


def masked(rng: np.random.Generator) -> dict[str, np.ndarray]:
    where = rng.random((6, 5)) < 0.6
    where[:, 0] = True
    return {"x": rng.standard_normal((6, 5)), "where": where}


def images(rng: np.random.Generator) -> dict[str, np.ndarray]:
    return {"x": -1 - np.abs(hard_rows(rng, 6, 20)).reshape(2, 3, 4, 5)}


def attended(rng: np.random.Generator) -> dict[str, np.ndarray]:
    shapes = {"query": (2, 4, 3, 5), "key": (2, 6, 3, 5), "value": (2, 6, 3, 5)}
    mask = rng.random((2, 3, 4, 6)) < 0.6
    mask[..., 0] = True
    return {role: rng.standard_normal(shape) for role, shape in shapes.items()} | {"mask": mask}


def rotated(rng: np.random.Generator) -> dict[str, np.ndarray]:
    return {"x": hard_rows(rng, 6, 4)}


def looked_up(rng: np.random.Generator) -> dict[str, np.ndarray]:
    return {"ids": np.array([0, 3, 3, 1], np.int32), "weight": hard_rows(rng, 6, 4)}
