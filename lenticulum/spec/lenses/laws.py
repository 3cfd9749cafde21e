"""All laws of lenses, parametric lenses and reverse derivatives."""

from lenticulum.spec.lenses import derivative_laws, lens_laws, node_laws, para_laws, term_laws

LAWS = (*lens_laws.LAWS, *para_laws.LAWS, *term_laws.LAWS, *derivative_laws.LAWS, *node_laws.LAWS)
