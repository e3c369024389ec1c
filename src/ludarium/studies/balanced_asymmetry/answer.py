"""The answer of the study of balanced asymmetry, in sentences, as far as the matches allow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ludarium.arena.extras import needs
from ludarium.arena.prove.comparisons import ALPHA, holm
from ludarium.arena.prove.sample_size import difference_found
from ludarium.arena.prove.words import written_p
from ludarium.arena.results import Moves, Results
from ludarium.core import Limit
from ludarium.studies.balanced_asymmetry.results import ROLES, Bias, Measured
from ludarium.studies.balanced_asymmetry.study import FULL_SCALE, MAIN, RANDOM

with needs("report"):
    from scipy.stats import binomtest, fisher_exact

_ENOUGH = 10  # matches; with fewer not even winning all of them is sure to be told from chance after correction
_NO_CHOICE = ("hnefatafl-no-moves", "hnefatafl-no-moves-no-history")


def answer(measured: Measured) -> Iterator[str]:
    """Answer the question of the thesis as far as the matches allow."""
    yield _size(measured)
    if (random := measured.bias(MAIN, RANDOM)) is not None:
        yield _of_random(random)
    if MAIN in measured.games:
        yield from _intelligence(measured)
        yield from _taken_together(measured)
        yield from _generality(measured)
        yield from _compared_with_random(measured)
    yield from _all_games(measured)


def _size(measured: Measured) -> str:
    results = measured.results
    late = int(results.timeouts.sum())
    searched = int(np.sum(measured.moves.agent.codes != _code(measured.moves, RANDOM)))
    hours = searched * FULL_SCALE.seconds / 3600
    said = "none came too late" if late == 0 else f"{late:,} came too late ({', '.join(_late_games(results))})"
    games = "1 game" if len(measured.games) == 1 else f"{len(measured.games)} games"
    longer = f" (At {FULL_SCALE.seconds:g} s a turn the same matches would take {hours:,.0f} hours.)"
    return (
        f"{len(np.unique(results.match)):,} matches of {games} were played to their end, with a play clock of "
        f"{measured.clock:g} s{_work(measured.limit)}. Of {searched:,} turns of players that search, {said}; in the thesis "
        "all of them did."
        f"{longer if hours >= 1 else ''}"
    )


def _work(limit: Limit) -> str:
    return f" and at most {limit.forward_calls:,} states to look at in a turn" if limit.forward_calls else ""


def _late_games(results: Results) -> Iterator[str]:
    for game, played in results.games():
        if late := int(played.timeouts.sum()):
            yield f"{game} {late:,}"


def _of_random(random: Bias) -> str:
    drawn = random.matches - random.attacker - random.defender
    verdict = (
        f"13x13 hnefatafl is not balanced for random players: the {random.towards} wins more"
        if random.towards
        else "no side is proved to win more"
    )
    return (
        f"Random against Random, {random.matches:,} matches of 13x13 hnefatafl where the thesis had 10: the attacker wins "
        f"{random.attacker / random.matches:.1%}, the defender {random.defender / random.matches:.1%}, and "
        f"{drawn / random.matches:.1%} are drawn. With 8 of 10 the thesis could not tell; here {verdict} "
        f"({_chance(random.adjusted)})."
    )


def _intelligence(measured: Measured) -> Iterator[str]:
    by_roles: dict[str, list[str]] = {}
    for player in measured.players:
        if any((MAIN, player, role) in measured.against_random for role in ROLES):
            better = [role for role in ROLES if measured.better(MAIN, player, role)]
            by_roles.setdefault(" and as ".join(better), []).append(player)
    for roles, players in by_roles.items():
        where = f"as {roles}" if roles else "in neither role"
        verb = "is" if len(players) == 1 else "are"
        yield (
            f"Intelligence: in 13x13 hnefatafl against Random, {_listed(players)} {verb} proved {where} to win more than "
            "Random itself does in that seat."
        )


def _taken_together(measured: Measured) -> Iterator[str]:
    """Hold what all players that search won against Random in 13x13 hnefatafl against what Random wins there itself."""
    random = measured.bias(MAIN, RANDOM)
    rates = {
        role: [rate for (game, _, seat), rate in measured.against_random.items() if (game, seat) == (MAIN, role)]
        for role in ROLES
    }
    if random is None or not all(rates.values()):
        return
    counts = [sum(rate.count for rate in rates[role]) for role in ROLES]
    won = [sum(rate.mean * rate.count for rate in rates[role]) for role in ROLES]
    own = [random.share, 1 - random.share]
    tests = [
        binomtest(int(wins + 1e-9), count, share, "greater").pvalue
        for wins, count, share in zip(won, counts, own, strict=True)
    ]
    adjusted, _ = holm(np.array(tests, float), ALPHA)
    parts = [
        f"as {role} {wins:g} of {count} (Random itself {share:.0%}, {_chance(p)})"
        for role, wins, count, share, p in zip(ROLES, won, counts, own, adjusted.tolist(), strict=True)
    ]
    yield f"All players that search taken together won, against Random, {' and '.join(parts)}."


def _generality(measured: Measured) -> Iterator[str]:
    found = [each for player in measured.players if player != RANDOM and (each := measured.bias(MAIN, player))]
    if not found:
        return
    shares = ", ".join(f"{each.player} {each.share:.0%}" for each in found)
    yield f"Generality: in 13x13 hnefatafl against themselves, the attacker's part of the wins is {shares}."
    general = [each.player for each in found if not each.towards]
    for role in ROLES:
        if biased := [each.player for each in found if each.towards == role]:
            verb = "plays" if len(biased) == 1 else "play"
            yield f"So asymmetry does matter: {_listed(biased)} {verb} the {role} better, in a game that people find balanced."
    if general:
        matches = min(each.matches for each in found if not each.towards)
        told = f"{matches:,} matches each are too few to prove any" if matches > 1 else "one match each proves nothing"
        if matches >= _ENOUGH:
            told = f"{matches:,} matches each show one of about {100 * min(0.5, difference_found(matches)):.0f} points"
        yield f"No preference for a role is proved for {_listed(general)}; {told}."


def _compared_with_random(measured: Measured) -> Iterator[str]:
    """Say whether players that think come closer to balance than Random, as the thesis expected."""
    random = measured.bias(MAIN, RANDOM)
    found = [each for player in measured.players if player != RANDOM and (each := measured.bias(MAIN, player))]
    if random is None or not found:
        return
    counts = [[[each.attacker, each.defender], [random.attacker, random.defender]] for each in found]
    adjusted, sure = holm(np.array([float(fisher_exact(table).pvalue) for table in counts]), ALPHA)
    said = ", ".join(f"{each.player} {_chance(p)}" for each, p in zip(found, adjusted.tolist(), strict=True))
    proved = [each for each, differs in zip(found, sure.tolist(), strict=True) if differs]
    nearer = [each.player for each in proved if abs(each.share - 0.5) < abs(random.share - 0.5)]
    verdict = "for none of them is a difference proved"
    if proved:
        verdict = f"it is proved for {_listed([each.player for each in proved])}"
        verdict += f", and {_listed(nearer)} {'is' if len(nearer) == 1 else 'are'} nearer to a half" if nearer else ""
    yield (
        f"The thesis expects the attacker's part to move towards a half as players become more intelligent. Against Random's "
        f"{random.share:.0%} {verdict} (exact tests of the matches that were won, Holm's correction: {said})."
    )


def _all_games(measured: Measured) -> Iterator[str]:
    """Add up the matches of players against themselves over all games in which somebody can move.

    Games favour a role whoever plays: so the total is held against what Random's shares in the same games would give.
    """
    players = [player for player in measured.players if player != RANDOM]
    fair = {
        each.game: each.attacker / (each.attacker + each.defender)
        for each in measured.biases
        if each.player == RANDOM and each.attacker + each.defender
    }
    played = {bias.game for bias in measured.biases if bias.player != RANDOM}
    games = [game for game in measured.games if game in played and game in fair and game not in _NO_CHOICE]
    won = [[each for game in games if (each := measured.bias(game, player))] for player in players]
    totals = [(sum(each.attacker for each in own), sum(each.defender for each in own)) for own in won]
    if len(games) < 2 or not any(map(sum, totals)):
        return
    expected = [[fair[each.game] for each in own for _ in range(each.attacker + each.defender)] for own in won]
    tests = [unlike(one, chances) for (one, _), chances in zip(totals, expected, strict=True)]
    adjusted, sure = holm(np.array(tests, float), ALPHA)
    parts = ", ".join(
        f"{player} {one} of {one + other} (at Random's shares {sum(chances):.1f}, {_chance(p)})"
        for player, (one, other), chances, p in zip(players, totals, expected, adjusted.tolist(), strict=True)
    )
    yield (
        f"Over the {len(games)} games with a choice that they played, the attacker won, of the matches of players against "
        f"themselves that were won: {parts}. These games favour the defender whoever plays, so each total is held against "
        "Random's own shares in the same games."
    )
    for role, sign in zip(ROLES, (1, -1), strict=True):
        biased = [
            player
            for player, (one, _), chances, proved in zip(players, totals, expected, sure.tolist(), strict=True)
            if proved and sign * (one - sum(chances)) > 0
        ]
        if biased:
            verb = "prefers" if len(biased) == 1 else "prefer"
            yield f"In these games taken together, {_listed(biased)} {verb} the {role} more than the games themselves do."


def unlike(wins: int, chances: Sequence[float]) -> float:
    """Say how likely it is that matches won with these chances give a number as unlikely as this, or more so.

    >>> round(unlike(0, [0.5] * 6), 4), unlike(1, [0.5, 0.5])
    (0.0312, 1.0)
    """
    likely = np.ones(1)
    for chance in chances:
        likely = np.convolve(likely, [1 - chance, chance])
    return min(1.0, float(likely[likely <= likely[wins] * (1 + 1e-9)].sum()))


def _chance(p: float) -> str:
    return f"p = {written_p(p)}"


def _code(moves: Moves, name: str) -> int:
    return moves.agent.names.index(name) if name in moves.agent.names else -1


def _listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
