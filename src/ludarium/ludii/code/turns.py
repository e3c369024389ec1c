"""The turns of a game: what is kept of a move, who is next, who has won, and when it is enough."""

from __future__ import annotations

from typing import Any

from ludarium.kernel import Kernel, array, ctz, i64, kernel, popcount, u8, u64, view
from ludarium.ludii.memory.state import Layout

MOST_MOVES = 10_000
MOST_TURNS = 1_250
"""For each player."""


def turn_kernels(layout: Layout, Context: Any, given: dict[str, Kernel[Any]]) -> dict[str, Kernel[Any]]:
    """Make the kernels of turns and results."""
    State: Any = layout.state
    players, words, spot_words = layout.players, layout.words, layout.spot_words
    clears, visits, cycle = layout.clears, layout.visits, layout.cycle
    stacking = layout.stacking
    position_hash, note_state = given["position_hash"], given["note_state"]
    has_teams = "team" in layout.state.fields
    in_match, many, touches = layout.in_match, layout.players > 2, layout.touches
    begins = layout.begins
    spares = layout.spares
    remove_piece, weigh = given["remove_piece"], given["weigh"]
    ghosts, haunt, height = layout.ghosts, given["haunt"], layout.height

    @kernel
    def next_active(s: State, player: i64) -> i64:
        """The player after another, of those who still play."""
        if players == 1:
            return 1
        p = player % players + 1
        for _ in range(players):
            if (s.active >> p) & 1 == 1:
                return p
            p = p % players + 1
        return p

    @kernel
    def see_actions(s: State) -> None:
        """Let rules see where the last of the actions of the move was; those of its consequences are seen after all."""
        s.seen_from = s.after_from
        s.seen_to = s.after_to
        if touches:
            for k in range(words):
                s.seen_touched[k] = s.touched[k]
        if begins:
            for k in range(words):
                s.seen_begun[k] = s.begun[k]

    @kernel
    def note_move(v: view[u8], c: Context, from_: i64, to: i64) -> None:
        """Keep what later rules ask of a move."""
        s = State(v)
        s.last_from = from_
        s.last_to = to
        s.last_mover = s.mover
        s.moves += 1
        see_actions(s)
        if s.same_turn == 0:
            s.turn_from = from_

    @kernel
    def settle_turn(v: view[u8], c: Context) -> None:
        """Let a state that is only tried look as if the turn were over."""
        s = State(v)
        see_actions(s)
        if s.mover == s.next:
            s.next = s.prev

    @kernel
    def remove_levels(s: State, x: i64, times: i64) -> None:
        """Take pieces off a stack; Ludii's list loses them by levels from below, though the stack sinks."""
        if ghosts:
            high = i64(s.height[x])
            left = array(i64, height)
            stay = array(i64, height)
            many = 0
            for k in range(high):
                left[k] = i64(s.what[x * height + k])
            for level in range(times):
                if level < high:
                    for k in range(level, high - 1):
                        left[k] = left[k + 1]
                    high -= 1
                elif high > 0:
                    high -= 1
                    stay[many] = left[high]
                    many += 1
            for _ in range(times):
                remove_piece(s, x, -1)
            for k in range(many):
                haunt(s, stay[k], x)
        else:
            for _ in range(times):
                remove_piece(s, x, -1)

    @kernel
    def remove_cleared(s: State) -> None:
        """Take away what was captured during the turn."""
        if clears:
            for k in range(spot_words):
                bits = s.clear[k]
                while bits != u64(0):
                    x = k * 64 + i64(ctz(bits))
                    times = 1
                    if stacking:
                        times = i64(s.clear_times[x])
                        s.clear_times[x] = 0
                    for level in range(times):
                        weigh(s, x, level)
                    remove_levels(s, x, times)
                    bits &= bits - u64(1)
                s.clear[k] = u64(0)

    @kernel
    def actives(s: State) -> i64:
        return i64(popcount(u64(s.active)))

    @kernel
    def close(s: State, status: i64) -> None:
        """End the game."""
        s.over = 1
        s.status = status

    @kernel
    def best_ranked(s: State) -> i64:
        """The player in the first place, or 0."""
        for p in range(1, players + 1):
            if s.rank2[p] == 2:
                return p
        return 0

    @kernel
    def last_one(s: State) -> i64:
        for p in range(1, players + 1):
            if (s.active >> p) & 1 == 1:
                return p
        return 0

    @kernel
    def note_winner(s: State, player: i64) -> None:
        """Let a match know who has won."""
        if in_match and player > 0:
            s.won |= 1 << player

    @kernel
    def pass_on(s: State) -> None:
        """Let the turn go on although the game is over: in Ludii it does if somebody is left who has not lost by name."""
        if in_match:
            s.mover = s.next

    @kernel
    def win(s: State, player: i64) -> None:
        """A player wins the best place that is left."""
        if player == players + 1:
            for p in range(1, players + 1):
                if (s.active >> p) & 1 == 1:
                    s.rank2[p] = 2
                    note_winner(s, p)
            s.active = 0
            close(s, 0)
        if 1 <= player <= players and (s.active >> player) & 1 == 1:
            s.rank2[player] = 2 * (s.winners + 1)
            s.winners += 1
            note_winner(s, player)
            s.active &= ~(1 << player)
            if actives(s) == 1:
                other = last_one(s)
                s.rank2[other] = 2 * (s.winners + 1)
                s.active = 0
                pass_on(s)
            if s.active == 0:
                close(s, best_ranked(s))

    @kernel
    def win_team(s: State, team: i64) -> None:
        """All players of a team win, and the others share the place behind them."""
        if has_teams:
            won = i64(s.active)
            for p in range(1, players + 1):
                if s.team[p] != team:
                    won &= ~(1 << p)
            for p in range(1, players + 1):
                if (won >> p) & 1 == 1:
                    s.rank2[p] = 2
                    note_winner(s, p)
                elif won != 0 and s.team[p] != team:
                    s.rank2[p] = 2 * (popcount(u64(won)) + 1)
            if won != 0:
                if won != s.active:
                    pass_on(s)
                s.active = 0
                close(s, best_ranked(s))

    @kernel
    def lose(s: State, player: i64) -> None:
        """A player loses, and is left the worst place."""
        if player == players + 1:
            for p in range(1, players + 1):
                if (s.active >> p) & 1 == 1:
                    s.rank2[p] = 2 * players if players > 1 else 0
            s.active = 0
            close(s, 0)
        if 1 <= player <= players and (s.active >> player) & 1 == 1:
            if players == 1:
                s.rank2[1] = 0
                s.active = 0
                close(s, 0)
            else:
                s.rank2[player] = 2 * (players - s.losers)
                if many:  # who loses at the same time shares the place
                    shared = i64(s.rank2[player]) + s.lost_now
                    for p in range(1, players + 1):
                        if s.rank2[p] == shared + 1:
                            s.rank2[p] = shared
                    s.rank2[player] = shared
                    s.lost_now += 1
                s.losers += 1
                if spares:
                    s.lost |= 1 << player
                s.active &= ~(1 << player)
                if s.next == player:
                    s.next = next_active(s, player)
                if actives(s) == 1:
                    other = last_one(s)
                    s.rank2[other] = 2 * (s.winners + 1)
                    s.active = 0
                    note_winner(s, best_ranked(s))
                if s.active == 0:
                    close(s, best_ranked(s))

    @kernel
    def draw_game(s: State) -> None:
        """All who have no place share what is left; somebody who plays alone has none."""
        shared = actives(s) + 1 + 2 * s.winners if players > 1 else 0
        for p in range(1, players + 1):
            if (s.active >> p) & 1 == 1:
                s.rank2[p] = shared
        s.active = 0
        close(s, best_ranked(s) if s.winners > 0 else 0)

    @kernel
    def rank_by_score(s: State, score: view[i64], least_wins: i64) -> None:
        """Rank all players by their scores."""
        for p in range(1, players + 1):
            better = 0
            equal = 0
            for q in range(1, players + 1):
                if score[q] == score[p]:
                    equal += 1
                elif (score[q] > score[p]) == (least_wins == 0):
                    better += 1
            s.rank2[p] = 2 * better + equal + 1
        s.active = 0
        close(s, best_ranked(s))
        note_winner(s, best_ranked(s))

    @kernel
    def limit_game(s: State) -> None:
        """End a game that takes too long."""
        if s.over == 0 and (s.moves >= MOST_MOVES or s.turns >= MOST_TURNS * players):
            draw_game(s)
            if players == 1:
                s.rank2[1] = 0

    @kernel
    def note_pass(s: State, passed: i64) -> None:
        """Count the turns in a row that were a pass. As in Ludii, one more move may come behind a pass in the same turn."""
        if s.same_turn == 0 or players == 1:
            s.passed = s.passed + 1 if passed == 1 else 0
        elif s.same_turn > 1:
            s.passed = 0
        s.last_pass = passed

    @kernel
    def all_passed(s: State) -> bool:
        """Whether this turn is a pass so far, and the last one of every other player was one."""
        return bool(s.passed >= players and (s.same_turn == 0 or players == 1))

    @kernel
    def is_cycle(s: State) -> bool:
        """Whether the same states came three times in a row, in as many moves as there are pairs of players."""
        if cycle == 0:
            return False
        if s.past_count < cycle:
            return False
        part = cycle // 3
        same = 0
        for k in range(part):
            if s.past[k] == s.past[k + part] and s.past[k] == s.past[k + 2 * part]:
                same += 1
        return same == part

    @kernel
    def next_turn(s: State, swapped: i64) -> None:
        """Hand the turn to the next player."""
        s.counter += 1
        note_state(s)
        if cycle:
            s.past[s.past_count % cycle] = position_hash(s)
            s.past_count += 1
        if visits:
            if s.mover != s.next:
                for k in range(words):
                    s.visited[k] = u64(0)
            else:
                if s.last_from >= 0:
                    s.visited[s.last_from >> 6] |= u64(1) << u64(s.last_from & 63)
                if s.last_to >= 0:
                    s.visited[s.last_to >> 6] |= u64(1) << u64(s.last_to & 63)
        s.prev = s.mover
        s.mover = s.next
        if s.prev != s.mover:
            s.turn_mover = s.prev
        if s.prev == s.mover and swapped == 0:
            s.same_turn += 1
        else:
            s.same_turn = 0
            s.turns += 1
        s.next = next_active(s, s.mover)

    made: list[Kernel[Any]] = [
        next_active, see_actions, note_move, settle_turn, remove_levels, remove_cleared, actives, close, best_ranked, last_one,
        note_winner, pass_on, win, win_team,
        lose, draw_game, rank_by_score, limit_game, note_pass, all_passed, is_cycle, next_turn,
    ]  # fmt: skip
    return {each.name: each for each in made}
