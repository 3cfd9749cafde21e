"""Runs over whole domains: honest bounds for elementwise kernels, certificates, and the checker that re-proves them."""
