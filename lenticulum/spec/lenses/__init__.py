"""Lenses, parametric lenses and reverse derivatives: the algebra, and the laws it satisfies."""

from lenticulum.spec.lenses.lens import Lens as Lens
from lenticulum.spec.lenses.polynomial import PolynomialMap as PolynomialMap
