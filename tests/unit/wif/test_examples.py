"""Every worked example of `wif`, which is no installed system yet, one test each."""

from pbem.systems.wif import SYSTEM
from pbem.testing.conformance.over import pytest_generate_tests
from pbem.testing.conformance.worked import test_worked_example

__all__ = ["pytest_generate_tests", "test_worked_example"]
SYSTEMS = [SYSTEM]
