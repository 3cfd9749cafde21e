"""All laws of optimizers and of the supervised step."""

from lenticulum.spec.optimizers import adam_laws, momentum_laws, step_laws

LAWS = (*momentum_laws.LAWS, *adam_laws.LAWS, *step_laws.LAWS)
