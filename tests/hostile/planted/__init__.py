"""Secrets and identities, and the machines and logs that hold them."""
