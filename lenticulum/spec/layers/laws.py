"""All laws of layers: modes, running statistics, normalisations, dropout, self-attention."""

from lenticulum.spec.layers import dropout_laws, mode_laws, normalisation_laws, running_laws, self_attention_laws

LAWS = (
    *mode_laws.LAWS,
    *running_laws.LAWS,
    *normalisation_laws.LAWS,
    *dropout_laws.LAWS,
    *self_attention_laws.LAWS,
)
