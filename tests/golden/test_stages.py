"""Each stage of the sample games as its readers were told it: the news as text, the rest as digests.

A line is a part of a report (`pbem report --json` names them). If a difference is meant, read the report and
run `pytest tests/golden --update-golden`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest

from pbem.engine.pins import WORDS
from pbem.report import situation
from pbem.report.data import as_json
from pbem.report.formations import formations
from pbem.report.news import news
from pbem.report.structure import Report
from pbem.report.text import render
from tests.golden.digests import digest
from tests.golden.test_samples import SHOWN, composed, history, lasting
from tests.nightly import in_ci

PARTS = (
    "place", "since", "losses", "fights", "forecasts", "events", "dice", "tracks", "position", "forces",
    "places", "asked", "waiting", "refused", "ending",
)  # fmt: skip
"""What of a report changes from stage to stage."""


def told(report: Report) -> Iterator[str]:
    """Yield the news of a stage, what its fights and headlines say, and a digest of everything else."""
    yield f"stage {report.stage}: {news(report)}"
    yield from (f"  {line}" for line in report.summary)
    for fight in report.fights:
        yield f"  {fight.where}: {'; '.join((fight.began or '-', *fight.outcome, *fight.because))}"
    parts = {key: json.dumps(value) for key, value in as_json(report).items() if value and key in PARTS}
    parts["text"] = WORDS.sub("", render(report))
    parts["map-in-words"] = "\n".join(situation.render(report))
    parts["formations"] = repr(formations(report.view))
    yield "  " + " ".join(f"{key}-{digest(lasting(report, text))[:6]}" for key, text in parts.items())


@in_ci
@pytest.mark.parametrize(("system", "reader"), SHOWN)
def test_each_stage_is_told_as_it_was(
    system: str, reader: str | None, golden: Callable[[str, str], None]
) -> None:
    reports = [composed(system, chapter.stage, reader, "en") for chapter in history(system).chapters]
    golden(
        f"{system}-{reader or 'public'}-stages.txt",
        "".join(f"{line}\n" for report in reports for line in told(report)),
    )
