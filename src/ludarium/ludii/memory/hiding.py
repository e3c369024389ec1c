"""What a player is shown of a state: all but what is hidden from him."""

from __future__ import annotations

from typing import Any

from ludarium.kernel import Kernel, i64, kernel, u8, u64, view
from ludarium.ludii.memory.state import Layout


def staying_flags(layout: Layout) -> tuple[Kernel[Any], Kernel[Any]]:
    """The kernels that do nothing when cards of a stack come to lie on other levels: what is hidden stays with the level."""
    State: Any = layout.state

    @kernel
    def copy_flags(s: State, a: i64, b: i64) -> None:
        pass

    @kernel
    def clear_flags(s: State, a: i64) -> None:
        pass

    return copy_flags, clear_flags


def hiding_kernels(layout: Layout) -> dict[str, Kernel[Any]]:
    """Make the kernels of flags that go along with pieces, and of the state as a player sees it."""
    State: Any = layout.state
    sites, words, players, height = layout.spots, layout.spot_words, layout.players, layout.height
    flag_words, stacking = layout.flag_words, layout.stacking
    hides, kinds, rows = bool(layout.hides), len(layout.hides), len(layout.hides) * (layout.players + 1)
    counting, board = layout.counting, layout.model.board_sites
    has_state, has_value, has_rotation = layout.local_states, layout.values, layout.rotations
    first = {kind: k * (players + 1) for k, kind in enumerate(layout.hides)}
    whole, what_row, who_row = (first.get(kind, -1) for kind in ("Hidden", "What", "Who"))
    state_row, count_row, value_row, rotation_row = (
        first.get(kind, -1) for kind in ("State", "Count", "Value", "Rotation")
    )
    has_start, has_tracks = "started" in layout.state.fields, "on_track" in layout.state.fields
    cycle, history, large = layout.cycle, layout.history, layout.large
    touches, begins = layout.touches, layout.begins

    @kernel
    def carry_flags(s: State, a: i64, b: i64) -> None:
        """Let what is hidden of a piece stay hidden where it went to."""
        if hides and a != b:
            for row in range(rows):
                bit = (s.hidden[row * flag_words + (a >> 6)] >> u64(a & 63)) & u64(1)
                k = row * flag_words + (b >> 6)
                s.hidden[k] = (s.hidden[k] & ~(u64(1) << u64(b & 63))) | (bit << u64(b & 63))
                if s.what[a] == 0:
                    s.hidden[row * flag_words + (a >> 6)] &= ~(u64(1) << u64(a & 63))

    @kernel
    def copy_flags(s: State, a: i64, b: i64) -> None:
        """Let as much be hidden of a piece in a stack as of another."""
        if hides and stacking:
            for row in range(rows):
                bit = (s.hidden[row * flag_words + (a >> 6)] >> u64(a & 63)) & u64(1)
                k = row * flag_words + (b >> 6)
                s.hidden[k] = (s.hidden[k] & ~(u64(1) << u64(b & 63))) | (bit << u64(b & 63))

    @kernel
    def clear_flags(s: State, a: i64) -> None:
        """Let nothing be hidden of a piece in a stack."""
        if hides and stacking:
            for row in range(rows):
                s.hidden[row * flag_words + (a >> 6)] &= ~(u64(1) << u64(a & 63))

    @kernel
    def is_hidden(s: State, row: i64, player: i64, x: i64) -> bool:
        if hides and row >= 0:
            return bool((s.hidden[(row + player) * flag_words + (x >> 6)] >> u64(x & 63)) & u64(1) == u64(1))
        return False

    @kernel
    def is_told(s: State, player: i64, x: i64) -> bool:
        """Whether a player may be told that something was done on a site: nothing of it is hidden from him."""
        if x >= 0 and x < sites:
            for kind in range(kinds):
                for level in range(height):
                    if is_hidden(s, kind * (players + 1), player, x * height + level):
                        return False
        return True

    @kernel
    def hide_fields(s: State, player: i64, k: i64, everything: bool, no_kind: bool) -> None:
        """Take away what is hidden of a piece beside its kind."""
        if hides:
            if has_state:
                if everything or is_hidden(s, state_row, player, k):
                    s.state[k] = 0
            if has_value:  # a piece comes with its value, which tells what it is
                if no_kind or is_hidden(s, value_row, player, k):
                    s.value[k] = 0
            if has_rotation:
                if everything or is_hidden(s, rotation_row, player, k):
                    s.rotation[k] = 0

    @kernel
    def hide_stack(s: State, player: i64, x: i64) -> None:
        """Take away what is hidden of the pieces of a stack, which seems to end below a level that is hidden as a whole."""
        if hides and stacking:
            high = i64(s.height[x])
            gone = False
            for level in range(height):
                k = x * height + level
                if level < high and is_hidden(s, whole, player, k) and not gone:
                    gone = True
                    s.height[x] = level
                no_owner = gone or is_hidden(s, who_row, player, k)
                no_kind = no_owner or is_hidden(s, what_row, player, k)
                if no_kind:
                    s.what[k] = 0
                if no_owner and level == high - 1:
                    for p in range(players + 2):
                        s.owned[p * words + (x >> 6)] &= ~(u64(1) << u64(x & 63))
                hide_fields(s, player, k, gone, no_kind)

    @kernel
    def hide(v: view[u8], player: i64) -> None:
        """Take away from a state what a player may not see, and what could tell him of it."""
        s = State(v)
        if hides:
            for x in range(sites):
                if stacking:
                    hide_stack(s, player, x)
                    continue
                all_of_it = is_hidden(s, whole, player, x)
                no_owner = all_of_it or is_hidden(s, who_row, player, x)
                no_kind = no_owner or is_hidden(s, what_row, player, x)
                if no_kind:
                    s.what[x] = 0
                if large and all_of_it:
                    s.covered[x >> 6] &= ~(u64(1) << u64(x & 63))
                if no_owner:
                    for p in range(players + 2):
                        s.owned[p * words + (x >> 6)] &= ~(u64(1) << u64(x & 63))
                if counting:
                    if all_of_it or is_hidden(s, count_row, player, x):
                        s.count[x] = 0
                hide_fields(s, player, x, all_of_it, no_kind)
            last = is_told(s, player, s.last_from) and is_told(s, player, s.last_to)
            after = is_told(s, player, s.after_from) and is_told(s, player, s.after_to)
            seen = is_told(s, player, s.seen_from) and is_told(s, player, s.seen_to)
            if not last:  # where a piece went to tells what was moved, and the other way round
                s.last_from = -1
                s.last_to = -1
            if not after:
                s.after_from = -1
                s.after_to = -1
            if not seen:
                s.seen_from = -1
                s.seen_to = -1
            if not (last and is_told(s, player, s.turn_from)):
                s.turn_from = -1
            # A piece may be seen without being known, but a site that is hidden looks empty, and a number that is hidden
            # looks like none. What others cannot see would tell where they are.
            for row in range(rows):
                unknown = (what_row >= 0 and row == what_row + player) or (who_row >= 0 and row == who_row + player)
                if not unknown:
                    for k in range(flag_words):
                        s.hidden[row * flag_words + k] = u64(0)
            if touches:
                for k in range(words):
                    s.touched[k] = u64(0)
                    s.seen_touched[k] = u64(0)
            if begins:
                for k in range(words):
                    s.begun[k] = u64(0)
                    s.seen_begun[k] = u64(0)
            if has_start:
                for x in range(board):
                    s.started[x] = 0
            if has_tracks:
                for k in range(len(s.on_track)):
                    s.on_track[k] = 0
            if cycle:
                for k in range(cycle):
                    s.past[k] = u64(0)
            if history:
                for k in range(history):
                    s.history[k] = u64(0)

    if layout.cards:
        copy_flags, clear_flags = staying_flags(layout)
    made: list[Kernel[Any]] = [
        carry_flags, copy_flags, clear_flags, is_hidden, is_told, hide_fields, hide_stack, hide,
    ]  # fmt: skip
    return {each.name: each for each in made}
