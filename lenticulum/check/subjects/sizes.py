"""Sizes: what the shapes of the arrays of a definition say of the sizes of a module."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def sizes_of(name: str, shapes: Mapping[str, Sequence[int]], settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the sizes that a module of a definition has: "inputs", "outputs", "features", "window".

    Arguments: `shapes`: by role. `settings`: the fields of the definition.

    >>> sizes_of("dense", {"x": (6, 5), "weight": (4, 5)}, {})
    {'inputs': 5, 'outputs': 4}
    """
    x, weight = tuple(shapes.get("x", ())), tuple(shapes.get("weight", ()))
    if name == "dense":
        return {"inputs": x[-1], "outputs": weight[0]}
    if name == "convolution":
        return {"inputs": x[1], "outputs": weight[0], "window": weight[2:]}
    if name == "transposed_convolution":
        return {"inputs": weight[0], "outputs": weight[1] * settings["groups"], "window": weight[2:]}
    if name == "embedding":
        return {"inputs": weight[0], "outputs": weight[1]}
    if name in ("group_norm", "instance_norm"):
        return {"features": x[1]}
    if name == "rms_norm":
        axes = settings.get("axes", 1)
        return {"features": x[-1] if axes == 1 else x[-axes:]}
    return {"features": x[-1]} if name in ("layer_norm", "batch_norm") else {}
