"""Every worked example of every system, one test each."""

from pbem.testing.conformance.over import pytest_generate_tests
from pbem.testing.conformance.worked import test_worked_example
from tests.conformance.systems import ALL

__all__ = ["pytest_generate_tests", "test_worked_example"]
SYSTEMS = ALL
