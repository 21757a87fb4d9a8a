"""Standing orders as forms: made from the schemas of the system, tested on the stages played so far."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bottle

from pbem.cli.web import draft, forms, shown, trial
from pbem.cli.web.rooms import Room, Route, go
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder


class AtStanding(Room):
    """The pages of a player's standing orders."""

    def routes(self) -> list[Route]:
        return [
            ("GET", "/g/<name>/standing", self.standing),
            ("GET", "/g/<name>/standing/<form>", self.form),
            ("POST", "/g/<name>/standing/<form>", self.filled),
            ("POST", "/g/<name>/standing", self.drop),
        ]

    def standing(self, name: str) -> str:
        """Return the page with the list in force, the next list, and the forms."""
        from pbem.archive import answers_ahead
        from pbem.cli.web.addresses.at_orders import may_order
        from pbem.cli.writing import orders as _orders
        from pbem.text.flow import flow

        folder = self._open(name)
        listed = _listed(folder)
        in_force = answers_ahead.lasting(answers_ahead.in_force(folder))
        waiting = answers_ahead.waiting(answers_ahead.in_force(folder))
        trials = trial.tried(folder, listed)
        values: dict[str, Any] = {
            "listed": [(flow(order), trials[n]) for n, order in enumerate(listed)],
            "changed": listed != in_force,
            "waiting": [(str(entry.get("once", entry.get("name"))), flow(entry)) for entry in waiting],
            "forms": [(form, kind, _about(folder, form, kind)) for form, kind in _forms(folder)],
            "asked": may_order(folder),
            "faults": shown.faults(self._faults(folder)) if listed != in_force else [],
            "file": _orders.order_file(folder).is_file(),
        }
        return self.page("standing.html.j2", name, folder, **values)

    def form(self, name: str, form: str, **more: Any) -> str:
        """Return the form of one kind of standing order."""
        from pbem.model.codec import schema_of
        from pbem.text.flow import flow

        folder = self._open(name)
        kind = dict(_forms(folder)).get(form)
        if kind is None:
            raise Refused(Diagnostic("no-form", Message("cli.web.no-standing-order-called", form=form)))
        schema = schema_of(folder.system.standing_type(form))
        before = [order for order in _listed(folder) if isinstance(order, dict) and form in order]
        value = more.pop("value", before[0][form] if before else forms.EMPTY)
        values = {
            "form": form,
            "about": _about(folder, form, kind),
            "example": folder.system.wording.get("standing", {}).get(form, ""),
            "field": forms.fields(schema, "f", form, value),
            "there": flow(before[0]) if before else "",
            "tried": None,
            "faults": [],
        }
        return self.page("standing_form.html.j2", name, folder, **{**values, **more})

    def filled(self, name: str, form: str) -> str:
        """Try what was filled in, or put it into the list in place of the one of this form."""
        from pbem.model.codec import faults_in, schema_of

        folder = self._open(name)
        if form not in dict(_forms(folder)):
            raise Refused(Diagnostic("no-form", Message("cli.web.no-standing-order-called", form=form)))
        kind = folder.system.standing_type(form)
        sent = {str(key): str(value) for key, value in bottle.request.forms.decode().allitems()}
        value = forms.value_of(schema_of(kind), "f", sent)
        wrong = faults_in(kind, None if value is forms.EMPTY else value)
        if wrong:
            return self.form(name, form, value=value, faults=shown.faults(wrong))
        order = {form: value}
        if self.field("try"):
            return self.form(name, form, value=value, tried=trial.tried(folder, [order])[0])
        listed = _listed(folder)
        places = [n for n, entry in enumerate(listed) if isinstance(entry, dict) and form in entry]
        if places and self.field("instead"):
            listed[places[0]] = order
        else:
            listed.append(order)
        _keep(folder, listed)
        go(f"/g/{name}/standing")
        return ""

    def drop(self, name: str) -> None:
        """Take an entry off the list, or bring back the list that is in force."""
        folder = self._open(name)
        if self.field("back"):
            _keep(folder, None)
        else:
            listed, number = _listed(folder), self.field("number")
            if number.isdigit() and int(number) < len(listed):
                del listed[int(number)]
                _keep(folder, listed)
        go(f"/g/{name}/standing")

    def _open(self, name: str) -> Folder:
        folder = self.place.open(name)
        folder.need_me("player")
        if folder.stage < 0:
            raise Refused(Diagnostic("not-begun", self.words.say("not-begun")))
        return folder

    def _faults(self, folder: Folder) -> list[Diagnostic]:
        checked = draft.OrderDraft(folder).checked()
        return [fault for fault in checked.diagnostics if fault.path[:1] in (("standing",), ("ahead",))]


def _forms(folder: Folder) -> list[tuple[str, str]]:
    """Return the forms of the system, each with the kind of decision it answers."""
    return sorted(folder.system.standing_forms.items())


def _about(folder: Folder, form: str, kind: str) -> str:
    """Return the meaning of a form: its question without a subject, and its type's description."""
    from pbem.cli.shell.language import code, known_in
    from pbem.model.codec import schema_of
    from pbem.text.sentences import fill, used
    from pbem.text.translating import translated

    system = folder.system
    asked = str(system.wording_in(code()).get("decisions", {}).get(kind, kind))
    asked = fill(asked, dict.fromkeys(used(asked), "…"), str)
    says = str(schema_of(system.standing_type(form)).get("description", ""))
    return f"{asked} {translated(says, known_in(code(), system))}".strip()


def _listed(folder: Folder) -> list[Any]:
    """Return the list in the order file, else the one in force."""
    from pbem.archive import answers_ahead

    written = draft.OrderDraft(folder).data.get("standing")
    if isinstance(written, list):
        return list(written)
    return list(answers_ahead.lasting(answers_ahead.in_force(folder)))


def _keep(folder: Folder, listed: list[Any] | None) -> None:
    """Write the list into the order file; None: it stays as it is in force."""
    orders = draft.OrderDraft(folder)
    if listed is None:
        orders.data.pop("standing", None)
    else:
        orders.data["standing"] = listed
    orders.save()
