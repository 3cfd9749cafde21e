"""All laws of optimizers and of the supervised step."""

from lenticulum.spec.optimizers import adagrad_laws, adam_laws, equivalence_laws, momentum_laws, step_laws

LAWS = (
    *momentum_laws.LAWS,
    *adagrad_laws.LAWS,
    *adam_laws.LAWS,
    *equivalence_laws.LAWS,
    *step_laws.LAWS,
)
