"""Identity of users' objects: whether two that mean different programs can share one compiled program."""

from lenticulum.check.identity.array_change import with_entry as with_entry
from lenticulum.check.identity.change import doubled as doubled
from lenticulum.check.identity.check import check_identity as check_identity
from lenticulum.check.identity.container_change import twin_number as twin_number
from lenticulum.check.identity.finding import IdentityFinding as IdentityFinding
from lenticulum.check.identity.parts import part as part
from lenticulum.check.identity.rebuild import copied as copied
from lenticulum.check.identity.rebuild import rebuilt as rebuilt
from lenticulum.check.identity.result import IdentityResult as IdentityResult
from lenticulum.check.identity.round_trip import round_trip as round_trip
