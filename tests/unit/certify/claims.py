"""What two runs of one campaign must agree on, byte for byte."""

import json

from lenticulum.certify.certificate import seal
from lenticulum.certify.checker.claim import canonical_bytes
from lenticulum.certify.result import CertifyResult
from lenticulum.certify.statement import certificate_of


def claim_bytes(result: CertifyResult) -> bytes:
    """Return the merged counts, and the certificate with its sidecars but without when and how long it was made."""
    certificate = certificate_of(result, "claim")
    statement = json.loads(certificate.content)
    statement["predicate"].update(made="", cost={})
    seal(statement)
    counts = json.dumps(result.merged.to_json(), sort_keys=True).encode()
    return b"\n".join([counts, canonical_bytes(statement), *certificate.sidecars.values()])
