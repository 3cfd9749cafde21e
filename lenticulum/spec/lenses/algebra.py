"""The operations that the laws of lenses are about, as records, so that a planted mistake replaces one of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lenticulum.spec.data import Data
from lenticulum.spec.lenses import lens, para
from lenticulum.spec.lenses.lens import Lens


@dataclass(frozen=True)
class LensOperations:
    """A symmetric monoidal category of lenses, with the chosen copy."""

    identity: Callable[[], Lens] = lens.identity
    compose: Callable[[Lens, Lens], Lens] = lens.compose
    tensor: Callable[[Lens, Lens], Lens] = lens.tensor
    swap: Callable[[], Lens] = lens.swap
    associator: Callable[[], Lens] = lens.associator
    inverse_associator: Callable[[], Lens] = lens.inverse_associator
    left_unitor: Callable[[], Lens] = lens.left_unitor
    right_unitor: Callable[[], Lens] = lens.right_unitor
    copy: Callable[[], Lens] = lens.copy


@dataclass(frozen=True)
class ParaOperations:
    """Parametric lenses: composition, tensor, and change of parameters."""

    compose: Callable[[Lens, Lens], Lens] = para.compose
    tensor: Callable[[Lens, Lens], Lens] = para.tensor
    unparametrised: Callable[[Lens], Lens] = para.unparametrised
    flatten: Callable[[Data], tuple[Data, ...]] = para.flatten
    reparametrise: Callable[[Lens, Lens], Lens] = para.reparametrise
    tie: Callable[[], Lens] = lens.copy


LENSES = LensOperations()
PARA = ParaOperations()
