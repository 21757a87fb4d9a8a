"""Sentences of a fight before and after it: its forecast with the table below, its result."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction

from pbem.model.forecasts import Forecast, Fought, share
from pbem.report.codes import spelt
from pbem.report.plain import capital, in_words, safe
from pbem.report.reader import View
from pbem.report.wording import SHORT_RESULT, Wording

RARE = Fraction(1, 100)
"""The least chance of a result that a forecast names by itself."""


def forecast_words(forecasts: Iterable[Forecast], view: View) -> list[list[str]]:
    """Return each forecast as lines: who against whom, its sentence, then the table below it."""
    return [
        [_title(forecast, view), *sentence_words(forecast, view), *table_words(forecast, view)]
        for forecast in forecasts
    ]


def _title(forecast: Forecast, view: View) -> str:
    words, say = view.wording, view.wording.say
    named = [
        f"{safe(words.text(power))} {in_words(words.text(strength or '?'))}"
        for power, strength in forecast.sides
    ]
    against = say("forecast-sides", sides=say("forecast-against").join(named))
    return f"{safe(view.place(forecast.place))}: {against}" + (
        f" ({safe(forecast.odds)})" if forecast.odds else ""
    )


def sentence_words(forecast: Forecast, view: View) -> list[str]:
    """Return the sentence of a forecast in the reader's language; none where the system gives no ends."""
    sentence = view.wording.text(forecast.sentence())
    return [safe(sentence)] if sentence else []


def table_words(forecast: Forecast, view: View, *, brief: bool = False) -> list[str]:
    """Return what is below the sentence, as lines.

    Each result with its chance, what else to expect, the other cases in full, and who is left out. If it is
    to be `brief`, results that only a code names are left to the likeliest one.
    """
    words, say = view.wording, view.wording.say
    lines: list[str] = []
    if forecast.chances:
        likely, chance = max(forecast.chances, key=lambda pair: pair[1])
        likeliest = spelt(safe(likely), words.of("codes"))
        coded = likeliest not in (likely, _in_words([code for code, _ in forecast.chances], words)[likely])
        if not (brief and coded):
            lines.append(say("forecast-chances", what=_chances(forecast.chances, words)))
        if coded:
            lines.append(say("forecast-likely", what=likeliest, share=share(chance)))
    if forecast.expected:
        shown = [
            say(f"forecast-{quantity}", who=safe(words.text(power)), number=words.number(number))
            for power, quantity, number in forecast.expected
        ]
        lines.append(say("forecast-expected", what="; ".join(shown)))
    for other in forecast.others:
        column = f"{safe(other.odds)}: " if other.odds not in ("", forecast.odds) else ""
        lines += [f"{column}{line}" for line in sentence_words(other, view)]
    lines += [say("forecast-unknown", who=safe(words.text(power)), count=n) for power, n in forecast.unknown]
    return lines


def _chances(chances: Sequence[tuple[str, Fraction]], words: Wording) -> str:
    """Return how likely each result is; those below one in a hundred are counted together."""
    rare = [chance for _, chance in chances if chance < RARE]
    apart = len(rare) < 2
    listed = [(result, chance) for result, chance in chances if apart or chance >= RARE]
    in_words = _in_words([result for result, _ in listed], words)
    by_text: dict[str, Fraction] = {}
    for result, chance in listed:
        text = safe(in_words[result])
        by_text[text] = by_text.get(text, Fraction(0)) + chance
    long = any("," in text for text in by_text)
    shown = [f"{text}{':' * long} {share(chance)}" for text, chance in by_text.items()]
    if not apart:
        shown.append(words.say("forecast-rest", count=len(rare), share=share(sum(rare, Fraction(0)))))
    return ("; " if long else ", ").join(shown)


def _in_words(results: Sequence[str], words: Wording) -> dict[str, str]:
    """Return results as a list shows them: all in words, or all as in the table.

    As in the table if one has no words, is too long, or has per cent in it as the chances have.
    """
    texts = {result: spelt(result, words.of("codes")) for result in results}
    unspelt = any(text == code and any(letter.isdigit() for letter in code) for code, text in texts.items())
    short = not unspelt and all(len(text) <= SHORT_RESULT and "%" not in text for text in texts.values())
    return {code: text if short and text != code else words.text(code) for code, text in texts.items()}


def fought_words(fought: Fought, view: View) -> str:
    """Return how a fight ended, and what it cost each side: `Red took 0606 Haska. Red lost 2 steps, ...`."""
    ended = replace(fought, place=view.place(fought.place))
    sentences = (_sentence(ended.sentence(), view), _sentence(ended.cost(), view))
    return " ".join(filter(None, sentences))


def cost_words(fought: Fought, view: View) -> str:
    """Return what a fight cost each side: for example that Red lost 2 steps and Blue nothing."""
    return _sentence(fought.cost(), view)


def _sentence(text: str, view: View) -> str:
    return f"{capital(safe(view.wording.sentence(text)))}." if text else ""
