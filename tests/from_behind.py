"""A worker with this plugin reads the files of tests from the last to the first; the order of tests stays.

So two workers of a fresh checkout compile half of the files each, not both all.
"""

from __future__ import annotations

from collections.abc import Generator
from itertools import chain, groupby

import pytest


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    if isinstance(collector, pytest.Directory):
        report.result = report.result[::-1]
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    of_files = [[*of_file] for _, of_file in groupby(items, key=lambda item: item.path)]
    items[:] = chain.from_iterable(reversed(of_files))
