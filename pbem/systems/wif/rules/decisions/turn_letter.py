"""6.1: The turn letter, all that a player decides between the turns."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Literal

from pbem.kit.faults import illegal, under
from pbem.rules import (
    NOTHING,
    Diagnostic,
    Draft,
    Entry,
    Game,
    Growing,
    LocationId,
    Message,
    Next,
    Part,
    Points,
    decision,
)

from ..budget import Budget, budget, lines
from ..conditions import fault as condition_fault
from ..drafting import filled, name_faults
from ..entries import Final, Lend, Lends, Places, Reroll, Return, Returns, Spending, TurnLetter
from ..pieces import T, leader_of, leads, maybe_unit, powers_of, units
from ..production import buyable, find_entry, gearing_limit, incomes, price
from ..steps import condition_fault as order_condition_fault
from ..steps import listed_ways, wanted
from ..turning import STAY, lender_of, return_fault, return_ports, who_returns
from ..world import world_of

POINTS = ("E.2", "E.3.2", "A.3", "B.1", "C.2", "C.3")
"""6.1: The points that a turn letter answers, in order. With fuel E.3.2 comes before E.2."""


TO_SIDES = ("C.2", "C.3")
"""R-301: The points that only the leading player of a side answers."""


PRODUCING = ("turn", "E.2", "E.3.2")
"""The points of a turn letter with production still to come."""
HOW_TO_BUY = "wif.turn-letter.how-to-buy"


class Between(Draft[Part[Any]]):
    """A turn letter on a draft's board."""

    def __init__(self, game: Game, player: str, point: str) -> None:
        super().__init__(game, player)
        self.point, self.powers = point, powers_of(game, player)
        self.budgets: dict[str, Budget] = {}
        """The sums of the production orders so far, by powers."""

    def faults(self, element: Part[Any]) -> list[Diagnostic]:
        faults: dict[str, Callable[[Any], list[Diagnostic]]] = {
            "reroll": self._reroll_faults,
            "order": self._order_faults,
            "return": self._return_faults,
            "production": self._production_faults,
            "stop_if": self._stop_if_faults,
            "lend": self._lend_faults,
            "final": self._final_faults,
            "placement": self._placement_faults,
            "place": self._place_faults,
        }
        known = element.value is not NOTHING and element.section in faults
        return faults[element.section](element.value) if known else []

    def _own(self, power: str, *path: str) -> list[Diagnostic]:
        return (
            []
            if power in self.powers
            else [illegal("E-PAYER", "6.1", Message("wif.turn-letter.no-power-of-yours", power=power), *path)]
        )

    def _ways_faults(self, entry: Any, faults: Callable[[Any], list[Diagnostic]]) -> list[Diagnostic]:
        """6.1: Return the faults of an entry. It has none with a condition or a legal alternative."""
        if (bad := order_condition_fault(entry)) is not None:
            return [illegal("bad-condition", "6.1", bad, "if")]
        if entry.if_ is not None:
            return []
        refused: list[Diagnostic] = []
        for n, way in enumerate(listed_ways(entry)):
            wrong = [] if entry.first and way.if_ is not None else faults(way)
            if not wrong:
                return []
            refused += under(wrong, "first", n) if entry.first else wrong
        return refused

    def _to_sides_faults(self) -> list[Diagnostic]:
        """R-301: Return the fault of an answer for a side by a player who does not lead it."""
        if leads(self.game, self.player):
            return []
        side = world_of(self.game).side_of[self.powers[0]] if self.powers else ""
        leader = leader_of(self.game, side) if side else ""
        message = Message("wif.turn-letter.leads-side-and-answers", leader=leader, side=side)
        return [
            illegal("E-PAYER", "4.4", message, help=Message("wif.turn-letter.leave-reroll-and-order-out"))
        ]

    def _reroll_faults(self, wish: str) -> list[Diagnostic]:
        return self._to_sides_faults()

    def _order_faults(self, wish: str) -> list[Diagnostic]:
        return self._to_sides_faults()

    def _return_faults(self, order: Returns) -> list[Diagnostic]:
        return self._ways_faults(order, self._way_home_faults)

    def _way_home_faults(self, way: Return) -> list[Diagnostic]:
        refused = return_fault(self.game, self.player, way)
        return [] if refused is None else [illegal(refused.code, "4.8.2", refused.message, "unit")]

    def _production_faults(self, entry: Entry[Spending]) -> list[Diagnostic]:
        """Return a fault for each kind that is not in the force pool.

        Budget and gearing are judged at E.3.3, and refusals are reported.
        """
        faults = self._own(entry.key)
        if faults:
            return faults
        for n, purchase in enumerate(entry.value.buy):
            faults += under(
                self._ways_faults(purchase, lambda w: self._bought_faults(entry.key, w.unit)), "buy", n
            )
        for n, text in enumerate(entry.value.build):
            faults += under(self._bought_faults(entry.key, text), "build", n)
        return faults

    def _bought_faults(self, power: str, text: str | None) -> list[Diagnostic]:
        if text is not None and find_entry(self.game, power, text) is not None:
            return []
        return [
            illegal("E-UNIT", "4.8.3", Message("wif.turn-letter.not-in-force-pool", text=text, power=power))
        ]

    def _stop_if_faults(self, stop: Any) -> list[Diagnostic]:
        faults = []
        points = [p for p in POINTS if p not in TO_SIDES or leads(self.game, self.player)]
        if stop.before not in points:
            message = Message("wif.turn-letter.no-point-after-letter", before=stop.before)
            faults.append(illegal("E-MOVE", "6.1", message, "before", help=", ".join(points)))
        if (bad := condition_fault(stop.if_)) is not None:
            faults.append(illegal("bad-condition", "6.1", bad, "if"))
        return faults

    def _lend_faults(self, order: Lends) -> list[Diagnostic]:
        return self._ways_faults(order, self._loan_faults)

    def _loan_faults(self, loan: Lend) -> list[Diagnostic]:
        world = world_of(self.game)
        lender = lender_of(self.game, self.player, loan)
        wrong = self._own(lender, "from")
        if not wrong and (loan.to not in world.side_of or not world.cooperate(lender, loan.to or "")):
            wrong = [
                illegal(
                    "E-COOP",
                    "4.3",
                    Message("wif.battle.does-not-cooperate", owner=loan.to, power=lender),
                    "to",
                )
            ]
        return wrong

    def _final_faults(self, final: Final) -> list[Diagnostic]:
        """Return the faults of names and powers. Legality is judged in the final reorganization."""
        faults: list[Diagnostic] = []
        for power, wishes in (final.reorganize or {}).items():
            faults += self._own(power, "reorganize", power)
            for n, wish in enumerate(wishes):
                for way in (wish, *wish.first):
                    faults += under(name_faults(self.game, way), "reorganize", power, n)
        for n, entry in enumerate(final.atr):
            if (bad := order_condition_fault(entry)) is not None:
                faults.append(illegal("bad-condition", "6.1", bad, "atr", n, "if"))
            for at, order in enumerate(listed_ways(entry)):
                u = maybe_unit(self.game, order.atr)
                if u is None or u.owner not in self.powers or u.type != "ATR":
                    message = Message("wif.impulse-letter.no-air-transport-of-yours", atr=order.atr)
                    where = ("first", at, "atr") if entry.first else ("atr",)
                    faults.append(illegal("E-UNIT", "4.6.4", message, "atr", n, *where))
        return faults

    def _placement_faults(self, entry: Entry[str]) -> list[Diagnostic]:
        return self._town_faults(entry.value)

    def _town_faults(self, hex: str | None, *path: str) -> list[Diagnostic]:
        """4.2: Return the fault of a place that is neither city nor port.

        Legality is judged when units arrive.
        """
        site = world_of(self.game).sites.get(hex or "")
        if site is not None and (site.city or site.port is not None):
            return []
        return [illegal("E-MOVE", "4.2", Message("wif.turn-letter.neither-city-nor-port", hex=hex), *path)]

    def _place_faults(self, order: Places) -> list[Diagnostic]:
        return self._ways_faults(order, lambda way: self._town_faults(way.to, "to"))

    def do(self, element: Part[Any]) -> None:
        if element.section == "production" and element.value is not NOTHING and self._produces():
            self.budgets[element.value.key] = budget(self.game, element.value.key, element.value.value)
        if (
            element.section == "return"
            and element.value is not NOTHING
            and wanted(self.game, element.value, ())
        ):
            for way in listed_ways(element.value):
                if wanted(self.game, way, ()) and return_fault(self.game, self.player, way) is None:
                    if way.to != STAY:
                        self.game.position.set(who_returns(way), hex=way.to, face="down")
                    return

    def _produces(self) -> bool:
        """Return True if production is still to come when this letter is asked for."""
        return self.point in PRODUCING

    def _idle(self) -> Iterator[tuple[str, Budget]]:
        """E.3.2: Yield the powers that buy nothing though they could, with their budgets."""
        sent = T.of(self.game).turn_letters.get(self.player, {}) if self.point != "turn" else {}
        for power in self.powers if self._produces() else ():
            if power not in self.budgets and power in (sent.get("production") or {}):
                continue
            sums = self.budgets.get(power) or budget(self.game.copy(), power, Spending())
            if not sums.rate and sums.income.bp:
                yield power, sums

    def purse(self) -> Iterator[tuple[str, str, int, int]]:
        """E.3.2: Yield the build points of each power that has some, before they are paid out."""
        for power in self.powers if self._produces() else ():
            sums = self.budgets.get(power)
            points = sums.income.bp if sums is not None else incomes(self.game, {})[power].bp
            if points:
                yield power, "BP", points if sums is None else sums.bought.saved, points

    def told(self, element: Part[Any]) -> str | None:
        """E.3.2: Return the lines of a production order: income, purchases, gearing, the rest."""
        if element.section != "production" or element.value is NOTHING:
            return None
        sums = self.budgets.get(element.value.key)
        return None if sums is None else "\n".join(lines(self.game, sums))

    def doubts(self) -> list[Diagnostic]:
        """E.3.3: Return warnings about purchases that will be refused and powers with a rate of 0."""
        warnings = []
        for power, sums in self.budgets.items():
            for number, refused in sums.bought.refused:
                at = _place(sums.wish, number) if number else ("rp",)
                fault = illegal(refused.code, "4.8.3", refused.message, "production", power, *at)
                warnings.append(replace(fault, severity="warning"))
        for power, sums in self._idle():
            fault = illegal("nothing-bought", "4.6.1", nothing_bought(power, sums), "production", power)
            warnings.append(replace(fault, severity="warning", help=(Message(HOW_TO_BUY),)))
        return warnings

    def nothing(self) -> str:
        return "; ".join(["nothing", *(nothing_bought(power, sums) for power, sums in self._idle())])

    def next(self, of: str | None = None) -> Iterator[Next[Part[Any]]]:
        if self.point not in ("opening",):
            yield from self._next_returns(of)
        if of is not None:
            return
        if self.point not in ("opening",):
            yield from self._next_spending()
        given = {e.section for e in self.elements}
        if "order" not in given and leads(self.game, self.player):
            for choice in ("first", "second"):
                yield Next(
                    Part("order", choice),
                    Message("wif.turn-letter.move-if-you-win-initiative", choice=choice),
                )

    def _next_returns(self, of: str | None) -> Iterator[Next[Part[Any]]]:
        for power in self.powers:
            for u in units(self.game, power):
                if u.at_sea and u.print.arm != "land" and self.concerns(of, u.id):
                    for port in return_ports(self.game, u):
                        yield Next(
                            Part("return", Returns(u.id, to=port)),
                            Message(
                                "wif.turn-letter.returns", unit=u.id, place=world_of(self.game).called(port)
                            ),
                            Points((u.id,), end=port, kind="move"),
                        )

    def _next_spending(self) -> Iterator[Next[Part[Any]]]:
        given = [e.value.key for e in filled(self.elements) if e.section == "production"]
        for power in self.powers:
            if power in given:
                continue
            bp = incomes(self.game, {})[power].bp
            for entry in buyable(self.game, power):
                wish = Spending((entry.id or entry.unit,), 0)
                if price(self.game, entry) > bp:
                    continue
                yield Next(
                    Part("production", Entry(power, wish)),
                    Message(
                        "wif.turn-letter.buys",
                        power=power,
                        unit=entry.unit,
                        price=price(self.game, entry),
                        bp=bp,
                    ),
                )
            most = min(gearing_limit(self.game, power, "RP"), bp // int(world_of(self.game).turn["rp_cost"]))
            if most:
                yield Next(
                    Part("production", Entry(power, Spending((), most))),
                    Message("wif.turn-letter.spends-on-points", power=power, most=most),
                )


def _place(value: Spending, number: int) -> tuple[str | int, ...]:
    """Return the path of the entry with this number. The list `buy` comes before `build`."""
    count = len(value.buy)
    return ("buy", number - 1) if number <= count else ("build", number - 1 - count)


def nothing_bought(power: str, sums: Budget) -> str:
    """E.3.2: Return a sentence about a power that buys nothing."""
    return Message("wif.turn-letter.buys-nothing", power=power, saved=sums.bought.saved)


@decision(
    "turn-letter",
    rule="6.1",
    answer=TurnLetter,
    secrecy="together",
    standing={
        "placement": tuple[LocationId, ...],
        "reroll": Reroll,
        "order": Literal["first", "second"],
        "build_list": dict[str, Spending | tuple[str, ...]] | tuple[str, ...],
        "return": tuple[Returns, ...],
        "lend": tuple[Lends, ...] | Lends,
    },
    facts=("point", "turn"),
)
class TurnLetters(Growing[TurnLetter]):
    """What do your powers do between the turns?"""

    player: str
    point: str
    turn: int
    skips = True

    def subject(self) -> tuple[str | int, ...]:
        return (self.point,)

    def draft(self, game: Game) -> Between:
        return Between(game, self.player, self.point)

    def default(self, game: Game) -> TurnLetter:
        return TurnLetter()
