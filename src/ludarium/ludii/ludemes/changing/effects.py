"""Effects: what moves and their consequences do beside moving pieces. Those that can be chosen are listed under both names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext

from ludarium.ludii.code.script import Script, literal, ludeme
from ludarium.ludii.code.sinks import Done, Found, act
from ludarium.ludii.grammar.binder import Bound, Lacking, Symbol, Value
from ludarium.ludii.ludemes.asking.arrays import Numbers
from ludarium.ludii.ludemes.asking.numbers import of_type
from ludarium.ludii.ludemes.asking.players import role_players
from ludarium.ludii.ludemes.moving.moves import find, moves_apart
from ludarium.ludii.ludemes.moving.naming import pieces_of, there_is
from ludarium.ludii.memory import actions
from ludarium.ludii.memory.spots import kind_of, spot
from ludarium.ludii.memory.state import NO_NAME
from ludarium.ludii.model import bound, items, text, word


def effect(script: Script, node: Bound, kind: int, *numbers: str, name: str = "Effect", site: str = "-1") -> None:
    """Find an effect of one action, whose numbers are worked out now."""
    known = [script.local("number", each) for each in numbers]
    told = {f"number{k}": (each, 20) for k, each in enumerate(known) if literal(each) is None}
    extra = {} if isinstance(script.sink, Done) else told  # what is done elsewhere has to be told

    def push(_: str, __: str, found: Mapping[str, str]) -> None:
        act(script, kind, *(found.get(f"number{k}", each) for k, each in enumerate(known)))

    find(script, Found(node, name, site, site, push, extra))


@ludeme("moves", "moveAgain", single=True)
def _again(script: Script, node: Bound) -> None:
    effect(script, node, actions.NEXT_PLAYER, "i64(s.mover)")


@ludeme("moves", "remove", "move Remove", single=True)
def _remove(script: Script, node: Bound) -> None:
    given = node.arguments
    times = "1" if "count" not in given else "many"
    later = "at" in given and word(given["at"]) == "EndOfTurn"
    named, kind = script.number(given.get("level")), kind_of(script, node)

    def where(site: str) -> str:
        return script.local("site", of_type(script, node, site)) if "type" in given else site

    def found(site: str) -> None:
        at = where(site)
        with script.block(f"if {at} >= 0 and not is_empty(s, {at}):"):
            find(script, Found(node, "Remove", site, site, push, types=(kind, kind)))

    def push(_: str, to: str, __: Mapping[str, str]) -> None:
        to, level = where(to), named
        if named != "-1" and script.layout.stacking:  # the top is the top, also where it is named
            level = script.local("level", named)
            level = script.local("level", f"(-1 if {level} + 1 == height_of(s, {to}) else max({level}, 0))")
        if times == "1":
            act(script, actions.CLEAR_LATER if later else actions.REMOVE, to, level)
            return
        with script.block(f"for _ in range(max({script.number(given['count'])}, 1)):"):  # one goes in any case
            act(script, actions.CLEAR_LATER if later else actions.REMOVE, to, level)

    if "regionFunction" in given:
        with script.region(given["regionFunction"]).kept().each() as each:
            found(each)
        return
    found(script.local("site", script.number(given["locationFunction"])))


@ludeme("moves", "promote", "move Promote", single=True)
def _promote(script: Script, node: Bound) -> None:
    given = node.arguments
    names = _named(node)
    if names:
        player = script.player(node, "role", "who")
        pieces = [owned_piece(script, text(each), player) for each in names]
    else:
        pieces = pieces_of(script, given["what"])
    site = script.local("site", script.number(given.get("locationFn"), "c.to"))
    with script.block(f"if 0 <= {site} < {script.layout.sites}:"):
        for piece in pieces:
            index = script.local("piece", piece)

            def push(_: str, to: str, known: Mapping[str, str]) -> None:
                become = known["piece"] if names else there_is(script, given["what"], known["piece"])
                act(script, actions.PROMOTE, to, become, -1)

            with script.block(f"if {index} > 0:") if _may_lack(script, node, index) else nullcontext():
                find(script, Found(node, "Promote", site, site, push, {"piece": (index, 10)}))


def _may_lack(script: Script, node: Bound, index: str) -> bool:
    """Whether there may be no piece to become."""
    names, known = [text(each) for each in _named(node)], literal(index)
    if known is not None or not names:
        return known is None or known < 1
    asked = node.arguments.get("role")
    if isinstance(asked, Symbol) and asked.word in ("All", "Each", "Shared", "Neutral"):
        return True
    return not all(script.model.owned(name, owner) for name in names for owner in range(1, script.layout.players + 1))


def _named(node: Bound) -> Sequence[Value]:
    """The names of pieces of which some player's is meant."""
    part = bound(node.arguments["what"]).arguments
    if not {"role", "who"} & node.arguments.keys():
        return []
    return [part["nameComponent"]] if "nameComponent" in part else items(part.get("nameComponents"))


def owned_piece(script: Script, name: str, player: str) -> str:
    """A player's piece whose name contains a text, as an expression; -1 if there is none."""
    kinds = [script.model.owned(name, owner) for owner in range(script.layout.players + 2)]
    if not 0 <= (literal(player) or 0) < len(kinds):
        return "-1"
    return f"i64({script.table([kind.index if kind else -1 for kind in kinds], hint='pieces')}[{player}])"


@ludeme("moves", "set State", "set Value", "set Count", single=True)
def _set_site(script: Script, node: Bound) -> None:
    given = node.arguments
    kind = word(given["setType"])
    if "at" not in given:  # the value of a player
        player = script.local("player", script.player(node))
        with script.block(f"if 0 <= {player} <= {script.layout.players}:"):
            effect(script, node, actions.SET_PLAYER_VALUE, player, script.number(given["value"]))
        return
    number = script.local("site", script.number(given["at"]))
    site = spot(script, kind_of(script, node), number)
    if site != number:
        site = script.local("spot", site)
    value, level = script.local("value", script.number(given["value"])), script.number(given.get("level"))
    if kind == "Count":
        effect(script, node, actions.SET_COUNT, site, f"what_at(s, {site})", value)
        return
    with script.block(f"if {site} >= 0 and {value} >= 0:"):
        effect(
            script,
            node,
            actions.SET_STATE if kind == "State" else actions.SET_VALUE,
            site,
            value,
            level,
            name=f"Set{kind}",
            site=number,
        )


@ludeme("moves", "set Counter", single=True, forgets_then=True)
def _set_counter(script: Script, node: Bound) -> None:
    effect(script, node, actions.SET_COUNTER, script.number(node.arguments.get("newValue")))


@ludeme("moves", "set Var", single=True)
def _set_var(script: Script, node: Bound) -> None:
    given = node.arguments
    value = script.number(given.get("newValue"))
    if "name" not in given:
        effect(script, node, actions.SET_TEMP, value)
        return
    effect(script, node, actions.SET_VAR, str(script.layout.vars.index(text(given["name"]))), value)


@ludeme("moves", "set Pending", single=True, forgets_then=True)
def _set_pending(script: Script, node: Bound) -> None:
    given = node.arguments
    if "region" in given:
        with script.region(given["region"]).kept().each() as site:
            effect(script, node, actions.SET_PENDING, site)
        return
    effect(script, node, actions.SET_PENDING, script.number(given.get("value"), "1"))


@ludeme("moves", "addScore", "set Score", single=True)
def _score(script: Script, node: Bound) -> None:
    given = node.arguments
    kind = actions.ADD_SCORE if node.unit == "addScore" else actions.SET_SCORE
    if "scores" in given:
        named = items(given.get("roles") or given.get("players"))
        pairs = zip(
            named, (script.local("score", script.number(each)) for each in items(given["scores"])), strict=False
        )
        known = [(who, score) for each, score in pairs for who in _scored(script, each)]
    else:
        score = script.local("score", script.number(given["score" if node.unit == "addScore" else "value"]))
        known = [(who, score) for who in (_scored(script, given["role"]) if "role" in given else [script.player(node)])]
    several = len(known) > 1
    for player, score in [(script.local("player", who), score) for who, score in known]:
        with script.block(f"if 0 <= {player} <= {script.layout.players}:") if several else nullcontext():
            effect(script, node, kind, player, score)


def _scored(script: Script, who: Value) -> Sequence[str]:
    """The players whose score is meant by a role or a number: by some roles nobody's, as Ludii has it."""
    if not isinstance(who, Symbol):
        return [script.number(who)]
    if who.word in ("Each", "Shared", "Neutral"):
        return []
    players = role_players(script, who.word)
    return [each for each in players if each not in ("0", str(script.layout.players + 1))] or [script.role(who)]


@ludeme("moves", "apply")
def _apply(script: Script, node: Bound) -> None:
    given = node.arguments
    if "effect" in given:
        with script.block(f"if {script.truth(given.get('If'))}:"):
            moves_apart(script, given["effect"])


@ludeme("moves", "remember Value")
def _remember(script: Script, node: Bound) -> None:
    given = node.arguments
    index, value = list_of(script, node), script.local("value", script.number(given["value"]))
    unique = script.truth(given.get("unique"), "False")
    if unique == "False":
        effect(script, node, actions.REMEMBER, str(index), value)
        return
    room = script.layout.list_room
    known = Numbers(script, f"s.list[{index * room} + {{}}]", f"i64(s.list_count[{index}])")
    with script.block(f"if not ({unique}) or not {known.has(value)}:"):
        effect(script, node, actions.REMEMBER, str(index), value)


@ludeme("moves", "forget Value")
def _forget(script: Script, node: Bound) -> None:
    given = node.arguments
    if "value" in given:
        effect(script, node, actions.FORGET, str(list_of(script, node)), script.number(given["value"]))
        return
    lists = [list_of(script, node)] if "name" in given else range(len(script.layout.lists))

    def push(*_: object) -> None:
        for index in lists:
            act(script, actions.FORGET_ALL, str(index))

    kept = " or ".join(f"s.list_count[{index}] > 0" for index in lists)
    with script.block(f"if {kept or 'False'}:"):  # where nothing is remembered nothing happens, and nothing comes of it
        find(script, Found(node, "Effect", "-1", "-1", push))


def list_of(script: Script, node: Bound) -> int:
    """The number of the list of remembered values that a ludeme names."""
    return script.layout.lists.index(text(node.arguments["name"]) if "name" in node.arguments else NO_NAME)


@ludeme("moves", "set NextPlayer", "move Set NextPlayer", forgets_then=True)
def _next_player(script: Script, node: Bound) -> None:
    given = node.arguments
    if "nextPlayers" in given:
        with script.numbers(given["nextPlayers"]).each() as player:
            with script.block(f"if 1 <= {player} <= {script.layout.players}:"):
                effect(script, node, actions.NEXT_PLAYER, player, name="SetNextPlayer")
        return
    if "who" not in given:
        raise Lacking(node, "who")
    player = script.local("player", script.player(node, "role", "who"))
    with script.block(f"if 1 <= {player} <= {script.layout.players}:"):  # nobody else can be next
        effect(script, node, actions.NEXT_PLAYER, player, name="SetNextPlayer")


@ludeme("moves", "set Team")
def _set_team(script: Script, node: Bound) -> None:
    for each in items(node.arguments["roles"]):
        effect(script, node, actions.SET_TEAM, script.number(node.arguments["team"]), script.role(each))
