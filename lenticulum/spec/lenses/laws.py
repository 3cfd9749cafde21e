"""All laws of lenses, parametric lenses and reverse derivatives."""

from lenticulum.spec.lenses import (
    additive_laws,
    cap_laws,
    coherence_laws,
    derivative_laws,
    lawful_laws,
    lens_laws,
    linear_laws,
    map_laws,
    node_laws,
    normal_laws,
    para_laws,
    sharing_laws,
    term_laws,
)

LAWS = (
    *lens_laws.LAWS,
    *para_laws.LAWS,
    *coherence_laws.LAWS,
    *map_laws.LAWS,
    *sharing_laws.LAWS,
    *lawful_laws.LAWS,
    *linear_laws.LAWS,
    *term_laws.LAWS,
    *cap_laws.LAWS,
    *additive_laws.LAWS,
    *derivative_laws.LAWS,
    *node_laws.LAWS,
    *normal_laws.LAWS,
)
