"""Every law of finite inference."""

from __future__ import annotations

from lenticulum.spec.inference import free_energy_laws, game_laws, inversion_laws, lens_laws

LAWS = (*inversion_laws.LAWS, *lens_laws.LAWS, *free_energy_laws.LAWS, *game_laws.LAWS)
