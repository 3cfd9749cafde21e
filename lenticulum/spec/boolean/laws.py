"""All laws of Boolean functions and circuits."""

from lenticulum.spec.boolean import boolean_laws, circuit_laws

LAWS = (*boolean_laws.LAWS, *circuit_laws.LAWS)
