"""Sites of a state: what stands on them, and how it is changed, as kernels over the layout of a game."""

from __future__ import annotations

from typing import Any

from ludarium.kernel import Kernel, constant, i64, kernel, nth, popcount, u8, u64
from ludarium.ludii.memory.belonging import belonging_kernels
from ludarium.ludii.memory.cards import card_kernels
from ludarium.ludii.memory.crossing import crossing_kernels
from ludarium.ludii.memory.dominoes import domino_kernels
from ludarium.ludii.memory.hiding import hiding_kernels
from ludarium.ludii.memory.large import large_kernels
from ludarium.ludii.memory.listing import listing_kernels
from ludarium.ludii.memory.remembering import remembering_kernels
from ludarium.ludii.memory.state import ACTION_WIDTH, Layout


def site_kernels(layout: Layout, Context: Any) -> dict[str, Kernel[Any]]:
    """Make the kernels that read and change sites of a state."""
    State: Any = layout.state
    sites, words, height = layout.spots, layout.spot_words, layout.height
    players = layout.players
    stacking, counting = layout.stacking, layout.counting
    has_state, has_value, has_rotation = layout.local_states, layout.values, layout.rotations
    owner = constant(u8, [0, *(each.owner for each in layout.model.components)])
    room, width = layout.action_room, ACTION_WIDTH
    kinds = layout.kinds
    crossing, tracking, hiding = layout.crossing, crossing_kernels(layout), hiding_kernels(layout)
    weighs = layout.weighs
    large, covering = layout.large, large_kernels(layout)
    cover = covering["cover"]
    ordering, lists_pieces, lists = layout.ordering, layout.listing or layout.ordering, listing_kernels(layout)
    enlist, delist = lists["enlist"], lists["delist"]
    ghosts, haunt, lay = layout.ghosts, lists["haunt"], lists["lay"]
    belonging = belonging_kernels(layout)
    put_state = belonging["put_state"]
    hides, carry_flags = bool(layout.hides), hiding["carry_flags"]
    copy_flags, clear_flags = hiding["copy_flags"], hiding["clear_flags"]
    enter_tracks, leave_tracks, go_on_tracks = (tracking[k] for k in ("enter_tracks", "leave_tracks", "go_on_tracks"))

    @kernel
    def what_at(s: State, x: i64) -> i64:
        if x < 0 or x >= sites:
            return 0
        return i64(s.what[x * height])

    @kernel
    def top_of(s: State, x: i64) -> i64:
        if x < 0 or x >= sites:
            return 0
        if stacking:
            if s.height[x] == 0:
                return 0
            return i64(s.what[x * height + s.height[x] - 1])
        return i64(s.what[x])

    @kernel
    def who_at(s: State, x: i64) -> i64:
        return i64(owner[top_of(s, x)])

    @kernel
    def height_of(s: State, x: i64) -> i64:
        if x < 0 or x >= sites:
            return 0
        if stacking:
            return i64(s.height[x])
        if s.what[x] == 0:
            return 0
        return 1

    @kernel
    def is_empty(s: State, x: i64) -> bool:
        if x < 0 or x >= sites:
            return False
        if stacking:
            return bool(s.height[x] == 0)
        if large:
            if (s.covered[x >> 6] >> u64(x & 63)) & u64(1) == u64(1):
                return False
        if counting:
            return bool(s.count[x] == 0)
        return bool(s.what[x] == 0)

    @kernel
    def count_at(s: State, x: i64) -> i64:
        if x < 0 or x >= sites:
            return 0
        if counting:
            return i64(s.count[x])
        return height_of(s, x)

    @kernel
    def slot_of(s: State, x: i64, level: i64) -> i64:
        """Where the fields of a piece are: the top one if no level is named."""
        if stacking:
            if level < 0:
                return x * height + max(0, i64(s.height[x]) - 1)
            return x * height + level
        return x

    @kernel
    def mark_piece(s: State, x: i64) -> None:
        """Note whose the top piece is, where nothing was noted."""
        piece = top_of(s, x)
        if piece > 0:
            s.owned[owner[piece] * words + (x >> 6)] |= u64(1) << u64(x & 63)
            if kinds:
                s.kinds[piece] |= u64(1) << u64(x)

    @kernel
    def unmark_piece(s: State, x: i64) -> None:
        """Forget whose the top piece is that is taken away."""
        piece = top_of(s, x)
        if piece > 0:
            s.owned[owner[piece] * words + (x >> 6)] &= ~(u64(1) << u64(x & 63))
            if kinds:
                s.kinds[piece] &= ~(u64(1) << u64(x))

    @kernel
    def mark_owner(s: State, x: i64) -> None:
        """Note whose the top piece is."""
        bit = u64(1) << u64(x & 63)
        k = x >> 6
        for p in range(players + 2):
            s.owned[p * words + k] &= ~bit
        if kinds:
            for piece in range(1, kinds + 1):
                s.kinds[piece] &= ~bit
        mark_piece(s, x)

    @kernel
    def clear_slot(s: State, k: i64) -> None:
        if has_state:
            put_state(s, k, 0)
        if has_value:
            s.value[k] = 0
        if has_rotation:
            s.rotation[k] = 0
        clear_flags(s, k)

    @kernel
    def copy_slot(s: State, a: i64, b: i64) -> None:
        s.what[b] = s.what[a]
        if has_state:
            put_state(s, b, i64(s.state[a]))
        if has_value:
            s.value[b] = s.value[a]
        if has_rotation:
            s.rotation[b] = s.rotation[a]
        copy_flags(s, a, b)

    @kernel
    def set_slot(s: State, k: i64, state: i64, rotation: i64, value: i64) -> None:
        """Set the fields of a piece that are given."""
        if has_state:
            if state >= 0:
                put_state(s, k, state)
        if has_value:
            if value >= 0:
                s.value[k] = value
        if has_rotation:
            if rotation >= 0:
                s.rotation[k] = rotation

    @kernel
    def push_piece(s: State, x: i64, piece: i64, state: i64, rotation: i64, value: i64) -> None:
        """Put a piece on top of a stack."""
        if stacking:
            assert s.height[x] < height, "a stack is higher than rules allow"
            k = x * height + s.height[x]
            s.what[k] = piece  # it takes over what one that was taken out from below has left here
            if state >= 0 or rotation >= 0 or value >= 0:
                clear_slot(s, k)
                set_slot(s, k, state, rotation, value)
            s.height[x] += 1
            mark_owner(s, x)

    @kernel
    def insert_piece(s: State, x: i64, level: i64, piece: i64, state: i64) -> None:
        """Put a piece into a stack; what lies there and above rises."""
        if stacking:
            if 0 <= x < sites:
                push_piece(s, x, piece, -1, -1, -1)
                if crossing:
                    enter_tracks(s, piece, x, 1)
                top = i64(s.height[x]) - 1
                at = min(max(level, 0), top)
                k = top
                while k > at:
                    copy_slot(s, x * height + k - 1, x * height + k)
                    k -= 1
                s.what[x * height + at] = piece
                clear_slot(s, x * height + at)
                set_slot(s, x * height + at, state, -1, -1)
                mark_owner(s, x)

    @kernel
    def pull_piece(s: State, x: i64, level: i64) -> None:
        """Take a piece out of a stack; what lies above drops."""
        if stacking:
            high = i64(s.height[x])
            if high > 0:
                at = high - 1 if level < 0 or level >= high else level
                if ghosts and at == 0:
                    lay(s, i64(s.what[x * height]), x)
                for k in range(at, high - 1):
                    copy_slot(s, x * height + k + 1, x * height + k)
                s.what[x * height + high - 1] = 0
                clear_flags(s, x * height + high - 1)
                if level < 0:
                    clear_slot(s, x * height + high - 1)
                s.height[x] = high - 1
                mark_owner(s, x)

    @kernel
    def add_piece(s: State, x: i64, piece: i64, count: i64, state: i64, rotation: i64, value: i64) -> None:
        """Put a piece on a site."""
        if 0 <= x < sites:
            if stacking:
                push_piece(s, x, piece, state, rotation, value)
                if crossing:
                    enter_tracks(s, piece, x, 2 * count)  # a piece on a stack counts twice in Ludii
            else:
                if crossing:
                    enter_tracks(s, piece, x, count)
                if s.what[x] == 0:
                    s.what[x] = piece
                    if lists_pieces:
                        enlist(s, piece, x)
                    if counting:
                        s.count[x] = count
                        mark_owner(s, x)
                    else:
                        mark_piece(s, x)
                    if large:
                        cover(s, piece, state, x, 1)
                elif counting:
                    s.count[x] += count
                set_slot(s, x, state, rotation, value)

    @kernel
    def set_seeds(s: State, x: i64, piece: i64, count: i64) -> None:
        """Let a site hold so many pieces of a kind."""
        if counting and 0 <= x < sites:
            if lists_pieces:
                if count <= 0:
                    delist(s, i64(s.what[x]), x)
                elif ordering or s.count[x] == 0:
                    enlist(s, piece, x)
            s.what[x] = piece if count > 0 else 0
            s.count[x] = count
            mark_owner(s, x)

    @kernel
    def level_what(s: State, x: i64, level: i64) -> i64:
        """The kind of piece on a level of a stack; -1 is the top."""
        if x < 0 or x >= sites:
            return 0
        if stacking:
            at = i64(s.height[x]) - 1 if level < 0 else level
            if at < 0 or at >= s.height[x]:
                return 0
            return i64(s.what[x * height + at])
        return i64(s.what[x])

    @kernel
    def remove_piece(s: State, x: i64, level: i64) -> None:
        """Take away what is on a site; of a stack one piece."""
        if 0 <= x < sites:
            if crossing:
                leave_tracks(s, level_what(s, x, level), x)
            if stacking:
                pull_piece(s, x, level)
            else:
                if large:
                    cover(s, i64(s.what[x]), i64(s.state[x]), x, 0)
                if lists_pieces:
                    delist(s, i64(s.what[x]), x)
                unmark_piece(s, x)
                s.what[x] = 0
                if counting:
                    s.count[x] = 0
                clear_slot(s, x)

    @kernel
    def weigh(s: State, x: i64, level: i64) -> None:
        """Count a piece that is taken away, now or at the end of the turn."""
        if weighs and 0 <= x < sites:
            s.taken += 1
            if has_value:  # of a stack the lowest piece counts, but in moves that come later in a turn its top
                s.taken_worth += i64(s.value[slot_of(s, x, max(level, 0))])
                s.taken_tops += i64(s.value[slot_of(s, x, -1)])

    @kernel
    def move_piece(s: State, a: i64, b: i64, level: i64) -> None:
        """Move a piece from a site to another."""
        if 0 <= a < sites and 0 <= b < sites:
            if crossing and (a != b or not stacking):
                go_on_tracks(s, level_what(s, a, level), a, b, 1)
            if stacking:
                if s.height[a] > 0:
                    at = i64(s.height[a]) - 1 if level < 0 or level >= s.height[a] else level
                    if a != b:
                        piece = i64(s.what[a * height + at])
                        push_piece(s, b, piece, -1, -1, -1)
                        if level >= 0:  # a level that is named keeps what it is, the top does not
                            copy_slot(s, a * height + at, b * height + s.height[b] - 1)
                        pull_piece(s, a, level)
            else:
                piece = i64(s.what[a])
                if piece > 0 and a != b:
                    if counting:
                        if lists_pieces:
                            if s.count[a] == 1:
                                delist(s, piece, a)
                            if s.what[b] != piece:
                                delist(s, i64(s.what[b]), b)
                                enlist(s, piece, b)
                        s.count[b] = s.count[b] + 1 if s.what[b] == piece else 1
                        copy_slot(s, a, b)  # what comes says what they are like
                        s.count[a] -= 1
                        if s.count[a] <= 0:
                            s.what[a] = 0
                            s.count[a] = 0
                            clear_slot(s, a)
                        mark_owner(s, a)
                        mark_owner(s, b)
                    else:
                        if lists_pieces:
                            delist(s, piece, a)
                            delist(s, i64(s.what[b]), b)
                            enlist(s, piece, b)
                        unmark_piece(s, a)
                        unmark_piece(s, b)
                        copy_slot(s, a, b)
                        s.what[a] = 0
                        clear_slot(s, a)
                        mark_piece(s, b)
                    if hides:
                        carry_flags(s, a, b)

    @kernel
    def move_into(s: State, a: i64, b: i64, level: i64, to_level: i64) -> None:
        """Move a piece from a site into the stack of another."""
        if stacking:
            if 0 <= a < sites and 0 <= b < sites and a != b:
                if s.height[a] > 0:
                    piece = level_what(s, a, level if level < s.height[a] else -1)
                    if crossing:
                        leave_tracks(s, piece, a)
                    pull_piece(s, a, level)
                    insert_piece(s, b, to_level, piece, -1)

    @kernel
    def copy_piece(s: State, a: i64, b: i64) -> None:
        """Put a piece like the lowest one of a site on another."""
        if 0 <= a < sites and 0 <= b < sites and a != b:
            if stacking:
                if s.height[a] > 0:
                    push_piece(s, b, i64(s.what[a * height]), -1, -1, -1)
                    copy_slot(s, a * height, b * height + s.height[b] - 1)
                    clear_slot(s, a * height)
            elif s.what[a] > 0:
                if lists_pieces and s.what[b] != s.what[a]:
                    delist(s, i64(s.what[b]), b)
                    enlist(s, i64(s.what[a]), b)
                if counting:
                    s.count[b] = s.count[b] + 1 if s.what[b] == s.what[a] else 1
                copy_slot(s, a, b)
                mark_owner(s, b)

    @kernel
    def move_stack(s: State, a: i64, b: i64, low: i64, high: i64) -> None:
        """Move the pieces of a stack from one level to another onto another stack."""
        if stacking:
            if 0 <= a < sites and 0 <= b < sites and a != b:
                if crossing:
                    go_on_tracks(s, top_of(s, a), a, b, 1)
                last = i64(s.height[a]) - 1
                upper = last if high < 0 or high > last else high
                for k in range(low, upper + 1):
                    at = i64(s.height[b])
                    assert at < height, "a stack is higher than rules allow"
                    copy_slot(s, a * height + k, b * height + at)
                    s.height[b] = at + 1
                moved = upper + 1 - low
                if ghosts and moved == last + 1:
                    for k in range(last + 1):
                        lay(s, i64(s.what[a * height + k]), a)
                for k in range(upper + 1, last + 1):
                    copy_slot(s, a * height + k, a * height + k - moved)
                for k in range(last + 1 - moved, last + 1):
                    s.what[a * height + k] = 0
                    clear_slot(s, a * height + k)
                s.height[a] = last + 1 - moved
                mark_owner(s, a)
                mark_owner(s, b)

    @kernel
    def promote_piece(s: State, x: i64, piece: i64, level: i64) -> None:
        """Replace a piece by another kind."""
        if 0 <= x < sites:
            k = slot_of(s, x, level)
            if lists_pieces:
                delist(s, i64(s.what[k]), x)
                enlist(s, piece, x)
            if ghosts:
                if s.height[x] == 1:
                    haunt(s, i64(s.what[k]), x)
            s.what[k] = piece
            if counting:
                s.count[x] = 1
            clear_slot(s, k)
            mark_owner(s, x)

    @kernel
    def push_action(c: Context, kind: i64, a: i64, b: i64, d: i64, e: i64, f: i64) -> None:
        """Let an action wait until all are found."""
        assert c.top < room, "too many actions at once"
        k = c.top * width
        c.actions[k] = kind
        c.actions[k + 1] = a
        c.actions[k + 2] = b
        c.actions[k + 3] = d
        c.actions[k + 4] = e
        c.actions[k + 5] = f
        c.top += 1

    @kernel
    def random_below(c: Context, n: i64) -> i64:
        """Draw from 0 to n - 1, unless what comes is given."""
        if c.forced_at < c.forced_count:
            given = i64(c.forced[c.forced_at])
            c.forced_at += 1
            return min(max(given, 0), n - 1)
        c.seed += u64(0x9E3779B97F4A7C15)
        z = c.seed
        z = (z ^ (z >> u64(30))) * u64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> u64(27))) * u64(0x94D049BB133111EB)
        z ^= z >> u64(31)
        return i64((z >> u64(1)) % u64(n))

    @kernel
    def draw_one(c: Context, rest: u64) -> i64:
        """Draw one of the numbers of a set."""
        return nth(rest, random_below(c, i64(popcount(rest))))

    made: list[Kernel[Any]] = [
        what_at, top_of, who_at, height_of, is_empty, count_at, slot_of, mark_piece, unmark_piece, mark_owner, clear_slot,
        copy_slot, set_slot, push_piece, insert_piece, pull_piece, add_piece, set_seeds, level_what, remove_piece, weigh,
        move_piece, move_into, copy_piece, move_stack, promote_piece, push_action, random_below, draw_one,
    ]  # fmt: skip
    known = (
        tracking
        | hiding
        | belonging
        | covering
        | lists
        | remembering_kernels(layout)
        | {each.name: each for each in made}
    )
    return known | domino_kernels(layout, known) | card_kernels(layout, known)
