"""Start rules: what stands where before the first move."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ludarium.ludii.code.script import Script, literal
from ludarium.ludii.grammar.binder import Bound, Value
from ludarium.ludii.ludemes.asking.players import each_team
from ludarium.ludii.memory.spots import kind_of, spot
from ludarium.ludii.model import Component, bound, items, text

MOST_PIECES = 1000

START: dict[str, Callable[[Script, Bound], None]] = {}


def start_rule(*units: str) -> Callable[[Callable[[Script, Bound], None]], Callable[[Script, Bound], None]]:
    """Let a function write these start rules."""

    def listed(function: Callable[[Script, Bound], None]) -> Callable[[Script, Bound], None]:
        for unit in units:
            START[unit] = function
        return function

    return listed


def write_start(script: Script) -> None:
    """Write the kernel that sets up the first state."""
    with script.out.kernel("place_all(v: view[u8], c: Context) -> None"):
        script.line("s = State(v)")
        for number, (site, die) in enumerate(script.layout.dice):
            script.line(f"add_piece(s, {site}, {die.index}, 1, -1, -1, -1)")
            script.line(f"s.current[{number}] = {die.faces[0]}")
        if script.model.cards:
            from ludarium.ludii.ludemes.moving.cards import write_decks

            write_decks(script)
        for player, phase in _first_phases(script):
            script.line(f"s.phase[{player}] = {phase}")
        if "player_value" in script.layout.state.fields:
            with script.block(f"for p in range({script.layout.players + 2}):"):
                script.line("s.player_value[p] = -1")
        if script.layout.vars:
            with script.block(f"for k in range({len(script.layout.vars)}):"):
                script.line("s.var[k] = -1")
        if "team" in script.layout.state.fields:
            with script.block(f"for p in range({script.layout.players + 2}):"):
                script.line("s.team[p] = p")
        if script.layout.domain:
            least, most = script.layout.domain
            with script.block(f"for site in range({script.model.board_sites}):"):
                script.line(f"s.open[site] = u64({(2 << most) - (1 << least)})")
                script.line("s.solved[site] = -1")
        for node in script.model.start:
            handler = START.get(node.unit)
            if handler is None:
                raise script.model.unsupported(node)
            with script.out.at(script.place(node)):
                handler(script, node)
        if "started" in script.layout.state.fields:
            with script.block(f"for site in range({script.model.board_sites}):"):
                script.line("s.started[site] = top_of(s, site)")
        if script.layout.history:
            script.line("note_state(s)")


def _many(script: Script, value: Value | None) -> str:
    """How many pieces are placed."""
    count = script.number(value, "1")
    if value is not None and (literal(count) or 0) > MOST_PIECES:
        raise script.model.wrong(value, f"{count} pieces are too many", f"at most {MOST_PIECES} are placed at once")
    return count


def _first_phases(script: Script) -> list[tuple[int, int]]:
    found = []
    if script.layout.phases > 1:
        for player in range(1, script.layout.players + 1):
            fits = [k for k, phase in enumerate(script.model.phases) if phase.role in ("Shared", f"P{player}")]
            found.append((player, fits[0] if fits else 0))
    return found


@start_rule("place (PlaceItem)")
def _place(script: Script, node: Bound) -> None:
    given = node.arguments
    count = _many(script, items(given["counts"])[0] if "counts" in given else given.get("count"))
    fields = ", ".join(script.number(given.get(name)) for name in ("state", "rotation", "value"))
    if "container" in given:
        for place, kind in _in_container(script, node):
            script.line(f"add_piece(s, {place}, {kind.index}, {count}, {fields})")
        return
    piece, of = piece_named(script, given["item"]), kind_of(script, node)
    if "region" in given:
        with script.region(given["region"]).each() as site:
            script.line(f"add_piece(s, {spot(script, of, site)}, {piece.index}, {count}, {fields})")
        return
    for site in placed_sites(script, node):
        script.line(f"add_piece(s, {spot(script, of, site)}, {piece.index}, {count}, {fields})")


def placed_sites(script: Script, node: Bound) -> Sequence[str]:
    """The sites that a start rule lists."""
    given = node.arguments
    labels = script.topology.sites(kind_of(script, node)).by_label
    if "loc" in given or "locs" in given:
        return [_site(script, each) for each in ([given["loc"]] if "loc" in given else items(given["locs"]))]
    named = [given["coord"]] if "coord" in given else items(given.get("coords"))
    return [str(labels[text(each)]) for each in named if text(each) in labels]


def _site(script: Script, value: Value) -> str:
    site = script.number(value)
    if (literal(site) or 0) >= script.layout.sites:
        raise script.model.wrong(value, f"there is no site {site}", f"they go from 0 to {script.layout.sites - 1}")
    return site


def piece_named(script: Script, value: Value) -> Component:
    """The kind of piece that a rule names."""
    found = script.model.named(text(value))
    if found is None:
        raise script.model.unsupported(value, f"piece {text(value)}", "there is no such piece")
    return found


def _in_container(script: Script, node: Bound) -> list[tuple[int, Component]]:
    """Where pieces go that are put into a hand: each player's own, or the one that is named."""
    name, item = text(node.arguments["container"]), text(node.arguments["item"])
    found = []
    taken: dict[int, int] = script.__dict__.setdefault("hands_filled", {})
    for number, container in enumerate(script.topology.containers):
        if container.kind == "board" or not container.name.startswith(name):
            continue
        if (
            container.owner == 0
            and container.name != name
            and any(each.owner > 0 for each in script.topology.containers)
        ):
            continue  # a hand for all is none of those that each player has
        if container.name == name and name[-1:].isdigit():
            piece = script.model.components[number - 1] if number <= len(script.model.components) else None
        else:
            piece = script.model.named(f"{item}{container.owner}") or script.model.named(item)
        if piece is not None:
            at = taken.get(number, 0)
            taken[number] = at + 1
            found.append((container.first + min(at, container.count - 1), piece))
    if not found:
        raise script.model.unsupported(bound(node), f"container {name}")
    return found


@start_rule("place Stack")
def _place_stack(script: Script, node: Bound) -> None:
    given = node.arguments
    fields = ", ".join(script.number(given.get(name)) for name in ("state", "rotation", "value"))
    many = [_many(script, each) for each in items(given.get("counts"))]
    if "items" in given or "container" in given:
        pieces = [piece_named(script, each) for each in ([given["item"]] if "item" in given else items(given["items"]))]
        sites = _container_sites(script, node) if "container" in given else _stack_sites(script, node)
        times = 1 if "container" in given else int(_many(script, given.get("count")))
        for piece in pieces:
            for site in sites:
                for _ in range(times):
                    script.line(f"add_piece(s, {site}, {piece.index}, 1, {fields})")
        return
    piece = piece_named(script, given["item"])
    if "region" in given and not many and script.region(given["region"]).sites is None:
        with script.region(given["region"]).kept().each() as site:
            with script.block(f"for _ in range({_many(script, given.get('count'))}):"):
                script.line(f"add_piece(s, {site}, {piece.index}, 1, {fields})")
        return
    for number, site in enumerate(_stack_sites(script, node)):
        count = many[number] if number < len(many) else _many(script, given.get("count"))
        with script.block(f"for _ in range({count}):"):
            script.line(f"add_piece(s, {site}, {piece.index}, 1, {fields})")


def _container_sites(script: Script, node: Bound) -> Sequence[str]:
    """The sites of a container on which stacks are placed: one that is told, or all."""
    given = node.arguments
    name = text(given["container"])
    found = next((each for each in script.topology.containers if each.name == name), None)
    if found is None:
        raise script.model.unsupported(node, f"container {name}")
    if "loc" in given:
        return [f"{found.first} + {script.number(given['loc'])}"]
    return [str(site) for site in range(found.first, found.first + found.count)]


def _stack_sites(script: Script, node: Bound) -> Sequence[str]:
    if "region" not in node.arguments:
        return placed_sites(script, node)
    region = script.region(node.arguments["region"])
    if region.sites is None:
        raise script.model.unsupported(node, why="a region that changes")
    return [str(site) for site in region.sites]


@start_rule("set Count")
def _set_count(script: Script, node: Bound) -> None:
    """Seeds: the last kind of piece there is."""
    given = node.arguments
    seed, count = len(script.model.components), _many(script, given["value"])
    sites = script.region(given["to"]) if "to" in given else None
    if sites is None:
        script.line(f"set_seeds(s, {script.number(given['at'])}, {seed}, {count})")
        return
    with sites.each() as site:
        script.line(f"set_seeds(s, {site}, {seed}, {count})")


@start_rule("set Score", "set Amount")
def _set_score(script: Script, node: Bound) -> None:
    given, value = node.arguments, script.number(node.arguments["value"])
    field = "amount" if node.unit == "set Amount" else "score"
    role = script.role(given["role"]) if "role" in given else str(script.layout.players + 1)
    if role == str(script.layout.players + 1):
        for player in range(1, script.layout.players + 1):
            script.line(f"s.{field}[{player}] = {value}")
    else:
        script.line(f"s.{field}[{role}] = {value}")


@start_rule("set RememberValue")
def _set_remembered(script: Script, node: Bound) -> None:
    given = node.arguments
    name = text(given["name"]) if "name" in given else ""
    index, room = script.layout.lists.index(name), script.layout.list_room
    unique = script.settled(node, "unique")

    def remember(value: str) -> None:
        from ludarium.ludii.ludemes.asking.arrays import Numbers

        value = script.local("value", value)
        known = Numbers(script, f"s.list[{index * room} + {{}}]", f"i64(s.list_count[{index}])")
        with script.block(f"if {'not ' + known.has(value) if unique else 'True'}:"):
            script.line(f"s.list[{index * room} + s.list_count[{index}]] = {value}")
            script.line(f"s.list_count[{index}] += 1")

    if "value" in given:
        remember(script.number(given["value"]))
        return
    with script.region(given["regionValue"]).each() as site:
        remember(site)


@start_rule("set Team")
def _set_team(script: Script, node: Bound) -> None:
    team = script.number(node.arguments["index"])
    for each in items(node.arguments["roles"]):
        script.line(f"s.team[{script.role(each)}] = {team}")


@start_rule("forEach Value", "forEach (ForEachSite)", "forEach Site")
def _for_each(script: Script, node: Bound) -> None:
    given = node.arguments
    if "min" in given:
        value = script.out.fresh("value")
        with script.block(f"for {value} in range({script.number(given['min'])}, {script.number(given['max'])} + 1):"):
            with script.register("value", value):
                _started(script, bound(given["startingRule"]))
        return
    with script.region(given["regionFn"]).each() as site, script.register("site", site):
        with script.block(f"if {script.truth(given.get('If'))}:"):
            _started(script, bound(given["startingRule"]))


@start_rule("forEach Team")
def _for_each_team(script: Script, node: Bound) -> None:
    with each_team(script):
        _started(script, bound(node.arguments["startingRule"]))


def _started(script: Script, node: Bound) -> None:
    handler = START.get(node.unit)
    if handler is None:
        raise script.model.unsupported(node)
    handler(script, node)


@start_rule("set (SetSite)")
def _set_site(script: Script, node: Bound) -> None:
    given = node.arguments
    known, kind = literal(script.role(given["role"])), kind_of(script, node)
    player = -1 if known is None else known
    owned = [each for each in script.model.components if each.owner == player]
    numbered = (
        0 < player <= min(script.layout.players, len(script.model.components))
    )  # as Ludii has it, like the player
    if player < 0 or not (numbered or owned):
        raise script.model.unsupported(node, why="whose piece it is")
    piece = player if numbered else owned[0].index
    if "region" in given:
        with script.region(given["region"]).each() as site:
            script.line(f"add_piece(s, {spot(script, kind, site)}, {piece}, 1, -1, -1, -1)")
        return
    for site in placed_sites(script, node):
        script.line(f"add_piece(s, {spot(script, kind, site)}, {piece}, 1, -1, -1, -1)")
