"""What can be done to a state: the atomic changes that all effects of rules are made of, as kernels over the layout of a game.

An action is a few numbers, its kind first, so that effects can be found in one state and done one after the other.
"""

from __future__ import annotations

from typing import Any

from ludarium.kernel import Kernel, ctz, i64, kernel, popcount, u8, u64, view
from ludarium.ludii.memory.state import ACTION_WIDTH, Layout

(
    THEN, MOVE, ADD, REMOVE, CLEAR_LATER, NEXT_PLAYER, PASS, SELECT, SET_COUNT, SET_STATE, SET_VALUE, SET_ROTATION, PROMOTE,
    SET_VAR, SET_TEMP, SET_COUNTER, SET_SCORE, ADD_SCORE, SET_PLAYER_VALUE, SET_PENDING, REMEMBER, FORGET, FORGET_ALL, USE_DIE,
    SET_DIE, DICE_EQUAL, SWAP_PLAYERS, MOVE_STACK, MOVE_COUNT, COPY, INSERT, SET_TEAM, MOVE_TOP, PROPOSE,
    VOTE, TRIGGER, SET_HIDDEN, PUZZLE_SET, PUZZLE_TOGGLE, BET, SET_POT, MOVE_LARGE, STORE_STATE, BEGIN,
) = range(44)  # fmt: skip


def doing_kernels(layout: Layout, Context: Any, given: dict[str, Kernel[Any]]) -> dict[str, Kernel[Any]]:
    """Make the kernels that do actions that were found."""
    State: Any = layout.state
    fields = layout.state.fields
    width, sites, players = ACTION_WIDTH, layout.spots, layout.players
    several, block = len(layout.types) > 1, layout.block
    room, logs, words, hides = layout.action_room, layout.logs, layout.spot_words, bool(layout.hides)
    height, flag_words = layout.height, layout.flag_words
    list_room = layout.list_room
    counting, stacking = layout.counting, layout.stacking
    has_state, has_value, has_rotation = layout.local_states, layout.values, layout.rotations
    has_vars, has_lists, has_scores = bool(layout.vars), bool(layout.lists), "score" in fields
    has_player_values, has_dice, clears = "player_value" in fields, bool(layout.dice), layout.clears
    solves, bets = layout.domain is not None, layout.bets
    large, cover = layout.large, given["cover"]
    ordering, lists_pieces = layout.ordering, layout.listing or layout.ordering
    enlist, delist = given["enlist"], given["delist"]
    touches, board, begins = layout.touches, layout.model.board_sites, layout.begins
    has_ballots, has_events = bool(layout.ballots), bool(layout.events)
    crossing, go_on_tracks = layout.crossing, given["go_on_tracks"]
    has_order, has_teams = "order" in fields, "team" in fields
    weigh, store_state = given["weigh"], given["store_state"]
    add_piece, remove_piece, move_piece = given["add_piece"], given["remove_piece"], given["move_piece"]
    copy_piece, carry_flags, insert_piece = given["copy_piece"], given["carry_flags"], given["insert_piece"]
    move_into, put_state = given["move_into"], given["put_state"]
    move_stack, promote_piece, slot_of, mark_owner, clear_slot = (
        given["move_stack"], given["promote_piece"], given["slot_of"], given["mark_owner"], given["clear_slot"],
    )  # fmt: skip

    @kernel
    def forget_value(s: State, k: i64, value: i64) -> None:
        if has_lists:
            count = i64(s.list_count[k])
            for j in range(count):
                if s.list[k * list_room + j] == value:
                    for m in range(j, count - 1):
                        s.list[k * list_room + m] = s.list[k * list_room + m + 1]
                    s.list[k * list_room + count - 1] = 0
                    s.list_count[k] = count - 1
                    break

    @kernel
    def add_pending(s: State, value: i64) -> None:
        new = True
        for j in range(s.pending_count):
            if s.pending[j] == value:
                new = False
        if new:
            assert s.pending_count < len(s.pending), "too many values are pending"
            s.pending[s.pending_count] = value
            s.pending_count += 1

    @kernel
    def move_count(s: State, a: i64, b: i64, n: i64, sown: i64) -> None:
        """Move several equal pieces at once; seeds are sown one by one, and are on the list of pieces but once."""
        if counting and 0 <= a < sites and 0 <= b < sites:
            piece = i64(s.what[a])
            if piece > 0 and a != b and n > 0:
                if crossing:
                    go_on_tracks(s, piece, a, b, n)
                if lists_pieces:
                    if s.count[a] <= n:
                        delist(s, piece, a)
                    if sown != 1:
                        enlist(s, piece, b)
                    elif s.what[b] != piece:
                        delist(s, i64(s.what[b]), b)
                        enlist(s, piece, b)
                if s.what[b] == piece:
                    s.count[b] += n
                else:
                    s.what[b] = piece
                    s.count[b] = n
                s.count[a] -= n
                if s.count[a] <= 0:
                    s.what[a] = 0
                    s.count[a] = 0
                    clear_slot(s, a)
                mark_owner(s, a)
                mark_owner(s, b)
                carry_flags(s, a, b)

    @kernel
    def move_large(s: State, a: i64, b: i64, state: i64) -> None:
        """Move a large piece, and let it lie in a way."""
        if large and 0 <= a < sites and 0 <= b < sites:
            piece = i64(s.what[a])
            cover(s, piece, i64(s.state[a]), a, 0)
            move_piece(s, a, b, -1)
            put_state(s, b, state)
            cover(s, piece, state, b, 1)

    @kernel
    def cast_vote(s: State, ballot: i64) -> None:
        """Count a vote; when all have voted, what more than half of the players want is decided."""
        if has_ballots:
            s.vote[s.vote_count] = ballot
            s.vote_count += 1
            if s.vote_count == players:
                for j in range(players):
                    same = 0
                    for k in range(players):
                        if s.vote[k] == s.vote[j]:
                            same += 1
                    if 2 * same > players:
                        s.decided = s.vote[j] + 1
                for j in range(players):
                    s.vote[j] = 0
                s.vote_count = 0
                s.proposed = 0

    @kernel
    def set_variable(s: State, x: i64, value: i64) -> None:
        """Give a variable of a puzzle its value."""
        if solves and 0 <= x < sites:
            s.open[x] = u64(1) << u64(value)
            s.solved[x] = value
            s.what[x] = value

    @kernel
    def toggle_variable(s: State, x: i64, value: i64) -> None:
        """Cross a value of a variable out, or bring it back; with one left, that is it."""
        if solves and 0 <= x < sites:
            s.open[x] ^= u64(1) << u64(value)
            s.solved[x] = -1
            s.what[x] = 0
            if popcount(s.open[x]) == 1:
                s.solved[x] = i64(ctz(s.open[x]))
                s.what[x] = s.solved[x]

    @kernel
    def is_taken(s: State, x: i64, level: i64) -> bool:
        """Whether there is a site, and in stacks a piece, whose fields can be set."""
        if x < 0 or x >= sites:
            return False
        if stacking:
            return bool(max(level, 0) < s.height[x])
        return True

    @kernel
    def see_ends(s: State, a: i64, b: i64) -> None:
        """Keep where something was done, by the numbers of sites."""
        s.after_from = a
        s.after_to = b
        if several:
            s.after_from = a % block if a >= 0 else a
            s.after_to = b % block if b >= 0 else b
        if touches and 0 <= b < board:
            s.touched[b >> 6] |= u64(1) << u64(b & 63)
        if begins and 0 <= a < board:
            s.begun[a >> 6] |= u64(1) << u64(a & 63)

    @kernel
    def forget_ends(s: State) -> None:
        """Begin a move: nothing has been done yet."""
        s.after_from = -1
        s.after_to = -1
        if touches:
            for k in range(words):
                s.touched[k] = u64(0)
        if begins:
            for k in range(words):
                s.begun[k] = u64(0)

    @kernel
    def do_action(v: view[u8], c: Context, at: i64) -> None:
        """Do one action."""
        s = State(v)
        k = at * width
        if logs:
            if s.logged == 1:
                assert c.log_top < room, "too many actions at once"
                for j in range(width):
                    c.log[c.log_top * width + j] = c.actions[k + j]
                c.log_top += 1
        a = i64(c.actions[k + 1])
        b = i64(c.actions[k + 2])
        d = i64(c.actions[k + 3])
        e = i64(c.actions[k + 4])
        f = i64(c.actions[k + 5])
        kind = i64(c.actions[k])
        if 1 <= kind <= 3 or 8 <= kind <= 12 or 27 <= kind <= 30 or kind == 41:
            see_ends(s, a, b if kind == 1 or 27 <= kind <= 29 or kind == 41 else a)
        match kind:
            case 1:
                if e < 0:
                    move_piece(s, a, b, d)
                else:
                    move_into(s, a, b, d, e)
            case 2:
                add_piece(s, a, b, max(d, 1), e, -1, f)
            case 3:
                weigh(s, a, b)
                remove_piece(s, a, b)
            case 4:
                weigh(s, a, -1)
                if clears and 0 <= a < sites:
                    s.clear[a >> 6] |= u64(1) << u64(a & 63)
                    if stacking:
                        s.clear_times[a] += 1
            case 5:
                s.next = a
                c.deep |= 1
            case 8:
                if counting and 0 <= a < sites:
                    if lists_pieces:
                        if d <= 0:
                            delist(s, i64(s.what[a]), a)
                        elif ordering or s.count[a] == 0:
                            enlist(s, b, a)
                    s.what[a] = b if d > 0 else 0
                    s.count[a] = d
                    if d <= 0:
                        clear_slot(s, a)
                    mark_owner(s, a)
            case 9:
                if has_state and is_taken(s, a, d) and b >= 0:
                    put_state(s, slot_of(s, a, d), b)
            case 10:
                if has_value and is_taken(s, a, d) and b >= 0:
                    s.value[slot_of(s, a, d)] = b
            case 11:
                if has_rotation and is_taken(s, a, d) and b >= 0:
                    s.rotation[slot_of(s, a, d)] = b
            case 12:
                promote_piece(s, a, b, d)
            case 13:
                if has_vars:
                    s.var[a] = b
            case 14:
                s.temp = a
            case 15:
                s.counter = a
            case 16:
                if has_scores and 0 < a <= players:
                    s.score[a] = b
            case 17:
                if has_scores and 0 < a <= players:
                    s.score[a] += b
            case 18:
                if has_player_values and 0 <= a <= players:
                    s.player_value[a] = b
            case 19:
                add_pending(s, 1 if a == -1 else a)
            case 20:
                if has_lists:
                    assert s.list_count[a] < list_room, "too many values are remembered"
                    s.list[a * list_room + s.list_count[a]] = b
                    s.list_count[a] += 1
            case 21:
                forget_value(s, a, b)
            case 22:
                if has_lists:
                    for j in range(list_room):
                        s.list[a * list_room + j] = 0
                    s.list_count[a] = 0
            case 23:
                if has_dice:
                    s.current[a] = 0
            case 24:
                if has_dice:
                    s.die[a] = b
                    s.current[a] = d
            case 25:
                if has_dice:
                    s.dice_equal = a
            case 26:
                if has_order and min(a, b) >= 0 and max(a, b) <= players:
                    old = s.order[a]
                    s.order[a] = s.order[b]
                    s.order[b] = old
            case 27:
                move_stack(s, a, b, d, e)
            case 28:
                move_count(s, a, b, d, e)
            case 29:
                copy_piece(s, a, b)
            case 30:
                insert_piece(s, a, b, d, e)
            case 32:
                if stacking and 0 <= a < sites:
                    move_stack(s, a, b, max(0, i64(s.height[a]) - d), -1)
            case 33:
                if has_ballots:
                    s.proposed |= 1 << a
            case 34:
                cast_vote(s, a)
            case 35:
                if has_events and 0 <= b <= players:
                    s.triggered[a] |= 1 << b
            case 37:
                set_variable(s, a, b)
            case 38:
                toggle_variable(s, a, b)
            case 36:
                if hides and 0 <= b < sites and e < height:
                    slot = b * height + max(e, 0)
                    flag = u64(1) << u64(slot & 63)
                    s.hidden[a * flag_words + (slot >> 6)] &= ~flag
                    if d == 1:
                        s.hidden[a * flag_words + (slot >> 6)] |= flag
            case 39:
                if bets and 0 < a <= players:
                    s.amount[a] = b
            case 40:
                if bets:
                    s.pot = a
            case 41:
                move_large(s, a, b, d)
            case 42:
                store_state(s)
            case 31:
                if has_teams and 0 < b <= players:
                    s.team[b] = a
            case _:
                pass

    @kernel
    def move_now(s: State, a: i64, b: i64, level: i64) -> None:
        see_ends(s, a, b)
        move_piece(s, a, b, level)

    @kernel
    def add_now(s: State, x: i64, piece: i64, count: i64, state: i64, value: i64) -> None:
        see_ends(s, x, x)
        add_piece(s, x, piece, max(count, 1), state, -1, value)

    @kernel
    def remove_now(s: State, x: i64, level: i64) -> None:
        see_ends(s, x, x)
        weigh(s, x, level)
        remove_piece(s, x, level)

    @kernel
    def do_last(v: view[u8], c: Context) -> None:
        """Do the action that was found last."""
        c.top -= 1
        do_action(v, c, c.top)

    @kernel
    def do_actions(v: view[u8], c: Context, start: i64) -> None:
        """Do all actions that wait, from one on."""
        for at in range(start, c.top):
            do_action(v, c, at)
        c.top = start

    @kernel
    def push_logged(c: Context, start: i64, end: i64) -> None:
        """Let actions wait that were written down."""
        if logs:
            for at in range(start, end):
                assert c.top < room, "too many actions at once"
                for j in range(width):
                    c.actions[c.top * width + j] = c.log[at * width + j]
                c.top += 1

    @kernel
    def arrange_log(c: Context, start: i64) -> i64:
        """Put what was done into the order in which Ludii does it before what follows: where it ends then.

        Of several effects each goes to where the actions of the one before would end, if that were the first.
        """
        if logs:
            size = 0  # of what is arranged, behind what was written down
            place = 0
            end = i64(c.log_top)
            at = start
            while at < end:
                next_at = at
                if c.log[at * width] == BEGIN:
                    next_at += 1
                    at += 1
                while next_at < end and c.log[next_at * width] != BEGIN:
                    next_at += 1
                many = next_at - at
                place = min(place, size)
                assert end + size + many <= room, "too many actions at once"
                k = end + size - 1
                while k >= end + place:
                    for j in range(width):
                        c.log[(k + many) * width + j] = c.log[k * width + j]
                    k -= 1
                for k in range(many):
                    for j in range(width):
                        c.log[(end + place + k) * width + j] = c.log[(at + k) * width + j]
                size += many
                place = many
                at = next_at
            for k in range(size):
                for j in range(width):
                    c.log[(start + k) * width + j] = c.log[(end + k) * width + j]
            c.log_top = start + size
            return start + size
        return start

    made: list[Kernel[Any]] = [
        forget_value, add_pending, move_count, move_large, cast_vote, set_variable, toggle_variable,
        is_taken, see_ends, forget_ends, do_action, move_now, add_now, remove_now, do_last,
        do_actions, push_logged, arrange_log,
    ]  # fmt: skip
    return {each.name: each for each in made}
