"""Forecasts beside the rules: fights of random games, fought by the real procedure with every throw."""

from __future__ import annotations

from pbem.bot.games import stages
from pbem.engine.adjudicate import game_of
from pbem.testing.fights import differences


def one_game(system, module, seed, most, every):
    found = []
    for stage in stages(system, system.scenarios()[0], seed=f"fights-{seed}"):
        if stage.number % every:
            continue
        game = game_of(system, stage.outcome.state, stage.outcome.position)
        for hex, ids in module.fights(game):
            for one in system.forecasts(game, hex, ids):
                staged = module.staged(game, hex, ids)
                wrong = differences(system, one, staged, module.judge(hex, ids))
                if wrong:
                    found.append((stage.number, hex, ids, one.sentence(), wrong))
                most -= 1
            if not most:
                return found
    return found
