from pbem.systems.totaler_krieg import SYSTEM
from pbem.testing.conformance import *
SYSTEMS=[SYSTEM]
